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
 * The {@code bytes} codec (zarr-specs, codecs/bytes v1): the elements as they are, each word (a number within an
 * element) in one byte order. Does not support types of varying size. Immutable and thread-safe.
 *
 * <p><b>Records.</b> The byte order applies to the words of each field ({@link RecordWords}). A record as a whole
 * counts as words of one byte: the word size of its carrier is 1. So the metadata may omit the byte order. Then the
 * fields are little-endian, as zarr-python (3.1.6) writes them (zarr-extensions, data-types/structured).
 *
 * @param order the byte order of words; null if the metadata has none, which is valid if the word size of the data type
 *     is 1: for types of one byte and for records
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
        // without a byte order, the fields of records are little-endian, and words of one byte have none
        return new BoundBytes(type, order == null ? ByteOrder.LITTLE_ENDIAN : order);
    }
}
