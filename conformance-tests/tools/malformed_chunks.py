"""Malformed chunks under sound metadata: lengths, checksums, variable-length buffers."""

from __future__ import annotations

import struct
import zlib

from malformed_case import CHECKSUM, CORRUPT, broken, flip
from reference import (
    BIG,
    BYTES,
    CRC32C,
    GZIP,
    LITTLE,
    ZSTD,
    array_metadata,
    crc32c,
    gzip_stream,
    pack,
    shard,
    sharding,
    vlen,
    zstd_block,
    zstd_frame,
    zstd_stream,
)

EIGHT = pack(range(1, 9))  # the values of an int16 array of eight elements


def chunks():
    plain = array_metadata((8,))
    for n, b in (
        ("empty", b""),
        ("one_byte", EIGHT[:1]),
        ("one_short", EIGHT[:-1]),
        ("one_element_short", EIGHT[:-2]),
        ("one_long", EIGHT + b"\0"),
        ("one_element_long", EIGHT + b"\0\0"),
        ("twice", EIGHT * 2),
        ("half", EIGHT[:8]),
    ):
        lost = [[7, 8]] if len(b) < 16 else None
        yield broken("chunk", f"bytes_{n}", f"bytes: 8 int16 are 16 bytes, found {len(b)}", plain, b, part=lost)
        yield broken(
            "chunk",
            f"shard_bytes_{n}",
            f"bytes: an inner chunk of 8 int16 is 16 bytes, found {len(b)}",
            array_metadata((16,), codecs=[sharding([8])]),
            shard([EIGHT, b]),
            part=[[15, 16]] if lost else None,
        )
    yield broken(
        "chunk",
        "edge_chunk_cut",
        "core: chunks at the border have full size, this one was stored cut",
        array_metadata((6,), chunk_shape=[4]),
        {"c/0": EIGHT[:8], "c/1": EIGHT[8:12]},
    )
    yield broken(
        "chunk",
        "edge_inner_chunk_cut",
        "inner chunks at the border have full size, this one was stored cut",
        array_metadata((3,), chunk_shape=[4], codecs=[sharding([2])]),
        shard([EIGHT[:4], EIGHT[4:6]]),
    )
    yield broken(
        "chunk",
        "second_chunk_short",
        "the first chunk is sound, the second is short",
        array_metadata((8,), chunk_shape=[4]),
        {"c/0": EIGHT[:8], "c/1": EIGHT[8:15]},
        part=[[7, 8]],
    )
    tr = {"name": "transpose", "configuration": {"order": [1, 0]}}
    yield broken(
        "chunk",
        "transposed_short",
        "transpose, then one element too few",
        array_metadata((2, 4), codecs=[tr, LITTLE]),
        EIGHT[:-2],
        part=[[1, 2], [3, 4]],
    )
    yield broken(
        "chunk",
        "transposed_long",
        "transpose, then one element too many",
        array_metadata((2, 4), codecs=[tr, LITTLE]),
        EIGHT + b"\0\0",
    )
    yield broken(
        "chunk",
        "big_endian_short",
        "big-endian, one byte too few",
        array_metadata((8,), codecs=[BIG]),
        EIGHT[:-1],
        part=[[7, 8]],
    )
    yield broken("chunk", "zero_dimensions_empty", "a 0-d chunk of no bytes", array_metadata(()), b"")
    yield broken("chunk", "zero_dimensions_long", "a 0-d chunk of two elements", array_metadata(()), EIGHT[:4])
    for t, size, fill in (
        ("complex64", 8, [0, 0]),
        ("complex128", 16, [0, 0]),
        ("float64", 8, 0),
        ("int8", 1, 0),
        ("bool", 1, False),
        ("r24", 3, [0, 0, 0]),
    ):
        codec = BYTES if size in (1, 3) else LITTLE
        yield broken(
            "chunk",
            f"{t}_short",
            f"{t}: one byte too few",
            array_metadata((4,), t, codecs=[codec], fill_value=fill),
            bytes(4 * size - 1),
            part=[[3, 4]],
        )
    for v in (2, 255):
        yield broken(
            "chunk",
            f"bool_{v}",
            f"bytes: a bool is 0 or 1, found {v}",
            array_metadata((4,), "bool", codecs=[BYTES], fill_value=False),
            bytes([0, 1, v, 0]),
            part=[[2, 3]],
            tags=["choice"],
        )
    yield broken(
        "chunk",
        "shard_bool_2",
        "bytes: a bool is 0 or 1, found 2",
        array_metadata((4,), "bool", codecs=[sharding([2], [BYTES])], fill_value=False),
        shard([b"\0\1", b"\2\0"]),
        part=[[2, 3]],
        tags=["choice"],
    )


def checksums():
    crc = array_metadata((8,), codecs=[LITTLE, CRC32C])
    good = EIGHT + crc32c(EIGHT)
    whole = [[0, 8]]
    for n, why, b, e in (
        ("data", "one bit of the data differs", flip(good, 0), CHECKSUM),
        ("itself", "one bit of the checksum differs", flip(good, -1), CHECKSUM),
        ("big_endian", "crc32c is stored little-endian", EIGHT + crc32c(EIGHT, ">"), CHECKSUM),
        ("crc32", "the CRC of gzip instead of CRC32C", EIGHT + struct.pack("<I", zlib.crc32(EIGHT)), CHECKSUM),
        ("missing", "the checksum was left out", EIGHT, CORRUPT),
        ("three_bytes", "the whole chunk has three bytes", b"abc", CORRUPT),
        ("cut", "the checksum has three bytes", good[:-1], CORRUPT),
        ("empty", "no bytes", b"", CORRUPT),
        ("zero", "no checksum was computed", EIGHT + bytes(4), CHECKSUM),
        ("front", "the checksum stands before the data", crc32c(EIGHT) + EIGHT, CHECKSUM),
        ("short_data", "the checksum is right, the data one element short", EIGHT[:-2] + crc32c(EIGHT[:-2]), CORRUPT),
    ):
        yield broken("chunk", f"crc32c_{n}", "crc32c: " + why, crc, b, [e], whole)
        yield broken(
            "chunk",
            f"shard_crc32c_{n}",
            "crc32c of an inner chunk: " + why,
            array_metadata((16,), codecs=[sharding([8], [LITTLE, CRC32C])]),
            shard([good, b]),
            [e],
            [[8, 16]],
        )
    both = array_metadata((8,), codecs=[LITTLE, CRC32C, CRC32C])
    bad = flip(good, 2)
    yield broken(
        "chunk",
        "crc32c_inner_of_two",
        "crc32c: the outer checksum is right, the inner differs",
        both,
        bad + crc32c(bad),
        [CHECKSUM],
        whole,
    )
    around = array_metadata((8,), codecs=[LITTLE, GZIP, CRC32C])
    z = gzip_stream(EIGHT)
    yield broken(
        "chunk",
        "crc32c_around_gzip",
        "crc32c around a sound gzip stream differs",
        around,
        flip(z + crc32c(z), -1),
        [CHECKSUM],
        whole,
    )
    under = array_metadata((8,), codecs=[LITTLE, CRC32C, GZIP])
    yield broken(
        "chunk",
        "crc32c_under_gzip",
        "a sound gzip stream around a checksum that differs",
        under,
        gzip_stream(bad),
        [CHECKSUM],
        whole,
    )


def vlens():
    def case(name, why, buffer, tags=(), both=True):
        for t, codec, fill in (("string", "vlen-utf8", ""), ("bytes", "vlen-bytes", [])):
            if t == "bytes" and not both:
                continue
            m = array_metadata((4,), t, codecs=[{"name": codec}], fill_value=fill)
            yield broken("vlen", f"{t}_{name}", f"{codec}: {why}", m, buffer, part=[[0, 4]], tags=tags)

    good = vlen(["a", "bc", "", "def"])
    yield from case("empty", "no bytes", b"")
    yield from case("count_cut", "the count is cut", good[:3])
    yield from case("count_only", "nothing follows the count", good[:4])
    yield from case("count_less", "the count is one less than the elements of the chunk", vlen(["a", "bc", ""]))
    yield from case(
        "count_more", "the count is one more than the elements of the chunk", vlen(["a", "bc", "", "def", "g"])
    )
    yield from case("count_wrong_only", "five elements are announced, four follow", vlen(["a", "bc", "", "def"], 5))
    yield from case("count_zero", "the count is 0", vlen([]))
    yield from case("count_huge", "the count is 2^32-1", vlen(["a", "bc", "", "def"], 2**32 - 1), tags=["hostile"])
    yield from case(
        "count_sign_bit", "the count has bit 31 set", vlen(["a", "bc", "", "def"], 2**31 + 4), tags=["hostile"]
    )
    yield from case("length_cut", "the last element's length is cut", good[:-5])
    yield from case("element_cut", "the last element is cut", good[:-1])
    yield from case(
        "length_past_end", "an element's length reaches past the end", good[:4] + struct.pack("<I", 100) + good[8:]
    )
    yield from case(
        "length_huge",
        "an element's length is 2^32-1",
        good[:4] + struct.pack("<I", 2**32 - 1) + good[8:],
        tags=["hostile"],
    )
    yield from case(
        "length_2_gib",
        "an element's length is 2^31-1",
        good[:4] + struct.pack("<I", 2**31 - 1) + good[8:],
        tags=["hostile"],
    )
    yield from case("big_endian", "the numbers are big-endian", struct.pack(">II", 4, 1) + b"a" + bytes(12))
    yield from case("trailing_byte", "a byte follows the last element", good + b"\0", tags=["choice"])
    for n, b in (
        ("continuation", b"\x80"),
        ("overlong", b"\xc0\xaf"),
        ("surrogate", b"\xed\xa0\x80"),
        ("cut", b"\xe6\xbc"),
        ("above_unicode", b"\xf4\x90\x80\x80"),
        ("latin1", "é".encode("latin-1")),
        ("ff", b"\xff\xfe"),
    ):
        yield from case(f"utf8_{n}", "an element is not UTF-8", vlen(["a", b, "", "d"]), both=False)
    for t, codec, fill in (("string", "vlen-utf8", ""), ("bytes", "vlen-bytes", [])):
        m = array_metadata((4,), t, codecs=[sharding([2], [{"name": codec}])], fill_value=fill)
        sound = vlen(["a", "b"])
        for n, why, b in (
            ("count", "the count is one less", vlen(["c"])),
            (
                "length_past_end",
                "a length reaches past the inner chunk, though inside the shard",
                sound[:-5] + struct.pack("<I", 20) + b"b",
            ),
            ("empty", "an inner chunk of no bytes", b""),
        ):
            yield broken(
                "vlen",
                f"shard_{t}_{n}",
                f"{codec}, inner chunk: {why}",
                m,
                shard([b, sound] if n == "length_past_end" else [sound, b]),
                part=[[0, 2]] if n == "length_past_end" else [[2, 4]],
            )
    m = array_metadata((4,), "string", codecs=[{"name": "vlen-utf8"}, ZSTD], fill_value="")
    yield broken(
        "vlen",
        "zstd_length_past_end",
        "vlen-utf8 in zstd: a length reaches past the end",
        m,
        zstd_stream(good[:4] + struct.pack("<I", 100) + good[8:]),
        part=[[0, 4]],
    )
    runs = [zstd_block(1, b"\0", 2**17, last=i == 8191) for i in range(8192)]
    yield broken(
        "vlen",
        "zstd_bomb",
        "vlen-utf8 in zstd: 1 GiB of zeros for four elements",
        m,
        zstd_frame(runs),
        part=[[0, 4]],
        tags=["hostile"],
    )


def cases():
    for part in (chunks, checksums, vlens):
        yield from part()
