package dev.shardkit.spi.array;

import java.math.BigInteger;
import java.util.Arrays;

/**
 * Arithmetic with shapes in C order (the last dimension varies fastest). Methods fail on overflow. Stateless and
 * thread-safe.
 */
public final class Shapes {
    private Shapes() {}

    /**
     * Returns the number of elements; 1 for rank 0.
     *
     * @throws ArithmeticException above 2^63-1
     */
    public static long count(long[] shape) {
        long product = 1;
        for (long s : shape) {
            if (s == 0) {
                return 0;
            }
        }
        for (long s : shape) {
            product = Math.multiplyExact(product, s);
        }
        return product;
    }

    /** Returns the number of elements, also above 2^63-1; 1 for rank 0. */
    public static BigInteger exactCount(long[] shape) {
        return Arrays.stream(shape).mapToObj(BigInteger::valueOf).reduce(BigInteger.ONE, BigInteger::multiply);
    }

    /** Returns the strides in C order, in elements. */
    public static long[] strides(long[] shape) {
        long[] strides = new long[shape.length];
        long stride = 1;
        for (int d = shape.length - 1; d >= 0; d--) {
            strides[d] = stride;
            stride = Math.multiplyExact(stride, Math.max(1, shape[d]));
        }
        return strides;
    }

    /** Returns the linear index of {@code coordinates} in C order. */
    public static long ravel(long[] coordinates, long[] shape) {
        long index = 0;
        for (int d = 0; d < shape.length; d++) {
            index = index * shape[d] + coordinates[d];
        }
        return index;
    }

    /** Returns the coordinates of linear index {@code index} in C order. */
    public static long[] unravel(long index, long[] shape) {
        long[] coordinates = new long[shape.length];
        long remainder = index;
        for (int d = shape.length - 1; d >= 0; d--) {
            coordinates[d] = remainder % shape[d];
            remainder /= shape[d];
        }
        return coordinates;
    }

    /** Returns {@code values} reordered: element i of the result is {@code values[order[i]]}. */
    public static long[] permute(long[] values, int[] order) {
        long[] permuted = new long[values.length];
        for (int i = 0; i < permuted.length; i++) {
            permuted[i] = values[order[i]];
        }
        return permuted;
    }

    /** Returns the inverse permutation of {@code order}. */
    public static int[] inverse(int[] order) {
        int[] permuted = new int[order.length];
        for (int i = 0; i < permuted.length; i++) {
            permuted[order[i]] = i;
        }
        return permuted;
    }
}
