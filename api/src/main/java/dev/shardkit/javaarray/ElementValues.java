package dev.shardkit.javaarray;

import dev.shardkit.spi.array.DataType;
import dev.shardkit.spi.array.FloatingFormat;
import dev.shardkit.spi.array.Shapes;
import dev.shardkit.spi.type.Float16;
import java.math.BigInteger;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Reads single elements of carriers, the Java arrays that hold elements, as {@code BigInteger} or {@code double}, and
 * compares carriers. Stateless, thread-safe.
 */
public final class ElementValues {
    private ElementValues() {}

    /**
     * Returns element {@code i} of an integer type. Unsigned values are never negative.
     *
     * @throws IllegalArgumentException if the data type is not an integer type
     */
    public static BigInteger integer(DataType type, Object array, int i) {
        long bits;
        if (bitsOfFloats(type, array) != null) {
            throw notInteger(type);
        } else if (array instanceof byte[] a && JavaArrayAdapters.wordsPerElement(type) == 1) {
            bits = a[i];
        } else if (array instanceof short[] a) {
            bits = a[i];
        } else if (array instanceof int[] a) {
            bits = a[i];
        } else if (array instanceof long[] a) {
            bits = a[i];
        } else {
            throw notInteger(type);
        }
        BigInteger value = BigInteger.valueOf(bits);
        return bits < 0 && type.name().startsWith("uint")
                ? value.add(BigInteger.ONE.shiftLeft(8 * type.carrier().wordSize()))
                : value;
    }

    private static IllegalArgumentException notInteger(DataType type) {
        return new IllegalArgumentException("data type " + type.name() + " is not an integer type");
    }

    /** Returns element {@code i} of a floating-point or integer type. 64-bit integers are rounded. */
    public static double real(DataType type, Object array, int i) {
        if (array instanceof float[] a && JavaArrayAdapters.wordsPerElement(type) == 1) {
            return a[i];
        } else if (array instanceof double[] a && JavaArrayAdapters.wordsPerElement(type) == 1) {
            return a[i];
        }
        FloatingFormat format = bitsOfFloats(type, array);
        return format != null
                ? floating(format, array, i)
                : integer(type, array, i).doubleValue();
    }

    /** Returns the format of a floating-point type whose elements are carried as bits; null for other types. */
    private static @Nullable FloatingFormat bitsOfFloats(DataType type, Object array) {
        boolean isBits = array instanceof short[] || array instanceof byte[];
        return isBits && type.number().orElse(null) instanceof FloatingFormat f ? f : null;
    }

    private static float floating(FloatingFormat format, Object array, int i) {
        if (array instanceof byte[] bits) {
            return (float) format.value(bits[i]);
        }
        short bits = ((short[]) array)[i];
        return format.equals(FloatingFormat.BINARY16) ? Float16.toFloat(bits) : (float) format.value(bits);
    }

    /**
     * Returns the index of the element at {@code position} in C order.
     *
     * @throws IndexOutOfBoundsException if {@code position} is outside the shape
     */
    public static int index(long[] shape, long... position) {
        boolean inside = position.length == shape.length;
        for (int d = 0; inside && d < position.length; d++) {
            inside = position[d] >= 0 && position[d] < shape[d];
        }
        if (!inside) {
            throw new IndexOutOfBoundsException(
                    "index " + Arrays.toString(position) + " into shape " + Arrays.toString(shape));
        }
        return (int) Shapes.ravel(position, shape);
    }

    /** Compares all elements, floating-point numbers by their bits. */
    public static boolean equal(Object array, Object other) {
        return Arrays.deepEquals(new Object[] {comparable(array)}, new Object[] {comparable(other)});
    }

    /** Returns the bits of floating-point numbers as integers, which compare by bits; other arrays as they are. */
    private static Object comparable(Object array) {
        if (array instanceof float[] f) {
            int[] bits = new int[f.length];
            Arrays.setAll(bits, i -> Float.floatToRawIntBits(f[i]));
            return bits;
        } else if (array instanceof double[] d) {
            return Arrays.stream(d).mapToLong(Double::doubleToRawLongBits).toArray();
        }
        return array;
    }
}
