package dev.shardkit.codec.scaleoffset;

import dev.shardkit.codec.support.Elementwise;
import dev.shardkit.codec.support.NumberOrigin;
import dev.shardkit.codec.support.StoredNumbers;
import dev.shardkit.spi.Config;
import dev.shardkit.spi.array.ChunkType;
import dev.shardkit.spi.array.DataType;
import dev.shardkit.spi.array.FillValue;
import dev.shardkit.spi.array.FloatingFormat;
import dev.shardkit.spi.array.IntegerFormat;
import dev.shardkit.spi.array.NumberFormat;
import dev.shardkit.spi.codec.ArrayToArrayCodec;
import dev.shardkit.spi.codec.BoundArrayToArrayCodec;
import dev.shardkit.spi.error.MetadataException;
import dev.shardkit.spi.json.Json;
import java.nio.ByteBuffer;
import java.util.Optional;
import java.util.function.DoubleUnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * The {@code scale_offset} codec (zarr-extensions): stores {@code (x - offset) * scale} in the array's own type, reads
 * {@code x / scale + offset}. An intermediate result that the type cannot represent is an error. Division of integers
 * must have no remainder. Immutable and thread-safe.
 *
 * @param offset the offset as the metadata states it, null for 0
 * @param scale the scale as the metadata states it, null for 1
 */
record ScaleOffsetCodec(@Nullable Json offset, @Nullable Json scale) implements ArrayToArrayCodec {
    static final String NAME = "scale_offset";
    static final String OFFSET = "offset";
    static final String SCALE = "scale";

    /** Reads an optional number, in the form of a fill value. */
    static @Nullable Json scalar(Config config, String name) {
        Optional<Json> json = config.json(name);
        if (json.isPresent() && !(json.get() instanceof Json.Num) && !(json.get() instanceof Json.Str)) {
            throw Config.expected(config.at(name), "a number in the form of a fill value", json.get());
        }
        return json.orElse(null);
    }

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public Json.Obj configuration() {
        Json.Obj json = offset == null ? Json.object() : Json.object().with(OFFSET, offset);
        return scale == null ? json : json.with(SCALE, scale);
    }

    @Override
    public BoundArrayToArrayCodec bind(ChunkType decoded) {
        DataType type = decoded.dataType();
        NumberFormat format = StoredNumbers.real(NAME, type);
        if (offset == null && scale == null) {
            return new Elementwise(decoded, decoded, Elementwise.SAME, Elementwise.SAME);
        }
        FillValue fill = Elementwise.fill(kernel(type, format, NumberOrigin.FILL), decoded.fill(), type);
        return new Elementwise(
                decoded,
                ChunkType.of(type, fill, decoded.shape()),
                kernel(type, format, NumberOrigin.ENCODE),
                kernel(type, format, NumberOrigin.DECODE));
    }

    /** Returns the kernel that encodes or decodes elements of a type. */
    private Elementwise.Kernel kernel(DataType type, NumberFormat format, NumberOrigin direction) {
        if (format instanceof IntegerFormat wholeFormat) {
            long offsetValue = offset == null ? 0 : value(OFFSET, type, wholeFormat, offset);
            long scaleValue = scale == null ? 1 : value(SCALE, type, wholeFormat, scale);
            refuseZero(scaleValue == 0);
            WholeArithmetic numbers = new WholeArithmetic(wholeFormat);
            return (in, out, n) -> runWhole(type, numbers, offsetValue, scaleValue, direction, in, out, n);
        }
        FloatingFormat floating = (FloatingFormat) format;
        double offsetValue = offset == null ? 0 : value(OFFSET, type, floating, offset);
        double scaleValue = scale == null ? 1 : value(SCALE, type, floating, scale);
        refuseZero(scaleValue == 0);
        DoubleUnaryOperator op = direction == NumberOrigin.DECODE
                ? x -> floating.round(floating.round(x / scaleValue) + offsetValue)
                : x -> floating.round(floating.round(x - offsetValue) * scaleValue);
        return (in, out, n) -> runFloating(type, floating, op, direction, in, out, n);
    }

    private static void refuseZero(boolean isScaleZero) {
        if (isScaleZero) {
            throw new MetadataException("codec " + NAME + ": expected a scale other than 0, found 0");
        }
    }

    private static long value(String description, DataType type, IntegerFormat format, Json json) {
        FillValue scalar = StoredNumbers.scalar("codec " + NAME + ": " + description, type, json);
        ByteBuffer word = ByteBuffer.wrap(scalar.bytes()).order(java.nio.ByteOrder.LITTLE_ENDIAN);
        return StoredNumbers.load(format, scalar.size(), word, 1)[0];
    }

    private static double value(String description, DataType type, FloatingFormat format, Json json) {
        FillValue scalar = StoredNumbers.scalar("codec " + NAME + ": " + description, type, json);
        ByteBuffer word = ByteBuffer.wrap(scalar.bytes()).order(java.nio.ByteOrder.LITTLE_ENDIAN);
        double value = StoredNumbers.load(format, scalar.size(), word, 1)[0];
        if (!Double.isFinite(value)) {
            throw Config.expected("codec " + NAME + ": " + description, "a finite number of " + type.name(), json);
        }
        return value;
    }

    /** Encodes or decodes {@code n} integers. */
    private static void runWhole(
            DataType type,
            WholeArithmetic numbers,
            long offsetValue,
            long scaleValue,
            NumberOrigin direction,
            ByteBuffer in,
            ByteBuffer out,
            int n) {
        int size = type.carrier().wordSize();
        long[] values = StoredNumbers.load(numbers.format(), size, in, n);
        int i = 0;
        try {
            for (; i < n; i++) {
                values[i] = direction == NumberOrigin.DECODE
                        ? numbers.add(numbers.divide(values[i], scaleValue), offsetValue)
                        : numbers.multiply(numbers.subtract(values[i], offsetValue), scaleValue);
            }
        } catch (ArithmeticException e) {
            IntegerFormat f = numbers.format();
            String term = direction == NumberOrigin.DECODE
                    ? f.text(values[i]) + " / " + f.text(scaleValue) + " + " + f.text(offsetValue)
                    : "(" + f.text(values[i]) + " - " + f.text(offsetValue) + ") * " + f.text(scaleValue);
            throw direction.refuse(
                    "codec " + NAME + ": expected numbers of " + type.name() + " in " + term + ", found others");
        }
        StoredNumbers.store(size, values, out);
    }

    /** Encodes or decodes {@code n} floating-point numbers; infinite results of finite numbers are errors. */
    private static void runFloating(
            DataType type,
            FloatingFormat format,
            DoubleUnaryOperator op,
            NumberOrigin direction,
            ByteBuffer in,
            ByteBuffer out,
            int n) {
        int size = type.carrier().wordSize();
        double[] values = StoredNumbers.load(format, size, in, n);
        for (int i = 0; i < n; i++) {
            double result = op.applyAsDouble(values[i]);
            if (!Double.isFinite(result) && Double.isFinite(values[i])) {
                throw direction.refuse("codec " + NAME + ": expected a number of " + type.name() + " for " + values[i]
                        + ", found " + result);
            }
            values[i] = result;
        }
        StoredNumbers.store(format, size, values, out);
    }
}
