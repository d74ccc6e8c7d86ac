package dev.shardkit.codec.numcodecs;

import dev.shardkit.codec.support.NumberOrigin;
import dev.shardkit.spi.array.ChunkType;
import dev.shardkit.spi.array.FloatingFormat;
import dev.shardkit.spi.codec.ArrayToArrayCodec;
import dev.shardkit.spi.codec.BoundArrayToArrayCodec;
import dev.shardkit.spi.error.MetadataException;
import dev.shardkit.spi.json.Json;
import dev.shardkit.spi.type.CoreTypes;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * The codec {@code numcodecs.fixedscaleoffset}: stores {@code (x - offset) * scale}, rounded to the nearest integer
 * with ties to even; reads {@code x / scale + offset}. Immutable and thread-safe.
 *
 * <p>Computes as NumPy does. Writing computes in the array's type and reading in the stored type, if the type is
 * floating-point; otherwise both compute in float64. There is one exception: if the elements, the offset and the scale
 * are all integers, writing computes in the array's integer type.
 *
 * @param offset a JSON number
 * @param scale a JSON number other than 0
 * @param decoded the type of the array
 * @param encoded the stored type
 */
record FixedScaleOffsetCodec(Json.Num offset, Json.Num scale, NumpyTypeName decoded, NumpyTypeName encoded)
        implements ArrayToArrayCodec {
    static final String NAME = "numcodecs.fixedscaleoffset";

    /** Rejects a scale of 0, which cannot be reversed, and bool. */
    FixedScaleOffsetCodec {
        if (Double.parseDouble(scale.lexeme()) == 0) {
            throw new MetadataException("codec " + NAME + ": expected a scale other than 0, found 0");
        } else if (decoded.isBool() || encoded.isBool()) {
            throw new MetadataException("codec " + NAME + ": expected numbers, found bool");
        }
    }

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public Json.Obj configuration() {
        return Json.object()
                .with("offset", offset)
                .with("scale", scale)
                .with("dtype", decoded.json())
                .with("astype", encoded.json());
    }

    @Override
    public BoundArrayToArrayCodec bind(ChunkType type) {
        decoded.viewing(type.dataType(), NAME);
        return new WholeChunkConversion(
                type,
                ChunkType.of(encoded.dataType(), AstypeCast.fill(type.fill(), encoded, encoding()), type.shape()),
                encoding(),
                this::decode);
    }

    private WholeChunkConversion.Kernel encoding() {
        boolean allIntegers = decoded.isWhole() && offset.isInteger() && scale.isInteger();
        return allIntegers ? this::encodeWhole : this::encodeReal;
    }

    /** Encodes in integer arithmetic, which wraps around. */
    private void encodeWhole(ByteBuffer in, ByteBuffer out, int n) {
        long[] values = decoded.longs(in, n);
        long offsetValue = wholeOf(offset);
        long scaleValue = wholeOf(scale);
        for (int i = 0; i < n; i++) {
            values[i] = decoded.wholeFormat().value((values[i] - offsetValue) * scaleValue);
        }
        AstypeCast.store(values, decoded, encoded, out);
    }

    /** Returns the value of an integer setting. Throws, as NumPy does, if it does not fit the array's type. */
    private long wholeOf(Json.Num number) {
        try {
            long value = Long.parseLong(number.lexeme());
            if (decoded.wholeFormat().value(value) == value) {
                return value;
            }
        } catch (NumberFormatException e) {
            // out of range
        }
        throw new MetadataException("codec " + NAME + ": expected an integer of "
                + decoded.dataType().name() + ", found " + number.lexeme());
    }

    /** Encodes in floating-point arithmetic. Only if elements and offset are integers, subtracts in integers. */
    private void encodeReal(ByteBuffer in, ByteBuffer out, int n) {
        FloatingFormat format = arithmetic(decoded);
        double[] values = decoded.isWhole() && offset.isInteger() ? shifted(in, n) : reals(decoded, in, n);
        double offsetValue = decoded.isWhole() && offset.isInteger() ? 0 : number(offset, format);
        double scaleValue = number(scale, format);
        for (int i = 0; i < n; i++) {
            values[i] = Math.rint(format.round(format.round(values[i] - offsetValue) * scaleValue));
        }
        AstypeCast.store(values, encoded, out, NAME, NumberOrigin.ENCODE);
    }

    private void decode(ByteBuffer in, ByteBuffer out, int n) {
        FloatingFormat format = arithmetic(encoded);
        double[] values = reals(encoded, in, n);
        double offsetValue = number(offset, format);
        double scaleValue = number(scale, format);
        for (int i = 0; i < n; i++) {
            values[i] = format.round(format.round(values[i] / scaleValue) + offsetValue);
        }
        AstypeCast.store(values, decoded, out, NAME, NumberOrigin.DECODE);
    }

    /** Returns the format in which to compute with elements of a type. */
    private static FloatingFormat arithmetic(NumpyTypeName type) {
        return type.isWhole() ? FloatingFormat.BINARY64 : type.floating();
    }

    private static double number(Json.Num number, FloatingFormat format) {
        return format.round(Double.parseDouble(number.lexeme()));
    }

    private static double[] reals(NumpyTypeName type, ByteBuffer in, int n) {
        if (!type.isWhole()) {
            return type.doubles(in, n);
        }
        return reals(type.longs(in, n), type);
    }

    /** Returns integers after subtracting an integer offset, as NumPy does: in the array's type, with wrap-around. */
    private double[] shifted(ByteBuffer in, int n) {
        long[] values = decoded.longs(in, n);
        long offsetValue = wholeOf(offset);
        for (int i = 0; i < n; i++) {
            values[i] = decoded.wholeFormat().value(values[i] - offsetValue);
        }
        return reals(values, decoded);
    }

    private static double[] reals(long[] values, NumpyTypeName type) {
        ByteBuffer converted = ByteBuffer.allocate(8 * values.length).order(ByteOrder.LITTLE_ENDIAN);
        NumpyTypeName float64 = NumpyTypeName.of(CoreTypes.FLOAT64);
        AstypeCast.store(values, type, float64, converted);
        return float64.doubles(converted, values.length);
    }
}
