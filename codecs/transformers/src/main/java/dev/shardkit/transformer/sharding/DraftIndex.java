package dev.shardkit.transformer.sharding;

import dev.shardkit.spi.codec.ShardAccess.Extent;
import dev.shardkit.spi.plan.ByteRange;
import dev.shardkit.spi.plan.Bytes;
import dev.shardkit.spi.plan.Decoder;
import dev.shardkit.spi.plan.Plan;
import dev.shardkit.spi.plan.ReadResult;
import dev.shardkit.spi.plan.Source;
import dev.shardkit.spi.shard.ShardIndex;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Optional;

/**
 * The stored form of a shard's index in the draft of the {@code sharding} transformer: an offset and a size for each
 * chunk, in little-endian words at the end of the shard. Stateless.
 */
final class DraftIndex {
    /** The size of an entry: an offset and a size of 8 bytes each. */
    static final int ENTRY_BYTES = 16;

    /** The key by which caches tell decoded indexes from other decoded values. */
    private record Identity(long count) {}

    private DraftIndex() {}

    /** Reads the index of a shard of {@code count} chunks without checking its entries; empty if there is no shard. */
    static Plan<Optional<ShardIndex>> read(Source shard, long count) {
        if (shard.isAbsent()) {
            return Plan.done(Optional.empty());
        }
        return shard.read(
                new ByteRange.Suffix(count * ENTRY_BYTES),
                Decoder.kept(
                        new Identity(count),
                        index -> index.map(ShardIndex::weight).orElse(16L), // the size in a cache
                        (result, scratch) -> decode(result, count)));
    }

    private static Optional<ShardIndex> decode(ReadResult result, long count) {
        long size = count * ENTRY_BYTES;
        return ShardIndex.found(result, size).map(found -> {
            long[] entries = new long[Math.toIntExact(2 * count)];
            found.bytes().buffer().order(ByteOrder.LITTLE_ENDIAN).asLongBuffer().get(entries);
            return new ShardIndex(entries, new Extent(found.sourceSize() - size, size), found.sourceSize());
        });
    }

    /** Encodes an index with these entries: offset and size of each chunk in turn. */
    static Bytes encode(long[] entries) {
        ByteBuffer buffer = ByteBuffer.allocate(entries.length * Long.BYTES).order(ByteOrder.LITTLE_ENDIAN);
        buffer.asLongBuffer().put(entries);
        return Bytes.of(buffer);
    }
}
