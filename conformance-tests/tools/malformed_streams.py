"""Malformed gzip, zstd and blosc streams under sound metadata."""

from __future__ import annotations

import struct
import zlib

from malformed_case import CHECKSUM, CORRUPT, UNSUPPORTED, broken, flip
from reference import (
    GZIP,
    LITTLE,
    ZSTD,
    array_metadata,
    blosc_buffer,
    blosc_codec,
    blosc_copy,
    blosc_header,
    gzip_stream,
    lz4_literals,
    pack,
    shard,
    sharding,
    zstd_block,
    zstd_frame,
    zstd_stream,
)

SIXTY_FOUR = pack(range(64))  # 128 bytes
GIB = 2**30


def streams(codec, name, why, stream, errors=(CORRUPT,), tags=(), inside=False):
    yield broken("stream", name, why, array_metadata((64,), codecs=[LITTLE, codec]), stream, errors, [[0, 64]], tags)
    if inside:
        good = {"gzip": gzip_stream, "zstd": zstd_stream, "blosc": blosc_buffer}[codec["name"]](SIXTY_FOUR)
        yield broken(
            "stream",
            "shard_" + name,
            why + " (inner chunk)",
            array_metadata((128,), codecs=[sharding([64], [LITTLE, codec])]),
            shard([good, stream]),
            errors,
            [[64, 128]],
            tags,
        )


def gzip_streams():
    raw, good = SIXTY_FOUR, gzip_stream(SIXTY_FOUR)
    deflate = good[10:-8]

    def member(body, crc=zlib.crc32(raw), size=len(raw), head=good[:10]):
        return head + body + struct.pack("<II", crc, size & 0xFFFFFFFF)

    table = [
        ("empty", "no bytes", b"", 0),
        ("header_cut", "the header is cut", good[:6], 0),
        ("truncated", "the deflate data is cut", good[:-30], 1),
        ("trailer_cut", "the trailer is cut", good[:-3], 1),
        ("trailer_missing", "the trailer is missing", good[:-8], 0),
        ("magic", "the first byte differs", flip(good, 0), 1),
        ("method", "compression method 7", flip(good, 2, 15), 0),
        ("reserved_flags", "RFC 1952: reserved flags are set", flip(good, 3, 0xE0), 0),
        ("zlib", "a zlib stream", zlib.compress(raw), 0),
        ("raw_deflate", "deflate data without a header", deflate, 0),
        ("crc", "the CRC differs", member(deflate, crc=1), 1),
        ("size", "the length in the trailer differs", member(deflate, size=127), 1),
        ("block_type", "deflate block type 3", member(b"\x07" + deflate), 0),
        (
            "stored_length",
            "a stored deflate block whose length and complement disagree",
            member(b"\x01\x80\x00\x80\x00" + raw),
            0,
        ),
        ("distance", "a match reaches back before the beginning", member(b"\x03\x02\x00"), 0),
        ("short", "63 of 64 elements", gzip_stream(raw[:-2]), 1),
        ("long", "65 of 64 elements", gzip_stream(raw + b"\0\0"), 1),
        ("nothing_inside", "a sound stream of no bytes", gzip_stream(b""), 0),
        ("plain", "the chunk was not compressed", raw, 0),
    ]
    for n, why, b, inside in table:
        yield from streams(GZIP, "gzip_" + n, "gzip: " + why, b, inside=bool(inside))
    c = zlib.compressobj(9, zlib.DEFLATED, 31, 9)
    bomb = b"".join(c.compress(bytes(2**20)) for _ in range(48)) + c.flush()
    yield from streams(GZIP, "gzip_bomb", "gzip: 48 MiB of zeros in a chunk of 128 bytes", bomb, tags=["hostile"])
    c, d = zlib.compressobj(9, zlib.DEFLATED, 31, 9), zlib.compressobj(9, zlib.DEFLATED, 31, 9)
    twice = b"".join(d.compress(c.compress(bytes(2**20))) for _ in range(1024)) + d.compress(c.flush()) + d.flush()
    yield broken(
        "stream",
        "gzip_bomb_twice",
        "gzip in gzip: 1 GiB of zeros in a chunk of 128 bytes",
        array_metadata((64,), codecs=[LITTLE, GZIP, GZIP]),
        twice,
        part=[[0, 64]],
        tags=["hostile"],
    )


def zstd_streams():
    raw, good = SIXTY_FOUR, zstd_stream(SIXTY_FOUR)
    summed = zstd_stream(raw, checksum_of=raw)
    block = zstd_block(0, raw)
    table = [
        ("empty", "no bytes", b"", 0),
        ("magic", "the magic number differs", flip(good, 0), 1),
        ("magic_cut", "the magic number is cut", good[:3], 0),
        ("header_cut", "the frame header is cut", good[:6], 0),
        ("truncated", "the last block is cut", good[:-30], 1),
        ("block_header_cut", "a block header is cut", good[:11], 0),
        ("no_last_block", "no block is marked as the last", zstd_frame([zstd_block(0, raw, last=False)], 128), 0),
        ("size_small", "the frame's content size is too small", zstd_frame([block], 127), 0),
        ("size_large", "the frame's content size is too large", zstd_frame([block], 129), 0),
        ("size_huge", "the frame claims 4 GiB - 1", zstd_frame([block], 2**32 - 1), 0),
        ("checksum", "the content checksum differs", flip(summed, -1), 1),
        ("checksum_cut", "the content checksum is cut", summed[:-2], 0),
        ("checksum_data", "one byte of the data differs from the checksum", flip(summed, 20), 0),
        ("block_type", "block type 3 is reserved", zstd_frame([zstd_block(3, raw)], 128), 0),
        (
            "reserved_bit",
            "RFC 8878: the reserved bit of the frame header is set",
            zstd_frame([block], 128, descriptor=8),
            0,
        ),
        (
            "block_too_large",
            "RFC 8878: a block larger than 128 KiB",
            zstd_frame([zstd_block(1, b"\0", 2**17 + 1)]),
            0,
        ),
        ("compressed_garbage", "a compressed block of garbage", zstd_frame([zstd_block(2, b"\xff" * 40)], 128), 1),
        ("compressed_empty", "a compressed block of no bytes", zstd_frame([zstd_block(2, b"")], 128), 0),
        ("short", "63 of 64 elements", zstd_stream(raw[:-2]), 1),
        ("long", "65 of 64 elements", zstd_stream(raw + b"\0\0"), 1),
        ("long_no_size", "65 of 64 elements, no content size", zstd_frame([zstd_block(0, raw + b"\0\0")]), 0),
        ("short_no_size", "63 of 64 elements, no content size", zstd_frame([zstd_block(0, raw[:-2])]), 0),
        ("skippable_only", "only a skippable frame", struct.pack("<II", 0x184D2A50, 4) + b"abcd", 0),
        ("trailing_garbage", "bytes after the frame that are no frame", good + b"garbage!", 0),
        ("second_frame", "a second frame brings too much", good + good, 0),
        ("plain", "the chunk was not compressed", raw, 0),
        ("gzip", "a gzip stream", gzip_stream(raw), 0),
    ]
    for n, why, b, inside in table:
        yield from streams(
            ZSTD,
            "zstd_" + n,
            "zstd: " + why,
            b,
            [CHECKSUM, CORRUPT] if n.startswith("checksum") else [CORRUPT],
            inside=bool(inside),
            tags=["hostile"] if "huge" in n else [],
        )
    yield from streams(
        ZSTD,
        "zstd_dictionary",
        "zstd: the frame asks for a dictionary that isn't there",
        zstd_frame([block], 128, dictionary=b"\x07"),
        [CORRUPT, UNSUPPORTED],
    )
    runs = [zstd_block(1, b"\0", 2**17, last=i == 8191) for i in range(8192)]
    yield from streams(
        ZSTD, "zstd_bomb", "zstd: 1 GiB of zeros in a chunk of 128 bytes", zstd_frame(runs), tags=["hostile"]
    )
    yield from streams(
        ZSTD,
        "zstd_bomb_claimed",
        "zstd: 1 GiB of zeros, and the frame says so",
        zstd_frame(runs, GIB),
        tags=["hostile"],
    )
    yield from streams(
        ZSTD,
        "zstd_bomb_lie",
        "zstd: 1 GiB of zeros, and the frame claims 128 bytes",
        zstd_frame(runs, 128),
        tags=["hostile"],
    )


def blosc_streams():
    codec = blosc_codec("zlib")
    raw, good = SIXTY_FOUR, blosc_buffer(SIXTY_FOUR)
    two = blosc_buffer(raw, blocksize=64)
    packed = zlib.compress(raw)

    def of(cname, stream):
        return blosc_buffer(raw, cname, streams=[stream])

    head = [
        ("empty", "no bytes", b"", 0),
        ("header_cut", "the header is cut", good[:12], 0),
        ("header_only", "nothing but a header", good[:16], 0),
        ("truncated", "the last bytes are lost", good[:-9], 1),
        ("cbytes_large", "cbytes is larger than the buffer", blosc_buffer(raw, cbytes=len(good) + 1), 0),
        ("cbytes_small", "cbytes is smaller than the buffer", blosc_buffer(raw, cbytes=len(good) - 1), 0),
        ("cbytes_zero", "cbytes is 0", blosc_buffer(raw, cbytes=0), 0),
        ("cbytes_huge", "cbytes is 4 GiB - 1", blosc_buffer(raw, cbytes=2**32 - 1), 0),
        ("nbytes_small", "nbytes is one less", blosc_buffer(raw, nbytes=127), 0),
        ("nbytes_large", "nbytes is one more", blosc_buffer(raw, nbytes=129), 1),
        ("nbytes_zero", "nbytes is 0", blosc_buffer(raw, nbytes=0), 0),
        ("nbytes_2_gib", "nbytes is 2 GiB - 1", blosc_buffer(raw, nbytes=2**31 - 1), 1),
        ("nbytes_sign_bit", "nbytes has bit 31 set", blosc_buffer(raw, nbytes=2**31 + 128), 0),
        ("blocksize_zero", "blocksize is 0", good[:8] + bytes(4) + good[12:], 1),
        ("blocksize_sign_bit", "blocksize has bit 31 set", blosc_header(128, 2**31 + 128, len(good)) + good[16:], 0),
        (
            "blocksize_one",
            "blocksize 1 asks for 128 block starts, which aren't there",
            blosc_header(128, 1, len(good)) + good[16:],
            0,
        ),
        ("version", "version 77", flip(good, 0, 79), 0),
        ("typesize_zero", "typesize is 0", blosc_buffer(raw, typesize=0), 0),
        ("compressor", "compressor 6 is none", blosc_buffer(raw, flags=0xD0), 0),
        ("short", "63 of 64 elements", blosc_buffer(raw[:-2]), 1),
        ("long", "65 of 64 elements", blosc_buffer(raw + b"\0\0"), 1),
        ("copy_short", "a copied buffer of 63 elements", blosc_copy(raw[:-2]), 0),
        ("copy_cut", "a copied buffer that is cut", blosc_copy(raw)[:-1], 1),
        (
            "copy_nbytes",
            "a copied buffer whose nbytes is 2 GiB - 1",
            blosc_copy(raw, nbytes=2**31 - 1, blocksize=2**31 - 1),
            0,
        ),
        ("plain", "the chunk was not compressed", raw, 0),
        ("gzip", "a gzip stream", gzip_stream(raw), 0),
    ]
    blocks = [
        ("start_past_end", "a block starts past the end", blosc_buffer(raw, starts=[10000]), 1),
        ("start_at_end", "a block starts at the end", blosc_buffer(raw, starts=[len(good)]), 0),
        ("start_negative", "a block starts before the buffer", blosc_buffer(raw, starts=[-8]), 0),
        (
            "second_start_past_end",
            "the second block starts past the end",
            blosc_buffer(raw, blocksize=64, starts=[24, len(two)]),
            0,
        ),
        ("stream_length_negative", "a stream of negative length", good[:20] + struct.pack("<i", -5) + good[24:], 0),
        (
            "stream_length_past_end",
            "a stream longer than the buffer",
            good[:20] + struct.pack("<i", 10000) + good[24:],
            1,
        ),
        ("stream_length_huge", "a stream of 2 GiB - 1", good[:20] + struct.pack("<i", 2**31 - 1) + good[24:], 0),
        ("stream_length_cut", "a stream one byte short", blosc_buffer(raw, streams=[packed[:-5]]), 0),
        ("stream_short", "a block that expands to less", of("zlib", zlib.compress(raw[:-1])), 0),
        ("stream_long", "a block that expands to more", of("zlib", zlib.compress(raw + b"\0")), 0),
        ("stream_garbage", "a zlib stream of garbage", of("zlib", b"\xff" * 40), 0),
        ("stream_bomb", "a block of 128 bytes that expands to 16 MiB", of("zlib", zlib.compress(bytes(2**24), 9)), 0),
    ]
    for n, why, b, inside in head + blocks:
        e = [CORRUPT, UNSUPPORTED] if n in ("version", "compressor", "plain", "gzip") else [CORRUPT]
        yield from streams(
            codec,
            "blosc_" + n,
            "blosc: " + why,
            b,
            e,
            inside=bool(inside),
            tags=["hostile"] if n.endswith(("_gib", "_huge", "bomb", "copy_nbytes")) else [],
        )
    lz4 = lz4_literals(raw)
    for cname, n, why, stream in (
        ("lz4", "offset_before_start", "a match reaches back before the beginning", b"\x10a\x40\x00" + lz4),
        ("lz4", "offset_zero", "a match of offset 0", b"\x10a\x00\x00" + lz4),
        ("lz4", "cut", "literals are cut", lz4[:-10]),
        ("lz4", "short", "a block that expands to less", lz4_literals(raw[:-4])),
        ("lz4", "long", "a block that expands to more", lz4_literals(raw[:100]) + lz4_literals(raw)),
        ("lz4", "length_runs_on", "a length without an end", b"\xf0" + b"\xff" * 60),
        ("zstd", "garbage", "a zstd stream of garbage", b"\xff" * 40),
        ("zstd", "short", "a block that expands to less", zstd_stream(raw[:-4])),
        ("zstd", "long", "a block that expands to more", zstd_stream(raw + b"1234")),
        ("zstd", "cut", "a zstd frame that is cut", zstd_stream(raw)[:60]),
        ("snappy", "length", "the length differs from the block's", b"\x7f" + b"\xf0\x7f" + raw),
        ("snappy", "cut", "literals are cut", b"\x80\x01\xf0\x7f" + raw[:50]),
        ("snappy", "offset", "a copy reaches back before the beginning", b"\x80\x01\x00a\x0e\x30" + raw[:60]),
        ("blosclz", "distance", "a match reaches back before the beginning", b"\x00a\xe0\x40\x30" + raw[:40]),
        ("blosclz", "cut", "literals are cut", b"\x1f" + raw[:20]),
    ):
        m = array_metadata((64,), codecs=[LITTLE, blosc_codec(cname)])
        yield broken("stream", f"blosc_{cname}_{n}", f"blosc, {cname}: {why}", m, of(cname, stream), part=[[0, 64]])


def cases():
    for part in (gzip_streams, zstd_streams, blosc_streams):
        yield from part()
