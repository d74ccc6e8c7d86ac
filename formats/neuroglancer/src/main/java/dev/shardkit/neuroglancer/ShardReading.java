package dev.shardkit.neuroglancer;

import dev.shardkit.codec.gzip.GzipCodec;
import dev.shardkit.spi.codec.DecodedSize;
import dev.shardkit.spi.codec.Partitioned.Extent;
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
 * Plans that read the indexes of a shard. What they decode is cached. The shard index is read in blocks of 4096
 * entries, because it may be large. Immutable.
 *
 * @param shards the chunks and how they are distributed
 * @param shard the shard
 */
record ShardReading(HashedShards shards, Source shard) {
    private static final int BLOCK = 4096;
    private static final int BLOCK_WEIGHT = 64;
    /** More chunks in a minishard make no sense, as a reader fetches the index of all of them. */
    private static final long MAX_CHUNKS = 1L << 22;

    private static final GzipCodec GZIP = new GzipCodec(6);

    /**
     * A block of the shard index.
     *
     * @param entries the first and the last byte of each minishard index
     * @param shardSize the size of the shard in bytes
     */
    private record Block(long[] entries, long shardSize) {}

    private record BlockIdentity() {}

    private record MinishardIdentity(HashedShards shards) {}

    /**
     * The whole content of a shard.
     *
     * @param chunks the byte ranges of all chunks by number
     * @param size the size of the shard in bytes; empty if there is no shard
     */
    record Content(Map<Long, Extent> chunks, OptionalLong size) {}

    /** Reads the index of a minishard; empty if the shard or the minishard does not exist. */
    Plan<Optional<Minishard>> minishard(int number) {
        return block(number / BLOCK)
                .then(block -> block.isPresent()
                        ? minishard(block.get(), number % BLOCK)
                        : Plan.<Optional<Minishard>>done(Optional.empty()));
    }

    private Plan<Optional<Block>> block(int number) {
        if (shard.isAbsent()) {
            return Plan.done(Optional.empty());
        }
        long from = (long) number * BLOCK * Sharding.ENTRY;
        long size = Math.min((long) BLOCK * Sharding.ENTRY, shards.sharding().indexSize() - from);
        return shard.read(
                new ByteRange.Slice(from, size),
                Decoder.kept(new BlockIdentity(), block -> BLOCK_WEIGHT + size, (answer, scratch) -> {
                    if (!(answer instanceof ReadResult.Found found)) {
                        return Optional.empty();
                    }
                    ByteBuffer words = found.bytes().buffer().order(ByteOrder.LITTLE_ENDIAN);
                    long[] entries = new long[words.remaining() / Long.BYTES];
                    words.asLongBuffer().get(entries);
                    return Optional.of(new Block(entries, found.sourceSize()));
                }));
    }

    private Plan<Optional<Minishard>> minishard(Block block, int number) {
        long base = shards.sharding().indexSize();
        long from = base + block.entries[2 * number];
        long to = base + block.entries[2 * number + 1];
        if (from == to) {
            return Plan.done(Optional.empty());
        }
        if (from < base || to < from || to > block.shardSize) {
            throw new CorruptDataException("shard index: expected the byte range of a minishard index behind byte "
                            + base + " of " + block.shardSize + ", found " + Long.toUnsignedString(from) + " to "
                            + Long.toUnsignedString(to))
                    .locate(Optional.empty(), Optional.of(shard.location()), Optional.empty());
        }
        long most = Minishard.ENTRY * shards.grid().count(MAX_CHUNKS);
        long encodedMost = shards.sharding().index() == Sharding.Encoding.RAW ? most : GZIP.maxEncodedSize(most);
        if (to - from > encodedMost) {
            throw new CorruptDataException("shard index: expected a minishard index of at most " + encodedMost
                            + " bytes, found " + (to - from))
                    .locate(Optional.empty(), Optional.of(shard.location()), Optional.empty());
        }
        return shard.read(
                new ByteRange.Slice(from, to - from),
                Decoder.kept(
                        new MinishardIdentity(shards),
                        index -> index.map(Minishard::weight).orElse(0L),
                        (answer, scratch) -> answer instanceof ReadResult.Found found
                                ? Optional.of(Minishard.decode(decoded(found.bytes(), most, scratch), base))
                                : Optional.empty()));
    }

    private Bytes decoded(Bytes encoded, long most, Scratch scratch) {
        return shards.sharding().index() == Sharding.Encoding.RAW
                ? encoded
                : GZIP.decode(encoded, DecodedSize.atMost(most), scratch);
    }

    /** Reads the byte ranges of all chunks of the shard. */
    Plan<Content> whole() {
        int minishards = 1 << shards.sharding().minishardBits();
        int blocks = (minishards - 1) / BLOCK + 1;
        return Plan.all(blocks, i -> block((int) i)).then(found -> Plan.all(minishards, i -> {
                    Optional<Block> block = found.get((int) i / BLOCK);
                    return block.isPresent()
                            ? minishard(block.get(), (int) i % BLOCK)
                            : Plan.<Optional<Minishard>>done(Optional.empty());
                })
                .map(indexes -> {
                    Map<Long, Extent> chunks = new TreeMap<>(Long::compareUnsigned);
                    indexes.forEach(index -> index.ifPresent(m -> chunks.putAll(m.extents())));
                    Optional<Block> first = found.get(0);
                    return new Content(
                            chunks, first.isPresent() ? OptionalLong.of(first.get().shardSize) : OptionalLong.empty());
                }));
    }
}
