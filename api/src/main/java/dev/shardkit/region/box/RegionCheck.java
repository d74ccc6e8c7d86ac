package dev.shardkit.region.box;

import dev.shardkit.spi.array.Box;
import dev.shardkit.spi.error.UnsupportedException;
import java.util.Arrays;

/** Checks that regions lie inside an array and that their chunks can be counted. Stateless, thread-safe. */
public final class RegionCheck {
    private RegionCheck() {}

    /** Returns {@code region}. Throws {@code IndexOutOfBoundsException} unless it lies in an array of {@code shape}. */
    public static Box in(long[] shape, Box region) {
        if (region.rank() != shape.length || !Box.of(shape).contains(region)) {
            throw new IndexOutOfBoundsException("region " + region + " reaches outside the array " + Box.of(shape));
        }
        return region;
    }

    /**
     * Returns the number of cells in a box of the chunk grid. Throws {@code UnsupportedException} if a {@code long}
     * cannot count them, because the caller visits each one.
     */
    public static long countable(Box cells) {
        long count = Boxes.count(cells);
        if (count == Long.MAX_VALUE) {
            throw new UnsupportedException("a region of " + Arrays.toString(cells.shape())
                    + " shards or chunks has more than 2^63-1 of them; choose a smaller region");
        }
        return count;
    }
}
