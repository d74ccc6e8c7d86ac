package dev.shardkit.codec.vlen;

import dev.shardkit.spi.array.Carrier;
import dev.shardkit.spi.array.ChunkType;
import dev.shardkit.spi.codec.ArrayToBytesCodec;
import dev.shardkit.spi.codec.ChunkCodec;
import dev.shardkit.spi.codec.Limits;
import dev.shardkit.spi.error.MetadataException;
import dev.shardkit.spi.json.Json;

/**
 * The {@code vlen-utf8} and {@code vlen-bytes} codecs (zarr-extensions) and {@code vlen-array} of numcodecs: the number
 * of elements, then each element as its length and its bytes. All numbers are 32-bit little-endian. Immutable and
 * thread-safe.
 *
 * @param name the name of the codec
 * @param carrier the carrier of its only data type
 * @param unit a number of bytes of which each length is a multiple
 * @param configuration the configuration in the metadata
 */
record VlenCodec(String name, Carrier carrier, int unit, Json.Obj configuration) implements ArrayToBytesCodec {
    VlenCodec(String name, Carrier carrier) {
        this(name, carrier, 1, Json.object());
    }

    @Override
    public ChunkCodec bind(ChunkType type, Limits limits) {
        if (type.dataType().carrier() != carrier) {
            throw new MetadataException(
                    "codec " + name + ": expected data type " + (carrier == Carrier.STRING ? "string" : "bytes")
                            + ", found " + type.dataType().name());
        }
        limits.checkChunk(type);
        return new BoundVlen(name, type, unit, limits.chunkBytes());
    }
}
