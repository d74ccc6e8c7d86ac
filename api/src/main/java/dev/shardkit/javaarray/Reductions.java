package dev.shardkit.javaarray;

import dev.shardkit.spi.array.DataType;
import dev.shardkit.spi.array.FloatingFormat;
import dev.shardkit.spi.array.IntegerFormat;
import java.lang.reflect.Array;
import java.math.BigInteger;
import java.util.NoSuchElementException;

/** Computes one number from the elements of a Java array, in one pass. Stateless, thread-safe. */
public final class Reductions {
    /** The number of elements that are converted together, so that the intermediate arrays stay small. */
    private static final int BLOCK = 1024;

    private static final BigInteger TWO_TO_64 = BigInteger.ONE.shiftLeft(64);

    private Reductions() {}

    /** Returns the least element; NaN if an element is NaN. */
    public static double min(DataType type, Object array) {
        return extreme(type, array, -1);
    }

    /** Returns the greatest element; NaN if an element is NaN. */
    public static double max(DataType type, Object array) {
        return extreme(type, array, 1);
    }

    /** Returns the greatest element if {@code sign} is 1, the least one if it is -1. */
    private static double extreme(DataType type, Object array, int sign) {
        int count = Array.getLength(array);
        if (count == 0) {
            throw new NoSuchElementException("an array without elements has no minimum or maximum");
        }
        if (NumberArrays.format(type) instanceof IntegerFormat integers) {
            long extreme = NumberArrays.load(integers, array, 0, 1)[0];
            for (int begin = 0; begin < count; begin += BLOCK) {
                for (long value : NumberArrays.load(integers, array, begin, Math.min(BLOCK, count - begin))) {
                    int order =
                            integers.isSigned() ? Long.compare(value, extreme) : Long.compareUnsigned(value, extreme);
                    extreme = order * sign > 0 ? value : extreme;
                }
            }
            return value(integers, extreme).doubleValue();
        }
        FloatingFormat floats = (FloatingFormat) NumberArrays.format(type);
        double extreme = NumberArrays.load(floats, array, 0, 1)[0];
        for (int begin = 0; begin < count; begin += BLOCK) {
            for (double value : NumberArrays.load(floats, array, begin, Math.min(BLOCK, count - begin))) {
                extreme = sign > 0 ? Math.max(extreme, value) : Math.min(extreme, value); // NaN wins
            }
        }
        return extreme;
    }

    /** Returns the value of a number as {@link NumberArrays#load} returns it: unsigned ones may be negative there. */
    private static BigInteger value(IntegerFormat format, long value) {
        BigInteger signed = BigInteger.valueOf(value);
        return value < 0 && !format.isSigned() ? signed.add(TWO_TO_64) : signed;
    }

    /** Returns the sum of all elements. */
    public static double sum(DataType type, Object array) {
        int count = Array.getLength(array);
        if (NumberArrays.format(type) instanceof IntegerFormat integers) {
            BigInteger sum = BigInteger.ZERO;
            for (int begin = 0; begin < count; begin += BLOCK) {
                sum = sum.add(sum(integers, NumberArrays.load(integers, array, begin, Math.min(BLOCK, count - begin))));
            }
            return sum.doubleValue();
        }
        FloatingFormat floats = (FloatingFormat) NumberArrays.format(type);
        double sum = 0;
        for (int begin = 0; begin < count; begin += BLOCK) {
            double blockSum = 0; // sums of blocks lose less precision than one long sum
            for (double value : NumberArrays.load(floats, array, begin, Math.min(BLOCK, count - begin))) {
                blockSum += value;
            }
            sum += blockSum;
        }
        return sum;
    }

    /** Sums the upper and the lower 32 bits of the numbers separately, so that no sum overflows. */
    private static BigInteger sum(IntegerFormat format, long[] values) {
        long high = 0;
        long low = 0;
        for (long value : values) {
            high += format.isSigned() ? value >> 32 : value >>> 32;
            low += value & 0xffffffffL;
        }
        return BigInteger.valueOf(high).shiftLeft(32).add(BigInteger.valueOf(low));
    }
}
