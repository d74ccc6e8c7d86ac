package dev.shardkit.imglib2;

import dev.shardkit.spi.array.DataType;
import dev.shardkit.spi.array.FloatingFormat;
import dev.shardkit.spi.array.IntegerFormat;
import dev.shardkit.spi.array.NumberFormat;
import dev.shardkit.spi.error.UnsupportedException;
import dev.shardkit.spi.type.CoreTypes;
import java.util.Arrays;
import java.util.Optional;
import java.util.stream.Collectors;
import net.imglib2.Volatile;
import net.imglib2.type.NativeType;
import net.imglib2.type.logic.NativeBoolType;
import net.imglib2.type.numeric.integer.ByteType;
import net.imglib2.type.numeric.integer.IntType;
import net.imglib2.type.numeric.integer.LongType;
import net.imglib2.type.numeric.integer.ShortType;
import net.imglib2.type.numeric.integer.UnsignedByteType;
import net.imglib2.type.numeric.integer.UnsignedIntType;
import net.imglib2.type.numeric.integer.UnsignedLongType;
import net.imglib2.type.numeric.integer.UnsignedShortType;
import net.imglib2.type.numeric.real.DoubleType;
import net.imglib2.type.numeric.real.FloatType;
import net.imglib2.type.volatiles.VolatileByteType;
import net.imglib2.type.volatiles.VolatileDoubleType;
import net.imglib2.type.volatiles.VolatileFloatType;
import net.imglib2.type.volatiles.VolatileIntType;
import net.imglib2.type.volatiles.VolatileLongType;
import net.imglib2.type.volatiles.VolatileShortType;
import net.imglib2.type.volatiles.VolatileUnsignedByteType;
import net.imglib2.type.volatiles.VolatileUnsignedIntType;
import net.imglib2.type.volatiles.VolatileUnsignedLongType;
import net.imglib2.type.volatiles.VolatileUnsignedShortType;
import org.jspecify.annotations.Nullable;

/** The pixel types of ImgLib2, each with the data type that has the same bits. */
enum PixelType {
    BOOL(CoreTypes.BOOL, new NativeBoolType(), null),
    INT8(CoreTypes.INT8, new ByteType(), new VolatileByteType()),
    UINT8(CoreTypes.UINT8, new UnsignedByteType(), new VolatileUnsignedByteType()),
    INT16(CoreTypes.INT16, new ShortType(), new VolatileShortType()),
    UINT16(CoreTypes.UINT16, new UnsignedShortType(), new VolatileUnsignedShortType()),
    INT32(CoreTypes.INT32, new IntType(), new VolatileIntType()),
    UINT32(CoreTypes.UINT32, new UnsignedIntType(), new VolatileUnsignedIntType()),
    INT64(CoreTypes.INT64, new LongType(), new VolatileLongType()),
    UINT64(CoreTypes.UINT64, new UnsignedLongType(), new VolatileUnsignedLongType()),
    FLOAT32(CoreTypes.FLOAT32, new FloatType(), new VolatileFloatType()),
    FLOAT64(CoreTypes.FLOAT64, new DoubleType(), new VolatileDoubleType());

    private final DataType dataType;
    private final NativeType<?> plain;
    private final Optional<NativeType<?>> volatileType;

    PixelType(DataType dataType, NativeType<?> plain, @Nullable NativeType<?> volatileType) {
        this.dataType = dataType;
        this.plain = plain;
        this.volatileType = Optional.ofNullable(volatileType);
    }

    /** Returns the pixel type for the elements of an array. Numbers that ImgLib2 lacks, such as int4, are widened. */
    static PixelType of(DataType type, String location) {
        for (PixelType pixel : values()) {
            if (pixel.dataType.equals(type)) {
                return pixel;
            }
        }
        return number(type)
                .flatMap(PixelType::wider)
                .orElseThrow(() -> new UnsupportedException(location + ": ImgLib2 has no pixel type for the data type "
                        + type.name() + "; expected bool, an integer or a floating-point number"));
    }

    /** Returns the format of real numbers; empty for complex numbers, which are pairs of words, and other elements. */
    static Optional<NumberFormat> number(DataType type) {
        boolean isOneWord = type.elementSize().orElse(0) == type.carrier().wordSize();
        return isOneWord ? type.number() : Optional.empty();
    }

    private static Optional<PixelType> wider(NumberFormat format) {
        if (format instanceof IntegerFormat whole && whole.bits() <= 8) {
            return Optional.of(whole.isSigned() ? INT8 : UINT8);
        }
        boolean fits = format instanceof FloatingFormat floating
                && floating.fractionBits() <= FloatingFormat.BINARY32.fractionBits()
                && floating.exponentBits() <= FloatingFormat.BINARY32.exponentBits()
                && floating.bias() <= FloatingFormat.BINARY32.bias();
        return fits ? Optional.of(FLOAT32) : Optional.empty();
    }

    /**
     * Returns the pixel type of an image.
     *
     * @throws IllegalArgumentException if no data type has these pixels
     */
    static PixelType of(NativeType<?> type) {
        for (PixelType pixel : values()) {
            if (pixel.plain.getClass() == type.getClass()) {
                return pixel;
            }
        }
        throw new IllegalArgumentException("expected an image of one of the types " + names() + ", found "
                + type.getClass().getSimpleName());
    }

    private static String names() {
        return Arrays.stream(values())
                .map(p -> p.plain.getClass().getSimpleName())
                .collect(Collectors.joining(", "));
    }

    /** Returns the data type with the same bits. */
    DataType dataType() {
        return dataType;
    }

    /** Returns a pixel of this type. */
    NativeType<?> plain() {
        return plain;
    }

    /**
     * Checks the type that a caller expects.
     *
     * @throws IllegalArgumentException if the pixels have another type
     */
    void check(NativeType<?> expected, String location) {
        NativeType<?> own = expected instanceof Volatile<?> ? volatileType.orElse(plain) : plain;
        if (own.getClass() != expected.getClass()) {
            throw new IllegalArgumentException(
                    location + ": the pixels are of type " + own.getClass().getSimpleName() + ", not "
                            + expected.getClass().getSimpleName());
        }
    }
}
