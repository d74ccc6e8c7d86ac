"""Encodes whole arrays by the text of the specification: chunk grids, shards, codecs.  NumPy only; no Zarr library.

The compressors are those of numcodecs (c-blosc, libzstd) and of Python (zlib).  It is no reader: expected values
are the values that were encoded.
"""

from __future__ import annotations

import itertools
import math

import numpy as np
from numcodecs import blosc, zstd

from reference import crc32c, gzip_stream, index, place, vlen

SHUFFLES = {"noshuffle": blosc.NOSHUFFLE, "shuffle": blosc.SHUFFLE, "bitshuffle": blosc.BITSHUFFLE}


def name_of(extension):
    return extension if isinstance(extension, str) else extension["name"]


def configuration(extension):
    return {} if isinstance(extension, str) else extension.get("configuration", {})


def edges(grid, shape):
    """The edge lengths of the chunks of each dimension."""
    config = grid["configuration"]
    if grid["name"] == "regular":
        return [[c] * math.ceil(s / c) for s, c in zip(shape, config["chunk_shape"])]
    found = []
    for s, given in zip(shape, config["chunk_shapes"]):
        if isinstance(given, int):
            found.append([given] * math.ceil(s / given))
        else:
            found.append([e for g in given for e in ([g] if isinstance(g, int) else [g[0]] * g[1])])
    return found


class Encoder:
    """`streams` replaces byte codecs by name with functions; `missing(box)` says which inner chunks are left out."""

    def __init__(self, fill, streams=None, missing=lambda box: False):
        self.fill, self.streams, self.missing = fill, streams or {}, missing

    def chain(self, a, codecs, box):
        """The bytes of a chunk; box: (start, stop) of each axis of `a` in the array's own dimensions, by axis label."""
        for k, codec in enumerate(codecs):
            name, config = name_of(codec), configuration(codec)
            if name == "transpose":
                a = a.transpose(config["order"])
                box = [box[i] for i in config["order"]]
            elif name in ("bytes", "endian"):
                order = ">" if config.get("endian") == "big" else "<"
                data = a.astype(a.dtype.newbyteorder(order)).tobytes()
            elif name in ("vlen-utf8", "vlen-bytes"):
                data = vlen(list(a.ravel()))
            elif name == "sharding_indexed":
                data = self.shard(a, config, box)
            elif isinstance(codec, dict) and codec.get("must_understand") is False and name not in self.known():
                pass
            else:
                data = self.streams.get(name, self.byte_codec(name, config))(data)
        return data

    @staticmethod
    def known():
        return ("gzip", "zstd", "blosc", "crc32c")

    @staticmethod
    def byte_codec(name, config):
        return {
            "crc32c": lambda d: d + crc32c(d),
            "gzip": lambda d: gzip_stream(d, config.get("level", 5)),
            "zstd": lambda d: zstd.compress(d, config.get("level", 3), config.get("checksum", False)),
            "blosc": lambda d: bytes(
                blosc.compress(
                    np.frombuffer(d, f"V{config['typesize']}") if len(d) % config["typesize"] == 0 else d,
                    config["cname"].encode(),
                    config["clevel"],
                    SHUFFLES[config["shuffle"]],
                    config["blocksize"],
                )
            ),
        }[name]

    def shard(self, a, config, box):
        inner = config["chunk_shape"]
        chunks = []
        for at in itertools.product(*(range(n // c) for n, c in zip(a.shape, inner))):
            cut = tuple(slice(i * c, (i + 1) * c) for i, c in zip(at, inner))
            part = [(lo + s.start, lo + s.stop) for (lo, _), s in zip(box, cut)]
            nested = any(name_of(c) == "sharding_indexed" for c in config["codecs"])
            left_out = not nested and self.missing(part)
            chunks.append(None if left_out else self.chain(np.asarray(a[cut]), config["codecs"], part))
        index_codecs = config["index_codecs"]
        order = ">" if configuration(index_codecs[0]).get("endian") == "big" else "<"
        checksums = sum(name_of(c) == "crc32c" for c in index_codecs)
        start = config.get("index_location") == "start"
        body, entries = place(chunks, 16 * len(chunks) + 4 * checksums if start else 0)
        table = index(entries, order, checksums)
        return table + body if start else body + table


def encode(values, metadata, streams=None, missing=None, absent=()):
    """{key: bytes} of an array's chunks; `absent` are the chunks that are not stored, by their grid position."""
    fill = values.dtype.type(0) if values.dtype != object else ""
    encoder = Encoder(fill, streams, missing or (lambda box: False))
    per_axis = edges(metadata["chunk_grid"], metadata["shape"])
    files = {}
    for at in itertools.product(*(range(len(e)) for e in per_axis)):
        if at in absent:
            continue
        box = [(sum(e[:i]), sum(e[: i + 1])) for e, i in zip(per_axis, at)]
        chunk = np.zeros([b - a for a, b in box], values.dtype)
        if values.dtype == object:
            chunk[...] = ""
        inside = tuple(slice(a, min(b, s)) for (a, b), s in zip(box, metadata["shape"]))
        cut = values[inside] if inside else values
        chunk[tuple(slice(0, n) for n in cut.shape)] = cut
        files[key(metadata, at)] = encoder.chain(chunk, metadata["codecs"], box)
    return files


def key(metadata, at):
    encoding = metadata["chunk_key_encoding"]
    v2 = name_of(encoding) == "v2"
    separator = configuration(encoding).get("separator", "." if v2 else "/")
    if v2:
        return separator.join(map(str, at)) or "0"
    return separator.join(["c", *map(str, at)])
