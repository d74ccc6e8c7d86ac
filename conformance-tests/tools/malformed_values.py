"""Malformed metadata documents: data types, fill values, grids and key encodings."""

from __future__ import annotations

from malformed_case import EITHER, META, UNKNOWN, changed, refused
from reference import BYTES, LITTLE, Lexeme, array_metadata, vlen


def data_types():
    for n, v, e in (
        ("number", 5, [META]),
        ("list", ["int16"], [META]),
        ("object_empty", {}, [META]),
        ("object_name_number", {"name": 5}, [META]),
        ("object_without_name", {"configuration": {}}, [META]),
        ("unknown", "int24", UNKNOWN),
        ("unknown_object", {"name": "example.decimal", "configuration": {"digits": 9}}, UNKNOWN),
        ("empty_name", "", EITHER),
        ("v2_spelling", "<i2", EITHER),
        ("capital", "Int16", EITHER),
        ("numpy_alias", "short", UNKNOWN),
        ("r12", "r12", EITHER),
        ("r0", "r0", EITHER),
        ("r_negative", "r-8", EITHER),
    ):
        yield changed(
            f"data_type_{n}", "core: data_type must be the name or object of a known data type", {"data_type": v}, e
        )
    yield changed(
        "data_type_ignorable",
        "core: must_understand false is not supported for a data type",
        {"data_type": {"name": "example.decimal", "must_understand": False}},
        EITHER,
    )


def grids():
    def grid(configuration, name="regular", **more):
        return {"chunk_grid": {"name": name, "configuration": configuration, **more}}

    says = "core: the regular grid has a chunk_shape of positive integers, one a dimension"
    for n, v in (
        ("zero", [0]),
        ("negative", [-4]),
        ("fraction", [1.5]),
        ("string", ["4"]),
        ("number", 4),
        ("null", None),
        ("null_item", [None]),
        ("boolean", [True]),
        ("rank_short", []),
        ("rank_long", [4, 1]),
        ("object", {"0": 4}),
        ("two_to_64", [2**64]),
    ):
        yield changed(f"chunk_shape_{n}", says, grid({"chunk_shape": v}))
    yield changed(
        "chunk_shape_exponent",
        says + "; JSON itself does not tell 4 from 4e0",
        grid({"chunk_shape": [Lexeme("4e0")]}),
        tags=["choice"],
    )
    yield changed("chunk_shape_missing", says, grid({}))
    yield changed("chunk_grid_short_hand", "core: the regular grid needs a configuration", {"chunk_grid": "regular"})
    yield changed(
        "chunk_grid_no_configuration",
        "core: the regular grid needs a configuration",
        {"chunk_grid": {"name": "regular"}},
    )
    yield changed("chunk_grid_configuration_list", "core: configuration must be an object", grid([4]))
    yield changed(
        "chunk_grid_no_name",
        "core: an extension object has a name",
        {"chunk_grid": {"configuration": {"chunk_shape": [4]}}},
    )
    yield changed(
        "chunk_grid_unknown", "a required extension", grid({"chunk_shape": [4]}, "example.hexagonal"), UNKNOWN
    )
    yield changed(
        "chunk_grid_unknown_member",
        "core: an unrecognized metadata field must be refused",
        grid({"chunk_shape": [4], "order": "C"}),
        EITHER,
    )
    yield changed(
        "chunk_grid_ignorable",
        "core: must_understand false is not supported for a chunk grid",
        grid({"chunk_shape": [4]}, "example.hexagonal", must_understand=False),
        EITHER,
    )


def key_encodings():
    def keys(configuration, name="default", **more):
        return {"chunk_key_encoding": {"name": name, "configuration": configuration, **more}}

    for n, v in (("dash", "-"), ("empty", ""), ("null", None), ("number", 1), ("two", "//")):
        yield changed(f"separator_{n}", 'core: separator must be "/" or "."', keys({"separator": v}))
    yield changed("v2_separator_dash", 'core: separator must be "/" or "."', keys({"separator": "-"}, "v2"), key="0")
    yield changed("keys_unknown", "a required extension", keys({}, "example.hashed"), UNKNOWN)
    yield changed(
        "keys_unknown_member",
        "core: an unrecognized metadata field must be refused",
        keys({"separator": "/", "prefix": "d"}),
        EITHER,
    )
    yield changed("keys_number", "core: an extension is a name or an object", {"chunk_key_encoding": 2})
    yield changed("keys_configuration_string", "core: configuration must be an object", keys("/"))
    yield changed(
        "keys_ignorable",
        "core: must_understand false is not supported for a chunk key encoding",
        keys({}, "example.hashed", must_understand=False),
        EITHER,
    )


def fill_values():
    integer = "core: an integer fill value is a JSON number without fraction or exponent, in range"
    number = 'core: a float fill value is a number, "NaN", "Infinity", "-Infinity" or "0x..." of the type\'s width'
    pair = "core: a complex fill value is a list of two floats"
    table = [
        (
            "bool",
            BYTES,
            "core: a bool fill value is true or false (some writers put 0 or 1)",
            (("two", 2), ("minus_1", -1), ("string", "true"), ("list", [True]), ("null", None)),
        ),
        ("int8", BYTES, integer, (("128", 128), ("minus_129", -129))),
        ("uint8", BYTES, integer, (("256", 256), ("minus_1", -1))),
        (
            "int16",
            LITTLE,
            integer,
            (
                ("fraction", 1.5),
                ("zero_fraction", Lexeme("1.0")),
                ("exponent", Lexeme("1e0")),
                ("string", "1"),
                ("true", True),
                ("list", [1]),
                ("nan", "NaN"),
                ("hex", "0x0001"),
            ),
        ),
        ("int64", LITTLE, integer, (("two_to_63", 2**63), ("below_min", -(2**63) - 1), ("exponent", Lexeme("1e3")))),
        ("uint64", LITTLE, integer, (("two_to_64", 2**64), ("minus_1", -1), ("thirty_digits", 10**30))),
        ("float16", LITTLE, number, (("hex_long", "0x7e0000"), ("word", "inf"))),
        (
            "float32",
            LITTLE,
            number,
            (
                ("true", True),
                ("list", [1]),
                ("object", {}),
                ("numeric_string", "1.5"),
                ("lower_nan", "nan"),
                ("plus_infinity", "+Infinity"),
                ("hex_digits", "0x7fc0000g"),
                ("hex_long", "0x7fc000000"),
                ("hex_bare", "7fc00000"),
                ("empty", ""),
            ),
        ),
        ("float64", LITTLE, number, (("null", None), ("hex_long", "0x7ff80000000000000"), ("minus_nan", "-NaN"))),
        (
            "complex64",
            LITTLE,
            pair,
            (
                ("number", 1),
                ("one", [1]),
                ("three", [1, 2, 3]),
                ("word", ["x", 0]),
                ("true", [True, 0]),
                ("object", {"re": 1, "im": 0}),
                ("string", "NaN"),
            ),
        ),
        ("complex128", LITTLE, pair, (("nested", [[1], [2]]), ("null", [None, 0]))),
        (
            "r24",
            BYTES,
            "core: a raw fill value is a list of N/8 integers in 0..255",
            (
                ("short", [1, 2]),
                ("long", [1, 2, 3, 4]),
                ("256", [1, 2, 256]),
                ("minus_1", [-1, 2, 3]),
                ("fraction", [1, 2, 0.5]),
                ("number", 0),
                ("null", None),
            ),
        ),
        (
            "string",
            {"name": "vlen-utf8"},
            "registry: a string fill value is a string",
            (("number", 0), ("null", None), ("list", ["a"])),
        ),
        (
            "bytes",
            {"name": "vlen-bytes"},
            "registry: a bytes fill value is a list of integers in 0..255 or base64",
            (
                ("256", [256]),
                ("minus_1", [-1]),
                ("base64_letters", "****"),
                ("base64_length", "AAAAA"),
                ("number", 0),
                ("item_string", ["a"]),
            ),
        ),
    ]
    size = {
        "bool": 1,
        "int8": 1,
        "uint8": 1,
        "int64": 8,
        "uint64": 8,
        "float32": 4,
        "float64": 8,
        "complex64": 8,
        "complex128": 16,
        "r24": 3,
    }
    for data_type, codec, why, values in table:
        base = array_metadata(data_type=data_type, codecs=[codec])
        chunk = vlen(["a", "b", "c", "d"]) if data_type in ("string", "bytes") else bytes(4 * size.get(data_type, 2))
        for n, v in values:
            tags = ["choice"] if n == "zero_fraction" else ()
            yield changed(f"fill_{data_type}_{n}", why, {"fill_value": v}, base=base, chunk=chunk, tags=tags)


def cases():
    for part in (data_types, grids, key_encodings, fill_values):
        yield from part()
