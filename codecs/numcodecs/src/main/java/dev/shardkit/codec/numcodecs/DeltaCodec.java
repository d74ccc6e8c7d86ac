package dev.shardkit.codec.numcodecs;

import dev.shardkit.codec.support.NumberOrigin;
import dev.shardkit.spi.array.ChunkType;
import dev.shardkit.spi.array.FloatingFormat;
import dev.shardkit.spi.array.IntegerFormat;
import dev.shardkit.spi.codec.ArrayToArrayCodec;
import dev.shardkit.spi.codec.BoundArrayToArrayCodec;
import dev.shardkit.spi.error.MetadataException;
import dev.shardkit.spi.json.Json;
import java.nio.ByteBuffer;

/**
 * The codec {@code numcodecs.delta}: stores the first element and then the differences of neighbours in C order.
 * Differences and sums are computed in the array's type; integers wrap around. Immutable and thread-safe.
 *
 * @param decoded the type of the array
 * @param encoded the stored type
 */
record DeltaCodec(NumpyTypeName decoded, NumpyTypeName encoded) implements ArrayToArrayCodec {
    static final String NAME = "numcodecs.delta";

    /** Rejects types that have no differences or sums. */
    DeltaCodec {
        if (decoded.isBool() || encoded.isBool() || decoded.isWhole() && !encoded.isWhole()) {
            throw new MetadataException(
                    "codec " + NAME + ": differences of " + decoded.dataType().name() + " cannot be stored as "
                            + encoded.dataType().name());
        }
    }

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public Json.Obj configuration() {
        return Json.object().with("dtype", decoded.json()).with("astype", encoded.json());
    }

    @Override
    public BoundArrayToArrayCodec bind(ChunkType type) {
        decoded.viewing(type.dataType(), NAME);
        WholeChunkConversion.Kernel cast = AstypeCast.kernel(decoded, encoded, NAME, NumberOrigin.ENCODE);
        return new WholeChunkConversion(
                type,
                ChunkType.of(encoded.dataType(), AstypeCast.fill(type.fill(), encoded, cast), type.shape()),
                decoded.isWhole() ? this::wholeDifferences : this::realDifferences,
                decoded.isWhole() ? this::wholeSums : this::realSums);
    }

    /** Encodes integers. Goes backwards, because each difference needs the element before it. */
    private void wholeDifferences(ByteBuffer in, ByteBuffer out, int n) {
        IntegerFormat format = decoded.wholeFormat();
        long[] values = decoded.longs(in, n);
        for (int i = n - 1; i > 0; i--) {
            values[i] = format.value(values[i] - values[i - 1]);
        }
        AstypeCast.store(values, decoded, encoded, out);
    }

    private void wholeSums(ByteBuffer in, ByteBuffer out, int n) {
        long[] values = encoded.longs(in, n);
        for (int i = 1; i < n; i++) {
            values[i] += values[i - 1];
        }
        AstypeCast.store(values, encoded, decoded, out);
    }

    private void realDifferences(ByteBuffer in, ByteBuffer out, int n) {
        FloatingFormat format = decoded.floating();
        double[] values = decoded.doubles(in, n);
        for (int i = n - 1; i > 0; i--) {
            values[i] = format.round(values[i] - values[i - 1]);
        }
        AstypeCast.store(values, encoded, out, NAME, NumberOrigin.ENCODE);
    }

    /** Decodes floating-point numbers: adds the differences, which may be stored as integers. */
    private void realSums(ByteBuffer in, ByteBuffer out, int n) {
        FloatingFormat format = decoded.floating();
        double[] values;
        if (encoded.isWhole()) {
            ByteBuffer converted = ByteBuffer.allocate(n * decoded.size()).order(in.order());
            AstypeCast.store(encoded.longs(in, n), encoded, decoded, converted);
            values = decoded.doubles(converted, n);
        } else {
            values = encoded.doubles(in, n);
        }
        double sum = 0;
        for (int i = 0; i < n; i++) {
            double x = format.round(values[i]);
            sum = i == 0 ? x : format.round(sum + x);
            values[i] = sum;
        }
        AstypeCast.store(values, decoded, out, NAME, NumberOrigin.DECODE);
    }
}
