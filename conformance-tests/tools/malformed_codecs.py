"""Malformed metadata documents: codec chains and configurations."""

from __future__ import annotations

from malformed_case import DATA, DROP, EITHER, META, UNKNOWN, changed, refused
from reference import (
    BYTES,
    CRC32C,
    GZIP,
    LITTLE,
    ZSTD,
    array_metadata,
    blosc_buffer,
    blosc_codec,
    crc32c,
    gzip_stream,
    shard,
    sharding,
    vlen,
    zstd_stream,
)


def codec_lists():
    """The chain of codecs."""
    tr = {"name": "transpose", "configuration": {"order": [0]}}
    one = "core: array->array codecs, exactly one array->bytes codec, bytes->bytes codecs"
    yield changed("codecs_none", "core: codecs is a non-empty list of extensions", {"codecs": []}, tags=["choice"])
    for n, v in (
        ("object", LITTLE),
        ("string", "bytes"),
        ("number", 1),
        ("item_number", [1]),
        ("item_null", [None]),
        ("item_list", [[LITTLE]]),
        ("item_empty_object", [{}]),
        ("item_name_number", [{"name": 1}]),
        ("item_without_name", [{"configuration": {"endian": "little"}}]),
    ):
        yield changed(f"codecs_{n}", "core: codecs is a non-empty list of extensions", {"codecs": v})
    for n, v in (
        ("two_bytes", [LITTLE, LITTLE]),
        ("shard_then_bytes", [sharding([2]), LITTLE]),
        ("bytes_then_shard", [LITTLE, sharding([2])]),
        ("only_transpose", [tr]),
        ("gzip_without_bytes", [GZIP]),
        ("crc32c_without_bytes", [CRC32C]),
        ("gzip_first", [GZIP, LITTLE]),
        ("transpose_last", [LITTLE, tr]),
        ("transpose_after_gzip", [LITTLE, GZIP, tr]),
        ("crc32c_before_transpose", [CRC32C, tr, LITTLE]),
    ):
        # Chunks are encoded as the codecs say, so that a reader that adds the codec bytes finds the elements.
        encoded = {"gzip_without_bytes": gzip_stream(DATA), "crc32c_without_bytes": DATA + crc32c(DATA)}
        yield changed(f"chain_{n}", one, {"codecs": v}, chunk=encoded.get(n, DATA), tags=["choice"] if n in encoded else ())
        yield changed(
            f"inner_chain_{n.replace('gzip_without_bytes', 'only_gzip').replace('crc32c_without_bytes', 'only_crc32c')}",
            one + " (codecs of sharding_indexed)",
            {"codecs": [sharding([4] if "shard" in n else [2], v)]},
            chunk=shard([DATA[:4], DATA[4:]]),
        )
    for n, v in (
        ("unknown", {"name": "example.squeeze"}),
        ("unknown_short_hand", "example.squeeze"),
        ("unknown_must_understand", {"name": "example.squeeze", "configuration": {}, "must_understand": True}),
    ):
        yield changed(f"codec_{n}", "a required extension", {"codecs": [LITTLE, v]}, UNKNOWN)
        yield changed(f"inner_codec_{n}", "a required extension", {"codecs": [sharding([2], [LITTLE, v])]}, UNKNOWN)
    for n, v in (("null", None), ("list", ["little"]), ("string", "little"), ("number", 1)):
        yield changed(
            f"configuration_{n}",
            "core: configuration must be an object",
            {"codecs": [{"name": "bytes", "configuration": v}]},
        )
    yield changed(
        "codec_unknown_member",
        "core: an unrecognized metadata field must be refused",
        {"codecs": [{**LITTLE, "comment": "x"}]},
        EITHER,
        tags=["choice"],
    )


def codec_configurations():
    """Configurations of single codecs, at the end of `bytes` or in its place."""

    def conf(name, **c):
        return {"name": name, "configuration": c}

    pair = array_metadata((2, 2))
    pair_key = "c/0/0"
    needs = "bytes: endian is required for multi-byte data types"
    yield changed("bytes_no_endian", needs, {"codecs": [BYTES]})
    yield changed("bytes_short_hand_no_endian", needs, {"codecs": ["bytes"]})
    yield changed(
        "inner_bytes_no_endian", needs, {"codecs": [sharding([2], [BYTES])]}, chunk=shard([DATA[:4], DATA[4:]])
    )
    for n, v in (("word", "middle"), ("capital", "Little"), ("null", None), ("number", 1)):
        yield changed(
            f"bytes_endian_{n}", 'bytes: endian must be "big" or "little"', {"codecs": [conf("bytes", endian=v)]}
        )
    yield changed(
        "bytes_unknown_member",
        "core: an unrecognized metadata field must be refused",
        {"codecs": [conf("bytes", endian="little", order="C")]},
        EITHER,
    )
    for n, v in (
        ("repeated", [0, 0]),
        ("short", [0]),
        ("long", [0, 1, 2]),
        ("out_of_range", [0, 2]),
        ("negative", [0, -1]),
        ("draft_c", "C"),
        ("draft_f", "F"),
        ("fraction", [0.5, 1]),
        ("string_items", ["0", "1"]),
        ("null", None),
        ("empty", []),
    ):
        yield changed(
            f"transpose_{n}",
            "transpose: order must be a permutation of 0..n-1",
            {"codecs": [conf("transpose", order=v), LITTLE]},
            base=pair,
            key=pair_key,
            tags=["choice"] if "draft" in n else (),
        )
    yield changed(
        "transpose_no_order",
        "transpose: order is required",
        {"codecs": [conf("transpose"), LITTLE]},
        base=pair,
        key=pair_key,
    )
    yield changed(
        "transpose_no_configuration",
        "transpose: order is required",
        {"codecs": ["transpose", LITTLE]},
        base=pair,
        key=pair_key,
    )
    gz, zs = gzip_stream(DATA), zstd_stream(DATA)
    for n, v in (("10", 10), ("minus_1", -1), ("fraction", 1.5), ("string", "5"), ("null", None)):
        yield changed(
            f"gzip_level_{n}",
            "gzip: level is an integer from 0 to 9",
            {"codecs": [LITTLE, conf("gzip", level=v)]},
            chunk=gz,
        )
    yield changed(
        "gzip_unknown_member",
        "core: an unrecognized metadata field must be refused",
        {"codecs": [LITTLE, conf("gzip", level=5, mtime=0)]},
        EITHER,
        chunk=gz,
    )
    for n, v in (("23", 23), ("minus_131073", -131073), ("fraction", 1.5), ("string", "3"), ("null", None)):
        yield changed(
            f"zstd_level_{n}",
            "zstd: level is an integer from -131072 to 22",
            {"codecs": [LITTLE, conf("zstd", level=v, checksum=False)]},
            chunk=zs,
        )
    for n, v in (("string", "true"), ("number", 1), ("null", None)):
        yield changed(
            f"zstd_checksum_{n}",
            "zstd: checksum is a boolean",
            {"codecs": [LITTLE, conf("zstd", level=3, checksum=v)]},
            chunk=zs,
        )
    yield changed(
        "zstd_unknown_member",
        "core: an unrecognized metadata field must be refused",
        {"codecs": [LITTLE, conf("zstd", level=3, strategy="fast")]},
        EITHER,
        chunk=zs,
    )
    yield changed(
        "crc32c_unknown_member",
        "core: an unrecognized metadata field must be refused",
        {"codecs": [LITTLE, conf("crc32c", location="start")]},
        EITHER,
        chunk=DATA + b"\0\0\0\0",
    )
    good = blosc_codec(shuffle="shuffle")["configuration"]
    buffer = blosc_buffer(DATA * 16)
    for n, v, e in (
        ("cname_unknown", {"cname": "lzma"}, EITHER),
        ("cname_number", {"cname": 1}, [META]),
        ("clevel_10", {"clevel": 10}, [META]),
        ("clevel_minus_1", {"clevel": -1}, [META]),
        ("clevel_string", {"clevel": "5"}, [META]),
        ("shuffle_word", {"shuffle": "byteshuffle"}, [META]),
        ("shuffle_number", {"shuffle": 1}, [META]),
        ("typesize_zero", {"typesize": 0}, [META]),
        ("typesize_negative", {"typesize": -2}, [META]),
        ("typesize_fraction", {"typesize": 1.5}, [META]),
        ("typesize_string", {"typesize": "2"}, [META]),
        ("blocksize_negative", {"blocksize": -1}, [META]),
        ("blocksize_string", {"blocksize": "0"}, [META]),
        ("unknown_member", {"nthreads": 4}, EITHER),
    ):
        yield changed(
            f"blosc_{n}",
            "blosc: cname, clevel 0..9, shuffle, typesize > 0, blocksize >= 0, nothing else",
            {"codecs": [LITTLE, conf("blosc", **{**good, **v})]},
            e,
            base=array_metadata((64,)),
            chunk=buffer,
        )
    yield changed("vlen_utf8_for_int16", "registry: vlen-utf8 is for string only", {"codecs": ["vlen-utf8"]}, EITHER)
    yield changed(
        "vlen_bytes_for_int16", "registry: vlen-bytes is for bytes only", {"codecs": ["vlen-bytes"]}, EITHER
    )
    yield changed(
        "bytes_for_string",
        "bytes: not for variable-length data types",
        {},
        EITHER,
        base=array_metadata(data_type="string", codecs=[BYTES], fill_value=""),
        chunk=vlen(["a", "b", "c", "d"]),
    )


def sharding_configurations():
    data = shard([DATA[:4], DATA[4:]])

    def one(name, why, change, errors=(META,), base=None, tags=()):
        c = sharding([2])["configuration"]
        for k, v in change.items():
            if v is DROP:
                del c[k]
            else:
                c[k] = v
        return changed(
            "sharding_" + name,
            "sharding_indexed: " + why,
            {"codecs": [{"name": "sharding_indexed", "configuration": c}]},
            errors,
            base=base,
            chunk=data,
            tags=tags,
        )

    for n, v in (
        ("not_dividing", [3]),
        ("larger", [8]),
        ("zero", [0]),
        ("negative", [-2]),
        ("fraction", [0.5]),
        ("string", ["2"]),
        ("number", 2),
        ("null", None),
        ("rank_short", []),
        ("rank_long", [2, 1]),
        ("boolean", [True]),
    ):
        yield one(f"chunk_shape_{n}", "chunk_shape has the shard's rank and divides it evenly", {"chunk_shape": v})
    for k in ("chunk_shape", "codecs", "index_codecs"):
        yield one(f"no_{k}", f"{k} is required", {k: DROP})
    for k in ("codecs", "index_codecs"):
        for n, v in (
            ("empty", []),
            ("null", None),
            ("object", LITTLE),
            ("two_array_to_bytes", [LITTLE, LITTLE]),
            ("no_array_to_bytes", [CRC32C]),
            ("out_of_order", [CRC32C, LITTLE]),
        ):
            yield one(f"{k}_{n}", f"{k} is a list with exactly one array->bytes codec, in order", {k: v})
    for n, v in (
        ("gzip", [LITTLE, GZIP]),
        ("zstd", [LITTLE, ZSTD]),
        ("blosc", [LITTLE, blosc_codec()]),
        ("gzip_crc32c", [LITTLE, GZIP, CRC32C]),
    ):
        yield one(f"index_{n}", "a codec of variable size must not be among index_codecs", {"index_codecs": v})
    yield one("index_vlen", "index_codecs encode uint64", {"index_codecs": ["vlen-bytes"]}, EITHER)
    yield one("index_no_endian", "index_codecs encode uint64: bytes needs endian", {"index_codecs": [BYTES, CRC32C]})
    yield one(
        "index_unknown_codec",
        "a required extension",
        {"index_codecs": [LITTLE, {"name": "example.squeeze"}]},
        UNKNOWN,
    )
    yield one(
        "index_transpose_rank",
        "the index has one dimension more than the shard",
        {"index_codecs": [{"name": "transpose", "configuration": {"order": [0]}}, LITTLE, CRC32C]},
    )
    for n, v in (("word", "middle"), ("capital", "End"), ("null", None), ("number", 0), ("boolean", True)):
        yield one(f"index_location_{n}", 'index_location is "start" or "end"', {"index_location": v})
    yield one(
        "unknown_member", "core: an unrecognized metadata field must be refused", {"write_order": "morton"}, EITHER
    )
    yield one(
        "inner_shard_not_dividing",
        "the inner shard's chunk_shape divides the inner chunk",
        {"codecs": [sharding([3])]},
    )
    yield one("inner_shard_rank", "the inner shard's chunk_shape has its rank", {"codecs": [sharding([1, 1])]})
    yield one(
        "inner_shard_location",
        'index_location is "start" or "end"',
        {"codecs": [sharding([1], index_location="begin")]},
    )
    yield one(
        "inner_index_gzip",
        "a codec of variable size must not be among index_codecs",
        {"codecs": [sharding([1], index_codecs=[LITTLE, GZIP])]},
    )
    yield changed(
        "sharding_no_configuration",
        "sharding_indexed: chunk_shape is required",
        {"codecs": ["sharding_indexed"]},
        chunk=data,
    )
    yield changed(
        "sharding_not_dividing_transposed",
        "sharding_indexed: chunk_shape is checked against the transposed shape",
        {"codecs": [{"name": "transpose", "configuration": {"order": [1, 0]}}, sharding([2, 1])]},
        base=array_metadata((2, 3)),
        chunk=shard([DATA] * 3),
        key="c/0/0",
    )
    yield changed(
        "sharding_zero_rank",
        "sharding_indexed: chunk_shape has the shard's rank",
        {"codecs": [sharding([1])]},
        base=array_metadata(()),
        chunk=shard([DATA[:2]]),
        key="c",
    )


def cases():
    for part in (codec_lists, codec_configurations, sharding_configurations):
        yield from part()
