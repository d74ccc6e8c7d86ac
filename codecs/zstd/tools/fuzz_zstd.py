"""Damaged zstd frames, with what zstd itself says of each.  Needs: pip install zstandard.

    fuzz_zstd.py FILE [COUNT [SEED]]
    mvn test -pl codecs/zstd -am -Dtest=ZstdPeerTest -Dsurefire.failIfNoSpecifiedTests=false -Dshardkit.zstd.cases=FILE

FILE holds, for each case, the frame's size, the size of what it holds (-1: refused) and the SHA-256 of that, and the
frame. The test reads them: what both accept must be the same.
"""
import hashlib
import random
import struct
import sys

import zstandard

from make_frames import content, flushed, mixed

MOST = 1 << 20


def frame(rng):
    data = mixed(rng.choice((50, 400, 3_000, 20_000)), rng.randrange(1 << 30))
    if rng.random() < 0.3:
        data = content(len(data), rng.randrange(1 << 30))
    level = rng.randrange(-7, 23)
    if rng.random() < 0.4:
        step = max(1, len(data) // 4)
        return flushed([data[i:i + step] for i in range(0, len(data), step)], level)
    p = zstandard.ZstdCompressionParameters.from_level(
        level, source_size=len(data), write_content_size=rng.random() < 0.5, write_checksum=False)
    return zstandard.ZstdCompressor(compression_params=p).compress(data)


def damaged(good, rng):
    bad = bytearray(good)
    for _ in range(rng.randrange(4)):
        at = rng.randrange(min(len(bad), rng.choice((20, 60, 1 << 30))))
        kind = rng.randrange(4)
        if kind == 0:
            bad[at] = rng.randrange(256)
        elif kind == 1:
            bad[at] ^= 1 << rng.randrange(8)
        elif kind == 2:
            bad[at:at] = rng.randbytes(1)
        else:
            del bad[at]
        bad = bad or bytearray(1)
    return bytes(bad)


def verdict(bad):
    try:
        if zstandard.frame_content_size(bad) > MOST or zstandard.get_frame_parameters(bad).dict_id != 0:
            return None
        stream = zstandard.ZstdDecompressor(max_window_size=1 << 31).decompressobj()
        stream.decompress(bad)
        if not stream.eof or stream.unused_data:
            return None  # decompress looks at nothing behind the frame
        return zstandard.ZstdDecompressor().decompress(bad, max_output_size=MOST)
    except zstandard.ZstdError:
        return None


def main(path, count=20_000, seed=1):
    rng = random.Random(int(seed))
    good = [frame(rng) for _ in range(300)]
    accepted = 0
    with open(path, "wb") as out:
        for _ in range(int(count)):
            bad = damaged(rng.choice(good), rng)
            held = verdict(bad)
            accepted += held is not None
            out.write(struct.pack("<Ii", len(bad), -1 if held is None else len(held)))
            out.write(hashlib.sha256(held or b"").digest() + bad)
    print(f"{count} frames, {accepted} of them accepted, in {path}")


if __name__ == "__main__":
    main(*sys.argv[1:])
