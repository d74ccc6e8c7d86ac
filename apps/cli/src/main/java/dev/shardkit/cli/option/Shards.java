package dev.shardkit.cli.option;

import dev.shardkit.ZarrArray;
import dev.shardkit.ZarrNode;
import dev.shardkit.cli.print.NodeFacts;
import dev.shardkit.cli.print.WrongUse;
import java.util.Arrays;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.TypeConversionException;

/** The values of {@code --shard-shape} and {@code --chunk-shape}. */
public final class Shards {
    private static final String NONE = "none";

    private Shards() {}

    /** Returns the shape; empty for {@code none}. */
    public static Optional<long[]> shape(String text) {
        if (text.strip().equals(NONE)) {
            return Optional.empty();
        }
        if (text.strip().equals("auto")) {
            throw new WrongUse("--shard-shape: auto is for shard, reshard and aggregate; expected lengths such as "
                    + "512,512, or none");
        }
        try {
            return Optional.of(Lengths.parse(text).values());
        } catch (TypeConversionException e) {
            throw new WrongUse("--shard-shape: expected lengths such as 512,512, or none, found \"" + text + "\"");
        }
    }

    /** Returns the lengths of chunks or shards if all are positive. */
    public static long[] positive(String option, long[] lengths) {
        if (Arrays.stream(lengths).anyMatch(length -> length < 1)) {
            throw new WrongUse(option + ": expected lengths of at least 1, found " + Arrays.toString(lengths));
        }
        return lengths;
    }

    /** Returns the lengths of chunks or shards if all are positive, and there is one for each dimension of an array. */
    public static long[] fitting(String option, long[] lengths, long[] shape) {
        if (lengths.length != shape.length) {
            throw new WrongUse(option + ": expected " + NodeFacts.count(shape.length, "length")
                    + ", one for each dimension of shape " + Arrays.toString(shape) + ", found "
                    + Arrays.toString(lengths));
        }
        return positive(option, lengths);
    }

    /**
     * Refuses a shard shape that the chunks do not divide: those that the command line states too, otherwise those of
     * the source of a copy.
     */
    public static void divisible(long[] shard, @Nullable Lengths stated, ZarrNode from) {
        if (stated != null) {
            divisible(shard, stated.values(), "--chunk-shape ");
        } else if (from instanceof ZarrArray array
                && array.metadata().chunkGrid().name().equals("regular")) {
            divisible(shard, array.chunkShape(), "the chunk shape ");
        }
    }

    /** Refuses a shard shape that the chunk shape, which the command line states too, does not divide. */
    public static void divisible(long[] shard, long[] chunk) {
        divisible(shard, chunk, "--chunk-shape ");
    }

    private static void divisible(long[] shard, long[] chunk, String what) {
        for (int d = 0; d < Math.min(shard.length, chunk.length); d++) {
            if (shard[d] % chunk[d] != 0) {
                long below = shard[d] / chunk[d] * chunk[d];
                throw new WrongUse("--shard-shape: expected multiples of " + what + Arrays.toString(chunk) + ", found "
                        + Arrays.toString(shard) + "; the nearest legal "
                        + (below > 0
                                ? "values in dimension " + d + " are " + below + " or " + (below + chunk[d])
                                : "value in dimension " + d + " is " + chunk[d]));
            }
        }
    }
}
