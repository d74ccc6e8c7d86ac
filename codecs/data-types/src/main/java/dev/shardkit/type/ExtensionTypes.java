package dev.shardkit.type;

import dev.shardkit.spi.array.DataType;
import dev.shardkit.spi.array.FloatingFormat;
import dev.shardkit.spi.array.FloatingFormat.Specials;
import dev.shardkit.spi.array.IntegerFormat;
import dev.shardkit.spi.array.IntegerFormat.Sign;
import dev.shardkit.spi.type.CoreTypes;
import java.util.List;

/**
 * The registered data types (zarr-extensions), for code that creates arrays. {@code dev.shardkit.spi.type.CoreTypes}
 * contains the types of the core specification. Types that a registry creates from metadata are equal to these. All
 * types are immutable and thread-safe.
 *
 * <p>"Carried as" names the Java type that holds an element in memory. The names of small floats state their format:
 * {@code e4m3} has 4 exponent bits and 3 fraction bits, {@code b11} is an exponent bias of 11, {@code fn} is without
 * infinities, {@code uz} is without negative zero.
 */
public final class ExtensionTypes {
    /** {@code int2}: -2 to 1, carried as a {@code byte}. */
    public static final DataType INT2 = new SmallIntegerType("int2", new IntegerFormat(2, Sign.SIGNED));
    /** {@code int4}: -8 to 7, carried as a {@code byte}. */
    public static final DataType INT4 = new SmallIntegerType("int4", new IntegerFormat(4, Sign.SIGNED));
    /** {@code uint2}: 0 to 3, carried as a {@code byte}. */
    public static final DataType UINT2 = new SmallIntegerType("uint2", new IntegerFormat(2, Sign.UNSIGNED));
    /** {@code uint4}: 0 to 15, carried as a {@code byte}. */
    public static final DataType UINT4 = new SmallIntegerType("uint4", new IntegerFormat(4, Sign.UNSIGNED));
    /** {@code bfloat16}: the upper half of a binary32, carried as bit patterns. */
    public static final DataType BFLOAT16 = new SmallFloatType("bfloat16", FloatingFormat.BFLOAT16);
    /** {@code float8_e3m4}. */
    public static final DataType FLOAT8_E3M4 = floating("float8_e3m4", 3, 4, 3, Specials.IEEE);
    /** {@code float8_e4m3}. */
    public static final DataType FLOAT8_E4M3 = floating("float8_e4m3", 4, 3, 7, Specials.IEEE);
    /** {@code float8_e5m2}. */
    public static final DataType FLOAT8_E5M2 = floating("float8_e5m2", 5, 2, 15, Specials.IEEE);
    /** {@code float8_e4m3fnuz}. */
    public static final DataType FLOAT8_E4M3FNUZ = floating("float8_e4m3fnuz", 4, 3, 8, Specials.NAN_FOR_NEGATIVE_ZERO);
    /** {@code float8_e4m3b11fnuz}. */
    public static final DataType FLOAT8_E4M3B11FNUZ =
            floating("float8_e4m3b11fnuz", 4, 3, 11, Specials.NAN_FOR_NEGATIVE_ZERO);
    /** {@code float8_e5m2fnuz}. */
    public static final DataType FLOAT8_E5M2FNUZ =
            floating("float8_e5m2fnuz", 5, 2, 16, Specials.NAN_FOR_NEGATIVE_ZERO);
    /** {@code float8_e8m0fnu}: powers of two, without zero and negative numbers. */
    public static final DataType FLOAT8_E8M0FNU = floating("float8_e8m0fnu", 8, 0, 127, Specials.POWERS_OF_TWO);
    /** {@code float6_e2m3fn}. */
    public static final DataType FLOAT6_E2M3FN = floating("float6_e2m3fn", 2, 3, 1, Specials.NONE);
    /** {@code float6_e3m2fn}. */
    public static final DataType FLOAT6_E3M2FN = floating("float6_e3m2fn", 3, 2, 3, Specials.NONE);
    /** {@code float4_e2m1fn}. */
    public static final DataType FLOAT4_E2M1FN = floating("float4_e2m1fn", 2, 1, 1, Specials.NONE);

    private ExtensionTypes() {}

    private static DataType floating(String name, int exponentBits, int fractionBits, int bias, Specials specials) {
        return new SmallFloatType(name, new FloatingFormat(exponentBits, fractionBits, bias, specials));
    }

    /**
     * Returns {@code fixed_length_utf32}: text of at most {@code codePoints} code points.
     *
     * @throws dev.shardkit.spi.error.MetadataException unless {@code codePoints} is positive and an element fits into a
     *     chunk
     */
    public static DataType fixedLengthUtf32(long codePoints) {
        // the product of a very large count would overflow, so it is replaced by -1, which ofBytes rejects
        return Utf32Type.ofBytes(codePoints > Integer.MAX_VALUE ? -1 : 4 * codePoints);
    }

    /** Returns {@code numpy.datetime64}: times as a count of {@code unit} since the start of 1970. */
    public static NumpyTimeType datetime64(NumpyTimeType.Unit unit) {
        return new NumpyTimeType(NumpyTimeType.Kind.DATETIME64, unit, 1);
    }

    /** Returns {@code numpy.timedelta64}: durations as a count of {@code unit}. */
    public static NumpyTimeType timedelta64(NumpyTimeType.Unit unit) {
        return new NumpyTimeType(NumpyTimeType.Kind.TIMEDELTA64, unit, 1);
    }

    /**
     * Returns complex numbers of two small floats: {@code complex_bfloat16}, {@code complex_float8_e4m3} and so on.
     *
     * @param part float16, {@link #BFLOAT16}, or a float of 8, 6 or 4 bits
     * @throws IllegalArgumentException if there is no complex type of {@code part}
     */
    public static DataType complex(DataType part) {
        if (!part.equals(CoreTypes.FLOAT16) && !(part instanceof SmallFloatType)) {
            throw new IllegalArgumentException("expected float16 or a smaller float, found " + part.name());
        }
        return new SmallComplexType(part);
    }

    /**
     * Returns {@code null_terminated_bytes}: up to {@code size} bytes, carried as {@code size} bytes with zeros at the
     * end.
     */
    public static DataType nullTerminatedBytes(int size) {
        return new NullTerminatedType(size);
    }

    /** Returns the constants of this class: the types that have no configuration. */
    public static List<DataType> plain() {
        return List.of(
                INT2,
                INT4,
                UINT2,
                UINT4,
                BFLOAT16,
                FLOAT8_E3M4,
                FLOAT8_E4M3,
                FLOAT8_E5M2,
                FLOAT8_E4M3FNUZ,
                FLOAT8_E4M3B11FNUZ,
                FLOAT8_E5M2FNUZ,
                FLOAT8_E8M0FNU,
                FLOAT6_E2M3FN,
                FLOAT6_E3M2FN,
                FLOAT4_E2M1FN);
    }
}
