"""Writes the real zstd frames that the tests read.  Needs: pip install zstandard (0.25 made those committed).

Every NAME.zst decodes to NAME's content, which the tests make by the same rule: see content().
decoder/corpus.bin holds many more frames, each with the hash of what it holds; decoder/dictionaries.bin those with dictionaries.
"""
import hashlib
import io
import random
import struct
import sys
from pathlib import Path

import zstandard

HERE = Path(__file__).resolve().parent.parent / "src/test/resources/dev/shardkit/codec/zstd"


def content(n, seed=1):
    """Half text that repeats, half noise; the tests have the same few lines in Java (Content)."""
    out = bytearray()
    x = seed
    while len(out) < n:
        x = (x * 1103515245 + 12345) & 0x7FFFFFFF
        out += (b"shard %d of the array; " % (x >> 20)) if x & 0x10000 else struct.pack("<I", x)
    return bytes(out[:n])


def zstd(name, data):
    (HERE / (name + ".zst")).write_bytes(data)


def compress(data, level=3, size=True, checksum=False, **parameters):
    p = zstandard.ZstdCompressionParameters.from_level(
        level, source_size=len(data), write_content_size=size, write_checksum=checksum, **parameters)
    return zstandard.ZstdCompressor(compression_params=p).compress(data)


def streamed(data, level):
    out = io.BytesIO()
    with zstandard.ZstdCompressor(level=level).stream_writer(out, closefd=False) as w:
        for i in range(0, len(data), 10_000):
            w.write(data[i:i + 10_000])
    return out.getvalue()


def skippable(data, kind=0):
    return struct.pack("<II", 0x184D2A50 + kind, len(data)) + data


def zstd_frames():
    c = content(20_000)
    for level in (-5, 1, 3, 22):
        zstd(f"level{level}", compress(c, level))
    zstd("no_size", compress(c, size=False))
    zstd("checksum", compress(c, checksum=True))
    zstd("no_size_checksum", compress(c, size=False, checksum=True))
    zstd("streamed3", streamed(c, 3))
    zstd("streamed22_large_window", streamed(c, 22))
    zstd("frames", compress(c[:7_000]) + compress(c[7_000:7_001], size=False) + compress(c[7_001:], 19, checksum=True))
    zstd("skippable", skippable(b"before") + compress(c[:10_000]) + skippable(b"", 15) + compress(c[10_000:])
         + skippable(b"after" * 10, 3))
    zstd("empty", compress(b""))
    zstd("one", compress(b"s"))
    zstd("zeros_1m", compress(bytes(1 << 20), checksum=True))
    zstd("zeros_1m_no_size", compress(bytes(1 << 20), size=False))
    zstd("several_blocks", compress(content(300_000), 19, checksum=True))
    d = zstandard.train_dictionary(2_000, [content(2_000, seed=i) for i in range(200)])
    zstd("dictionary", zstandard.ZstdCompressor(dict_data=d).compress(c))


def mixed(n, seed):
    """Content of many kinds: smooth numbers, noise, runs, text, what came long before; no rule, its hash is kept."""
    rng = random.Random(seed)
    out = bytearray()
    while len(out) < n:
        kind = rng.randrange(7)
        length = min(n - len(out), rng.choice((1, 7, 60, 500, 3_000, 20_000)))
        if kind == 0:
            out += rng.randbytes(length)
        elif kind == 1:
            out += bytes([rng.randrange(256)]) * length
        elif kind == 2 and out:
            start = rng.randrange(len(out))
            out += out[start:start + length]
        elif kind == 3 and out:
            period = min(len(out), rng.randrange(1, 20))
            out += (out[-period:] * (length // period + 1))[:length]
        elif kind == 4:
            value = rng.randrange(65536)
            for _ in range(length // 2):
                value = (value + int(rng.gauss(0, 12))) & 0xFFFF
                out += struct.pack("<H", value)
        elif kind == 5:
            out += content(length, rng.randrange(1 << 30))
        else:
            out += bytes(min(255, int(rng.expovariate(0.05))) for _ in range(length))
    return bytes(out[:n])


def flushed(parts, level, **parameters):
    """One frame with a block or more for each part."""
    p = zstandard.ZstdCompressionParameters.from_level(level, write_checksum=True, **parameters)
    c = zstandard.ZstdCompressor(compression_params=p).compressobj()
    blocks = [c.compress(part) + c.flush(zstandard.COMPRESSOBJ_FLUSH_BLOCK) for part in parts]
    return b"".join(blocks) + c.flush()


def rare(rng):
    """What the usual content does not lead to: tables of one symbol, tables and trees of earlier blocks, many
    literals; ZstdBlocksTest has what no encoder writes."""
    noise = rng.randbytes(3_000)
    picks = b"".join(noise[i:i + 40] + b"a" for i in (rng.randrange(2_900) for _ in range(60)))
    records = bytearray(noise[:30] * 80)
    for i in range(30, len(records), 30):
        records[i] = rng.randrange(256)
    for level in (1, 3, 12):
        parts = [noise, picks, bytes(records), noise[:5] + bytes(50)]
        yield b"".join(parts), flushed(parts, level)
        text = content(60_000, 99)
        for step in (300, 1_500):
            parts = [text[i:i + step] for i in range(0, 12 * step, step)]
            yield b"".join(parts), flushed(parts, level)
        letters = [bytes(rng.choices(b"etaoinsrhl", [9, 7, 6, 5, 4, 3, 2, 2, 1, 1], k=k)) for k in (900, 150, 700, 90)]
        yield b"".join(letters), flushed(letters, level)
    letters = bytes(rng.choices(range(200, 205), [60, 3, 2, 1, 1], k=25_000))
    yield letters, compress(letters, 1, checksum=True)


def rows():
    """Frames over levels, sizes and options: each with the hash of what it holds."""
    rng = random.Random(20)
    levels = [*range(-7, 0), *range(1, 23)]
    for i, level in enumerate(levels):
        for n in (rng.randrange(64), rng.randrange(64, 1_500), rng.randrange(1_500, 4_000)):
            data = mixed(n, 1_000 * i + n)
            yield data, compress(data, level, size=rng.random() < 0.6, checksum=rng.random() < 0.6)
    for level, n in ((1, 70_000), (3, 140_000), (9, 300_000), (19, 200_000), (22, 400_000)):
        data = content(n // 12, n) + mixed(n // 30, n) + content(n // 12, n) + bytes(n // 2) + content(n // 12, 2 * n)
        yield data, compress(data, level, checksum=True)
        yield data, streamed(data, level)
    far = mixed(3_000, 5)
    data = far + bytes(9 << 20) + far
    yield data, compress(data, 3, checksum=True, window_log=27, enable_ldm=True)
    data = mixed(5_000, 6)
    yield data, compress(data, 3, window_log=10) + skippable(b"x" * 9) + compress(data[:0]) + compress(data[:100], 19)
    yield from rare(rng)
    skew = random.Random(7).choices(range(256), [1.3 ** -(k / 2) for k in range(256)], k=4_000)
    yield bytes(skew), compress(bytes(skew), 3, checksum=True)
    yield bytes(skew[:200]), compress(bytes(skew[:200]), 3, checksum=True)


def corpus():
    """corpus.bin: for each row the sizes of frame and content, the SHA-256 of the content, the frame."""
    out = bytearray()
    for data, frame in rows():
        held = zstandard.ZstdDecompressor(max_window_size=1 << 31).stream_reader(frame, read_across_frames=True).read()
        out += struct.pack("<II", len(frame), len(held)) + hashlib.sha256(held).digest() + frame
    (HERE / "decoder/corpus.bin").write_bytes(out)


def dictionaries():
    """dictionaries.bin: for each dictionary its size, the number of its frames and its bytes, then rows as above."""
    rng = random.Random(30)
    texts = [content(900, seed=i) for i in range(300)]
    letters = [bytes(rng.choices(b"etaoinsrhl ", [9, 7, 6, 5, 4, 3, 2, 2, 1, 1, 8], k=600)) for _ in range(200)]
    numbers = [b"".join(struct.pack("<I", 1_000_000 + 37 * i + k // 3) for k in range(200)) for i in range(200)]
    kinds = [
        (zstandard.train_dictionary(1_500, texts), texts),
        (zstandard.train_dictionary(4_000, texts, level=19), texts),
        (zstandard.train_dictionary(1_000, letters), letters),
        (zstandard.train_dictionary(2_000, numbers, dict_id=77), numbers),
        (zstandard.ZstdCompressionDict(texts[1] + texts[2], dict_type=zstandard.DICT_TYPE_RAWCONTENT), texts),
        (zstandard.ZstdCompressionDict(b"shard", dict_type=zstandard.DICT_TYPE_RAWCONTENT), texts),
    ]
    out = bytearray()
    for d, samples in kinds:
        frames = bytearray()
        contents = [samples[i] for i in (0, 1, 7)] + [b"", samples[3][:2], b"".join(samples[5:11])]
        levels = (-1, 3, 19)
        for data, level in [(data, level) for data in contents for level in levels]:
            p = zstandard.ZstdCompressionParameters.from_level(
                level, write_content_size=rng.random() < 0.6, write_checksum=rng.random() < 0.6,
                write_dict_id=rng.random() < 0.6)
            frame = zstandard.ZstdCompressor(dict_data=d, compression_params=p).compress(data)
            frames += struct.pack("<II", len(frame), len(data)) + hashlib.sha256(data).digest() + frame
        out += struct.pack("<II", len(d.as_bytes()), len(contents) * len(levels)) + d.as_bytes() + frames
    (HERE / "decoder/dictionaries.bin").write_bytes(out)


if __name__ == "__main__":
    sys.exit(zstd_frames() or corpus() or dictionaries())
