"""What the lab's programs share: where things lie, the arrays, their data, and the regions of the workloads."""

from __future__ import annotations

import json
import os
import random
import zlib

import numpy as np

LAB = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(LAB))
HOME = os.environ.get("LAB_HOME") or os.path.join(LAB, ".work")
DATA = os.path.join(HOME, "data")
OUT = os.environ.get("LAB_OUT") or os.path.join(HOME, "out")
RESULTS = os.path.join(HOME, "results")
# Another number makes other data (gen.py) and other regions of the same kind.
SEED = 10_000 * int(os.environ.get("LAB_SEED", "0"))
DTYPES = {"uint16": "<u2", "float32": "<f4", "uint8": "|u1"}


def arrays():
    with open(os.path.join(DATA, "manifest.json")) as f:
        return json.load(f)["arrays"]


def location(array, place):
    """Where an array is; one of another format has the format's name before it, and the path in a volume after it."""
    return f"{array['format']}:{place}{array['path']}" if "format" in array else place


def raw_file(name):
    return os.path.join(DATA, "raw", name + ".raw")


def raw_map(array):
    """The data that the array was made of."""
    return np.memmap(raw_file(array["raw"]), DTYPES[array["dtype"]], "r", shape=tuple(array["shape"]))


def cut(values, region):
    """The part of an in-memory array that a region, an offset and a shape, names."""
    return values[tuple(slice(o, o + n) for o, n in zip(*region))]


def crc_of(array, regions):
    """The CRC-32 of the regions' elements one after the other, little-endian, in C order."""
    values, crc = raw_map(array), 0
    for region in regions:
        crc = zlib.crc32(np.ascontiguousarray(cut(values, region)).view(np.uint8).reshape(-1).data, crc)
    return f"{crc:08x}"


def crc_of_each(array, regions):
    """The CRC-32 of the regions' CRC-32s, 4 bytes each, little-endian."""
    values, crc = raw_map(array), 0
    for region in regions:
        own = zlib.crc32(np.ascontiguousarray(cut(values, region)).view(np.uint8).reshape(-1).data)
        crc = zlib.crc32(own.to_bytes(4, "little"), crc)
    return f"{crc:08x}"


def bytes_of(array, regions):
    return sum(int(np.prod(shape)) for _, shape in regions) * np.dtype(DTYPES[array["dtype"]]).itemsize


def inner_chunks(array, count, seed):
    """Random whole inner chunks, each at most once."""
    numbers = [s // c for s, c in zip(array["shape"], array["chunk"])]
    total = int(np.prod(numbers))
    cells = [np.unravel_index(k, numbers) for k in random.Random(seed + SEED).sample(range(total), min(count, total))]
    return [[[int(i) * c for i, c in zip(cell, array["chunk"])], array["chunk"]] for cell in cells]


def cubes(array, count, edge, seed):
    """Random cubes, unaligned."""
    rng, shape = random.Random(seed + SEED), array["shape"]
    return [[[rng.randrange(0, s - edge + 1) for s in shape], [edge] * len(shape)] for _ in range(count)]


def planes(array, count, seed):
    """Random planes of the first dimension, in order."""
    rng = random.Random(seed + SEED)
    rest = array["shape"][1:]
    return [[[z] + [0] * len(rest), [1] + rest] for z in sorted(rng.sample(range(array["shape"][0]), count))]


def whole(array):
    return [[[0] * len(array["shape"]), array["shape"]]]
