"""Writes chains of selections of numpy.arange(336).reshape(6, 7, 8), and what NumPy selects by them.

Usage: make_selections.py OUT. Each line: operations, "=", the shape, "=", the elements in C order.
"""

import random
import sys

import numpy as np

SHAPE = (6, 7, 8)


def step(rng, values):
    """One operation in the words of ZarrView, and its result."""
    d = rng.randrange(values.ndim)
    n = values.shape[d]
    kind = rng.choice(["at", "range", "indices", "mask", "reversed"] if n else ["range"])
    before = (slice(None),) * d
    if kind == "at":
        i = rng.randrange(n)
        return f"at {d} {i}", values[before + (i,)]
    if kind == "range":
        start = rng.randint(0, n)
        stop = rng.randint(start, n)
        by = rng.randint(1, 3)
        return f"range {d} {start} {stop} {by}", values[before + (slice(start, stop, by),)]
    if kind == "indices":
        some = [rng.randrange(n) for _ in range(rng.randint(1, 5))]
        return f"indices {d} " + " ".join(map(str, some)), values[before + (some,)]
    if kind == "mask":
        mask = [rng.random() < 0.6 for _ in range(n)]
        return f"mask {d} " + " ".join(str(int(m)) for m in mask), values[before + (np.array(mask),)]
    return f"reversed {d}", values[before + (slice(None, None, -1),)]


def points(rng, values):
    """Single elements by their coordinates, or by a mask of the whole view."""
    if rng.random() < 0.5:
        some = [[rng.randrange(n) for n in values.shape] for _ in range(4)]
        text = "points " + " ".join(",".join(map(str, p)) for p in some)
        return text, values[tuple(np.array(some).T)]
    limit = rng.randrange(336)
    return f"where < {limit}", values[values < limit]


def main(out):
    rng = random.Random(2026)
    with open(out, "w", encoding="ascii") as file:
        for _ in range(150):
            values = np.arange(336).reshape(SHAPE)
            words = []
            for _ in range(rng.randint(1, 4)):
                if values.ndim:
                    word, values = step(rng, values)
                    words.append(word)
            if values.ndim and values.size and rng.random() < 0.4:
                word, values = points(rng, values)
                words.append(word)
            file.write(
                "; ".join(words)
                + " = " + " ".join(map(str, values.shape))
                + " = " + " ".join(map(str, values.ravel().tolist()))
                + "\n"
            )


main(sys.argv[1])
