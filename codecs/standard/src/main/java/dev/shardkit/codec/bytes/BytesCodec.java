package dev.shardkit.codec.bytes;

import dev.shardkit.spi.array.ChunkType;
import dev.shardkit.spi.codec.ArrayToBytesCodec;
import dev.shardkit.spi.codec.ChunkCodec;
import dev.shardkit.spi.codec.Limits;
import dev.shardkit.spi.error.MetadataException;
import dev.shardkit.spi.json.Json;
import java.nio.ByteOrder;
import org.jspecify.annotations.Nullable;

/**
 * The {@code bytes} codec (zarr-specs, codecs/bytes v1). Does not support types of varying size. In records, the byte
 * order applies to the words of each field. If the metadata states none for records, they are little-endian, because
 * zarr-python (3.1.6) writes them so (zarr-extensions, data-types/structured). Immutable and thread-safe.
 *
 * @param order the byte order of words; null for words of one byte
 */
record BytesCodec(@Nullable ByteOrder order) implements ArrayToBytesCodec {
    static final String NAME = "bytes";
    static final String ENDIAN = "endian";

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public Json.Obj configuration() {
        return order == null
                ? Json.object()
                : Json.object().with(ENDIAN, Json.of(order == ByteOrder.BIG_ENDIAN ? "big" : "little"));
    }

    @Override
    public ArrayToBytesCodec forType(ChunkType type) {
        boolean isByte = type.dataType().elementSize().orElse(0) == 1;
        return isByte ? new BytesCodec(null) : this;
    }

    @Override
    public ChunkCodec bind(ChunkType type, Limits limits) {
        if (type.dataType().elementSize().isEmpty()) {
            throw new MetadataException("codec bytes: expected a data type of fixed size, found "
                    + type.dataType().name());
        }
        if (order == null && type.dataType().carrier().wordSize() > 1) {
            throw new MetadataException("codec bytes: endian is required for data type "
                    + type.dataType().name() + ", but missing");
        }
        limits.checkChunk(type);
        return new BoundBytes(type, order == null ? ByteOrder.LITTLE_ENDIAN : order);
    }
}
