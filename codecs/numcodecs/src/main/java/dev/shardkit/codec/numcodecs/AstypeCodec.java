package dev.shardkit.codec.numcodecs;

import dev.shardkit.codec.support.NumberOrigin;
import dev.shardkit.spi.array.ChunkType;
import dev.shardkit.spi.codec.ArrayToArrayCodec;
import dev.shardkit.spi.codec.BoundArrayToArrayCodec;
import dev.shardkit.spi.json.Json;
import org.jspecify.annotations.Nullable;

/**
 * The codec {@code numcodecs.astype}: converts elements to another type, by the rules of {@link AstypeCast}. Immutable
 * and thread-safe.
 *
 * @param encoded the stored type
 * @param decoded the type of the array, or null for the array's own
 */
record AstypeCodec(NumpyTypeName encoded, @Nullable NumpyTypeName decoded) implements ArrayToArrayCodec {
    static final String NAME = "numcodecs.astype";

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public Json.Obj configuration() {
        Json.Obj configuration = Json.object().with("encode_dtype", encoded.json());
        return decoded == null ? configuration : configuration.with("decode_dtype", decoded.json());
    }

    @Override
    public BoundArrayToArrayCodec bind(ChunkType type) {
        NumpyTypeName from =
                decoded == null ? NumpyTypeName.of(type.dataType()) : decoded.viewing(type.dataType(), NAME);
        return new WholeChunkConversion(
                type,
                ChunkType.of(
                        encoded.dataType(),
                        AstypeCast.fill(
                                type.fill(), encoded, AstypeCast.kernel(from, encoded, NAME, NumberOrigin.ENCODE)),
                        type.shape()),
                AstypeCast.kernel(from, encoded, NAME, NumberOrigin.ENCODE),
                AstypeCast.kernel(encoded, from, NAME, NumberOrigin.DECODE));
    }
}
