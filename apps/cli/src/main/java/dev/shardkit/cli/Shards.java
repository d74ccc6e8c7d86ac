package dev.shardkit.cli;

import java.util.Arrays;
import java.util.Optional;
import picocli.CommandLine.TypeConversionException;

/** The values of {@code --shard-shape} and {@code --chunk-shape}. */
final class Shards {
    private static final String NONE = "none";

    private Shards() {}

    /** Returns the shape; empty for {@code none}. */
    static Optional<long[]> shape(String text) {
        if (text.strip().equals(NONE)) {
            return Optional.empty();
        }
        try {
            return Optional.of(Lengths.parse(text).values());
        } catch (TypeConversionException e) {
            throw new WrongUse("--shard-shape: expected lengths such as 512,512, or none, found \"" + text + "\"");
        }
    }

    /** Returns the lengths of chunks or shards if all are positive. */
    static long[] positive(String option, long[] lengths) {
        if (Arrays.stream(lengths).anyMatch(length -> length < 1)) {
            throw new WrongUse(option + ": expected lengths of at least 1, found " + Arrays.toString(lengths));
        }
        return lengths;
    }

    /** Returns the lengths of chunks or shards if all are positive, and there is one for each dimension of an array. */
    static long[] fitting(String option, long[] lengths, long[] shape) {
        if (lengths.length != shape.length) {
            throw new WrongUse(option + ": expected " + NodeFacts.count(shape.length, "length")
                    + ", one for each dimension of shape " + Arrays.toString(shape) + ", found "
                    + Arrays.toString(lengths));
        }
        return positive(option, lengths);
    }

    /** Refuses a shard shape that the chunk shape, which the command line states too, does not divide. */
    static void divisible(long[] shard, long[] chunk) {
        for (int d = 0; d < Math.min(shard.length, chunk.length); d++) {
            if (shard[d] % chunk[d] != 0) {
                long below = shard[d] / chunk[d] * chunk[d];
                throw new WrongUse("--shard-shape: expected multiples of --chunk-shape " + Arrays.toString(chunk)
                        + ", found " + Arrays.toString(shard) + "; the nearest legal values in dimension " + d + " are "
                        + (below > 0 ? below + " or " : "") + (below + chunk[d]));
            }
        }
    }
}
