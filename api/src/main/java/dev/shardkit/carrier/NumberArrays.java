package dev.shardkit.carrier;

import dev.shardkit.spi.array.DataType;
import dev.shardkit.spi.array.FloatingFormat;
import dev.shardkit.spi.array.NumberCast;
import dev.shardkit.spi.array.NumberFormat;
import dev.shardkit.spi.array.WholeFormat;
import dev.shardkit.spi.type.CoreTypes;
import java.lang.reflect.Array;
import org.jspecify.annotations.Nullable;

/** Converts Java arrays of numbers from one data type to another. Stateless, thread-safe. */
public final class NumberArrays {
    private static final int BLOCK = 1024;

    private NumberArrays() {}

    /**
     * Returns the format of a type's numbers.
     *
     * @throws IllegalArgumentException if its elements are not numbers
     */
    public static NumberFormat format(DataType type) {
        if (!isReal(type)) {
            throw new IllegalArgumentException("elements of data type " + type.name() + " are not real numbers");
        }
        return type.number().orElseThrow();
    }

    /** Returns whether the elements of a type are real numbers; complex numbers, times, text and raw bits are not. */
    public static boolean isReal(DataType type) {
        return type.number().isPresent() && JavaArrayElements.wordsPerElement(type) == 1;
    }

    /**
     * Returns the type of a Java array of numbers that is not the carrier of {@code type}; null if it is the carrier,
     * holds no numbers, or {@code type} has none.
     */
    public static @Nullable DataType signedType(DataType type, Object array) {
        if (!isReal(type) || JavaArrayElements.arrayClass(type.carrier()).isInstance(array)) {
            return null;
        } else if (array instanceof int[]) {
            return CoreTypes.INT32;
        } else if (array instanceof long[]) {
            return CoreTypes.INT64;
        } else if (array instanceof float[]) {
            return CoreTypes.FLOAT32;
        }
        return array instanceof double[] ? CoreTypes.FLOAT64 : null;
    }

    /**
     * Converts all elements of {@code array}.
     *
     * @throws IllegalArgumentException if a type is not a number type
     * @throws ArithmeticException if {@code to} does not have a number and {@code cast} refuses it
     */
    public static Object convert(DataType from, Object array, DataType to, NumberCast cast) {
        format(from);
        format(to);
        int n = Array.getLength(array);
        Object result =
                Array.newInstance(JavaArrayElements.arrayClass(to.carrier()).getComponentType(), n);
        for (int i = 0; i < n; i += BLOCK) {
            convert(from, array, to, result, cast, i, Math.min(BLOCK, n - i));
        }
        return result;
    }

    private static void convert(
            DataType from, Object array, DataType to, Object result, NumberCast cast, int at, int n) {
        int i = 0;
        try {
            if (format(from) instanceof WholeFormat f) {
                long[] values = load(f, array, at, n);
                if (format(to) instanceof WholeFormat t) {
                    for (; i < n; i++) {
                        values[i] = cast.whole(f, t, values[i]);
                    }
                    store(values, result, at);
                    return;
                }
                double[] results = new double[n];
                for (; i < n; i++) {
                    results[i] = cast.floating(f, (FloatingFormat) format(to), values[i]);
                }
                store((FloatingFormat) format(to), results, result, at);
                return;
            }
            double[] values = load((FloatingFormat) format(from), array, at, n);
            if (format(to) instanceof FloatingFormat t) {
                for (; i < n; i++) {
                    values[i] = cast.floating(t, values[i]);
                }
                store(t, values, result, at);
                return;
            }
            long[] results = new long[n];
            for (; i < n; i++) {
                results[i] = cast.whole((WholeFormat) format(to), values[i]);
            }
            store(results, result, at);
        } catch (ArithmeticException e) {
            throw (ArithmeticException) new ArithmeticException("element " + (at + i) + ": expected a number of "
                            + from.name() + " that " + to.name() + " has, found " + text(from, array, at + i)
                            + ", which is " + e.getMessage())
                    .initCause(e);
        }
    }

    /** Returns element {@code i} as decimal text. */
    public static String text(DataType type, Object array, int i) {
        if (format(type) instanceof WholeFormat f) {
            return f.text(load(f, array, i, 1)[0]);
        } else if (array instanceof float[] a) {
            return Float.toString(a[i]);
        }
        return Double.toString(load((FloatingFormat) format(type), array, i, 1)[0]);
    }

    /** Returns integers in {@code long}s, as {@link WholeFormat} defines. */
    public static long[] load(WholeFormat format, Object array, int at, int n) {
        long[] values = new long[n];
        if (array instanceof byte[] a) {
            for (int i = 0; i < n; i++) {
                values[i] = format.value(a[at + i]);
            }
        } else if (array instanceof short[] a) {
            for (int i = 0; i < n; i++) {
                values[i] = format.value(a[at + i]);
            }
        } else if (array instanceof int[] a) {
            for (int i = 0; i < n; i++) {
                values[i] = format.value(a[at + i]);
            }
        } else {
            System.arraycopy(array, at, values, 0, n);
        }
        return values;
    }

    /** Returns floating-point numbers as {@code double}s. */
    public static double[] load(FloatingFormat format, Object array, int at, int n) {
        double[] values = new double[n];
        if (array instanceof float[] a) {
            for (int i = 0; i < n; i++) {
                values[i] = a[at + i];
            }
        } else if (array instanceof double[]) {
            System.arraycopy(array, at, values, 0, n);
        } else {
            for (int i = 0; i < n; i++) {
                values[i] = format.value(array instanceof short[] s ? s[at + i] : ((byte[]) array)[at + i]);
            }
        }
        return values;
    }

    private static void store(long[] values, Object array, int at) {
        for (int i = 0; i < values.length; i++) {
            if (array instanceof byte[] a) {
                a[at + i] = (byte) values[i];
            } else if (array instanceof short[] a) {
                a[at + i] = (short) values[i];
            } else if (array instanceof int[] a) {
                a[at + i] = (int) values[i];
            } else {
                ((long[]) array)[at + i] = values[i];
            }
        }
    }

    private static void store(FloatingFormat format, double[] values, Object array, int at) {
        for (int i = 0; i < values.length; i++) {
            if (array instanceof float[] a) {
                a[at + i] = (float) values[i];
            } else if (array instanceof double[] a) {
                a[at + i] = values[i];
            } else if (array instanceof short[] a) {
                a[at + i] = (short) format.bitsOf(values[i]);
            } else {
                ((byte[]) array)[at + i] = (byte) format.bitsOf(values[i]);
            }
        }
    }
}
