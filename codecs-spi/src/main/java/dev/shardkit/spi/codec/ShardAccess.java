package dev.shardkit.spi.codec;

import dev.shardkit.spi.array.Box;
import dev.shardkit.spi.plan.Plan;
import dev.shardkit.spi.plan.Source;
import java.util.Optional;

/**
 * Access to the inner chunks of a shard: their shape, their codec, and their places. Used, for example, to find which
 * chunks exist, to stream slices, and to verify shards. Maintenance operations have interfaces of their own:
 * {@link ShardRewriting}, {@link ShardAssembly} and {@link FileAdoption}. Coordinates are those of the shard as stored
 * (after array-to-array codecs). Immutable.
 */
public interface ShardAccess {
    /** Returns the shape of an inner chunk. */
    long[] innerShape();

    /** Returns the number of inner chunks in each dimension. */
    long[] gridShape();

    /** Returns the bound codec chain of the inner chunks. */
    ChunkCodec inner();

    /**
     * Maps {@code stored}, a box of the shard as stored, to a box of the decoded chunk. Empty if the array-to-array
     * codecs do not map boxes to boxes: then inner chunks do not correspond to boxes of the decoded chunk.
     */
    default Optional<Box> decoded(Box stored) {
        return Optional.of(stored);
    }

    /** Returns whether reading the index requires reading the whole shard, because other codecs encode the shard. */
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
     * Returns a plan that reads the index of {@code shard} without checking its entries, for verification; empty if the
     * shard does not exist.
     */
    default Plan<Optional<Opened>> open(Source shard) {
        return layout(shard).map(found -> found.map(index -> new Opened(shard, index)));
    }

    /** Returns the operations that rewrite shards without decoding them; empty if the codec does not support them. */
    default Optional<ShardRewriting> rewriting() {
        return Optional.empty();
    }

    /** Returns the operation that builds shards from encoded inner chunks; empty if the codec does not support it. */
    default Optional<ShardAssembly> assembly() {
        return Optional.empty();
    }

    /** Returns the operations that turn foreign files into such shards; empty if the codec does not support them. */
    default Optional<FileAdoption> adoption() {
        return Optional.empty();
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
