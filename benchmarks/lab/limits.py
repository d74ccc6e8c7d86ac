"""Physical limits of this machine for the lab's data: memory, page cache, native codecs, checksums.

Prints a table and writes JSON below $LAB_HOME/results.
"""

from __future__ import annotations

import gzip
import json
import os
import struct
import time
import zlib
from concurrent.futures import ThreadPoolExecutor
import numpy as np

from lab import DATA, HOME

R = {}


def best(f, n=5):
    f(); ts = []
    for _ in range(n):
        t = time.perf_counter(); f(); ts.append(time.perf_counter() - t)
    return min(ts), sorted(ts)[len(ts) // 2]


def put(name, nbytes, f, n=5):
    b, m = best(f, n)
    R[name] = {"GBps_best": nbytes / b / 1e9, "GBps_median": nbytes / m / 1e9, "load": os.getloadavg()[0]}
    print(f"| {name} | {nbytes / b / 1e9:.3f} | {nbytes / m / 1e9:.3f} |", flush=True)


def chunks(array, nin=512, limit=1024):
    """The encoded inner chunks of an array's shards, parsed by hand."""
    out = []
    for d, _, fs in sorted(os.walk(os.path.join(DATA, array, "c"))):
        for f in sorted(fs):
            b = open(os.path.join(d, f), "rb").read()
            idx = struct.unpack(f"<{2 * nin}Q", b[-(16 * nin + 4):-4])
            out += [b[o:o + n] for o, n in zip(idx[::2], idx[1::2]) if o != 2**64 - 1]
            if len(out) >= limit:
                return out[:limit]
    return out


def each(f, data):
    for c in data:      # the result is dropped at once: its memory is used again, no page faults
        f(c)


def main():
    print(f"load {os.getloadavg()}\n| limit | best GB/s | median GB/s |\n|---|---|---|")
    N = 256 << 20
    a, b = np.ones(N, np.uint8), np.zeros(N, np.uint8)
    put("memcpy 256 MiB, 1 thread, warm target", N, lambda: np.copyto(b, a))
    with ThreadPoolExecutor(2) as ex:
        halves = [slice(0, N // 2), slice(N // 2, N)]
        put("memcpy 256 MiB, 2 threads, warm target", N, lambda: list(ex.map(lambda h: np.copyto(b[h], a[h]), halves)))
    put("memcpy 256 MiB, 1 thread, fresh target (page faults)", N, lambda: a.copy())
    p = os.path.join(DATA, "raw", "A.raw")

    def rd(k, off, size, block):
        mv = memoryview(b)
        with open(p, "rb", buffering=0) as f:
            f.seek(off)
            for o in range(off, off + size, block):
                f.readinto(mv[o:o + block])
    put("page cache read 256 MiB, 1 MiB blocks, 1 thread", N, lambda: rd(0, 0, N, 1 << 20))
    with ThreadPoolExecutor(2) as ex:
        put("page cache read 256 MiB, 1 MiB blocks, 2 threads", N,
            lambda: list(ex.map(lambda i: rd(i, i * N // 2, N // 2, 1 << 20), range(2))))
    put("page cache read 256 MiB, 64 KiB blocks, 1 thread", N, lambda: rd(0, 0, N, 65536))
    rng = np.random.default_rng(1).integers(0, N // 65536, 2000)

    def opens(close):
        fd = None
        for k in rng:
            if fd is None:
                fd = os.open(p, os.O_RDONLY)
            os.pread(fd, 65536, int(k) * 65536)
            if close:
                os.close(fd); fd = None
    for nm, c in (("pread of a random 64 KiB, file open", False), ("open + pread of a random 64 KiB + close", True)):
        bst, med = best(lambda: opens(c))
        R[nm] = {"us_best": bst / 2000 * 1e6, "us_median": med / 2000 * 1e6}
        print(f"| {nm}: {bst / 2000 * 1e6:.1f} us | | |")

    import zstandard, lz4.block, google_crc32c
    from numcodecs import blosc
    from isal import isal_zlib
    from zlib_ng import zlib_ng
    blosc.set_nthreads(1); blosc.use_threads = False
    zs, gz, bl, raw = chunks("A_zstd"), chunks("A_gzip"), chunks("A_blosc"), chunks("A_none")
    nb = len(raw) * 65536
    import threading
    tl = threading.local()

    def dz(c):
        if not hasattr(tl, "d"):
            tl.d = zstandard.ZstdDecompressor(); tl.c = zstandard.ZstdCompressor(level=3)
        return tl.d.decompress(c)

    def cz(c):
        if not hasattr(tl, "c"):
            dz(zs[0])
        return tl.c.compress(c)
    shuf = [np.frombuffer(c, np.uint8).reshape(-1, 2).T.tobytes() for c in raw]
    lz = [lz4.block.compress(c, store_size=False) for c in shuf]
    bz = chunks("B_zstd", 65536, 65536)
    jobs = [
        ("zstd(3) decode", dz, zs, nb),
        ("zstd(3) decode, B's 256-byte chunks", dz, bz, len(bz) * 256),
        ("gzip(5) decode, zlib", lambda c: zlib.decompress(c, 31), gz, nb),
        ("gzip(5) decode, zlib-ng", lambda c: zlib_ng.decompress(c, 31), gz, nb),
        ("gzip(5) decode, isa-l", lambda c: isal_zlib.decompress(c, 31), gz, nb),
        ("blosc(lz4, shuffle) decode", blosc.decompress, bl, nb),
        ("lz4 block decode (of shuffled chunks)", lambda c: lz4.block.decompress(c, uncompressed_size=65536), lz, nb),
        ("zstd(3) encode", cz, raw, nb),
        ("gzip(5) encode, zlib", lambda c: gzip.compress(c, 5), raw, nb),
        ("blosc(lz4, 5, shuffle) encode", lambda c: blosc.compress(c, b"lz4", 5, 1, 0),
         [np.frombuffer(c, "<u2") for c in raw], nb),
        ("crc32c of 64 KiB blocks", google_crc32c.value, raw, nb),
        ("crc32c of 8 KiB blocks", google_crc32c.value, [c[:8192] for c in raw], len(raw) * 8192),
        ("crc32 (zlib) of 64 KiB blocks", zlib.crc32, raw, nb),
    ]
    with ThreadPoolExecutor(2) as ex:
        for nm, f, data, n in jobs:
            put(nm + ", 1 thread", n, lambda: each(f, data), 3)
            h = len(data) // 2
            put(nm + ", 2 threads", n, lambda: list(ex.map(lambda part: each(f, part), (data[:h], data[h:]))), 3)
    os.makedirs(os.path.join(HOME, "results"), exist_ok=True)
    json.dump(R, open(os.path.join(HOME, "results", f"limits-{time.strftime('%Y%m%d-%H%M%S')}.json"), "w"), indent=1)


main()
