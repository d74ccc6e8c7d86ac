#!/usr/bin/env python3
"""Reads samples of the shard that big-shard.sh wrote, with tensorstore and zarr-python, and compares.

    big_shard.py FOLDER SLICES

The element at (z, y, x) is 7 * (x + 13 * y + 29 * z) modulo 256 in the shard at cell (1, 1, 1), up to slice
2048 + SLICES of the first dimension, and the fill value 0 elsewhere.
"""

from __future__ import annotations

import random
import sys

import numpy as np

import peers

SIDE = 2048
READERS = {"tensorstore": peers.read_tensorstore, "zarr-python": peers.read_zarr_python}


def expected(box, slices):
    z, y, x = np.meshgrid(*(np.arange(a, b) for a, b in box), indexing="ij")
    inside = (z >= SIDE) & (z < SIDE + slices)
    for axis in (y, x):
        inside &= (axis >= SIDE) & (axis < 2 * SIDE)
    return np.where(inside, 7 * (x + 13 * y + 29 * z) % 256, 0).astype("uint8").tobytes()


def boxes(slices):
    """First and last corners, the ends of what was written, and some anywhere."""
    rng = random.Random(slices)
    end = SIDE + slices
    yield [[SIDE - 3, SIDE + 5], [SIDE - 3, SIDE + 5], [SIDE - 3, SIDE + 5]]
    yield [[end - 4, min(end + 4, 2 * SIDE)], [2 * SIDE - 70, 2 * SIDE], [2 * SIDE - 70, 2 * SIDE]]
    for _ in range(24):
        lo = [SIDE + rng.randrange(slices), SIDE + rng.randrange(SIDE), SIDE + rng.randrange(SIDE)]
        yield [[a, min(a + 1 + rng.randrange(90), 2 * SIDE)] for a in lo]


def main():
    folder, slices = sys.argv[1], int(sys.argv[2])
    bad = 0
    for name, read in READERS.items():
        count = 0
        for box in boxes(slices):
            difference = peers.compare(bytes(read(folder, box)), expected(box, slices))
            count += 1
            if difference:
                bad += 1
                print(f"{name}: {box}: {difference}")
        print(f"{peers.version(name)}: {count} samples read")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
