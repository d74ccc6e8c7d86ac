package dev.shardkit.spi.codec;

import dev.shardkit.spi.array.Box;
import dev.shardkit.spi.error.UnsupportedException;
import dev.shardkit.spi.plan.Bytes;
import dev.shardkit.spi.plan.Plan;
import dev.shardkit.spi.plan.Scratch;
import dev.shardkit.spi.plan.Source;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.IntUnaryOperator;

/**
 * Access to the inner chunks of a shard. Storage maps, streams, presence, verification and resharding use it.
 * Coordinates are those of the shard as stored (after array-to-array codecs). Immutable.
 */
public interface Partitioned {
    /** Returns the shape of an inner chunk. */
    long[] innerShape();

    /** Returns the number of inner chunks in each dimension. */
    long[] cells();

    /** Returns the bound codec chain of the inner chunks. */
    ChunkCodec inner();

    /**
     * Maps {@code stored}, a box of the shard as stored, to the box of the decoded chunk. Empty if the array-to-array
     * codecs do not map boxes to boxes; parts of the chunk then do not correspond to inner chunks.
     */
    default Optional<Box> decoded(Box stored) {
        return Optional.of(stored);
    }

    /** Whether reading the index requires reading the whole shard, because other codecs encode the shard. */
    default boolean isReadWhole() {
        return false;
    }

    /** Maps {@code part} of the decoded chunk to a box of the shard as stored; the inverse of {@link #decoded}. */
    default Optional<Box> encoded(Box part) {
        return Optional.of(part);
    }

    /**
     * Returns a plan that locates the inner chunk at {@code cell} through the index of {@code shard}. The source is
     * absent if the inner chunk is empty.
     */
    Plan<Source> locate(Source shard, long[] cell);

    /** Returns a plan that reads and checks the whole index of {@code shard}; empty if the shard does not exist. */
    Plan<Optional<Layout>> layout(Source shard);

    /**
     * Returns a plan that finds the end of the last valid index in {@code shard}. It recovers a shard with a
     * checksummed index at its end after an interrupted append ({@link Edit.Recovery#LAST_INDEX}). Empty if the shard
     * has no valid index, or its format does not allow the search.
     */
    default Plan<OptionalLong> lastValidEnd(Source shard) {
        return Plan.done(OptionalLong.empty());
    }

    /**
     * Returns a plan that reads the index of {@code shard} without checking its entries, for verification; empty if the
     * shard does not exist.
     */
    default Plan<Optional<Opened>> open(Source shard) {
        return layout(shard).map(found -> found.map(index -> new Opened(shard, index)));
    }

    /**
     * Returns a plan that rewrites the shard at all levels of nesting. Inner chunks move as encoded bytes in the
     * policy's order. Unused bytes are dropped; the policy decides about foreign bytes.
     *
     * @param kept the inner chunks to keep; the entries of other inner chunks are not checked
     */
    default Plan<Edit> rewrite(Source shard, WritePolicy policy, Kept kept) {
        throw new UnsupportedException("this codec does not support rewriting shards without decoding them");
    }

    /**
     * Returns the frame of a shard made of inner chunks that are already encoded: the bytes before and after them, and
     * their order. The inner chunks are stored contiguously.
     *
     * @param sizes the size in bytes of each inner chunk by linear index (C order), negative if it is missing
     */
    default Frame frame(long[] sizes, WritePolicy.Order order, Scratch scratch) {
        throw new UnsupportedException("this codec does not support building shards from encoded inner chunks");
    }

    /**
     * A shard without its inner chunks. Immutable.
     *
     * @param head the bytes before the inner chunks
     * @param order maps each position to the linear index of its inner chunk, missing ones included
     * @param tail the bytes after the inner chunks
     */
    record Frame(Bytes head, IntUnaryOperator order, Bytes tail) {}

    /** Returns the operations that turn foreign files into such shards; empty if the codec does not support them. */
    default Optional<Adopting> adopting() {
        return Optional.empty();
    }

    /** Selects the inner chunks to keep when a shard is rewritten. */
    @FunctionalInterface
    interface Kept {
        /** Keeps all inner chunks. */
        Kept ALL = number -> true;

        /** Whether to keep the inner chunk with linear index {@code number} (C order). */
        boolean keeps(long number);

        /** Returns the selection within inner chunk {@code number}, if that is a shard itself. */
        default Kept inside(long number) {
            return ALL;
        }
    }

    /**
     * A shard whose index was read but not checked.
     *
     * @param bytes the source that offsets refer to: the shard as stored, or its bytes after the filters were decoded
     * @param index the byte ranges of the inner chunks as stored; extents may be any numbers, and -1 means 2^64-1
     */
    record Opened(Source bytes, Layout index) {}

    /** The byte ranges of the inner chunks of one shard. Immutable. */
    interface Layout {
        /** Returns the number of entries in the index. */
        long count();

        /** Returns the byte range of the inner chunk with linear index {@code i} (C order); empty if it is missing. */
        Optional<Extent> extent(long i);

        /** Returns the byte range of the index. */
        Extent index();

        /** Returns the size of the shard in bytes. */
        long shardSize();
    }

    /** A byte range of a shard, counted from its first byte. */
    record Extent(long offset, long size) {}
}
