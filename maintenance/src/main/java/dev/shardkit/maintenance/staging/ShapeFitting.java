package dev.shardkit.maintenance.staging;

import dev.shardkit.maintenance.layout.ShardLayout;
import java.util.Arrays;
import java.util.Optional;
import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;

/**
 * Adapts a shape that is requested for all arrays of a tree to one of them. An array with another number of dimensions,
 * such as a coordinate, keeps its layout. Stateless.
 */
public final class ShapeFitting {
    private ShapeFitting() {}

    /** Returns why an array keeps its layout; empty if the requested shape has a length for each dimension. */
    public static Optional<String> rankMismatch(String what, int lengths, int rank) {
        return lengths == rank
                ? Optional.empty()
                : Optional.of("keeps its layout: the " + what + " has " + count(lengths, "length") + ", the array "
                        + count(rank, "dimension"));
    }

    /** Returns the error for a tree none of whose arrays has the requested number of dimensions. */
    public static IllegalArgumentException noArray(String what, int lengths, String tree) {
        return new IllegalArgumentException(what + ": expected a length for each dimension, found "
                + count(lengths, "length") + ", and no array of " + tree + " has "
                + count(lengths, "dimension"));
    }

    private static String count(int n, String noun) {
        return (n == 0 ? "no" : String.valueOf(n)) + " " + noun + (n == 1 ? "" : "s");
    }

    /** Returns a chunk shape that is no longer than the array. */
    public static long[] fitChunk(long[] requested, long[] shape) {
        long[] fitting = requested.clone();
        for (int d = 0; d < fitting.length && isLegal(requested); d++) {
            fitting[d] = Math.min(fitting[d], Math.max(1, shape[d]));
        }
        return fitting;
    }

    /** Returns a shard shape of whole chunks, and of no more chunks than the array has. */
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

    /** Returns a requested layout with shards that fit the array. */
    public static ShardLayout fitLayout(ShardLayout layout, long[] chunk, long[] shape) {
        if (layout instanceof ShardLayout.ShardShape s && s.lengths().size() == shape.length) {
            return ShardLayout.shardShape(
                    fitShard(s.lengths().stream().mapToLong(n -> n).toArray(), chunk, shape));
        } else if (layout instanceof ShardLayout.ChunksPerShard s
                && s.counts().stream().allMatch(count -> count > 0)) {
            long[] counts = new long[shape.length];
            for (int d = 0; d < counts.length; d++) {
                long count = s.counts().get(s.counts().size() == 1 ? 0 : d);
                counts[d] = Math.min(count, Math.max(1, blocks(shape[d], chunk[d])));
            }
            return ShardLayout.chunksPerShard(counts);
        }
        return layout;
    }

    /** Whether all lengths are positive. Other lengths are refused later, as for a single array. */
    private static boolean isLegal(long[] lengths) {
        return Arrays.stream(lengths).allMatch(length -> length > 0);
    }

    private static long blocks(long length, long chunk) {
        return length / chunk + (length % chunk == 0 ? 0 : 1);
    }

    /** Describes an adapted shape; empty if it is the requested one. */
    public static Optional<String> describeChange(String what, long @Nullable [] requested, long @Nullable [] fitting) {
        return requested == null || fitting == null || Arrays.equals(requested, fitting)
                ? Optional.empty()
                : Optional.of("gets the " + what + " " + Arrays.toString(fitting));
    }
}
