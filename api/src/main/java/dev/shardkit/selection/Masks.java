package dev.shardkit.selection;

import dev.shardkit.spi.array.Shapes;
import java.util.Arrays;
import java.util.stream.IntStream;

/** Turns masks into indices. Stateless. */
public final class Masks {
    private Masks() {}

    /** Returns the positions of the true elements. */
    public static long[] indices(boolean[] mask) {
        return IntStream.range(0, mask.length)
                .filter(i -> mask[i])
                .asLongStream()
                .toArray();
    }

    /** Returns the coordinates of the true elements of a mask of {@code shape}, in C order. */
    public static long[][] points(boolean[] mask, long[] shape) {
        return Arrays.stream(indices(mask))
                .mapToObj(i -> Shapes.unravel(i, shape))
                .toArray(long[][]::new);
    }
}
