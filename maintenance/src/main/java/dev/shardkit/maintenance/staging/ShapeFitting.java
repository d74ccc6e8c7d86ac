package dev.shardkit.maintenance.staging;

import dev.shardkit.maintenance.layout.ShardLayout;
import java.util.Arrays;
import java.util.Optional;
import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;

/**
 * Adapts a chunk or shard shape that is requested for a whole tree of arrays to one array. An array with another number
 * of dimensions, such as a coordinate, keeps its layout. Stateless.
 */
public final class ShapeFitting {
    private ShapeFitting() {}

    /**
     * Returns the message that an array keeps its layout; empty if the requested shape has a length for each dimension.
     *
     * @param what the name of the requested shape, such as "chunk shape"
     * @param lengths the number of requested lengths
     * @param rank the number of dimensions of the array
     */
    public static Optional<String> rankMismatch(String what, int lengths, int rank) {
        return lengths == rank
                ? Optional.empty()
                : Optional.of("keeps its layout: the " + what + " has " + count(lengths, "length") + ", the array "
                        + count(rank, "dimension"));
    }

    /** Returns the error for a tree in which no array has the requested number of dimensions. */
    public static IllegalArgumentException noArray(String what, int lengths, String tree) {
        return new IllegalArgumentException(what + ": expected a length for each dimension, found "
                + count(lengths, "length") + ", and no array of " + tree + " has "
                + count(lengths, "dimension"));
    }

    private static String count(int count, String noun) {
        return (count == 0 ? "no" : String.valueOf(count)) + " " + noun + (count == 1 ? "" : "s");
    }

    /** Returns the requested chunk shape, but not longer than the array in any dimension. */
    public static long[] fitChunk(long[] requested, long[] shape) {
        long[] fitting = requested.clone();
        for (int d = 0; d < fitting.length && isLegal(requested); d++) {
            fitting[d] = Math.min(fitting[d], Math.max(1, shape[d]));
        }
        return fitting;
    }

    /** Returns the requested shard shape, rounded up to whole chunks, but with no more chunks than the array has. */
    public static long[] fitShard(long[] requested, long[] chunk, long[] shape) {
        long[] fitting = requested.clone();
        for (int d = 0; d < fitting.length && isLegal(requested); d++) {
            long maxChunks = Math.max(1, blocks(shape[d], chunk[d]));
            fitting[d] = Math.min(Math.max(1, blocks(requested[d], chunk[d])), maxChunks) * chunk[d];
        }
        return fitting;
    }

    /** Returns the name of a requested layout. */
    public static String name(ShardLayout layout) {
        return layout instanceof ShardLayout.ChunksPerShard ? "number of chunks per shard" : "shard shape";
    }

    /** Returns the number of lengths that a requested layout has; empty if it fits any number of dimensions. */
    public static OptionalInt rank(ShardLayout layout) {
        if (layout instanceof ShardLayout.ShardShape shape) {
            return OptionalInt.of(shape.lengths().size());
        }
        return layout instanceof ShardLayout.ChunksPerShard counts
                        && counts.counts().size() != 1
                ? OptionalInt.of(counts.counts().size())
                : OptionalInt.empty();
    }

    /** Returns the requested layout with shards that fit the array, as {@link #fitShard} does. */
    public static ShardLayout fitLayout(ShardLayout layout, long[] chunk, long[] shape) {
        if (layout instanceof ShardLayout.ShardShape requested
                && requested.lengths().size() == shape.length) {
            long[] lengths =
                    requested.lengths().stream().mapToLong(Long::longValue).toArray();
            return ShardLayout.shardShape(fitShard(lengths, chunk, shape));
        } else if (layout instanceof ShardLayout.ChunksPerShard requested
                && requested.counts().stream().allMatch(count -> count > 0)) {
            long[] counts = new long[shape.length];
            for (int d = 0; d < counts.length; d++) {
                long count = requested.counts().get(requested.counts().size() == 1 ? 0 : d);
                counts[d] = Math.min(count, Math.max(1, blocks(shape[d], chunk[d])));
            }
            return ShardLayout.chunksPerShard(counts);
        }
        return layout;
    }

    /** Returns whether all lengths are positive. Others are left unchanged here; creating the array refuses them. */
    private static boolean isLegal(long[] lengths) {
        return Arrays.stream(lengths).allMatch(length -> length > 0);
    }

    /** Returns the number of chunks that cover a length. */
    private static long blocks(long length, long chunk) {
        return length / chunk + (length % chunk == 0 ? 0 : 1);
    }

    /** Returns the message that an array gets an adapted shape; empty if it gets the requested shape. */
    public static Optional<String> describeChange(String what, long @Nullable [] requested, long @Nullable [] fitting) {
        return requested == null || fitting == null || Arrays.equals(requested, fitting)
                ? Optional.empty()
                : Optional.of("gets the " + what + " " + Arrays.toString(fitting));
    }
}
