"""Sound arrays: values, fill values and compressed streams that libraries get wrong or never write."""

from __future__ import annotations

import struct
import zlib

import numpy as np
from numcodecs import zstd

from reference import BIG, BYTES, CRC32C, GZIP, LITTLE, ZSTD, blosc_codec, gzip_stream, sharding
from row_case import row


def bits(data_type, *patterns):
    width = {"float16": "H", "float32": "I", "float64": "Q", "complex64": "I", "complex128": "Q"}[data_type]
    return np.frombuffer(struct.pack(f"<{len(patterns)}{width}", *patterns), data_type)


def filled(shape, data_type, *patterns):
    one = bits(data_type, *patterns)
    return np.frombuffer(one.tobytes() * int(np.prod(shape)), data_type).reshape(shape).copy()


QUIET = {
    "float16": (0x7E00, 0x7E55, 0xFE01, 0x7FFF, 0x3C00, 0x8000, 0x0001, 0xFC00),
    "float32": (0x7FC00000, 0x7FC12345, 0xFFC00001, 0x7FFFFFFF, 0x3F800000, 0x80000000, 0x00000001, 0xFF800000),
    "float64": (
        0x7FF8000000000000,
        0x7FF8DEADBEEF0001,
        0xFFF8000000000123,
        0x7FFFFFFFFFFFFFFF,
        0x3FF0000000000000,
        0x8000000000000000,
        0x0000000000000001,
        0xFFF0000000000000,
    ),
}


SIGNALLING = {
    "float16": (0x7C01, 0xFD55, 0x7DFF, 0x3C00),
    "float32": (0x7F800001, 0xFFA12345, 0x7FBFFFFF, 0x3F800000),
    "float64": (0x7FF0000000000001, 0xFFF4DEADBEEF0001, 0x7FF7FFFFFFFFFFFF, 0x3FF0000000000000),
}


def nans():
    why = "bytes: elements are stored as their binary representation, so the payload and the sign of a NaN survive"
    for t, patterns in QUIET.items():
        values = bits(t, *patterns)
        yield row(f"nan/{t}", why, [8], [8], [sharding([2], [LITTLE, CRC32C])], ["nan", "dtype"], t, 0.0, values)
        big = [sharding([4], [BIG, ZSTD])]
        yield row(f"nan/{t}_big", why + " (big-endian)", [8], [8], big, ["nan", "endian"], t, 0.0, values)
    for t, patterns in SIGNALLING.items():
        values = bits(t, *patterns)
        special = why + " (signalling: reading must not do arithmetic)"
        yield row(f"nan/{t}_signalling", special, [4], [4], [sharding([2])], ["nan", "dtype"], t, 0.0, values)
    for t, part in (("complex64", "float32"), ("complex128", "float64")):
        values = bits(t, *QUIET[part])
        yield row(f"nan/{t}", why + " (both parts)", [4], [4], [sharding([2])], ["nan", "dtype"], t, [0, 0], values)


def fills():
    """Arrays of which some shards and inner chunks are missing."""
    payload = "core, fill value: a hexadecimal string gives the bit pattern, digits big-endian"
    cases = [
        ("float32_signalling", payload, "float32", "0x7f800001", (0x7F800001,)),
        ("float64_signalling", payload, "float64", "0x7ff0000000000001", (0x7FF0000000000001,)),
        ("float16_negative_nan", payload, "float16", "0xfe01", (0xFE01,)),
        ("float32_all_ones", payload, "float32", "0xffffffff", (0xFFFFFFFF,)),
        ("float64_all_ones", payload, "float64", "0xffffffffffffffff", (0xFFFFFFFFFFFFFFFF,)),
        ("float32_upper_case_digits", payload, "float32", "0x7FC0ABCD", (0x7FC0ABCD,)),
        ("float64_zero_pattern", payload, "float64", "0x0000000000000000", (0,)),
        ("float32_subnormal", "core: the smallest subnormal number", "float32", 1e-45, (1,)),
        ("float64_subnormal", "core: the smallest subnormal number", "float64", 5e-324, (1,)),
        ("float64_largest", "core: the largest number", "float64", 1.7976931348623157e308, (0x7FEFFFFFFFFFFFFF,)),
        ("float32_negative_zero", "core: the JSON number -0.0 keeps its sign", "float32", -0.0, (0x80000000,)),
        (
            "complex64_payloads",
            payload + " (both parts)",
            "complex64",
            ["0xffc00123", "0x7fc00001"],
            (0xFFC00123, 0x7FC00001),
        ),
        (
            "complex128_payload_and_infinity",
            "core, complex: the parts are fill values of their own",
            "complex128",
            ["0x7ff8000000000123", "-Infinity"],
            (0x7FF8000000000123, 0xFFF0000000000000),
        ),
        ("complex64_negative_zeros", "core, complex: both signs of zero", "complex64", [-0.0, 0.0], (0x80000000, 0)),
        ("complex64_integers", "core, complex: JSON integers as parts", "complex64", [1, -2], (0x3F800000, 0xC0000000)),
        (
            "complex128_words",
            "core, complex: words as parts",
            "complex128",
            ["NaN", "Infinity"],
            (0x7FF8 << 48, 0x7FF0 << 48),
        ),
    ]
    for name, special, t, fill, patterns in cases:
        values = filled((6, 6), t, *patterns)
        written = values.copy()
        written[0:2, 0:3] = (1, 2, 3)
        hexadecimal = ["hex"] if "0x" in str(fill) else []
        yield row(
            f"fill/part_{name}",
            special,
            [6, 6],
            [4, 6],
            [sharding([2, 3], [BIG, GZIP], [BIG, CRC32C])],
            ["fill", "missing", *hexadecimal],
            t,
            fill,
            written,
            missing=lambda box: box[0][0] >= 2 or box[1][0] >= 3,
            absent=((1, 0),),
        )


def streams():
    n = [8, 40]
    rest = ["codec"]

    def halves(make):
        return lambda d: make(d[: len(d) // 3]) + make(d[len(d) // 3 :])

    gz = lambda special, name, how: row(
        f"codec/gzip_{name}", special, n, [8, 40], [sharding([4, 20], [LITTLE, GZIP])], rest, streams={"gzip": how}
    )
    yield gz("RFC 1952: a gzip file is a series of members; here two", "members", halves(gzip_stream))
    yield gz(
        "RFC 1952: a series of members, the last one empty",
        "empty_last_member",
        lambda d: gzip_stream(d) + gzip_stream(b""),
    )
    yield gz(
        "RFC 1952: a series of members, the first one empty",
        "empty_first_member",
        lambda d: gzip_stream(b"") + gzip_stream(d),
    )
    yield gz(
        "RFC 1952: a header with an extra field, a comment and its own CRC", "extra_comment_hcrc", gzip_with_fields
    )
    yield gz("RFC 1951: fixed Huffman codes", "fixed_huffman", gzip_fixed)
    zs = lambda special, name, how: row(
        f"codec/zstd_{name}", special, n, [8, 40], [sharding([4, 20], [LITTLE, ZSTD])], rest, streams={"zstd": how}
    )
    one = lambda d: zstd.compress(d, 3)  # noqa: E731
    skip = struct.pack("<II", 0x184D2A53, 5) + b"hello"
    yield zs("RFC 8878: data are one or more frames; here two", "frames", halves(one))
    yield zs("RFC 8878: a skippable frame before the data", "skippable_first", lambda d: skip + one(d))
    yield zs("RFC 8878: a skippable frame after the data", "skippable_last", lambda d: one(d) + skip)
    yield zs("RFC 8878: an empty frame before the data", "empty_frame", lambda d: one(b"") + one(d))


def gzip_with_fields(data):
    head = (
        bytes([0x1F, 0x8B, 8, 0x04 | 0x10 | 0x02, 0, 0, 0, 0, 0, 255])
        + struct.pack("<H", 4)
        + b"AB\x00\x00"
        + b"a comment\0"
    )
    head += struct.pack("<H", zlib.crc32(head) & 0xFFFF)
    return head + gzip_stream(data)[10:]


def gzip_fixed(data):
    c = zlib.compressobj(6, zlib.DEFLATED, 31, 9, zlib.Z_FIXED)
    return c.compress(data) + c.flush()


def odd_bloscs():
    why = "c-blosc: bytes that fill no whole element stay unshuffled behind the others"
    for size, typesize, shuffle, cname in (
        (37, 4, "shuffle", "lz4"),
        (37, 4, "bitshuffle", "zstd"),
        (129, 8, "shuffle", "zlib"),
        (129, 8, "bitshuffle", "lz4"),
        (61, 3, "shuffle", "blosclz"),
        (255, 7, "bitshuffle", "lz4hc"),
        (17, 16, "shuffle", "lz4"),
        (127, 1, "bitshuffle", "zstd"),
    ):
        values = (np.arange(size * 2) // 9 % 7).astype("uint8")
        codec = blosc_codec(cname, shuffle, typesize)
        name = f"codec/blosc_odd_{size}_{typesize}_{shuffle}"
        yield row(name, why, [size * 2], [size * 2], [sharding([size], [BYTES, codec])], ["codec"], "uint8", 0, values)
    values = (np.arange(70001) // 11 % 251).astype("uint8")
    for shuffle in ("shuffle", "bitshuffle"):
        codec = blosc_codec("lz4", shuffle, 4, blocksize=16384)
        special = why + "; several blocks, the last one odd"
        yield row(
            f"codec/blosc_odd_blocks_{shuffle}",
            special,
            [70001],
            [70001],
            [BYTES, codec],
            ["codec", "unsharded"],
            "uint8",
            0,
            values,
        )
