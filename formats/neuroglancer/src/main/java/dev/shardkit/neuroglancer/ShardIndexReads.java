package dev.shardkit.neuroglancer;

import dev.shardkit.codec.gzip.GzipCodec;
import dev.shardkit.spi.codec.DecodedSize;
import dev.shardkit.spi.codec.ShardAccess.Extent;
import dev.shardkit.spi.error.CorruptDataException;
import dev.shardkit.spi.plan.ByteRange;
import dev.shardkit.spi.plan.Bytes;
import dev.shardkit.spi.plan.Decoder;
import dev.shardkit.spi.plan.Plan;
import dev.shardkit.spi.plan.ReadResult;
import dev.shardkit.spi.plan.Scratch;
import dev.shardkit.spi.plan.Source;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.TreeMap;

/**
 * Creates the plans that read the indexes of one shard, to find its chunks. The shard index has the byte ranges of the
 * minishard indexes; a minishard index has the byte ranges of its chunks. The shard index may be large, so it is read
 * in blocks of 4096 entries. Decoded indexes are cached. Immutable.
 *
 * @param shards the chunks and their distribution over shards
 * @param shard the shard
 */
record ShardIndexReads(HashedShards shards, Source shard) {
    private static final int BLOCK_ENTRIES = 4096;
    /** An estimate of the memory for a block in bytes, in addition to its entries. */
    private static final int BLOCK_WEIGHT = 64;
    /** The maximum number of chunks in a minishard. A read of one chunk loads the index of the whole minishard. */
    private static final long MAX_CHUNKS = 1L << 22;

    private static final GzipCodec GZIP = new GzipCodec(6);

    /**
     * A block of the shard index.
     *
     * @param entries the start and the end (exclusive) of each minishard index, counted from the end of the shard index
     * @param shardSize the size of the shard in bytes
     */
    private record Block(long[] entries, long shardSize) {}

    /** The identities distinguish the kinds of cached results. */
    private record BlockIdentity() {}

    private record MinishardIdentity(HashedShards shards) {}

    /**
     * The whole content of a shard.
     *
     * @param chunks the byte ranges of all chunks by id
     * @param size the size of the shard in bytes; empty if there is no shard
     */
    record Content(Map<Long, Extent> chunks, OptionalLong size) {}

    /** Reads the index of a minishard; empty if the shard or the minishard does not exist. */
    Plan<Optional<Minishard>> readMinishard(int number) {
        return readBlock(number / BLOCK_ENTRIES)
                .then(block -> block.isPresent()
                        ? readMinishard(block.get(), number % BLOCK_ENTRIES)
                        : Plan.<Optional<Minishard>>done(Optional.empty()));
    }

    /** Reads a block of the shard index; empty if there is no shard. */
    private Plan<Optional<Block>> readBlock(int number) {
        if (shard.isAbsent()) {
            return Plan.done(Optional.empty());
        }
        long start = (long) number * BLOCK_ENTRIES * Sharding.ENTRY_BYTES;
        long size = Math.min(
                (long) BLOCK_ENTRIES * Sharding.ENTRY_BYTES, shards.sharding().indexSize() - start);
        return shard.read(
                new ByteRange.Slice(start, size),
                Decoder.kept(new BlockIdentity(), block -> BLOCK_WEIGHT + size, (response, scratch) -> {
                    if (!(response instanceof ReadResult.Found blocks)) {
                        return Optional.empty();
                    }
                    ByteBuffer words = blocks.bytes().buffer().order(ByteOrder.LITTLE_ENDIAN);
                    long[] entries = new long[words.remaining() / Long.BYTES];
                    words.asLongBuffer().get(entries);
                    return Optional.of(new Block(entries, blocks.sourceSize()));
                }));
    }

    /** Reads the index of the minishard at entry {@code number} of a block; empty if the minishard is empty. */
    private Plan<Optional<Minishard>> readMinishard(Block block, int number) {
        long base = shards.sharding().indexSize();
        long start = base + block.entries[2 * number];
        long end = base + block.entries[2 * number + 1];
        if (start == end) {
            return Plan.done(Optional.empty());
        }
        if (start < base || end < start || end > block.shardSize) {
            throw new CorruptDataException("shard index: expected the byte range of a minishard index behind byte "
                            + base + " of " + block.shardSize + ", found " + Long.toUnsignedString(start) + " to "
                            + Long.toUnsignedString(end))
                    .locate(Optional.empty(), Optional.of(shard.location()), Optional.empty());
        }
        long maxBytes = Minishard.ENTRY_BYTES * shards.grid().limitedCount(MAX_CHUNKS);
        long maxEncodedBytes =
                shards.sharding().index() == Sharding.Encoding.RAW ? maxBytes : GZIP.maxEncodedSize(maxBytes);
        if (end - start > maxEncodedBytes) {
            throw new CorruptDataException("shard index: expected a minishard index of at most " + maxEncodedBytes
                            + " bytes, found " + (end - start))
                    .locate(Optional.empty(), Optional.of(shard.location()), Optional.empty());
        }
        return shard.read(
                new ByteRange.Slice(start, end - start),
                Decoder.kept(
                        new MinishardIdentity(shards),
                        index -> index.map(Minishard::weight).orElse(0L),
                        (response, scratch) -> response instanceof ReadResult.Found blocks
                                ? Optional.of(Minishard.decode(decompress(blocks.bytes(), maxBytes, scratch), base))
                                : Optional.empty()));
    }

    private Bytes decompress(Bytes encoded, long maxBytes, Scratch scratch) {
        return shards.sharding().index() == Sharding.Encoding.RAW
                ? encoded
                : GZIP.decode(encoded, DecodedSize.atMost(maxBytes), scratch);
    }

    /** Reads the byte ranges of all chunks of the shard. */
    Plan<Content> readContent() {
        int minishards = 1 << shards.sharding().minishardBits();
        int blockCount = (minishards - 1) / BLOCK_ENTRIES + 1;
        return Plan.all(blockCount, i -> readBlock((int) i)).then(blocks -> Plan.all(minishards, i -> {
                    Optional<Block> block = blocks.get((int) i / BLOCK_ENTRIES);
                    return block.isPresent()
                            ? readMinishard(block.get(), (int) i % BLOCK_ENTRIES)
                            : Plan.<Optional<Minishard>>done(Optional.empty());
                })
                .map(indexes -> {
                    Map<Long, Extent> chunks = new TreeMap<>(Long::compareUnsigned);
                    indexes.forEach(index -> index.ifPresent(minishard -> chunks.putAll(minishard.extents())));
                    Optional<Block> firstBlock = blocks.get(0);
                    return new Content(
                            chunks,
                            firstBlock.isPresent()
                                    ? OptionalLong.of(firstBlock.get().shardSize)
                                    : OptionalLong.empty());
                }));
    }
}
