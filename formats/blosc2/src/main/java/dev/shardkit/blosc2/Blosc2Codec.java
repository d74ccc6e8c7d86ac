package dev.shardkit.blosc2;

import dev.shardkit.spi.Config;
import dev.shardkit.spi.array.ChunkType;
import dev.shardkit.spi.array.Shapes;
import dev.shardkit.spi.codec.ArrayToBytesCodec;
import dev.shardkit.spi.codec.ChunkCodec;
import dev.shardkit.spi.codec.Limits;
import dev.shardkit.spi.error.MetadataException;
import dev.shardkit.spi.json.Json;
import java.nio.ByteOrder;

/**
 * The codec {@code blosc2.chunk}: a Blosc2 chunk whose blocks are boxes of the array, as in b2nd files. The name is
 * shardkit's own: {@link B2ndStoreFactory} puts it into the metadata of the arrays that it opens. The encoder does not
 * compress. Immutable and thread-safe.
 *
 * @param blockShape the shape of a block
 * @param order the byte order of words
 */
record Blosc2Codec(long[] blockShape, ByteOrder order) implements ArrayToBytesCodec {
    static final String NAME = "blosc2.chunk";
    static final String BLOCK_SHAPE = "block_shape";
    static final String ENDIAN = "endian";
    static final String BIG = "big";
    static final String LITTLE = "little";

    static Blosc2Codec create(Config config) {
        return new Blosc2Codec(
                config.requiredIntegers(BLOCK_SHAPE, 1, Integer.MAX_VALUE),
                config.oneOf(ENDIAN, LITTLE, BIG).orElse(LITTLE).equals(BIG)
                        ? ByteOrder.BIG_ENDIAN
                        : ByteOrder.LITTLE_ENDIAN);
    }

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public Json.Obj configuration() {
        return Json.object()
                .with(BLOCK_SHAPE, Json.of(blockShape))
                .with(ENDIAN, Json.of(order == ByteOrder.BIG_ENDIAN ? BIG : LITTLE));
    }

    @Override
    public ChunkCodec bind(ChunkType type, Limits limits) {
        if (type.rank() != blockShape.length) {
            throw new MetadataException("codec " + NAME + ": expected " + type.rank() + " lengths in " + BLOCK_SHAPE
                    + ", found " + blockShape.length);
        }
        if (type.dataType().elementSize().isEmpty()) {
            throw new MetadataException("codec " + NAME + ": expected elements of a fixed size, found data type "
                    + type.dataType().name());
        }
        limits.checkChunk(type);
        long[] blockCounts = new long[type.rank()];
        long[] paddedShape = new long[type.rank()];
        for (int d = 0; d < blockCounts.length; d++) {
            blockCounts[d] = (type.shape()[d] + blockShape[d] - 1) / blockShape[d];
            paddedShape[d] = Math.multiplyExact(blockCounts[d], blockShape[d]);
        }
        limits.checkChunk(type.withShape(paddedShape));
        return new BoundBlosc2(
                type, new BlockGrid(blockShape, blockCounts, Math.toIntExact(Shapes.count(blockCounts))), order);
    }
}
