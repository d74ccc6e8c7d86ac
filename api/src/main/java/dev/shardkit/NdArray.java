package dev.shardkit;

import dev.shardkit.javaarray.ArrayCopies;
import dev.shardkit.javaarray.ArrayText;
import dev.shardkit.javaarray.ElementValues;
import dev.shardkit.javaarray.JavaArrayAdapters;
import dev.shardkit.javaarray.NumberArrays;
import dev.shardkit.javaarray.RecordFields;
import dev.shardkit.javaarray.Reductions;
import dev.shardkit.region.box.RegionCheck;
import dev.shardkit.spi.array.Box;
import dev.shardkit.spi.array.Carrier;
import dev.shardkit.spi.array.DataType;
import dev.shardkit.spi.array.Field;
import dev.shardkit.spi.array.NumberCast;
import dev.shardkit.spi.array.Shapes;
import dev.shardkit.spi.type.CoreTypes;
import java.math.BigInteger;
import java.util.Arrays;
import java.util.stream.IntStream;

/**
 * Elements in memory with their shape, as reads return them and writes accept them. The elements are in one Java array
 * in C order, which is shared, not copied. As thread-safe as that Java array.
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
 * <tr><td>r*, struct, null_terminated_bytes</td><td>{@code byte[]}: the bytes of each element</td></tr>
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
     * @throws IllegalArgumentException if the Java array is not the carrier of {@code type}, or its length does not
     *     match {@code shape}
     */
    public static NdArray of(DataType type, long[] shape, Object array) {
        JavaArrayAdapters.check(type, shape, array, 0);
        int length = JavaArrayAdapters.length(type, shape);
        if (java.lang.reflect.Array.getLength(array) != length) {
            throw new IllegalArgumentException("shape " + Arrays.toString(shape) + " of " + type.name() + " needs "
                    + length + " array elements, found " + java.lang.reflect.Array.getLength(array));
        }
        return new NdArray(type, shape.clone(), array);
    }

    /** Returns the data type. */
    public DataType dataType() {
        return type;
    }

    /** Returns the shape. */
    public long[] shape() {
        return shape.clone();
    }

    /** Returns the number of elements. */
    public long count() {
        return Shapes.count(shape);
    }

    /** Returns the Java array, shared. The data type determines its class. */
    public Object array() {
        return array;
    }

    /** Returns the elements of a bool array, shared. */
    public boolean[] booleans() {
        return as(boolean[].class);
    }

    /** Returns the elements of an int8 or uint8 array or of a smaller type, or the bytes of raw bits, shared. */
    public byte[] bytes() {
        return as(byte[].class);
    }

    /** Returns the elements of an int16 or uint16 array, or the bits of a float16 or bfloat16 array, shared. */
    public short[] shorts() {
        return as(short[].class);
    }

    /**
     * Returns the elements of an int32 or uint32 array, shared; uint32 as bits. Converts elements of other number
     * types.
     *
     * @throws ArithmeticException if an element is not an int32; see {@link #convert(DataType, NumberCast)}
     */
    public int[] ints() {
        return array instanceof int[] own ? own : convert(CoreTypes.INT32).ints();
    }

    /**
     * Returns the elements of an int64 or uint64 array, or the steps of numpy.datetime64 and numpy.timedelta64, shared;
     * uint64 as bits. Converts elements of other number types.
     *
     * @throws ArithmeticException if an element is not an int64; see {@link #convert(DataType, NumberCast)}
     */
    public long[] longs() {
        return array instanceof long[] own ? own : convert(CoreTypes.INT64).longs();
    }

    /**
     * Returns the elements of a float32 or complex64 array, shared. Converts elements of other number types.
     *
     * @throws ArithmeticException if a float32 does not represent an element exactly; see {@link #convert(DataType,
     *     NumberCast)}
     */
    public float[] floats() {
        return array instanceof float[] own ? own : convert(CoreTypes.FLOAT32).floats();
    }

    /**
     * Returns the elements of a float64 or complex128 array, shared. Converts elements of other number types.
     *
     * @throws ArithmeticException if a float64 does not represent an element exactly; see {@link #convert(DataType,
     *     NumberCast)}
     */
    public double[] doubles() {
        return array instanceof double[] own ? own : convert(CoreTypes.FLOAT64).doubles();
    }

    /** Converts the elements to another number type, exactly; see {@link #convert(DataType, NumberCast)}. */
    public NdArray convert(DataType target) {
        return convert(target, NumberCast.EXACT);
    }

    /**
     * Converts the elements to another number type.
     *
     * @param cast which elements are rounded, clamped or refused
     * @return a copy, or this array if it has that type
     * @throws IllegalArgumentException if the elements of one of the types are not real numbers
     * @throws ArithmeticException if {@code cast} refuses an element
     */
    public NdArray convert(DataType target, NumberCast cast) {
        return target.equals(type) ? this : new NdArray(target, shape, NumberArrays.convert(type, array, target, cast));
    }

    /**
     * Returns a copy of a region.
     *
     * @throws IndexOutOfBoundsException if the region reaches outside this array
     */
    public NdArray slice(Box region) {
        long first = Shapes.ravel(RegionCheck.in(shape, region).origin(), shape);
        return new NdArray(
                type, region.shape(), ArrayCopies.copy(type, array, first, Shapes.strides(shape), region.shape()));
    }

    /**
     * Returns a copy with its dimensions reordered: dimension i of the copy is dimension {@code order[i]} of this
     * array.
     *
     * @throws IllegalArgumentException if {@code order} is not a permutation of the dimensions
     */
    public NdArray transpose(int... order) {
        if (!Arrays.equals(
                Arrays.stream(order).sorted().toArray(),
                IntStream.range(0, shape.length).toArray())) {
            throw new IllegalArgumentException(
                    "expected a permutation of " + shape.length + " dimensions, found " + Arrays.toString(order));
        }
        long[] changed = Shapes.permute(shape, order);
        long[] strides = Shapes.permute(Shapes.strides(shape), order);
        return new NdArray(type, changed, ArrayCopies.copy(type, array, 0, strides, changed));
    }

    /** Returns a copy of a field of records ({@code struct}); a nested record has fields of its own. */
    public NdArray field(String name) {
        Field field = RecordFields.find(type, name);
        return new NdArray(field.type(), shape, RecordFields.get(type, shape, bytes(), field));
    }

    /** Returns a copy of these records in which a field has the given values, an array of the same shape. */
    public NdArray withField(String name, NdArray values) {
        Field field = RecordFields.find(type, name);
        Object fieldValues = values.filling(Box.of(shape)).as(field.type()).array;
        return new NdArray(type, shape, RecordFields.with(type, shape, bytes(), field, fieldValues));
    }

    /** Returns the least element as a {@code double}; NaN if an element is NaN, as in NumPy. Needs an element. */
    public double min() {
        return Reductions.min(type, array);
    }

    /** Returns the greatest element as a {@code double}; NaN if an element is NaN, as in NumPy. Needs an element. */
    public double max() {
        return Reductions.max(type, array);
    }

    /** Returns the sum of the elements. The sum of integers is exact before it becomes a {@code double}. */
    public double sum() {
        return Reductions.sum(type, array);
    }

    /** Returns the mean of the elements; NaN if there are none. */
    public double mean() {
        return sum() / count();
    }

    /** Returns the elements of a string or fixed_length_utf32 array, shared. */
    public String[] strings() {
        return as(String[].class);
    }

    /** Returns the elements of a bytes array, shared. */
    public byte[][] byteArrays() {
        return as(byte[][].class);
    }

    private <A> A as(Class<A> arrayClass) {
        if (!arrayClass.isInstance(array)) {
            throw new IllegalArgumentException("elements of data type " + type.name() + " are in "
                    + JavaArrayAdapters.named(array.getClass()) + ", not in " + JavaArrayAdapters.named(arrayClass));
        }
        return arrayClass.cast(array);
    }

    /**
     * Returns an element of an integer type. Unsigned values are never negative.
     *
     * @throws IllegalArgumentException if the data type is not an integer type
     * @throws IndexOutOfBoundsException if {@code index} is outside the shape
     */
    public BigInteger integerAt(long... index) {
        return ElementValues.integer(type, array, ElementValues.index(shape, index));
    }

    /** Returns an integer element as a {@code long}. Throws {@link ArithmeticException} above 2^63-1. */
    public long longAt(long... index) {
        return integerAt(index).longValueExact();
    }

    /** Returns an element of a floating-point or integer type as a {@code double}. 64-bit integers are rounded. */
    public double doubleAt(long... index) {
        return ElementValues.real(type, array, ElementValues.index(shape, index));
    }

    /** Returns this array. Throws {@code IllegalArgumentException} unless it has the shape of {@code region}. */
    NdArray filling(Box region) {
        if (!Arrays.equals(region.shape(), shape)) {
            throw new IllegalArgumentException(
                    "expected values with the shape of region " + region + ", found shape " + Arrays.toString(shape));
        }
        return this;
    }

    /**
     * Returns the elements as {@code target} stores them. Converts real numbers of another type, exactly.
     *
     * @throws IllegalArgumentException if the types differ and one of them has no real numbers
     * @throws ArithmeticException if {@code target} does not represent a number exactly
     */
    NdArray as(DataType target) {
        boolean areNumbers = NumberArrays.isReal(type) && NumberArrays.isReal(target);
        return areNumbers && !isStoredAs(target) ? convert(target) : ofType(target);
    }

    /**
     * Returns this array, if its elements mean the same in an array of type {@code expected}. The class of the Java
     * array does not tell: a {@code byte[]} may hold int8 or uint8.
     *
     * @throws IllegalArgumentException if the elements are of another data type
     */
    NdArray ofType(DataType expected) {
        if (!isStoredAs(expected)) {
            throw new IllegalArgumentException("expected elements of data type " + expected.json() + ", found "
                    + type.json()
                    + (NumberArrays.isReal(type) && NumberArrays.isReal(expected)
                            ? "; convert them by NdArray.convert"
                            : ""));
        }
        return this;
    }

    /** Returns whether a Java array means the same in both types: they are equal, both text, or the same numbers. */
    private boolean isStoredAs(DataType other) {
        return type.equals(other)
                || isText(type) && isText(other)
                || NumberArrays.isReal(type)
                        && NumberArrays.isReal(other)
                        && type.number().equals(other.number());
    }

    private static boolean isText(DataType type) {
        return type.carrier() == Carrier.STRING || type.carrier() == Carrier.UTF32;
    }

    /** Compares type, shape and all elements. Floating-point numbers are compared by their bits. */
    @Override
    public boolean equals(Object other) {
        return other instanceof NdArray that
                && type.equals(that.type)
                && Arrays.equals(shape, that.shape)
                && ElementValues.equal(array, that.array);
    }

    @Override
    public int hashCode() {
        return 31 * type.hashCode() + Arrays.hashCode(shape);
    }

    /** Returns type, shape and elements, as NumPy shows them: of large arrays only the first and last ones. */
    @Override
    public String toString() {
        return type.name()
                + Arrays.toString(shape)
                + (shape.length > 0 ? "\n" : " ")
                + new ArrayText(type, shape, array);
    }
}
