package dev.shardkit.transformer.sharding;

import dev.shardkit.spi.array.Shapes;
import java.util.Optional;

/**
 * The key of a chunk in an array with a {@link ShardingTransformer}, split into a prefix and the chunk's indices, such
 * as {@code c/} and 0, 1. Computes the key of the shard that contains the chunk. Immutable.
 *
 * @param prefix the text before the indices
 * @param separator the character between the indices
 * @param indices the indices
 */
record ChunkKey(String prefix, char separator, long[] indices) {
    /** The number of digits of 2^63-1. */
    private static final int MAX_DIGITS = 19;

    /**
     * Parses the chunk indices at the end of {@code key}, for rank {@code rank}; empty if the key is not a chunk key.
     */
    static Optional<ChunkKey> of(String key, int rank) {
        long[] indices = new long[rank];
        char separator = '/';
        int end = key.length();
        for (int d = rank - 1; d >= 0; d--) {
            int start = startOfDigits(key, end);
            if (start == end || end - start > MAX_DIGITS || (key.charAt(start) == '0' && end - start > 1)) {
                return Optional.empty();
            }
            try {
                indices[d] = Long.parseLong(key.substring(start, end));
            } catch (NumberFormatException e) {
                return Optional.empty(); // a number above 2^63-1 is not an index
            }
            end = start;
            if (d > 0) {
                char found = start == 0 ? ' ' : key.charAt(start - 1);
                if ((found != '/' && found != '.') || (d < rank - 1 && found != separator)) {
                    return Optional.empty();
                }
                separator = found;
                end = start - 1;
            }
        }
        String prefix = key.substring(0, end);
        return mayPrecedeIndices(prefix, rank, separator)
                ? Optional.of(new ChunkKey(prefix, separator, indices))
                : Optional.empty();
    }

    /** Returns the start of the digits that end at {@code end}. */
    private static int startOfDigits(String key, int end) {
        int start = end;
        while (start > 0 && key.charAt(start - 1) >= '0' && key.charAt(start - 1) <= '9') {
            start--;
        }
        return start;
    }

    /** Returns whether {@code prefix} may precede chunk indices. For rank 0, it is the whole key: {@code c} or 0. */
    private static boolean mayPrecedeIndices(String prefix, int rank, char separator) {
        if (rank == 0) {
            return endsWithC(prefix) || prefix.equals("0") || prefix.endsWith("/0");
        }
        boolean dotted = prefix.endsWith(".") && (separator == '.' || rank == 1);
        return prefix.isEmpty()
                || prefix.endsWith("/")
                || endsWithC(prefix)
                || (dotted && endsWithC(prefix.substring(0, prefix.length() - 1)));
    }

    private static boolean endsWithC(String prefix) {
        return prefix.equals("c") || prefix.endsWith("/c");
    }

    /** Returns the key of the chunk at {@code other}. */
    String withIndices(long[] other) {
        StringBuilder key = new StringBuilder(prefix);
        for (int d = 0; d < other.length; d++) {
            key.append(d > 0 ? String.valueOf(separator) : "").append(other[d]);
        }
        return key.toString();
    }

    /** Returns the key of the shard that contains this chunk. */
    String shardKey(long[] chunksPerShard) {
        long[] shard = new long[indices.length];
        for (int d = 0; d < shard.length; d++) {
            shard[d] = indices[d] / chunksPerShard[d];
        }
        return withIndices(shard);
    }

    /** Returns the position of this chunk in its shard. */
    long[] inShard(long[] chunksPerShard) {
        long[] within = new long[indices.length];
        for (int d = 0; d < within.length; d++) {
            within[d] = indices[d] % chunksPerShard[d];
        }
        return within;
    }

    /** Returns the number of this chunk in its shard, in C order. */
    long number(long[] chunksPerShard) {
        return Shapes.ravel(inShard(chunksPerShard), chunksPerShard);
    }
}
