package dev.shardkit.grid.rectilinear;

import dev.shardkit.spi.error.MetadataException;
import dev.shardkit.spi.json.Json;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * The lengths of the chunks along one dimension: either one repeated length, or runs of chunks of equal length (the
 * members of {@code chunk_shapes} in the registered {@code rectilinear} chunk grid). Does not depend on the shape of an
 * array. Takes memory for each run, not for each chunk. An immutable value; neighbouring runs of equal length are
 * merged.
 */
public final class ChunkLengths {
    /** Whether one length, {@code lengths[0]}, is repeated as often as an array needs. */
    private final boolean repeating;
    /** The length of the chunks of each run. */
    private final long[] lengths;
    /** The number of chunks of each run. */
    private final long[] counts;

    private ChunkLengths(boolean repeating, long[] lengths, long[] counts) {
        this.repeating = repeating;
        this.lengths = lengths;
        this.counts = counts;
    }

    /**
     * Returns chunks of one length, as many as an array needs.
     *
     * @throws MetadataException if {@code length} is below 1
     */
    public static ChunkLengths uniform(long length) {
        check(length, "a chunk's length");
        return new ChunkLengths(true, new long[] {length}, new long[] {1});
    }

    /**
     * Returns chunks of exactly these lengths.
     *
     * @throws MetadataException if a length is below 1, or their sum is above 2^63-1
     */
    public static ChunkLengths of(long... lengths) {
        Builder builder = builder();
        for (long length : lengths) {
            builder.add(length, 1);
        }
        return builder.build();
    }

    /** Creates a builder for a list of runs. */
    public static Builder builder() {
        return new Builder();
    }

    /** Returns whether one length is repeated as often as an array needs. */
    public boolean isRepeating() {
        return repeating;
    }

    /** Returns the position at which the last chunk ends; for a repeated length, the end of the first chunk. */
    public long sum() {
        long sum = 0;
        for (int i = 0; i < lengths.length; i++) {
            sum += lengths[i] * counts[i];
        }
        return sum;
    }

    /**
     * Returns chunk lengths for an array that has grown to {@code arrayLength}. A list whose chunks end before
     * {@code arrayLength} is continued with chunks of its last length; the specification does not say how such an array
     * grows. Otherwise returns these lengths.
     *
     * @throws MetadataException if whole chunks would end beyond 2^63-1
     */
    public ChunkLengths grownTo(long arrayLength) {
        long missing = arrayLength - sum();
        if (repeating || missing <= 0) {
            return this;
        }
        Builder builder = builder();
        for (int i = 0; i < lengths.length; i++) {
            builder.add(lengths[i], counts[i]);
        }
        long last = lengths.length == 0 ? missing : lengths[lengths.length - 1];
        return builder.add(last, (missing - 1) / last + 1).build();
    }

    /** Returns the form in metadata: an integer, or a list of lengths and of pairs of a length and a count. */
    public Json json() {
        if (repeating) {
            return Json.of(lengths[0]);
        }
        List<Json> items = new ArrayList<>();
        for (int i = 0; i < lengths.length; i++) {
            items.add(counts[i] == 1 ? Json.of(lengths[i]) : Json.of(new long[] {lengths[i], counts[i]}));
        }
        return new Json.Arr(items);
    }

    /** Returns the number of runs. */
    int runs() {
        return lengths.length;
    }

    /** Returns the length of the chunks of a run. */
    long length(int run) {
        return lengths[run];
    }

    /** Returns the number of chunks of a run. */
    long count(int run) {
        return counts[run];
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof ChunkLengths that
                && repeating == that.repeating
                && Arrays.equals(lengths, that.lengths)
                && Arrays.equals(counts, that.counts);
    }

    @Override
    public int hashCode() {
        return 31 * Arrays.hashCode(lengths) + Arrays.hashCode(counts) + (repeating ? 1 : 0);
    }

    /** Returns the metadata of the grid as text. Shows at most eight runs. */
    @Override
    public String toString() {
        if (lengths.length > 8) {
            return new ChunkLengths(false, Arrays.copyOf(lengths, 8), Arrays.copyOf(counts, 8))
                    .toString()
                    .replaceAll("]$", ",...]");
        }
        return json().toString();
    }

    private static void check(long value, String description) {
        if (value < 1) {
            throw new MetadataException("expected " + description + " of at least 1, found " + value);
        }
    }

    /** Builds {@link ChunkLengths} from runs of chunks. Not thread-safe. */
    public static final class Builder {
        private long[] lengths = new long[4];
        private long[] counts = new long[4];
        private int runs;
        private long sum;

        private Builder() {}

        /**
         * Adds {@code count} chunks of {@code length}.
         *
         * @throws MetadataException if either is below 1, or the sum of all lengths is above 2^63-1
         */
        public Builder add(long length, long count) {
            check(length, "a chunk's length");
            check(count, "a number of chunks");
            // each of these conditions means an overflow of 64 bits
            if (Math.multiplyHigh(length, count) != 0 || length * count < 0 || sum + length * count < 0) {
                throw new MetadataException("expected chunks that end within 2^63-1, found " + count + " of length "
                        + length + " from " + sum + " on");
            }
            sum += length * count;
            if (runs > 0 && lengths[runs - 1] == length) {
                counts[runs - 1] += count;
                return this;
            }
            if (runs == lengths.length) {
                lengths = Arrays.copyOf(lengths, 2 * runs);
                counts = Arrays.copyOf(counts, 2 * runs);
            }
            lengths[runs] = length;
            counts[runs++] = count;
            return this;
        }

        /** Returns the lengths of all added chunks. */
        public ChunkLengths build() {
            return new ChunkLengths(false, Arrays.copyOf(lengths, runs), Arrays.copyOf(counts, runs));
        }
    }
}
