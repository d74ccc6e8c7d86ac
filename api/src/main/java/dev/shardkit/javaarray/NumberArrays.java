package dev.shardkit.javaarray;

import dev.shardkit.spi.array.DataType;
import dev.shardkit.spi.array.FloatingFormat;
import dev.shardkit.spi.array.IntegerFormat;
import dev.shardkit.spi.array.NumberCast;
import dev.shardkit.spi.array.NumberFormat;
import dev.shardkit.spi.type.CoreTypes;
import java.lang.reflect.Array;
import org.jspecify.annotations.Nullable;

/** Converts Java arrays of numbers from one data type to another. Stateless, thread-safe. */
public final class NumberArrays {
    /** The number of elements that are converted together, so that the intermediate arrays stay small. */
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
        return type.number().isPresent() && JavaArrayAdapters.wordsPerElement(type) == 1;
    }

    /**
     * Returns the data type of a caller's Java array whose numbers must be converted before they are stored as
     * {@code type}. Returns null if no conversion is needed, because the array is the carrier of {@code type}, or none
     * is possible, because the array or {@code type} has other elements than numbers.
     */
    public static @Nullable DataType signedType(DataType type, Object array) {
        if (!isReal(type) || JavaArrayAdapters.arrayClass(type.carrier()).isInstance(array)) {
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
     * @throws ArithmeticException if {@code target} cannot represent a number and {@code cast} refuses it
     */
    public static Object convert(DataType source, Object array, DataType target, NumberCast cast) {
        format(source);
        format(target);
        int count = Array.getLength(array);
        Object result =
                Array.newInstance(JavaArrayAdapters.arrayClass(target.carrier()).getComponentType(), count);
        for (int i = 0; i < count; i += BLOCK) {
            convert(source, array, target, result, cast, i, Math.min(BLOCK, count - i));
        }
        return result;
    }

    /** Converts the {@code count} elements of a block that begins at index {@code offset}. */
    private static void convert(
            DataType source, Object array, DataType target, Object result, NumberCast cast, int offset, int count) {
        int i = 0; // outside the try block, because the error names the element
        try {
            if (format(source) instanceof IntegerFormat from) {
                long[] values = load(from, array, offset, count);
                if (format(target) instanceof IntegerFormat to) {
                    for (; i < count; i++) {
                        values[i] = cast.toInteger(from, to, values[i]);
                    }
                    store(values, result, offset);
                    return;
                }
                double[] results = new double[count];
                for (; i < count; i++) {
                    results[i] = cast.toFloating(from, (FloatingFormat) format(target), values[i]);
                }
                store((FloatingFormat) format(target), results, result, offset);
                return;
            }
            double[] values = load((FloatingFormat) format(source), array, offset, count);
            if (format(target) instanceof FloatingFormat to) {
                for (; i < count; i++) {
                    values[i] = cast.toFloating(to, values[i]);
                }
                store(to, values, result, offset);
                return;
            }
            long[] results = new long[count];
            for (; i < count; i++) {
                results[i] = cast.toInteger((IntegerFormat) format(target), values[i]);
            }
            store(results, result, offset);
        } catch (ArithmeticException e) {
            throw (ArithmeticException) new ArithmeticException("element " + (offset + i) + ": expected a number of "
                            + source.name() + " that " + target.name() + " has, found "
                            + text(source, array, offset + i)
                            + ", which is " + e.getMessage())
                    .initCause(e);
        }
    }

    /** Returns element {@code i} as decimal text. */
    public static String text(DataType type, Object array, int i) {
        if (format(type) instanceof IntegerFormat f) {
            return f.text(load(f, array, i, 1)[0]);
        } else if (array instanceof float[] a) {
            return Float.toString(a[i]);
        }
        return Double.toString(load((FloatingFormat) format(type), array, i, 1)[0]);
    }

    /** Returns {@code count} integers from index {@code offset} on, in the form that {@link IntegerFormat} defines. */
    public static long[] load(IntegerFormat format, Object array, int offset, int count) {
        long[] values = new long[count];
        if (array instanceof byte[] a) {
            for (int i = 0; i < count; i++) {
                values[i] = format.value(a[offset + i]);
            }
        } else if (array instanceof short[] a) {
            for (int i = 0; i < count; i++) {
                values[i] = format.value(a[offset + i]);
            }
        } else if (array instanceof int[] a) {
            for (int i = 0; i < count; i++) {
                values[i] = format.value(a[offset + i]);
            }
        } else {
            System.arraycopy(array, offset, values, 0, count);
        }
        return values;
    }

    /** Returns {@code count} floating-point numbers from index {@code offset} on. */
    public static double[] load(FloatingFormat format, Object array, int offset, int count) {
        double[] values = new double[count];
        if (array instanceof float[] a) {
            for (int i = 0; i < count; i++) {
                values[i] = a[offset + i];
            }
        } else if (array instanceof double[]) {
            System.arraycopy(array, offset, values, 0, count);
        } else {
            for (int i = 0; i < count; i++) {
                values[i] = format.value(array instanceof short[] s ? s[offset + i] : ((byte[]) array)[offset + i]);
            }
        }
        return values;
    }

    /** Stores integers from index {@code offset} on. */
    private static void store(long[] values, Object array, int offset) {
        for (int i = 0; i < values.length; i++) {
            if (array instanceof byte[] a) {
                a[offset + i] = (byte) values[i];
            } else if (array instanceof short[] a) {
                a[offset + i] = (short) values[i];
            } else if (array instanceof int[] a) {
                a[offset + i] = (int) values[i];
            } else {
                ((long[]) array)[offset + i] = values[i];
            }
        }
    }

    /** Stores floating-point numbers from index {@code offset} on, small ones as their bits. */
    private static void store(FloatingFormat format, double[] values, Object array, int offset) {
        for (int i = 0; i < values.length; i++) {
            if (array instanceof float[] a) {
                a[offset + i] = (float) values[i];
            } else if (array instanceof double[] a) {
                a[offset + i] = values[i];
            } else if (array instanceof short[] a) {
                a[offset + i] = (short) format.bitsOf(values[i]);
            } else {
                ((byte[]) array)[offset + i] = (byte) format.bitsOf(values[i]);
            }
        }
    }
}
