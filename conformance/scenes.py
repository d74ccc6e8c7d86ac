"""The arrays of partial.py as files, made byte by byte, with the least that a reader of a box needs.  Standard library only."""

import array
import gzip
import itertools
import json
import struct

import layout

SHAPE, SHARD, INNER = (256, 200), (128, 128), (32, 32)
LITTLE = {"name": "bytes", "configuration": {"endian": "little"}}
CRC = {"name": "crc32c"}


def metadata(codecs, chunk=SHARD):
    return {
        "zarr_format": 3,
        "node_type": "array",
        "shape": list(SHAPE),
        "data_type": "int32",
        "chunk_grid": {"name": "regular", "configuration": {"chunk_shape": list(chunk)}},
        "chunk_key_encoding": {"name": "default", "configuration": {"separator": "/"}},
        "fill_value": -1,
        "codecs": codecs,
    }


def sharding(inner, codecs=(LITTLE,), index=(LITTLE, CRC), location="end"):
    config = {
        "chunk_shape": list(inner),
        "codecs": list(codecs),
        "index_codecs": list(index),
        "index_location": location,
    }
    return {"name": "sharding_indexed", "configuration": config}


def value(i, j, version=0):
    return 7 * (i * SHAPE[1] + j) + 1 + version * 1000003


class Scene:
    """An array as files, with the ranges of its inner chunks; inner chunks in `missing` and shards in `absent` are not stored."""

    def __init__(self, codec, missing=frozenset(), absent=frozenset(), version=0, backwards=False):
        self.codec, self.missing, self.absent = codec, missing, absent
        self.version, self.backwards = version, backwards
        sharded = codec["name"] == "sharding_indexed"
        self.nested = sharded and codec["configuration"]["codecs"][0]["name"] == "sharding_indexed"
        self.chunk = SHARD if sharded else INNER
        self.metadata = metadata([codec], self.chunk)
        self.files, self.places = {"zarr.json": json.dumps(self.metadata).encode()}, {}
        for at in itertools.product(*(range(-(-s // c)) for s, c in zip(SHAPE, self.chunk))):
            key = "c/" + "/".join(map(str, at))
            if at not in absent:
                self.files[key] = self.encode(codec, [a * c for a, c in zip(at, self.chunk)], self.chunk, key)

    def element(self, i, j):
        outside = i >= SHAPE[0] or j >= SHAPE[1]
        gone = (i // SHARD[0], j // SHARD[1]) in self.absent or (i // INNER[0], j // INNER[1]) in self.missing
        return -1 if gone else 0 if outside else value(i, j, self.version)

    def encode(self, codec, origin, shape, key):
        if codec["name"] == "bytes":
            (a, b), (m, n) = origin, shape
            return array.array("i", [self.element(i, j) for i in range(a, a + m) for j in range(b, b + n)]).tobytes()
        config = codec["configuration"]
        inner, start = config["chunk_shape"], config["index_location"] == "start"
        grid = list(itertools.product(*(range(s // c) for s, c in zip(shape, inner))))
        size = 16 * len(grid) + 4 * (len(config["index_codecs"]) - 1)
        body, entries, at = b"", {}, size if start else 0
        for place in reversed(grid) if self.backwards else grid:
            corner = [o + p * c for o, p, c in zip(origin, place, inner)]
            if tuple(c // d for c, d in zip(corner, INNER)) in self.missing:
                entries[place] = layout.EMPTY, layout.EMPTY
                continue
            data = self.encode(config["codecs"][0], corner, inner, key)
            for outer in config["codecs"][1:]:
                data = gzip.compress(data, 6, mtime=0) if outer["name"] == "gzip" else data + layout.crc32c(data)
            entries[place] = at + len(body), len(data)
            if tuple(inner) == INNER:
                self.inner_index = size
                self.places[tuple(c // d for c, d in zip(corner, INNER))] = len(data)
            body += data
        index = b"".join(struct.pack("<QQ", *entries[p]) for p in grid)
        if len(config["index_codecs"]) > 1:
            index += layout.crc32c(index)
        self.index_size = size
        return index + body if start else body + index

    def values(self, box):
        return array.array("i", [self.element(i, j) for i in range(*box[0]) for j in range(*box[1])]).tobytes()

    def least(self, box):
        """The least requests for chunks (an index, and one range over all that is needed), and the least bytes."""
        touched = [range(a // c, -(-b // c)) for (a, b), c in zip(box, INNER)]
        requests, size, shards = 0, 0, {}
        if self.chunk == INNER:
            return len(touched[0]) * len(touched[1]), sum(4 * INNER[0] * INNER[1] for _ in itertools.product(*touched))
        for place in itertools.product(*touched):
            shards.setdefault(tuple(p * c // s for p, c, s in zip(place, INNER, SHARD)), []).append(place)
        for shard, places in shards.items():
            there = [self.places[p] for p in places if p in self.places]
            stored = shard not in self.absent
            full = all(a <= s * n and min((s + 1) * n, e) <= b for (a, b), s, n, e in zip(box, shard, SHARD, SHAPE))
            requests += 2 if there and not full else 1
            size += (self.index_size + self.nested * self.inner_index) * stored + sum(there)
        return requests, size
