"""The configurations of fresh fixtures: what make_fixtures.py writes with zarr-python."""

from __future__ import annotations

from reference import BIG, BYTES, CRC32C, GZIP, LITTLE, ZSTD, blosc_codec, sharding

INTEGERS = ("int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64")
FLOATS = ("float16", "float32", "float64")
COMPLEX = ("complex64", "complex128")
TEXT = {"name": "vlen-utf8", "configuration": {}}
BLOBS = {"name": "vlen-bytes", "configuration": {}}
KEYS = {"name": "default", "configuration": {"separator": "/"}}
A, B = [5, 30], [3, 19]  # an extent that the seed chooses


def transpose(*order):
    return {"name": "transpose", "configuration": {"order": list(order)}}


def case(name, data_type, shape, chunk_shape, codecs, fill=None, part="some", keys=KEYS, write_empty=False):
    if fill is None:
        fill = [0, 0] if data_type in COMPLEX else "" if data_type in ("string", "variable_length_bytes") else 0
    return {
        "id": "fresh/" + name,
        "data_type": data_type,
        "shape": shape,
        "chunk_shape": chunk_shape,
        "codecs": codecs,
        "fill_value": fill,
        "part": part,
        "chunk_key_encoding": keys,
        "write_empty": write_empty,
        "tags": ["fresh", name.split("/")[0]],
    }


def order(data_type, big=False):
    return BYTES if data_type in ("bool", "int8", "uint8") else BIG if big else LITTLE


def cases():
    for t in ("bool", *INTEGERS, *FLOATS, *COMPLEX):
        yield case(f"dtype/{t}", t, [A, B], [8, 8], [sharding([4, 2], [order(t)])], part="all")
        if order(t) is LITTLE:
            yield case(f"dtype/{t}_big", t, [A], [12], [sharding([3], [BIG, CRC32C], [BIG, CRC32C])], part="all")
    inner = {
        "plain": [LITTLE],
        "gzip": [LITTLE, GZIP],
        "zstd": [LITTLE, ZSTD],
        "crc32c": [LITTLE, CRC32C],
        "zstd_crc32c": [LITTLE, ZSTD, CRC32C],
        "zstd_checksum": [LITTLE, {"name": "zstd", "configuration": {"level": 9, "checksum": True}}],
        "gzip_zstd": [LITTLE, GZIP, ZSTD],
        "transpose": [transpose(1, 0), LITTLE, ZSTD],
    }
    for cname in ("lz4", "lz4hc", "blosclz", "zlib", "zstd"):
        for shuffle in ("noshuffle", "shuffle", "bitshuffle"):
            inner[f"blosc_{cname}_{shuffle}"] = [LITTLE, blosc_codec(cname, shuffle, 4)]
    for name, codecs in inner.items():
        yield case(f"codec/{name}", "int32", [[40, 70], [30, 50]], [32, 32], [sharding([16, 32], codecs)], part="all")
    for location in ("end", "start"):
        for e, big in (("little", False), ("big", True)):
            for crc in (0, 1, 2):
                ix = [BIG if big else LITTLE] + [CRC32C] * crc
                codecs = [sharding([2, 3], [LITTLE], ix, location)]
                yield case(f"index/{location}_{e}_{crc}", "uint16", [A, B], [6, 6], codecs, 65535)
    yield case("nested/two", "int32", [A, B], [8, 8], [sharding([4, 4], [sharding([2, 2], [LITTLE, ZSTD])])], -1)
    start_inside = sharding([4, 4], [sharding([2, 2], [LITTLE, GZIP], [BIG], "start")])
    yield case("nested/start_inside", "int32", [A, B], [8, 8], [start_inside], -1)
    start_outside = sharding([4, 4], [sharding([2, 2])], [BIG, CRC32C], "start")
    yield case("nested/start_outside", "uint64", [A, B], [8, 8], [start_outside], 2**64 - 1)
    three = sharding([8, 8], [sharding([4, 4], [sharding([2, 2], [LITTLE, CRC32C])])])
    yield case("nested/three", "int16", [[17, 40], [17, 40]], [16, 16], [three], 9)
    yield case("nested/zstd_inner_shard", "int32", [A, B], [8, 8], [sharding([4, 4], [sharding([2, 2]), ZSTD])])
    for t, name, fill in (
        ("float64", "nan", "NaN"),
        ("float32", "infinity", "Infinity"),
        ("float16", "minus_infinity", "-Infinity"),
        ("float64", "tenth", 0.1),
        ("float64", "minus_zero", -0.0),
        ("uint64", "max", 2**64 - 1),
        ("int64", "min", -(2**63)),
        ("bool", "true", True),
        ("complex64", "nan", ["NaN", 1.5]),
        ("complex128", "infinity", ["-Infinity", -2.0]),
    ):
        yield case(f"fill/{t}_{name}", t, [A, B], [8, 8], [sharding([2, 4], [order(t)])], fill)
    yield case("missing/all", "float32", [A, B], [4, 4], [sharding([2, 2])], "NaN", "none")
    yield case("missing/kept", "int16", [A, B], [4, 4], [sharding([2, 2])], 7, write_empty=True)
    yield case("ragged/1d", "int16", [[23, 90]], [10], [sharding([5])], part="all")
    yield case("ragged/3d", "uint8", [A, B, [2, 9]], [4, 4, 6], [sharding([2, 1, 3], [BYTES, GZIP])], 3)
    yield case(
        "ragged/4d", "int16", [[2, 5], [3, 6], [4, 7], [2, 5]], [2, 4, 4, 2], [sharding([1, 2, 2, 2], [LITTLE, ZSTD])]
    )
    yield case("ragged/shard_beyond_array", "int32", [[2, 9], [2, 9]], [32, 16], [sharding([4, 4])])
    yield case("ragged/zero_length", "int32", [0, 5], [4, 6], [sharding([2, 2])], part="none")
    yield case("vlen/string", "string", [A], [8], [sharding([4], [TEXT])], "", "all")
    yield case("vlen/string_zstd", "string", [A, B], [4, 6], [sharding([2, 3], [TEXT, ZSTD])], "ünï")
    yield case("vlen/string_nested", "string", [A], [8], [sharding([4], [sharding([2], [TEXT, CRC32C])])])
    yield case("vlen/bytes", "variable_length_bytes", [A], [8], [sharding([4], [BLOBS])], "", "all")
    yield case(
        "vlen/bytes_blosc",
        "variable_length_bytes",
        [A, B],
        [4, 6],
        [sharding([1, 2], [BLOBS, blosc_codec("zstd", typesize=1)])],
        "AQID/w==",
    )
    yield case("vlen/string_unsharded", "string", [A], [3], [TEXT, GZIP], "x")
    for t in ("uint8", "float64", "complex64"):
        yield case(f"unsharded/{t}", t, [A, B], [5, 4], [order(t), ZSTD])
    yield case("unsharded/transpose", "int16", [A, B, [2, 5]], [5, 4, 3], [transpose(2, 0, 1), LITTLE, CRC32C])
    yield case("unsharded/0d", "float64", [], [], [LITTLE], "NaN", "all")
    for n, c in (("gzip", GZIP), ("crc32c", CRC32C)):
        yield case(f"outer/{n}", "int32", [A, B], [4, 6], [sharding([2, 3]), c])
    yield case("outer/transpose", "int32", [A, B], [6, 6], [transpose(1, 0), sharding([2, 3])])
    for name in ("default", "v2"):
        for n, s in (("slash", "/"), ("dot", ".")):
            keys = {"name": name, "configuration": {"separator": s}}
            yield case(f"keys/{name}_{n}", "uint8", [A, B], [3, 4], [sharding([1, 2], [BYTES])], keys=keys)
