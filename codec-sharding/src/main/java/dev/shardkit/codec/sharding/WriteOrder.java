package dev.shardkit.codec.sharding;

import dev.shardkit.spi.array.Shapes;
import dev.shardkit.spi.codec.ShardWritePolicy;
import java.util.Arrays;
import java.util.function.IntUnaryOperator;

/** The orders of the inner chunks in a shard that is written whole. Stateless and deterministic. */
final class WriteOrder {
    private WriteOrder() {}

    /**
     * Returns the inner chunk at each position. {@link ShardWritePolicy.Order#AS_THEY_COME} is C order here, since only
     * an update knows the existing inner chunks.
     *
     * @param counts the number of inner chunks in each dimension
     */
    static IntUnaryOperator of(ShardWritePolicy.Order order, long[] counts) {
        if (order == ShardWritePolicy.Order.FORTRAN) {
            return fortran(counts);
        }
        if (order == ShardWritePolicy.Order.MORTON) {
            int[] numbers = morton(counts);
            return i -> numbers[i];
        }
        return i -> i;
    }

    private static IntUnaryOperator fortran(long[] counts) {
        long[] reversed = reverse(counts);
        return i -> (int) Shapes.ravel(reverse(Shapes.unravel(i, reversed)), counts);
    }

    private static long[] reverse(long[] values) {
        long[] reversed = new long[values.length];
        for (int d = 0; d < values.length; d++) {
            reversed[d] = values[values.length - 1 - d];
        }
        return reversed;
    }

    /**
     * Sorts by the Z-order (Morton) curve, the last dimension fastest: interleaves the bits of the coordinates, and
     * uses no more bits of each dimension than it needs. A code fits into 63 bits: an index has at most 2^27 entries,
     * so their numbers have 27 bits, and rounding up adds at most one bit for each dimension longer than 1.
     */
    private static int[] morton(long[] counts) {
        int count = Math.toIntExact(Shapes.count(counts));
        long[] codes = new long[count];
        for (int i = 0; i < count; i++) {
            codes[i] = code(Shapes.unravel(i, counts), counts);
        }
        Arrays.sort(codes);
        int[] numbers = new int[count];
        for (int i = 0; i < count; i++) {
            numbers[i] = (int) Shapes.ravel(cell(codes[i], counts), counts);
        }
        return numbers;
    }

    /** Returns how many bits the coordinates of a dimension with {@code count} inner chunks need. */
    private static int bits(long count) {
        return Long.SIZE - Long.numberOfLeadingZeros(count - 1);
    }

    /** Returns the position of a cell on the Morton curve. */
    private static long code(long[] cell, long[] counts) {
        long code = 0;
        int shift = 0;
        for (int bit = 0; bit < Integer.SIZE; bit++) {
            for (int d = cell.length - 1; d >= 0; d--) {
                if (bit < bits(counts[d])) {
                    code |= (cell[d] >> bit & 1) << shift++;
                }
            }
        }
        return code;
    }

    /** Returns the cell with a Morton code; the inverse of {@link #code}. */
    private static long[] cell(long code, long[] counts) {
        long[] cell = new long[counts.length];
        int shift = 0;
        for (int bit = 0; bit < Integer.SIZE; bit++) {
            for (int d = cell.length - 1; d >= 0; d--) {
                if (bit < bits(counts[d])) {
                    cell[d] |= (code >> shift++ & 1) << bit;
                }
            }
        }
        return cell;
    }
}
