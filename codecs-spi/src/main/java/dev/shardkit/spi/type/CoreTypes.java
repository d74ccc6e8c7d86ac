package dev.shardkit.spi.type;

import dev.shardkit.spi.array.DataType;
import java.util.List;

/**
 * The core data types as constants, for code that creates arrays. Types named in metadata come from a registry and are
 * equal to these. Not a list of all readable types: plug-ins add others. All types are immutable and thread-safe.
 */
public final class CoreTypes {
    /** {@code bool}: a byte, 0 or 1. */
    public static final DataType BOOL = new BoolType();
    /** {@code int8}. */
    public static final DataType INT8 = new IntegerType("int8", 1, IntegerType.Sign.SIGNED);
    /** {@code int16}. */
    public static final DataType INT16 = new IntegerType("int16", 2, IntegerType.Sign.SIGNED);
    /** {@code int32}. */
    public static final DataType INT32 = new IntegerType("int32", 4, IntegerType.Sign.SIGNED);
    /** {@code int64}. */
    public static final DataType INT64 = new IntegerType("int64", 8, IntegerType.Sign.SIGNED);
    /** {@code uint8}. */
    public static final DataType UINT8 = new IntegerType("uint8", 1, IntegerType.Sign.UNSIGNED);
    /** {@code uint16}. */
    public static final DataType UINT16 = new IntegerType("uint16", 2, IntegerType.Sign.UNSIGNED);
    /** {@code uint32}. */
    public static final DataType UINT32 = new IntegerType("uint32", 4, IntegerType.Sign.UNSIGNED);
    /** {@code uint64}. */
    public static final DataType UINT64 = new IntegerType("uint64", 8, IntegerType.Sign.UNSIGNED);
    /** {@code float16}: IEEE 754 binary16, carried as bit patterns; see {@link Float16}. */
    public static final DataType FLOAT16 = new FloatType("float16", FloatFormat.BINARY16);
    /** {@code float32}: IEEE 754 binary32. */
    public static final DataType FLOAT32 = new FloatType("float32", FloatFormat.BINARY32);
    /** {@code float64}: IEEE 754 binary64. */
    public static final DataType FLOAT64 = new FloatType("float64", FloatFormat.BINARY64);
    /** {@code complex64}: two binary32. */
    public static final DataType COMPLEX64 = new ComplexType("complex64", FloatFormat.BINARY32);
    /** {@code complex128}: two binary64. */
    public static final DataType COMPLEX128 = new ComplexType("complex128", FloatFormat.BINARY64);
    /** {@code string}: UTF-8 of any length. */
    public static final DataType STRING = new StringType();
    /** {@code bytes}: bytes of any length. */
    public static final DataType BYTES = new BytesType(BytesType.NAME);
    /** {@link #BYTES} under its other name, {@code variable_length_bytes}; only the metadata differs. */
    public static final DataType VARIABLE_LENGTH_BYTES = new BytesType(BytesType.ALIAS);

    private CoreTypes() {}

    /**
     * Returns raw bits in the specification's spelling, {@code r24} for 24 bits. Every reader that follows the
     * specification supports it; zarr-python (3.1.6) does not, see {@link #rawBytes}.
     *
     * @throws dev.shardkit.spi.error.MetadataException unless {@code bits} is a positive multiple of 8
     */
    public static DataType rawBits(long bits) {
        return RawBitsType.ofBits(bits);
    }

    /**
     * Returns raw bits in the spelling that zarr-python writes and reads: {@code raw_bytes} with the length in bytes.
     * Equal to {@link #rawBits} of the same size; only the metadata differs.
     *
     * @throws dev.shardkit.spi.error.MetadataException unless {@code bytes} is positive
     */
    public static DataType rawBytes(long bytes) {
        return RawBitsType.ofBytes(bytes);
    }

    /** Returns all core types except raw bits, which exist in any size. */
    public static List<DataType> all() {
        return List.of(
                BOOL,
                INT8,
                INT16,
                INT32,
                INT64,
                UINT8,
                UINT16,
                UINT32,
                UINT64,
                FLOAT16,
                FLOAT32,
                FLOAT64,
                COMPLEX64,
                COMPLEX128,
                STRING,
                BYTES);
    }
}
