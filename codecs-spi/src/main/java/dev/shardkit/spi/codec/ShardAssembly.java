package dev.shardkit.spi.codec;

import dev.shardkit.spi.error.UnsupportedException;
import dev.shardkit.spi.plan.Bytes;
import dev.shardkit.spi.plan.Scratch;
import java.util.function.IntUnaryOperator;

/**
 * Builds shards from inner chunks that are already encoded. Changes of the shard shape use it. Returned by
 * {@link ShardAccess#assembly}; codecs need not support it. Immutable and thread-safe.
 */
public interface ShardAssembly {
    /**
     * Returns the operation of {@code shard}.
     *
     * @throws UnsupportedException if its codec has none
     */
    static ShardAssembly of(ShardAccess shard) {
        return shard.assembly()
                .orElseThrow(() -> new UnsupportedException(
                        "this codec does not support building shards from encoded inner chunks"));
    }

    /**
     * Returns the frame of a shard: the bytes before and after its inner chunks, and their order. The inner chunks are
     * stored contiguously.
     *
     * @param sizes the size in bytes of each inner chunk by linear index (C order), negative if it is missing
     */
    Frame frame(long[] sizes, ShardWritePolicy.Order order, Scratch scratch);

    /**
     * A shard without its inner chunks. Immutable.
     *
     * @param head the bytes before the inner chunks
     * @param order maps each position to the linear index of its inner chunk, missing ones included
     * @param tail the bytes after the inner chunks
     */
    record Frame(Bytes head, IntUnaryOperator order, Bytes tail) {}
}
