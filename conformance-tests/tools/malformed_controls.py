"""Sound twins of the malformed arrays: what the damage was done to must itself be readable."""

from __future__ import annotations

from malformed_chunks import EIGHT
from malformed_shards import PARTS, eight
from malformed_streams import SIXTY_FOUR
from reference import (
    BIG,
    BYTES,
    CRC32C,
    GZIP,
    LITTLE,
    ZSTD,
    array_metadata,
    blosc_buffer,
    blosc_codec,
    blosc_copy,
    crc32c,
    gzip_stream,
    shard,
    sharding,
    vlen,
    zstd_block,
    zstd_frame,
    zstd_stream,
)

INNER = sharding([2])


def nested(location="end", wrap=lambda b: b):
    return shard([wrap(shard(PARTS[:2], location)), wrap(shard(PARTS[2:], location))])


def deep():
    return shard([shard([shard([p[:2], p[2:]]) for p in half]) for half in (PARTS[:2], PARTS[2:])])


def controls():
    """(name, metadata, bytes of the only chunk, values: raw bytes or list)."""
    yield "plain", array_metadata((8,)), EIGHT, EIGHT
    for location in ("end", "start"):
        for order in ("little", "big"):
            for n in (0, 1, 2):
                data = shard(PARTS, location, "<" if order == "little" else ">", n)
                yield f"shard_{location}_{order}_{n}", eight(location, order, n), data, EIGHT
    yield "nested", array_metadata((8,), codecs=[sharding([4], [INNER])]), nested(), EIGHT
    start = sharding([4], [sharding([2], index_location="start")])
    yield "nested_start", array_metadata((8,), codecs=[start]), nested("start"), EIGHT
    yield "nested_gzip", array_metadata((8,), codecs=[sharding([4], [INNER, GZIP])]), nested(wrap=gzip_stream), EIGHT
    three = sharding([4], [sharding([2], [sharding([1])])])
    yield "nested_three", array_metadata((8,), codecs=[three]), deep(), EIGHT
    sound = shard(PARTS)
    yield "outer_crc32c", array_metadata((8,), codecs=[INNER, CRC32C]), sound + crc32c(sound), EIGHT
    yield "outer_gzip", array_metadata((8,), codecs=[INNER, GZIP]), gzip_stream(sound), EIGHT
    yield "crc32c", array_metadata((8,), codecs=[LITTLE, CRC32C]), EIGHT + crc32c(EIGHT), EIGHT
    big = b"".join(EIGHT[i + 1 : i - 1 if i else None : -1] for i in range(0, 16, 2))
    yield "big", array_metadata((8,), codecs=[BIG]), big, EIGHT
    for t, size, fill in (
        ("complex64", 8, [0, 0]),
        ("complex128", 16, [0, 0]),
        ("bool", 1, False),
        ("r24", 3, [0, 0, 0]),
    ):
        codec = BYTES if size in (1, 3) else LITTLE
        yield t, array_metadata((4,), t, codecs=[codec], fill_value=fill), bytes(4 * size), bytes(4 * size)

    def stream(name, codec, data):
        return name, array_metadata((64,), codecs=[LITTLE, codec]), data, SIXTY_FOUR

    yield stream("gzip", GZIP, gzip_stream(SIXTY_FOUR))
    yield stream("zstd", ZSTD, zstd_stream(SIXTY_FOUR))
    yield stream("zstd_checksum", ZSTD, zstd_stream(SIXTY_FOUR, checksum_of=SIXTY_FOUR))
    yield stream("zstd_no_size", ZSTD, zstd_frame([zstd_block(0, SIXTY_FOUR)]))
    for cname in ("zlib", "lz4", "zstd", "snappy", "blosclz"):
        yield stream("blosc_" + cname, blosc_codec(cname), blosc_buffer(SIXTY_FOUR, cname))
    yield stream("blosc_shuffle_metadata", blosc_codec(shuffle="shuffle"), blosc_buffer(SIXTY_FOUR))
    yield stream("blosc_two_blocks", blosc_codec(), blosc_buffer(SIXTY_FOUR, blocksize=64))
    yield stream("blosc_copy", blosc_codec(), blosc_copy(SIXTY_FOUR))
    items = [b"a", b"bc", b"", b"def"]
    text = array_metadata((4,), "string", codecs=[{"name": "vlen-utf8"}], fill_value="")
    yield "string", text, vlen(items), items
    raw = array_metadata((4,), "bytes", codecs=[{"name": "vlen-bytes"}], fill_value="")
    yield "bytes", raw, vlen(items), items
    both = array_metadata((4,), "string", codecs=[sharding([2], [{"name": "vlen-utf8"}])], fill_value="")
    yield "string_shard", both, shard([vlen(items[:2]), vlen(items[2:])]), items
