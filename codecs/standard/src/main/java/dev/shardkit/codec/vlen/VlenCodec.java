package dev.shardkit.codec.vlen;

import dev.shardkit.spi.array.Carrier;
import dev.shardkit.spi.array.ChunkType;
import dev.shardkit.spi.codec.ArrayToBytesCodec;
import dev.shardkit.spi.codec.ChunkCodec;
import dev.shardkit.spi.codec.Limits;
import dev.shardkit.spi.error.MetadataException;
import dev.shardkit.spi.json.Json;

/**
 * The {@code vlen-utf8} and {@code vlen-bytes} codecs (zarr-extensions): the number of elements, then each element as
 * its length and its bytes. All numbers are 32-bit little-endian. The codecs differ only in the data type. Immutable
 * and thread-safe.
 */
record VlenCodec(String name, Carrier carrier) implements ArrayToBytesCodec {
    @Override
    public Json.Obj configuration() {
        return Json.object();
    }

    @Override
    public ChunkCodec bind(ChunkType type, Limits limits) {
        if (type.dataType().carrier() != carrier) {
            throw new MetadataException(
                    "codec " + name + ": expected data type " + (carrier == Carrier.STRING ? "string" : "bytes")
                            + ", found " + type.dataType().name());
        }
        limits.checkChunk(type);
        return new BoundVlen(name, type, limits.chunkBytes());
    }
}
