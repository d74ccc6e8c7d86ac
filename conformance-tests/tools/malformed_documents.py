"""Malformed metadata documents: the text, the mandatory and the optional members."""

from __future__ import annotations

from malformed_case import DROP, EITHER, META, UNKNOWN, UNSUPPORTED, changed, refused
from reference import Lexeme, array_metadata, document


def texts():
    """The document as text."""
    good = document(array_metadata())
    body = good.rstrip()[:-1]  # without the closing brace

    def plus(member):
        return body + b",\n " + member + b"\n}"

    json_error = "RFC 8259: not a JSON text"
    yield refused("json_empty", json_error + ": no bytes", b"")
    yield refused("json_blank", json_error + ": white space only", b" \n")
    yield refused("json_truncated", json_error + ": ends in the middle", good[: len(good) // 2])
    yield refused("json_unclosed", json_error + ": the last brace is missing", body)
    yield refused("json_trailing_token", json_error + ": a word after the document", good + b"\ntrue")
    yield refused("json_two_documents", json_error + ": two documents", good + good)
    yield refused("json_trailing_brace", json_error + ": a brace too many", good + b"}")
    yield refused("json_trailing_comma", json_error + ": comma before the closing brace", body + b",}")
    yield refused("json_comment", json_error + ": a comment", good.replace(b"{", b"{ // comment\n", 1))
    yield refused("json_single_quotes", json_error + ": single quotes", good.replace(b'"', b"'"))
    yield refused(
        "json_nan_fill",
        json_error + ": the bare word NaN",
        good.replace(b'"fill_value": 0', b'"fill_value": NaN').replace(b"int16", b"float16"),
    )
    yield refused(
        "json_infinity_in_attributes",
        json_error + ": the bare word Infinity",
        plus(b'"attributes": {"a": Infinity}'),
        tags=["choice"],
    )
    yield refused("json_leading_zero", json_error + ": the number 04", good.replace(b"4", b"04", 1))
    yield refused("json_plus_sign", json_error + ": the number +4", good.replace(b"4", b"+4", 1))
    yield refused("json_hex_number", json_error + ": the number 0x4", good.replace(b"4", b"0x4", 1))
    yield refused("json_bare_point", json_error + ": the number 1.", plus(b'"attributes": {"a": 1.}'))
    yield refused("json_bad_escape", json_error + r": the escape \x", plus(rb'"attributes": {"a": "\x41"}'))
    yield refused(
        "json_control_character", json_error + ": a line break within a string", plus(b'"attributes": {"a": "x\ny"}')
    )
    yield refused("json_nul_padding", json_error + ": NUL bytes after the document", good + b"\0" * 8)
    yield refused("json_is_list", "the document must be one object", b"[" + good + b"]")
    yield refused("json_is_string", "the document must be one object", b'"zarr"')
    yield refused("json_is_null", "the document must be one object", b"null")
    yield refused("json_empty_object", "no member at all", b"{}")
    yield refused("utf8_latin1", "RFC 8259: JSON is UTF-8; a Latin-1 byte", plus(b'"attributes": {"a": "\xe9t\xe9"}'))
    yield refused(
        "utf8_overlong", "RFC 8259: JSON is UTF-8; an overlong form", plus(b'"attributes": {"a": "\xc0\xaf"}')
    )
    yield refused(
        "utf8_truncated", "RFC 8259: JSON is UTF-8; a sequence cut short", plus(b'"attributes": {"a": "\xe6\xbc"}')
    )
    yield refused(
        "utf8_surrogate",
        "RFC 8259: JSON is UTF-8; an encoded surrogate",
        plus(b'"attributes": {"a": "\xed\xa0\x80"}'),
    )
    yield refused("utf16", "RFC 8259: JSON is UTF-8; the document is UTF-16", good.decode().encode("utf-16"))
    yield refused(
        "utf8_bom", "RFC 8259: no byte order mark (a reader may ignore one)", b"\xef\xbb\xbf" + good, tags=["choice"]
    )
    yield refused(
        "duplicate_member", "RFC 8259: names should be unique; two shapes", plus(b'"shape": [2]'), tags=["choice"]
    )
    yield refused(
        "duplicate_fill_value",
        "RFC 8259: names should be unique; two fill values",
        plus(b'"fill_value": 7'),
        tags=["choice"],
    )
    yield refused(
        "duplicate_in_configuration",
        "RFC 8259: names should be unique; two endians",
        good.replace(b'"endian": "little"', b'"endian": "little", "endian": "big"'),
        tags=["choice"],
    )
    yield refused(
        "too_deep",
        "20000 levels of attributes: beyond any reader's depth limit",
        plus(b'"attributes": {"a": ' + b"[" * 20000 + b"]" * 20000 + b"}"),
        tags=["choice", "hostile"],
    )
    yield refused(
        "too_deep_unclosed",
        "20000 opening brackets and the end of the file",
        plus(b'"attributes": {"a": ' + b"[" * 20000),
        tags=["hostile"],
    )


def mandatory():
    """Each mandatory member missing or of the wrong type."""
    for k in (
        "zarr_format",
        "node_type",
        "shape",
        "data_type",
        "chunk_grid",
        "chunk_key_encoding",
        "fill_value",
    ):
        yield changed(f"missing_{k}", f"core: {k} is mandatory", {k: DROP})
    yield changed("missing_all_codecs", "core: codecs is mandatory", {"codecs": DROP}, tags=["choice"])
    for k in (
        "zarr_format",
        "node_type",
        "shape",
        "data_type",
        "chunk_grid",
        "chunk_key_encoding",
        "fill_value",
        "codecs",
    ):
        is_choice = k == "fill_value"  # GDAL writes it into arrays of integers
        name, tags = ("fill_value_null", ["choice"]) if is_choice else (f"null_{k}", ())
        yield changed(name, f"core: {k} must not be null", {k: None}, tags=tags)
    for n, v in (("string", "3"), ("2", 2), ("4", 4), ("list", [3]), ("true", True)):
        yield changed(
            f"zarr_format_{n}",
            "core: zarr_format must be the integer 3",
            {"zarr_format": v},
            EITHER if n in "24" else [META],
        )
    for n, v in (("capital", "Array"), ("unknown", "table"), ("number", 1)):
        yield changed(f"node_type_{n}", 'core: node_type must be "array" (or "group")', {"node_type": v})
    for n, v in (
        ("number", 4),
        ("string", "4"),
        ("object", {"0": 4}),
        ("negative", [-4]),
        ("fraction", [4.5]),
        ("numeric_string", ["4"]),
        ("boolean", [True]),
        ("null_item", [None]),
        ("nested", [[4]]),
        ("two_to_64", [2**64]),
        ("thirty_digits", [10**30]),
        ("huge_exponent", [Lexeme("1e400")]),
    ):
        yield changed(f"shape_{n}", "core: shape is a list of non-negative integers", {"shape": v})
    for n, v in (("exponent", "4e0"), ("point_zero", "4.0")):
        yield changed(
            f"shape_{n}",
            "core: shape is a list of integers; JSON itself does not tell 4 from " + v,
            {"shape": [Lexeme(v)]},
            tags=["choice"],
        )
    yield changed("shape_rank_above_grid", "chunk_shape must have the rank of shape", {"shape": [4, 4]})
    yield changed("shape_rank_below_grid", "chunk_shape must have the rank of shape", {"shape": []})


def other_members():
    for n, v in (("list", []), ("string", "x"), ("number", 1)):
        yield changed(f"attributes_{n}", "core: attributes must be an object", {"attributes": v})
    for n, v in (
        ("short", []),
        ("long", ["x", "y"]),
        ("number", [1]),
        ("string", "x"),
        ("object", {"x": 0}),
        ("nested", [["x"]]),
    ):
        yield changed(
            f"dimension_names_{n}",
            "core: dimension_names is a list of strings or null, one a dimension",
            {"dimension_names": v},
        )
    member = "core: an unrecognized member without must_understand false must be refused"
    for n, v in (
        ("object", {"name": "example.thing"}),
        ("number", 5),
        ("null", None),
        ("string", "x"),
        ("list", [{"must_understand": False}]),
        ("must_understand_true", {"must_understand": True}),
        ("must_understand_string", {"must_understand": "false"}),
        ("must_understand_zero", {"must_understand": 0}),
        ("must_understand_null", {"must_understand": None}),
    ):
        yield changed(f"member_{n}", member, {"example.thing": v}, [UNSUPPORTED, META])
    for n, v, e in (
        ("unknown", [{"name": "example.cache"}], UNKNOWN),
        ("unknown_short_hand", ["example.cache"], UNKNOWN),
        (
            "unknown_configuration",
            [{"name": "example.cache", "configuration": {"a": 1}, "must_understand": True}],
            UNKNOWN,
        ),
        ("object", {"name": "example.cache"}, EITHER),
        ("string", "example.cache", EITHER),
        ("item_number", [1], [META]),
        ("item_without_name", [{"configuration": {}}], [META]),
    ):
        yield changed(
            f"transformers_{n}",
            "core: storage_transformers is a list of known storage transformers",
            {"storage_transformers": v},
            e,
        )


def cases():
    for part in (texts, mandatory, other_members):
        yield from part()
