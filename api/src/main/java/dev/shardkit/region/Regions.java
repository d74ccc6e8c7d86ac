package dev.shardkit.region;

import dev.shardkit.spi.array.Box;
import dev.shardkit.spi.error.UnsupportedException;
import java.util.Arrays;

/** Refuses regions that cannot be meant. Without state, so thread-safe. */
public final class Regions {
    private Regions() {}

    /** {@code region}, which must lie in an array of {@code shape}. */
    public static Box in(long[] shape, Box region) {
        if (region.rank() != shape.length || !Box.of(shape).contains(region)) {
            throw new IndexOutOfBoundsException("region " + region + " reaches outside the array " + Box.of(shape));
        }
        return region;
    }

    /** How many cells {@code cells} of a chunk grid has, of which each is looked at. */
    public static long countable(Box cells) {
        long count = Boxes.count(cells);
        if (count == Long.MAX_VALUE) {
            throw new UnsupportedException(
                    "a region of " + Arrays.toString(cells.shape())
                            + " shards or chunks: they are not to be counted, since there are more than 2^63-1; name a smaller one");
        }
        return count;
    }
}
