"""Sound arrays: forms of metadata and of shapes."""

from __future__ import annotations


import numpy as np

from reference import BIG, CRC32C, GZIP, LITTLE, ZSTD, sharding
from row_case import row, transpose

TEXT = {"name": "vlen-utf8"}


def metadata():
    plain = [LITTLE, CRC32C]
    shard = sharding([2], plain)
    m = lambda name, special, tags, codecs=(shard,), meta=None, **more: row(
        f"meta/{name}", special, [8], [4], list(codecs), ["metadata", *tags], meta=meta, **more
    )
    new = ["spec-3.1"]
    yield m(
        "data_type_object_configuration",
        "core 3.1: a data type as an object with an empty configuration",
        new,
        meta={"data_type": {"name": "int32", "configuration": {}}},
    )
    must = {"must_understand": True}
    yield m(
        "must_understand_grid",
        "core 3.1: must_understand true on a known chunk grid",
        new,
        meta={"chunk_grid": {"name": "regular", "configuration": {"chunk_shape": [4]}, **must}},
    )
    yield m(
        "must_understand_keys",
        "core 3.1: must_understand true on a known key encoding",
        new,
        meta={"chunk_key_encoding": {"name": "default", **must}},
    )
    yield m("must_understand_shard", "core 3.1: must_understand true on sharding_indexed", new, [{**shard, **must}])
    yield m(
        "must_understand_false_known",
        "core 3.1: must_understand false on codecs that the reader knows: they apply",
        new,
        [sharding([2], [LITTLE, {**CRC32C, "must_understand": False}])],
    )
    gone = {"name": "example.ignorable", "configuration": {"a": [1]}, "must_understand": False}
    yield m(
        "ignorable_members",
        "core 3.1: several unknown members with must_understand false",
        new,
        meta={"example.one": gone, "example.two": {"must_understand": False}},
    )
    yield m(
        "attributes_must_understand",
        "core: attributes are the user's; must_understand in them means nothing",
        [],
        meta={"attributes": {"must_understand": True, "x": {"must_understand": True, "name": "y"}}},
    )
    yield m(
        "attributes_like_metadata",
        "core: attributes with names of members",
        [],
        meta={"attributes": {"shape": [9], "codecs": [], "zarr_format": 2, "fill_value": None}},
    )
    yield m(
        "dimension_names_null",
        "dimension_names null in place of a list: no text allows it, early writers stored it",
        ["legacy"],
        meta={"dimension_names": None},
    )
    yield row(
        "meta/dimension_names_all_null",
        "core: every dimension unnamed",
        [4, 4],
        [4, 4],
        [sharding([2, 2])],
        ["metadata"],
        meta={"dimension_names": [None, None]},
    )
    yield row(
        "meta/dimension_names_twice",
        "core: names need not be unique, and may be empty",
        [4, 4, 2, 2],
        [4, 4, 2, 2],
        [sharding([2, 2, 2, 2])],
        ["metadata"],
        meta={"dimension_names": ["x", "x", "", ""]},
    )
    yield m("deep_attributes", "core: attributes nested 40 deep", [], meta={"attributes": deep(40)})
    yield m(
        "big_numbers_in_attributes",
        "core: numbers in attributes that fit no machine type",
        [],
        meta={"attributes": {"n": 10**40, "x": 1e300}},
    )


def deep(levels):
    return {"a": deep(levels - 1) if levels else 1}


def shapes():
    zero = "core: a dimension may have length 0; the array has no elements"
    none = lambda name, shape, chunk, codecs, tags, **more: row(
        f"ndim/{name}", zero, shape, chunk, codecs, ["empty", "ndim", *tags], **more
    )
    yield none("zero_1d", [0], [4], [sharding([2])], [])
    yield none("zero_middle", [3, 0, 5], [2, 2, 5], [sharding([1, 2, 5], [LITTLE, ZSTD])], [])
    yield none("zero_all", [0, 0], [4, 4], [sharding([2, 2], [LITTLE], [BIG], "start")], ["index"])
    yield none("zero_unsharded", [5, 0], [5, 3], [LITTLE, GZIP], ["unsharded"])
    yield none("zero_transposed", [0, 7], [3, 7], [transpose(1, 0), sharding([7, 3])], ["transpose"])
    no_text = np.empty([0, 2], object)
    yield none(
        "zero_strings",
        [0, 2],
        [2, 2],
        [sharding([1, 2], [TEXT])],
        ["vlen"],
        data_type="string",
        fill="x",
        values=no_text,
    )
    zero_d = "core: an array of no dimensions has one element and the chunk key c"
    nil = lambda name, codecs, tags, **more: row(f"ndim/0d_{name}", zero_d, [], [], codecs, ["ndim", *tags], **more)  # noqa: E731
    yield nil("nested", [sharding([], [sharding([])])], ["nested"])
    yield nil("start_zstd", [sharding([], [BIG, ZSTD, CRC32C], [BIG], "start")], ["codec", "index"])
    yield nil("outer_gzip", [sharding([]), GZIP], ["outer"])
    yield nil("transpose", [transpose(), LITTLE], ["transpose", "unsharded"])
    yield nil("missing", [sharding([])], ["fill", "missing"], fill=-7, values=np.array(-7, "int32"), absent=((),))
    yield nil(
        "missing_inside",
        [sharding([])],
        ["fill", "missing"],
        fill=-7,
        values=np.array(-7, "int32"),
        missing=lambda box: True,
    )
    word = np.empty([], object)
    word[()] = "é"
    yield nil("string", [sharding([], [TEXT])], ["vlen"], data_type="string", fill="", values=word)
    yield nil(
        "complex", [LITTLE], ["unsharded"], data_type="complex64", fill=[0, 0], values=np.array(1 - 2j, "complex64")
    )
    yield row(
        "ndim/6d",
        "core: six dimensions",
        [2, 3, 2, 3, 2, 3],
        [2, 2, 2, 2, 2, 2],
        [sharding([1, 2, 1, 2, 1, 2])],
        ["ndim", "ragged"],
        "int16",
    )
    yield row("ndim/8d", "core: eight dimensions", [2] * 8, [2] * 8, [sharding([1, 2] * 4)], ["ndim"], "int16")
