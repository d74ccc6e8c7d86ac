package dev.shardkit.cli.option;

import dev.shardkit.ZarrArray;
import dev.shardkit.ZarrNode;
import dev.shardkit.cli.print.NodeText;
import dev.shardkit.cli.print.UsageException;
import java.util.Arrays;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.TypeConversionException;

/** Parses and checks the values of {@code --shard-shape} and {@code --chunk-shape}. */
public final class ChunkShapeOptions {
    private static final String NONE = "none";

    private ChunkShapeOptions() {}

    /** Parses a shard shape; empty for {@code none}. */
    public static Optional<long[]> parseShardShape(String text) {
        if (text.strip().equals(NONE)) {
            return Optional.empty();
        }
        if (text.strip().equals("auto")) {
            throw new UsageException(
                    "--shard-shape: auto is for shard, reshard and aggregate; expected lengths such as "
                            + "512,512, or none");
        }
        try {
            return Optional.of(Lengths.parse(text).values());
        } catch (TypeConversionException e) {
            throw new UsageException(
                    "--shard-shape: expected lengths such as 512,512, or none, found \"" + text + "\"");
        }
    }

    /** Returns the lengths of chunks or shards. Refuses lengths below 1. */
    public static long[] requirePositive(String option, long[] lengths) {
        if (Arrays.stream(lengths).anyMatch(length -> length < 1)) {
            throw new UsageException(option + ": expected lengths of at least 1, found " + Arrays.toString(lengths));
        }
        return lengths;
    }

    /**
     * Returns the lengths of chunks or shards. Refuses lengths below 1, and a number of lengths that differs from the
     * number of the array's dimensions.
     */
    public static long[] requireRank(String option, long[] lengths, long[] shape) {
        if (lengths.length != shape.length) {
            throw new UsageException(option + ": expected " + NodeText.count(shape.length, "length")
                    + ", one for each dimension of shape " + Arrays.toString(shape) + ", found "
                    + Arrays.toString(lengths));
        }
        return requirePositive(option, lengths);
    }

    /**
     * Refuses a shard shape of a copy that is not a multiple of the chunk shape. The chunk shape is that of the command
     * line, or else that of the source, if the source has a regular grid.
     */
    public static void requireMultiple(long[] shard, @Nullable Lengths chunkOption, ZarrNode source) {
        if (chunkOption != null) {
            requireMultiple(shard, chunkOption.values(), "--chunk-shape ");
        } else if (source instanceof ZarrArray array
                && array.metadata().chunkGrid().name().equals("regular")) {
            requireMultiple(shard, array.chunkShape(), "the chunk shape ");
        }
    }

    /** Refuses a shard shape that is not a multiple of {@code --chunk-shape}. */
    public static void requireMultiple(long[] shard, long[] chunk) {
        requireMultiple(shard, chunk, "--chunk-shape ");
    }

    private static void requireMultiple(long[] shard, long[] chunk, String chunkName) {
        for (int d = 0; d < Math.min(shard.length, chunk.length); d++) {
            if (shard[d] % chunk[d] != 0) {
                long lowerMultiple = shard[d] / chunk[d] * chunk[d];
                throw new UsageException(
                        "--shard-shape: expected multiples of " + chunkName + Arrays.toString(chunk) + ", found "
                                + Arrays.toString(shard) + "; the nearest legal "
                                + (lowerMultiple > 0
                                        ? "values in dimension " + d + " are " + lowerMultiple + " or "
                                                + (lowerMultiple + chunk[d])
                                        : "value in dimension " + d + " is " + chunk[d]));
            }
        }
    }
}
