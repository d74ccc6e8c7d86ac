package dev.shardkit;

import dev.shardkit.carrier.JavaArrays;
import dev.shardkit.spi.array.Box;
import dev.shardkit.spi.array.DataType;
import dev.shardkit.spi.array.FloatingFormat;
import dev.shardkit.spi.array.Shapes;
import dev.shardkit.spi.type.Float16;
import java.math.BigInteger;
import java.util.Arrays;
import java.util.Optional;

/**
 * Elements in memory with their shape: what a read gives and a write takes. The elements lie in one Java array in C
 * order, which is shared, not copied. As thread-safe as that array. Not a library for computing with arrays.
 *
 * <table><caption>Carriers</caption>
 * <tr><th>data type</th><th>Java array</th></tr>
 * <tr><td>bool</td><td>{@code boolean[]}</td></tr>
 * <tr><td>int8/uint8, 16, 32, 64</td><td>{@code byte[], short[], int[], long[]}</td></tr>
 * <tr><td>float16 (bits), float32, float64</td><td>{@code short[], float[], double[]}</td></tr>
 * <tr><td>bfloat16 (bits); float8, float6 and float4 kinds (bits)</td><td>{@code short[]; byte[]}</td></tr>
 * <tr><td>int2, int4, uint2, uint4</td><td>{@code byte[]}</td></tr>
 * <tr><td>numpy.datetime64, numpy.timedelta64</td><td>{@code long[]}: steps of the type's unit</td></tr>
 * <tr><td>complex64, complex128</td><td>{@code float[], double[]}: real, imaginary, real ...</td></tr>
 * <tr><td>r*</td><td>{@code byte[]}: the bytes of each element</td></tr>
 * <tr><td>string, fixed_length_utf32; bytes</td><td>{@code String[]}; {@code byte[][]}</td></tr>
 * </table>
 */
public final class NdArray {
    private final DataType type;
    private final long[] shape;
    private final Object array;

    private NdArray(DataType type, long[] shape, Object array) {
        this.type = type;
        this.shape = shape;
        this.array = array;
    }

    /**
     * Wraps a Java array.
     *
     * @throws IllegalArgumentException if it does not carry {@code type} or has not the length of {@code shape}
     */
    public static NdArray of(DataType type, long[] shape, Object array) {
        JavaArrays.check(type, shape, array, 0);
        int n = JavaArrays.length(type, shape);
        if (java.lang.reflect.Array.getLength(array) != n) {
            throw new IllegalArgumentException("shape " + Arrays.toString(shape) + " of " + type.name() + " needs " + n
                    + " places, the array has " + java.lang.reflect.Array.getLength(array));
        }
        return new NdArray(type, shape.clone(), array);
    }

    /** The elements' type. */
    public DataType dataType() {
        return type;
    }

    /** The shape. */
    public long[] shape() {
        return shape.clone();
    }

    /** How many elements. */
    public long count() {
        return Shapes.count(shape);
    }

    /** The Java array, shared; its class follows from the data type. */
    public Object array() {
        return array;
    }

    /** The elements of a bool array, shared. */
    public boolean[] booleans() {
        return as(boolean[].class);
    }

    /** The elements of an int8 or uint8 array or of smaller numbers, or the bytes of raw bits, shared. */
    public byte[] bytes() {
        return as(byte[].class);
    }

    /** The elements of an int16 or uint16 array, or the bits of float16 or bfloat16, shared. */
    public short[] shorts() {
        return as(short[].class);
    }

    /** The elements of an int32 or uint32 array, shared. */
    public int[] ints() {
        return as(int[].class);
    }

    /** The elements of an int64 or uint64 array, or the steps of numpy.datetime64 and numpy.timedelta64, shared. */
    public long[] longs() {
        return as(long[].class);
    }

    /** The elements of a float32 or complex64 array, shared; those of a float16 or smaller kind, converted. */
    public float[] floats() {
        Optional<FloatingFormat> format = bitsOfFloats();
        if (format.isEmpty()) {
            return as(float[].class);
        }
        float[] values = new float[java.lang.reflect.Array.getLength(array)];
        for (int i = 0; i < values.length; i++) {
            values[i] = floatAt(format.get(), i);
        }
        return values;
    }

    /** The format of floating-point numbers that are carried as their bits; empty for other types. */
    private Optional<FloatingFormat> bitsOfFloats() {
        boolean bits = array instanceof short[] || array instanceof byte[];
        return bits && type.number().orElse(null) instanceof FloatingFormat f ? Optional.of(f) : Optional.empty();
    }

    private float floatAt(FloatingFormat format, int i) {
        if (array instanceof byte[] bits) {
            return (float) format.value(bits[i]);
        }
        short bits = ((short[]) array)[i];
        return format.equals(FloatingFormat.BINARY16) ? Float16.toFloat(bits) : (float) format.value(bits);
    }

    /** The elements of a float64 or complex128 array, shared. */
    public double[] doubles() {
        return as(double[].class);
    }

    /** The elements of a string or fixed_length_utf32 array, shared. */
    public String[] strings() {
        return as(String[].class);
    }

    /** The elements of a bytes array, shared. */
    public byte[][] byteArrays() {
        return as(byte[][].class);
    }

    private <A> A as(Class<A> wanted) {
        if (!wanted.isInstance(array)) {
            throw new IllegalArgumentException("data type " + type.name() + " is carried by "
                    + array.getClass().getSimpleName() + ", not by " + wanted.getSimpleName());
        }
        return wanted.cast(array);
    }

    /**
     * An element of an integer type, unsigned ones as they are meant.
     *
     * @throws IllegalArgumentException if the type is no integer
     * @throws IndexOutOfBoundsException if {@code at} lies outside
     */
    public BigInteger integerAt(long... at) {
        int i = index(at);
        long bits;
        if (bitsOfFloats().isPresent()) {
            throw new IllegalArgumentException("data type " + type.name() + " is no integer");
        } else if (array instanceof byte[] a && JavaArrays.wordsPerElement(type) == 1) {
            bits = a[i];
        } else if (array instanceof short[] a) {
            bits = a[i];
        } else if (array instanceof int[] a) {
            bits = a[i];
        } else if (array instanceof long[] a) {
            bits = a[i];
        } else {
            throw new IllegalArgumentException("data type " + type.name() + " is no integer");
        }
        BigInteger value = BigInteger.valueOf(bits);
        return bits < 0 && type.name().startsWith("uint")
                ? value.add(BigInteger.ONE.shiftLeft(8 * type.carrier().wordSize()))
                : value;
    }

    /** An integer element as a {@code long}; {@link ArithmeticException} above 2^63-1. */
    public long longAt(long... at) {
        return integerAt(at).longValueExact();
    }

    /** An element of a floating-point or integer type as a {@code double} (64-bit integers rounded). */
    public double doubleAt(long... at) {
        if (array instanceof float[] a && JavaArrays.wordsPerElement(type) == 1) {
            return a[index(at)];
        } else if (array instanceof double[] a && JavaArrays.wordsPerElement(type) == 1) {
            return a[index(at)];
        } else if (bitsOfFloats().isPresent()) {
            return floatAt(bitsOfFloats().get(), index(at));
        }
        return integerAt(at).doubleValue();
    }

    private int index(long... at) {
        if (at.length != shape.length) {
            throw new IndexOutOfBoundsException(
                    "index " + Arrays.toString(at) + " into shape " + Arrays.toString(shape));
        }
        for (int d = 0; d < at.length; d++) {
            if (at[d] < 0 || at[d] >= shape[d]) {
                throw new IndexOutOfBoundsException(
                        "index " + Arrays.toString(at) + " into shape " + Arrays.toString(shape));
            }
        }
        return (int) Shapes.ravel(at, shape);
    }

    /** This, which must have the shape of a region that it is to fill. */
    NdArray filling(Box region) {
        if (!Arrays.equals(region.shape(), shape)) {
            throw new IllegalArgumentException(
                    "region " + region + " is overwritten by values of its own shape, found " + Arrays.toString(shape));
        }
        return this;
    }

    /** Whether type, shape and all elements are equal; floating-point numbers by their bits. */
    @Override
    public boolean equals(Object other) {
        return other instanceof NdArray n
                && type.name().equals(n.type.name())
                && Arrays.equals(shape, n.shape)
                && Arrays.deepEquals(new Object[] {bits()}, new Object[] {n.bits()});
    }

    private Object bits() {
        if (array instanceof float[] f) {
            int[] bits = new int[f.length];
            Arrays.setAll(bits, i -> Float.floatToRawIntBits(f[i]));
            return bits;
        } else if (array instanceof double[] d) {
            return Arrays.stream(d).mapToLong(Double::doubleToRawLongBits).toArray();
        }
        return array;
    }

    @Override
    public int hashCode() {
        return 31 * type.name().hashCode() + Arrays.hashCode(shape);
    }

    @Override
    public String toString() {
        return type.name() + Arrays.toString(shape);
    }
}
