"""Malformed shards under sound metadata: the index, its entries, nested shards."""

from __future__ import annotations

from malformed_case import CHECKSUM, CORRUPT, META, UNSUPPORTED, broken, flip
from reference import (
    BIG,
    CRC32C,
    EMPTY,
    GZIP,
    LITTLE,
    array_metadata,
    crc32c,
    gzip_stream,
    pack,
    shard,
    sharding,
    vlen,
)

EIGHT = pack(range(1, 9))  # the values of an int16 array of eight elements
PARTS = [EIGHT[i : i + 4] for i in range(0, 16, 4)]
SECOND = [[2, 4]]  # the box of the second inner chunk


def eight(location="end", order="little", checksums=1, inner=(LITTLE,), **more):
    ix = [BIG if order == "big" else LITTLE] + [CRC32C] * checksums
    return array_metadata((8,), codecs=[sharding([2], inner, ix, location)], **more)


def entry(n, offset=None, nbytes=None):
    """An edit that gives entry n another offset or length."""

    def edit(entries):
        o, b = entries[n]
        entries[n] = (o if offset is None else offset, b if nbytes is None else nbytes)
        return entries

    return edit


def far(n):
    """The number, moved far past the end of any file here."""
    return n + 2**20 if n is not None and n < 2**32 else n


def index_files():
    says = "sharding_indexed: the index has full size, "
    whole = shard(PARTS)
    start = shard(PARTS, "start")
    for n, b in (
        ("empty", b""),
        ("one_byte", b"\0"),
        ("ten_bytes", whole[-10:]),
        ("one_short", whole[-67:]),
        ("only_checksum", whole[-4:]),
    ):
        yield broken("index", f"file_{n}", says + "the file is shorter", eight(), b, part=[[0, 1]])
    for n, b in (("empty", b""), ("one_short", start[:67])):
        yield broken("index", f"start_file_{n}", says + "the file is shorter", eight("start"), b, part=[[0, 1]])
    yield broken(
        "index",
        "no_checksum_short",
        says + "16 bytes an entry",
        eight(checksums=0),
        shard(PARTS, checksums=0)[-63:],
        part=[[0, 1]],
    )
    yield broken(
        "index",
        "truncated_tail",
        "the last byte of the shard is lost: the checksum can't match",
        eight(),
        whole[:-1],
        part=[[0, 1]],
    )
    yield broken(
        "index",
        "truncated_tail_no_checksum",
        "the last byte is lost: the entries point past the end",
        eight(checksums=0),
        shard(PARTS, checksums=0)[:-1],
        part=[[0, 1]],
    )
    yield broken(
        "index",
        "trailing_byte",
        "a byte after the index: the checksum can't match",
        eight(),
        whole + b"\0",
        part=[[0, 1]],
    )
    yield broken(
        "index",
        "start_truncated_data",
        "the last inner chunk of a shard with its index at the start is cut",
        eight("start"),
        start[:-1],
        part=[[6, 8]],
    )
    yield broken(
        "index",
        "front_lost",
        "the first four bytes of the shard are lost: the last entry ends inside the index",
        eight(checksums=0),
        shard(PARTS, checksums=0)[4:],
        part=[[6, 8]],
        tags=["choice"],
    )
    yield broken(
        "index",
        "data_lost",
        "only the index is left: every entry points past the end",
        eight("start"),
        start[:68],
        part=[[0, 2]],
    )
    yield broken(
        "index",
        "missing_checksum",
        "index_codecs has crc32c, the index was stored without",
        eight(),
        shard(PARTS, checksums=0),
        part=[[0, 1]],
    )
    for loc in ("end", "start"):
        for order in ("little", "big"):
            good = shard(PARTS, loc, "<" if order == "little" else ">")
            at = 3 if loc == "start" else -60
            yield broken(
                "index",
                f"checksum_{loc}_{order}",
                "one bit of the index differs",
                eight(loc, order),
                flip(good, at),
                [CHECKSUM],
                part=[[0, 1]],
            )
    yield broken(
        "index",
        "checksum_itself",
        "one bit of the checksum differs",
        eight(),
        flip(whole, -1),
        [CHECKSUM],
        part=[[0, 1]],
    )
    yield broken(
        "index",
        "checksum_big_endian",
        "crc32c is stored little-endian",
        eight(),
        whole[:-4] + whole[:-5:-1],
        [CHECKSUM],
        part=[[0, 1]],
    )
    yield broken(
        "index",
        "checksum_zero",
        "no checksum was computed",
        eight(),
        whole[:-4] + bytes(4),
        [CHECKSUM],
        part=[[0, 1]],
    )
    twice = shard(PARTS, checksums=2)
    yield broken(
        "index",
        "second_checksum",
        "the outer of two checksums differs",
        eight(checksums=2),
        flip(twice, -1),
        [CHECKSUM],
        part=[[0, 1]],
    )
    inner_bad = flip(twice[:-4], -1)
    yield broken(
        "index",
        "first_checksum",
        "the inner of two checksums differs",
        eight(checksums=2),
        inner_bad + crc32c(inner_bad[16:]),
        [CHECKSUM],
        part=[[0, 1]],
    )
    yield broken(
        "index",
        "wrong_byte_order",
        "a little-endian index where big was declared",
        eight(order="big", checksums=0),
        shard(PARTS, checksums=0),
        part=[[0, 1]],
    )
    yield broken(
        "index", "wrong_end", "the index stands at the start, declared is the end", eight(), start, part=[[0, 1]]
    )
    huge = array_metadata((8,), chunk_shape=[2**40], codecs=[sharding([2])])
    yield broken(
        "index",
        "far_larger_than_file",
        "chunk_shape asks for an index of 8 TiB; the file has 84 bytes",
        huge,
        whole,
        [CORRUPT, META, UNSUPPORTED],
        part=[[0, 1]],
        tags=["hostile"],
        stage="either",
    )
    wide = array_metadata((8, 8), chunk_shape=[2**31, 2**31], codecs=[sharding([2, 2])])
    yield broken(
        "index",
        "count_beyond_63_bits",
        "2^60 inner chunks, an index of 2^64 bytes: the length must not wrap",
        wide,
        whole,
        [CORRUPT, META, UNSUPPORTED],
        part=[[0, 1], [0, 1]],
        tags=["hostile"],
        stage="either",
    )


def index_entries():
    n = len(shard(PARTS))  # 84: 16 of data, 68 of index
    table = [
        ("only_offset_empty", "only the offset is 2^64-1", EMPTY, None),
        ("only_nbytes_empty", "only nbytes is 2^64-1", None, EMPTY),
        ("offset_past_end", "the inner chunk begins past the end", n + 16, None),
        ("offset_at_end", "the inner chunk begins at the end", n, None),
        ("one_past_end", "the inner chunk ends one byte past the end", n - 3, None),
        ("nbytes_past_end", "the inner chunk ends past the end", None, n),
        ("sum_wraps_64", "offset + nbytes wraps to a small number", 2**64 - 8, 12),
        ("sum_wraps_63", "offset + nbytes wraps as signed 64-bit", 2**63 - 2, 4),
        ("offset_sign_bit", "the offset has bit 63 set", 2**63 + 4, None),
        ("nbytes_sign_bit", "nbytes has bit 63 set", None, 2**63 + 4),
        ("offset_32_bits", "offset 2^32 + 4: must not be cut to 32 bits", 2**32 + 4, None),
        ("nbytes_32_bits", "nbytes 2^32 + 4: must not be cut to 32 bits", None, 2**32 + 4),
        ("nbytes_huge", "nbytes of 1 EiB", None, 2**60),
        ("nbytes_2_gib", "nbytes of 2 GiB - 1", None, 2**31 - 1),
        ("offset_minus_two", "the offset is 2^64-2", EMPTY - 1, None),
        ("nbytes_zero", "nbytes 0: no bytes can't be two int16", None, 0),
        ("nbytes_one_less", "three bytes can't be two int16", None, 3),
        ("nbytes_one_more", "five bytes can't be two int16", None, 5),
        ("both_zero", "offset and nbytes 0", 0, 0),
    ]
    for name, why, offset, nbytes in table:
        edit = entry(1, offset, nbytes)
        hostile = ["hostile"] if name.startswith("nbytes_") else []
        yield broken("index", f"entry_{name}", why, eight(), shard(PARTS, edit=edit), part=SECOND, tags=hostile)
    for name in (
        "offset_past_end",
        "nbytes_past_end",
        "sum_wraps_64",
        "only_offset_empty",
        "only_nbytes_empty",
        "nbytes_huge",
    ):
        _, why, offset, nbytes = next(t for t in table if t[0] == name)
        yield broken(
            "index",
            f"start_entry_{name}",
            why + " (index at the start)",
            eight("start"),
            shard(PARTS, "start", edit=entry(1, offset, nbytes)),
            part=SECOND,
        )
        yield broken(
            "index",
            f"gzip_entry_{name}",
            why + " (inner chunks compressed)",
            eight(inner=[LITTLE, GZIP]),
            shard([gzip_stream(p) for p in PARTS], edit=entry(1, far(offset), far(nbytes))),
            part=SECOND,
        )
    inside = "the entry lies inside the index: "
    yield broken(
        "index",
        "entry_inside_index_end",
        inside + "at the end",
        eight(),
        shard(PARTS, edit=entry(1, 20)),
        part=SECOND,
        tags=["choice"],
    )
    yield broken(
        "index",
        "entry_inside_index_start",
        inside + "at the start",
        eight("start"),
        shard(PARTS, "start", edit=entry(1, 8)),
        part=SECOND,
        tags=["choice"],
    )
    yield broken(
        "index",
        "entry_runs_into_index",
        "the inner chunk's last bytes are the index's first",
        eight(),
        shard(PARTS, edit=entry(3, 14)),
        part=[[6, 8]],
        tags=["choice"],
    )
    yield broken(
        "index",
        "second_shard_only",
        "the first shard is sound, the second's index is not",
        array_metadata((16,), chunk_shape=[8], codecs=[sharding([2])]),
        {"c/0": shard(PARTS), "c/1": flip(shard(PARTS), -30)},
        [CHECKSUM],
        part=[[8, 9]],
    )
    ragged = array_metadata((6,), chunk_shape=[8], codecs=[sharding([2])])
    yield broken(
        "index",
        "entry_of_ragged_edge",
        "an entry inside the array points past the end (shard partly outside the array)",
        ragged,
        shard(PARTS, edit=entry(2, n)),
        part=[[4, 6]],
    )
    text = array_metadata((4,), "string", codecs=[sharding([2], [{"name": "vlen-utf8"}])], fill_value="")
    yield broken(
        "index",
        "vlen_entry_nbytes_huge",
        "nbytes of 2 GiB - 1 with variable-length data",
        text,
        shard([vlen(["a", "b"]), vlen(["c", "d"])], edit=entry(1, None, 2**31 - 1)),
        part=SECOND,
        tags=["hostile"],
    )


def nested_shards():
    inner = sharding([2])
    meta = array_metadata((8,), codecs=[sharding([4], [inner])])
    one, two = shard(PARTS[:2]), shard(PARTS[2:])  # each 8 bytes of data and 36 of index
    part = [[4, 6]]

    def case(name, why, second, errors=(CORRUPT,), edit=None, at=part, m=meta, tags=()):
        return broken("index", f"nested_{name}", why, m, shard([one, second], edit=edit), errors, at, tags)

    yield case("inner_checksum", "one bit of an inner shard's index differs", flip(two, -20), [CHECKSUM])
    yield case("inner_empty", "an inner shard of no bytes", b"")
    yield case("inner_short", "an inner shard shorter than its index", two[-35:])
    yield case(
        "inner_cut",
        "the outer entry is one byte short: the inner checksum can't match",
        two,
        edit=entry(1, None, len(two) - 1),
    )
    yield case(
        "inner_entry_past_inner_end",
        "an entry past the end of its inner shard, though inside the outer one",
        shard(PARTS[2:], edit=entry(0, 60)),
    )
    yield case(
        "inner_entry_counted_from_outer",
        "offsets of an inner shard count from its own first byte",
        shard(PARTS[2:], edit=entry(0, 44)),
    )
    yield case(
        "inner_entry_one_past_end",
        "an entry that ends one byte past its inner shard",
        shard(PARTS[2:], edit=entry(0, 41)),
    )
    yield case(
        "inner_only_nbytes_empty",
        "only nbytes is 2^64-1 in an inner shard",
        shard(PARTS[2:], edit=entry(0, None, EMPTY)),
    )
    yield case(
        "inner_sum_wraps", "offset + nbytes wraps in an inner shard", shard(PARTS[2:], edit=entry(0, 2**64 - 4, 8))
    )
    yield case(
        "inner_offset_wraps_outer",
        "offset in the inner shard + the inner shard's own offset wraps",
        shard(PARTS[2:], edit=entry(0, 2**64 - 44, 4)),
    )
    yield case(
        "inner_nbytes_huge",
        "nbytes of 1 EiB in an inner shard",
        shard(PARTS[2:], edit=entry(0, None, 2**60)),
        tags=["hostile"],
    )
    yield case("inner_chunk_short", "an innermost chunk one byte short", shard(PARTS[2:], edit=entry(0, None, 3)))
    yield case("outer_entry_past_end", "the outer entry ends past the end", two, edit=entry(1, None, 1000))
    start = array_metadata((8,), codecs=[sharding([4], [sharding([2], index_location="start")])])
    first, second = shard(PARTS[:2], "start"), shard(PARTS[2:], "start")
    yield broken(
        "index",
        "nested_start_checksum",
        "one bit of an inner shard's index (at its start) differs",
        start,
        shard([first, flip(second, 5)]),
        [CHECKSUM],
        part,
    )
    yield broken(
        "index",
        "nested_start_past_end",
        "an entry past the end of its inner shard (index at its start)",
        start,
        shard([first, shard(PARTS[2:], "start", edit=entry(0, 44))]),
        part=part,
    )
    zipped = array_metadata((8,), codecs=[sharding([4], [inner, GZIP])])
    yield broken(
        "index",
        "nested_compressed_inner_checksum",
        "a gzip-compressed inner shard whose index differs in one bit",
        zipped,
        shard([gzip_stream(one), gzip_stream(flip(two, -20))]),
        [CHECKSUM],
        part,
    )
    yield broken(
        "index",
        "nested_compressed_inner_short",
        "a gzip-compressed inner shard shorter than its index",
        zipped,
        shard([gzip_stream(one), gzip_stream(two[-20:])]),
        part=part,
    )
    outer = array_metadata((8,), codecs=[sharding([2]), CRC32C])
    good = shard(PARTS)
    yield broken(
        "index",
        "outer_crc32c",
        "a checksum around the whole shard differs",
        outer,
        flip(good + crc32c(good), 1),
        [CHECKSUM],
        [[0, 8]],
    )
    outer = array_metadata((8,), codecs=[sharding([2]), GZIP])
    yield broken(
        "index",
        "outer_gzip_truncated",
        "a gzip stream around the whole shard is cut",
        outer,
        gzip_stream(good)[:-9],
        part=[[0, 8]],
    )
    yield broken(
        "index",
        "outer_gzip_short_shard",
        "inside gzip: a shard shorter than its index",
        outer,
        gzip_stream(good[-30:]),
        part=[[0, 8]],
    )
    three = array_metadata((8,), codecs=[sharding([4], [sharding([2], [sharding([1])])])])

    def deep(parts, **k):
        return shard([shard([p[:2], p[2:]], **k) for p in parts])

    yield broken(
        "index",
        "nested_three_innermost",
        "three levels: an innermost entry points past its end",
        three,
        shard([deep(PARTS[:2]), deep(PARTS[2:], edit=entry(1, 39))]),
        part=[[5, 6]],
    )


def cases():
    for part in (index_files, index_entries, nested_shards):
        yield from part()
