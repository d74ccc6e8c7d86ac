"""A small reference encoder for Zarr v3, standard library only.

Made for crafting arrays that no library would write: every piece (chunk, stream, index, shard,
metadata document) is a plain value that a caller can damage before it is stored.  It encodes
little-endian data by hand-made stored or run-length blocks where a compressor would be needed, so it
is no compressor and no reader.
"""

from __future__ import annotations

import json
import math
import re
import struct
import zlib

EMPTY = 2**64 - 1
LITTLE = {"name": "bytes", "configuration": {"endian": "little"}}
BIG = {"name": "bytes", "configuration": {"endian": "big"}}
BYTES = {"name": "bytes"}
CRC32C = {"name": "crc32c"}
GZIP = {"name": "gzip", "configuration": {"level": 5}}
ZSTD = {"name": "zstd", "configuration": {"level": 3, "checksum": False}}


def blosc_codec(cname="zlib", shuffle="noshuffle", typesize=2, clevel=5, blocksize=0):
    return {
        "name": "blosc",
        "configuration": {
            "cname": cname,
            "clevel": clevel,
            "shuffle": shuffle,
            "typesize": typesize,
            "blocksize": blocksize,
        },
    }


def sharding(chunk_shape, codecs=(LITTLE,), index_codecs=(LITTLE, CRC32C), index_location="end", **more):
    return {
        "name": "sharding_indexed",
        "configuration": {
            "chunk_shape": list(chunk_shape),
            "codecs": list(codecs),
            "index_codecs": list(index_codecs),
            "index_location": index_location,
            **more,
        },
    }


# ---------------------------------------------------------------- metadata


class Lexeme(str):
    """A JSON number or other token that must appear in the document exactly as written."""


def array_metadata(shape=(4,), data_type="int16", chunk_shape=None, codecs=(LITTLE,), fill_value=0, **more):
    return {
        "zarr_format": 3,
        "node_type": "array",
        "shape": list(shape),
        "data_type": data_type,
        "chunk_grid": {
            "name": "regular",
            "configuration": {"chunk_shape": list(shape if chunk_shape is None else chunk_shape)},
        },
        "chunk_key_encoding": {"name": "default", "configuration": {"separator": "/"}},
        "fill_value": fill_value,
        "codecs": list(codecs),
        **more,
    }


def _mark(value):
    if isinstance(value, Lexeme):
        return "\u0001" + value + "\u0002"
    if isinstance(value, dict):
        return {k: _mark(v) for k, v in value.items()}
    if isinstance(value, (list, tuple)):
        return [_mark(v) for v in value]
    return value


def document(metadata):
    """The bytes of a metadata document; Lexeme values come out as they are."""
    text = json.dumps(_mark(metadata), indent=1)
    return re.sub(r'"\\u0001(.*?)\\u0002"', lambda m: m.group(1), text).encode()


# ---------------------------------------------------------------- chunks and shards

FORMAT = {
    "bool": "?",
    "int8": "b",
    "int16": "h",
    "int32": "i",
    "int64": "q",
    "uint8": "B",
    "uint16": "H",
    "uint32": "I",
    "uint64": "Q",
    "float16": "e",
    "float32": "f",
    "float64": "d",
}


def pack(values, data_type="int16", order="<"):
    values = list(values)
    return struct.pack(f"{order}{len(values)}{FORMAT[data_type]}", *values)


def vlen(items, count=None):
    """vlen-utf8 and vlen-bytes: u32le count, then u32le length and bytes of each element."""
    items = [i.encode() if isinstance(i, str) else i for i in items]
    head = struct.pack("<I", len(items) if count is None else count)
    return head + b"".join(struct.pack("<I", len(i)) + i for i in items)


def _crc_table():
    table = []
    for n in range(256):
        for _ in range(8):
            n = (n >> 1) ^ (0x82F63B78 if n & 1 else 0)
        table.append(n)
    return table


_CRC = _crc_table()


def crc32c(data, order="<"):
    crc = 0xFFFFFFFF
    for byte in data:
        crc = _CRC[(crc ^ byte) & 255] ^ (crc >> 8)
    return struct.pack(order + "I", crc ^ 0xFFFFFFFF)


def index(entries, order="<", checksums=1):
    data = b"".join(struct.pack(order + "QQ", *e) for e in entries)
    for _ in range(checksums):
        data += crc32c(data)
    return data


def place(chunks, base=0):
    """(body, entries) of encoded inner chunks one after the other; None = missing."""
    body, entries = b"", []
    for c in chunks:
        entries.append((EMPTY, EMPTY) if c is None else (base + len(body), len(c)))
        body += c or b""
    return body, entries


def shard(chunks, location="end", order="<", checksums=1, edit=None, edit_index=None):
    """A shard; `edit(entries)` changes the entries before, `edit_index(bytes)` the index after encoding."""
    size = 16 * len(chunks) + 4 * checksums
    body, entries = place(chunks, size if location == "start" else 0)
    if edit:
        entries = edit(list(entries))
    ix = index(entries, order, checksums)
    if edit_index:
        ix = edit_index(ix)
    return ix + body if location == "start" else body + ix


# ---------------------------------------------------------------- compressed streams


def gzip_stream(data, level=9):
    c = zlib.compressobj(level, zlib.DEFLATED, 31, 9)
    return c.compress(data) + c.flush()


_M = 2**64 - 1
_P = (0x9E3779B185EBCA87, 0xC2B2AE3D27D4EB4F, 0x165667B19E3779F9, 0x85EBCA77C2B2AE63, 0x27D4EB2F165667C5)


def _rot(x, r):
    return ((x << r) | (x >> (64 - r))) & _M


def _round(acc, lane):
    return _rot((acc + lane * _P[1]) & _M, 31) * _P[0] & _M


def xxh64(data):
    n, p = len(data), 0
    if n >= 32:
        v = [(_P[0] + _P[1]) & _M, _P[1], 0, -_P[0] & _M]
        while p + 32 <= n:
            v = [_round(a, k) for a, k in zip(v, struct.unpack_from("<4Q", data, p))]
            p += 32
        h = sum(_rot(a, r) for a, r in zip(v, (1, 7, 12, 18))) & _M
        for a in v:
            h = ((h ^ _round(0, a)) * _P[0] + _P[3]) & _M
    else:
        h = _P[4]
    h = (h + n) & _M
    while p + 8 <= n:
        h = (_rot(h ^ _round(0, struct.unpack_from("<Q", data, p)[0]), 27) * _P[0] + _P[3]) & _M
        p += 8
    if p + 4 <= n:
        h = (_rot(h ^ (struct.unpack_from("<I", data, p)[0] * _P[0] & _M), 23) * _P[1] + _P[2]) & _M
        p += 4
    for byte in data[p:]:
        h = _rot(h ^ (byte * _P[4] & _M), 11) * _P[0] & _M
    h = (h ^ (h >> 33)) * _P[1] & _M
    h = (h ^ (h >> 29)) * _P[2] & _M
    return h ^ (h >> 32)


def zstd_block(kind, data, size=None, last=True):
    """kind 0 raw, 1 run-length (one byte, `size` times), 2 compressed, 3 reserved."""
    n = len(data) if size is None else size
    return struct.pack("<I", n << 3 | kind << 1 | last)[:3] + data


def zstd_frame(
    blocks, content_size=None, checksum_of=None, descriptor=0, window=0x58, dictionary=b"", magic=0xFD2FB528
):
    """content_size None: the header has none, and a window descriptor instead."""
    flags = descriptor | (4 if checksum_of is not None else 0) | (1 if dictionary else 0)
    if content_size is None:
        head = bytes([flags, window]) + dictionary
    else:
        head = bytes([flags | 0xA0]) + dictionary + struct.pack("<I", content_size)
    tail = b"" if checksum_of is None else struct.pack("<I", xxh64(checksum_of) & 0xFFFFFFFF)
    return struct.pack("<I", magic) + head + b"".join(blocks) + tail


def zstd_stream(data, **more):
    return zstd_frame([zstd_block(0, data)], **{"content_size": len(data), **more})


BLOSC_FORMAT = {"blosclz": 0, "lz4": 1, "lz4hc": 1, "snappy": 2, "zlib": 3, "zstd": 4}


def lz4_literals(data):
    n = len(data)
    if n < 15:
        return bytes([n << 4]) + data
    return bytes([0xF0]) + b"\xff" * ((n - 15) // 255) + bytes([(n - 15) % 255]) + data


def snappy_literals(data):
    n, head = len(data), b""
    while n >= 128:
        head, n = head + bytes([n & 127 | 128]), n >> 7
    return head + bytes([n]) + bytes([60 << 2, len(data) - 1]) + data  # at most 256 bytes


def blosc_compress(cname, data):
    return {
        "zlib": zlib.compress,
        "lz4": lz4_literals,
        "lz4hc": lz4_literals,
        "snappy": snappy_literals,
        "zstd": zstd_stream,
        "blosclz": lambda d: d,
    }[cname](data)


def blosc_buffer(data, cname="zlib", typesize=2, blocksize=None, streams=None, starts=None, flags=None, **lies):
    """A blosc 1 buffer, not shuffled, blocks not split.

    streams: the compressed block contents; starts: the block starts table;
    lies: header members (version, versionlz, nbytes, cbytes) other than the truth.
    """
    blocksize = blocksize or len(data)
    blocks = [data[i : i + blocksize] for i in range(0, len(data), blocksize)]
    if streams is None:
        streams = [blosc_compress(cname, b) for b in blocks]
    body, where = b"", []
    for s in streams:
        where.append(16 + 4 * len(streams) + len(body))
        body += struct.pack("<i", len(s)) + s
    table = b"".join(struct.pack("<i", w) for w in (where if starts is None else starts))
    head = {
        "nbytes": len(data),
        "blocksize": blocksize,
        "cbytes": 16 + len(table) + len(body),
        "typesize": typesize,
        "flags": 0x10 | BLOSC_FORMAT[cname] << 5 if flags is None else flags,
    }
    return blosc_header(**{**head, **lies}) + table + body


def blosc_header(nbytes, blocksize, cbytes, typesize=2, flags=0x70, version=2, versionlz=1):
    return bytes([version, versionlz, flags, typesize]) + struct.pack("<III", nbytes, blocksize, cbytes)


def blosc_copy(data, typesize=2, **lies):
    """A blosc 1 buffer that holds the data as it is (flag 2)."""
    head = {
        "nbytes": len(data),
        "blocksize": len(data),
        "cbytes": 16 + len(data),
        "typesize": typesize,
        "flags": 0x72,
    }
    return blosc_header(**{**head, **lies}) + data


def count(shape):
    return math.prod(shape)
