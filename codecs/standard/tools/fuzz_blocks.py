"""Whole and damaged lz4 and snappy blocks, with what lz4 and snappy say of each.  Needs: pip install lz4 cramjam.

    fuzz_blocks.py FILE [COUNT [SEED]]
    mvn test -pl codecs/standard -am -Dtest=BlocksPeerTest -Dsurefire.failIfNoSpecifiedTests=false -Dshardkit.blocks.cases=FILE

FILE holds, for each case, a byte (0 lz4, 1 snappy), the room to decode into, the block's size, the size of what it holds
(-1: refused) and the SHA-256 of that, and the block. The test reads them: what both accept must be the same.
"""
import hashlib
import random
import struct
import sys
from pathlib import Path

import cramjam
import lz4.block

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "zstd/tools"))
from fuzz_zstd import damaged  # noqa: E402
from make_frames import content, mixed  # noqa: E402


def data(rng):
    n = rng.choice((0, 1, 12, 13, 50, 400, 3_000, 70_000))
    kind = rng.randrange(4)
    if kind == 0:
        return content(n, rng.randrange(1 << 30))
    if kind == 1:
        period = rng.randrange(1, 20)
        return bytes(i % period * 13 ^ (rng.random() < 0.01) for i in range(n))
    if kind == 2:
        return bytes(n)
    return mixed(n, rng.randrange(1 << 30)) if n else b""


def block(rng):
    held = data(rng)
    if rng.random() < 0.3:
        return 1, held, bytes(cramjam.snappy.compress_raw(held))
    mode = rng.choice(("default", "fast", "high_compression"))
    return 0, held, lz4.block.compress(held, mode=mode, acceleration=rng.choice((1, 8)), store_size=False)


def verdict(kind, bad, room):
    try:
        if kind == 0:
            return lz4.block.decompress(bad, uncompressed_size=room)
        if cramjam.snappy.decompress_raw_len(bad) > room:
            return None
        return bytes(cramjam.snappy.decompress_raw(bad))
    except (lz4.block.LZ4BlockError, cramjam.DecompressionError, ValueError):
        return None


def main(path, count=20_000, seed=1):
    rng = random.Random(int(seed))
    good = [block(rng) for _ in range(300)]
    accepted = 0
    with open(path, "wb") as out:
        for i in range(int(count)):
            kind, held, whole = rng.choice(good) if i >= len(good) else good[i]
            bad = whole if i < len(good) else damaged(whole, rng)
            room = len(held) + rng.choice((0, 0, 0, 1, 40))
            found = verdict(kind, bad, room)
            accepted += found is not None
            out.write(struct.pack("<BIIi", kind, room, len(bad), -1 if found is None else len(found)))
            out.write(hashlib.sha256(found or b"").digest() + bad)
    print(f"{count} blocks, {accepted} of them accepted, in {path}")


if __name__ == "__main__":
    main(*sys.argv[1:])
