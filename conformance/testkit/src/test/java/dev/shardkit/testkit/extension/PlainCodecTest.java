package dev.shardkit.testkit.extension;

import dev.shardkit.spi.array.ChunkType;
import dev.shardkit.spi.codec.ArrayToBytesCodec;
import dev.shardkit.testkit.SampleChunks;
import java.util.List;
import java.util.stream.Stream;

/** A codec that does nothing but what it must, under the contract: what the defaults of the interface are worth. */
class PlainCodecTest extends ArrayToBytesCodecContract {
    @Override
    protected List<ChunkCase<ArrayToBytesCodec>> cases() {
        Stream<ChunkType> types =
                Stream.concat(SampleChunks.fixedTypes().stream(), SampleChunks.variableTypes().stream());
        return types.map(type -> new ChunkCase<ArrayToBytesCodec>(new PlainCodec(), type))
                .toList();
    }
}
