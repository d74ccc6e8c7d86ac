package dev.shardkit.spi.array;

/**
 * Arithmetic of shapes in C order (the last dimension varies fastest). All of it checks for overflow. Without state, so
 * thread-safe.
 */
public final class Shapes {
    private Shapes() {}

    /**
     * The number of elements; 1 for no dimensions.
     *
     * @throws ArithmeticException above 2^63-1
     */
    public static long count(long[] shape) {
        long n = 1;
        for (long s : shape) {
            if (s == 0) {
                return 0;
            }
        }
        for (long s : shape) {
            n = Math.multiplyExact(n, s);
        }
        return n;
    }

    /** How many elements apart neighbours in each dimension lie, in C order. */
    public static long[] strides(long[] shape) {
        long[] strides = new long[shape.length];
        long n = 1;
        for (int d = shape.length - 1; d >= 0; d--) {
            strides[d] = n;
            n = Math.multiplyExact(n, Math.max(1, shape[d]));
        }
        return strides;
    }

    /** The linear index of {@code at} in C order. */
    public static long ravel(long[] at, long[] shape) {
        long index = 0;
        for (int d = 0; d < shape.length; d++) {
            index = index * shape[d] + at[d];
        }
        return index;
    }

    /** The coordinates of linear index {@code index} in C order. */
    public static long[] unravel(long index, long[] shape) {
        long[] at = new long[shape.length];
        long rest = index;
        for (int d = shape.length - 1; d >= 0; d--) {
            at[d] = rest % shape[d];
            rest /= shape[d];
        }
        return at;
    }

    /** {@code values[order[i]]} at each i. */
    public static long[] permute(long[] values, int[] order) {
        long[] out = new long[values.length];
        for (int i = 0; i < out.length; i++) {
            out[i] = values[order[i]];
        }
        return out;
    }

    /** The order that undoes {@code order}. */
    public static int[] inverse(int[] order) {
        int[] out = new int[order.length];
        for (int i = 0; i < out.length; i++) {
            out[order[i]] = i;
        }
        return out;
    }
}
