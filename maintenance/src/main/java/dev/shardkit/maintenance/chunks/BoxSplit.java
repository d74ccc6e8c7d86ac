package dev.shardkit.maintenance.chunks;

import dev.shardkit.ZarrArray;
import dev.shardkit.spi.array.Box;
import dev.shardkit.spi.array.Shapes;
import dev.shardkit.spi.error.UnsupportedException;
import java.math.BigInteger;
import java.util.Arrays;
import java.util.List;
import java.util.function.Consumer;

/**
 * Splits a region into boxes of limited size, for jobs that read it piece by piece. Cuts between stored chunks if
 * possible, so that each is read once; otherwise between inner chunks, or between elements if even these are too large.
 * Stateless.
 */
public final class BoxSplit {
    /** The maximum number of elements to read: 2^53. At a million per millisecond, they take over a hundred days. */
    private static final long MAX_TO_READ = 1L << 53;

    private BoxSplit() {}

    /** Calls {@code each} for boxes of at most {@code maxElements} elements that together cover {@code region} once. */
    public static void visit(ZarrArray array, Box region, long maxElements, Consumer<Box> each) {
        long[] ones = new long[region.rank()];
        Arrays.fill(ones, 1);
        visit(List.of(array.storedChunkShape(), array.chunkShape(), ones), region, maxElements, each);
    }

    /** Halves the box until it is small enough, along the first of the units that it is not inside of. */
    private static void visit(List<long[]> units, Box box, long maxElements, Consumer<Box> each) {
        if (box.isEmpty()) {
            return;
        } else if (count(box) <= maxElements) {
            each.accept(box);
            return;
        }
        for (long[] unit : units) {
            int d = widest(box, unit);
            if (d >= 0) {
                long from = first(box, unit, d);
                long cut = (from + (last(box, unit, d) - from + 1) / 2) * unit[d];
                long[] left = box.shape();
                left[d] = cut - box.origin(d);
                long[] right = box.shape();
                right[d] = box.end(d) - cut;
                long[] origin = box.origin();
                origin[d] = cut;
                visit(units, Box.of(box.origin(), left), maxElements, each);
                visit(units, Box.of(origin, right), maxElements, each);
                return;
            }
        }
        each.accept(box);
    }

    /** Returns the dimension in which the box touches the most units; -1 if it lies within one unit. */
    private static int widest(Box box, long[] unit) {
        int widest = -1;
        long maxSpan = 0;
        for (int d = 0; d < unit.length; d++) {
            long span = last(box, unit, d) - first(box, unit, d);
            if (span > maxSpan) {
                maxSpan = span;
                widest = d;
            }
        }
        return widest;
    }

    /** Returns the index of the first unit that the box touches in a dimension. */
    private static long first(Box box, long[] unit, int d) {
        return box.origin(d) / Math.max(1, unit[d]);
    }

    private static long last(Box box, long[] unit, int d) {
        return (box.end(d) - 1) / Math.max(1, unit[d]);
    }

    /**
     * Returns the number of elements of a region that is to be read.
     *
     * @param instead advice for the message: what to do instead
     * @throws UnsupportedException if there are more than 2^53 elements
     */
    public static long countToRead(Box region, String instead) {
        BigInteger count = Shapes.exactCount(region.shape());
        if (count.compareTo(BigInteger.valueOf(MAX_TO_READ)) > 0) {
            throw new UnsupportedException("the region " + Arrays.toString(region.shape()) + " has " + count
                    + " elements; at most 2^53 are read: " + instead);
        }
        return count.longValue();
    }

    /** Returns the number of elements, or the largest long if there are more. */
    private static long count(Box box) {
        try {
            return box.count();
        } catch (ArithmeticException e) {
            return Long.MAX_VALUE;
        }
    }
}
