package dev.shardkit.codec.numcodecs;

import dev.shardkit.codec.support.NumberOrigin;
import dev.shardkit.spi.array.ChunkType;
import dev.shardkit.spi.array.FloatingFormat;
import dev.shardkit.spi.codec.ArrayToArrayCodec;
import dev.shardkit.spi.codec.BoundArrayToArrayCodec;
import dev.shardkit.spi.error.MetadataException;
import dev.shardkit.spi.json.Json;
import java.nio.ByteBuffer;

/**
 * The codec {@code numcodecs.quantize}: rounds floating-point numbers on writing, so that {@code digits} decimal digits
 * after the point are kept. Reading changes nothing but the type. Immutable and thread-safe.
 *
 * @param digits the number of decimal digits, from -300 to 300
 * @param decoded the type of the array
 * @param encoded the stored type
 */
record QuantizeCodec(int digits, NumpyTypeName decoded, NumpyTypeName encoded) implements ArrayToArrayCodec {
    static final String NAME = "numcodecs.quantize";

    /** Rejects integers. */
    QuantizeCodec {
        if (decoded.isWhole() || encoded.isWhole()) {
            throw new MetadataException("codec " + NAME + ": expected floating-point types, found "
                    + decoded.dataType().name() + " and " + encoded.dataType().name());
        }
    }

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public Json.Obj configuration() {
        return Json.object()
                .with("digits", Json.of(digits))
                .with("dtype", decoded.json())
                .with("astype", encoded.json());
    }

    @Override
    public BoundArrayToArrayCodec bind(ChunkType type) {
        decoded.viewing(type.dataType(), NAME);
        return new WholeChunkConversion(
                type,
                ChunkType.of(encoded.dataType(), AstypeCast.fill(type.fill(), encoded, this::round), type.shape()),
                this::round,
                AstypeCast.kernel(encoded, decoded, NAME, NumberOrigin.DECODE));
    }

    /** Rounds numbers to multiples of {@code 1 / scale()}. */
    private void round(ByteBuffer in, ByteBuffer out, int n) {
        FloatingFormat format = decoded.floating();
        double scale = format.round(scale());
        double[] values = decoded.doubles(in, n);
        for (int i = 0; i < n; i++) {
            values[i] = format.round(Math.rint(format.round(scale * values[i])) / scale);
        }
        AstypeCast.store(values, encoded, out, NAME, NumberOrigin.ENCODE);
    }

    /** Returns the power of two that numcodecs multiplies by, computed in the same steps, so with the same rounding. */
    private double scale() {
        double exponent = Math.log10(Math.pow(10, -digits));
        exponent = exponent < 0 ? Math.floor(exponent) : Math.ceil(exponent);
        double bits = Math.ceil(Math.log(Math.pow(10, -exponent)) / Math.log(2));
        return Math.scalb(1.0, (int) bits);
    }
}
