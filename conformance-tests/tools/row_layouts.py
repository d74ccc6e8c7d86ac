"""Sound arrays: shards in every position: transposed, nested, wrapped, with their index at the start, of uneven grids."""

from __future__ import annotations


from reference import BIG, BYTES, CRC32C, GZIP, LITTLE, ZSTD, blosc_codec, sharding
from row_case import ramp, row, transpose

SHARD_INDEX = "sharding_indexed, "


def transposes():
    why = "sharding_indexed after transpose: its chunk_shape is in transposed dimensions"
    gap = lambda box: (box[0][0] + box[1][0]) % 4 == 0  # noqa: E731
    shard = sharding([2, 3], [LITTLE, ZSTD])
    yield row("transpose/before_2d", why, [6, 12], [3, 4], [transpose(1, 0), shard], ["transpose"])
    yield row(
        "transpose/before_2d_ragged",
        why + "; ragged",
        [5, 11],
        [3, 4],
        [transpose(1, 0), shard],
        ["ragged", "transpose"],
    )
    cycle = [transpose(2, 0, 1), sharding([5, 1, 2], [LITTLE, CRC32C])]
    yield row("transpose/before_3d", why, [4, 6, 10], [2, 4, 5], cycle, ["transpose"])
    back = [transpose(1, 2, 0), sharding([4, 5, 1], [BIG, GZIP], [BIG], "start")]
    yield row(
        "transpose/before_3d_start", why + "; index at the start", [3, 7, 9], [2, 4, 5], back, ["index", "transpose"]
    )
    twice = [transpose(2, 0, 1), transpose(1, 2, 0), sharding([2, 4, 5])]
    yield row(
        "transpose/before_undone",
        "two transposes that undo each other, then shards",
        [4, 4, 5],
        [2, 4, 5],
        twice,
        ["transpose"],
    )
    both = [transpose(1, 0), sharding([4, 3], [transpose(1, 0), LITTLE, ZSTD])]
    yield row(
        "transpose/before_and_inside", why + "; inner chunks transposed again", [6, 8], [3, 8], both, ["transpose"]
    )
    nested = [transpose(1, 0), sharding([4, 3], [transpose(1, 0), sharding([3, 2], [LITTLE])])]
    yield row("transpose/before_nested", why + "; at two levels", [6, 8], [3, 8], nested, ["nested", "transpose"])
    four = [transpose(3, 1, 0, 2), sharding([5, 3, 1, 2], [LITTLE])]
    yield row("transpose/before_4d", why, [2, 3, 4, 5], [2, 3, 4, 5], four, ["transpose"])
    sparse = [transpose(1, 0), sharding([2, 2])]
    kept = ramp([8, 12])
    for i in range(0, 8, 2):
        for j in range(0, 12, 2):
            if (i + j) % 4 == 0:
                kept[i : i + 2, j : j + 2] = -5
    yield row(
        "transpose/before_missing",
        why + "; half of the inner chunks are missing",
        [8, 12],
        [4, 6],
        sparse,
        ["missing", "transpose"],
        fill=-5,
        values=kept,
        missing=gap,
    )


def outers():
    why = "codecs: bytes to bytes codecs may follow sharding_indexed; the whole shard is encoded once more"
    yield row(
        "outer/start_zstd",
        why + "; index at the start",
        [6, 8],
        [6, 4],
        [sharding([3, 2], [LITTLE], [LITTLE, CRC32C], "start"), ZSTD],
        ["index", "outer"],
    )
    yield row("outer/gzip_crc32c", why + " (two of them)", [6, 8], [6, 4], [sharding([3, 2]), GZIP, CRC32C], ["outer"])
    yield row(
        "outer/blosc_shuffle", why, [6, 8], [6, 4], [sharding([3, 2]), blosc_codec("lz4", "shuffle", 8)], ["outer"]
    )
    inner = sharding([3, 4], [sharding([3, 2], [LITTLE, ZSTD]), CRC32C])
    yield row("outer/at_both_levels", why + "; at both levels", [6, 8], [6, 8], [inner, GZIP], ["nested", "outer"])


def nested():
    why = "sharding_indexed may be nested; offsets count from the first byte of the shard they are in"
    low = sharding([2, 2], [LITTLE, ZSTD])
    three = sharding([8, 8], [sharding([4, 4], [low], [BIG], "start")], [BIG, CRC32C])
    yield row(
        "nested/three_mixed",
        why + " (three deep, three forms of index)",
        [16, 24],
        [16, 8],
        [three],
        ["index", "nested"],
    )
    all_start = sharding(
        [8, 8],
        [sharding([4, 4], [sharding([2, 2], [LITTLE], [LITTLE], "start")], [LITTLE], "start")],
        [LITTLE, CRC32C],
        "start",
    )
    yield row(
        "nested/three_start",
        why + " (three deep, each index at the start)",
        [16, 16],
        [16, 16],
        [all_start],
        ["index", "nested"],
    )
    four = sharding([8], [sharding([4], [sharding([2], [sharding([1], [LITTLE])])])])
    yield row("nested/four", why + " (four deep)", [27], [16], [four], ["nested", "ragged"])
    corner = ramp([16, 16])
    corner[4:, :] = corner[:, 6:] = 9
    deep = sharding([8, 8], [sharding([4, 4], [sharding([2, 2])])])
    far = lambda box: box[0][0] >= 4 or box[1][0] >= 6  # noqa: E731
    yield row(
        "nested/three_empty_inside",
        why + "; inner shards with no inner chunk",
        [16, 16],
        [16, 16],
        [deep],
        ["missing", "nested"],
        fill=9,
        values=corner,
        missing=far,
    )
    one = sharding([2, 2], [sharding([1, 1], [LITTLE, CRC32C])])
    yield row("nested/single_elements", why + "; innermost chunks of one element", [4, 6], [4, 6], [one], ["nested"])


def indexes():
    why = SHARD_INDEX + "index_location: start; offsets count from the first byte of the shard, index included"
    start = lambda inner, codecs=(LITTLE,), ix=(LITTLE, CRC32C): sharding(inner, codecs, ix, "start")  # noqa: E731
    yield row("index/start_3d", why, [5, 6, 7], [4, 3, 4], [start([2, 3, 1], [LITTLE, GZIP])], ["index", "ragged"])
    yield row(
        "index/start_two_checksums",
        why + "; two checksums",
        [8],
        [8],
        [start([2], ix=[BIG, CRC32C, CRC32C])],
        ["index"],
    )
    yield row("index/start_one_inner_chunk", why + "; one inner chunk", [6], [6], [start([6])], ["index"])
    sparse = ramp([12, 12])
    sparse[:, 3:] = 0
    gone = lambda box: box[1][0] >= 3  # noqa: E731
    yield row(
        "index/start_missing",
        why + "; most inner chunks are missing",
        [12, 12],
        [12, 12],
        [start([3, 3])],
        ["index", "missing"],
        values=sparse,
        missing=gone,
    )
    yield row(
        "index/start_single_elements",
        why + "; inner chunks of one byte",
        [16],
        [16],
        [start([1], [BYTES])],
        ["index"],
        "uint8",
    )


def rectilinear():
    why = "rectilinear grid: "

    def grid(*per_axis):
        return {
            "chunk_grid": {"name": "rectilinear", "configuration": {"kind": "inline", "chunk_shapes": list(per_axis)}}
        }

    def r(name, special, shape, per_axis, codecs, tags=(), **more):
        return row(
            f"rectilinear/{name}",
            why + special,
            shape,
            shape,
            codecs,
            ["rectilinear", *tags],
            meta=grid(*per_axis),
            **more,
        )

    yield r("3d_mixed", "lists, runs and an integer together", [7, 6, 5], [[1, 2, 4], [[2, 3]], 2], [LITTLE, ZSTD])
    yield r("ones", "chunks of one element", [5, 3], [[[1, 5]], [1, 1, 1]], [LITTLE])
    yield r(
        "nested",
        "shards in shards, edges of different length",
        [12, 8],
        [[4, 8], [8]],
        [sharding([4, 4], [sharding([2, 2])])],
        ["nested"],
    )
    yield r(
        "outer",
        "a codec around shards of different size",
        [12, 6],
        [[4, 8], [2, 4]],
        [sharding([4, 2]), GZIP],
        ["outer"],
    )
    late = ramp([12, 6])
    late[:4, 2:] = 0
    yield r(
        "missing",
        "a chunk that is not stored",
        [12, 6],
        [[4, 8], [2, 4]],
        [LITTLE],
        ["missing"],
        values=late,
        absent=((0, 1),),
    )
