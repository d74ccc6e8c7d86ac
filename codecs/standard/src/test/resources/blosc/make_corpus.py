"""Writes corpus.bin: frames of numcodecs 0.16.6 (c-blosc 1.21), one after the other. BloscFramesTest knows the formula of
their content. The other files here are first inner chunks of the conformance fixtures, and what they decode to."""
import itertools
import numcodecs
import numpy as np


def content(n):
    i = np.arange(n, dtype=np.int64)
    return np.where(i & 1, i >> 11, (i * 7 + (i >> 4) * (i >> 4)) & 0x3F).astype("u1")


with open("corpus.bin", "wb") as out:
    for cname, shuffle, typesize in itertools.product(
            ("blosclz", "lz4", "lz4hc", "zlib", "zstd"), (0, 1, 2), (1, 2, 3, 8, 17)):
        sizes = [(40, 0), (333, 0), (260, 300)] + ([(3000, 1024)] if typesize == 2 else [])
        for count, blocksize in sizes:
            data = content(count * typesize).view(f"V{typesize}")
            out.write(bytes(numcodecs.Blosc(cname, 5, shuffle, blocksize).encode(data)))
    out.write(bytes(numcodecs.Blosc("lz4").encode(np.zeros(0, "u1"))))
