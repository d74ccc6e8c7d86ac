package dev.shardkit.blosc2;

import dev.shardkit.spi.CodecFactory;
import dev.shardkit.spi.array.ChunkType;
import dev.shardkit.spi.codec.ArrayToBytesCodec;
import dev.shardkit.spi.codec.BytesToBytesCodec;
import dev.shardkit.spi.json.Json;
import dev.shardkit.testkit.SampleChunks;
import dev.shardkit.testkit.extension.ArrayToBytesCodecContract;
import dev.shardkit.testkit.extension.BytesToBytesCodecContract;
import dev.shardkit.testkit.extension.ChunkCase;
import dev.shardkit.testkit.extension.CodecFactoryContract;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Nested;

class Blosc2ContractTest {
    @Nested
    class Chunks extends ArrayToBytesCodecContract {
        @Override
        protected List<ChunkCase<ArrayToBytesCodec>> cases() {
            return SampleChunks.fixedTypes().stream()
                    .flatMap(type -> Stream.of(of(type, 2, ByteOrder.LITTLE_ENDIAN), of(type, 3, ByteOrder.BIG_ENDIAN)))
                    .toList();
        }

        /** Blocks whose length need not divide that of the chunk. */
        private static ChunkCase<ArrayToBytesCodec> of(ChunkType type, int length, ByteOrder order) {
            long[] block = new long[type.rank()];
            Arrays.fill(block, length);
            return new ChunkCase<>(new Blosc2Codec(block, order), type);
        }
    }

    @Nested
    class Frames extends BytesToBytesCodecContract {
        @Override
        protected BytesToBytesCodec codec() {
            return new FrameCodec();
        }
    }

    @Nested
    class FrameFactory extends CodecFactoryContract {
        @Override
        protected CodecFactory factory() {
            return new FrameCodecFactory();
        }

        @Override
        protected List<Json.Obj> legal() {
            return List.of(Json.object());
        }

        @Override
        protected List<Json.Obj> illegal() {
            return List.of(Json.object().with("level", Json.of(1)));
        }
    }

    @Nested
    class Factory extends CodecFactoryContract {
        @Override
        protected CodecFactory factory() {
            return new Blosc2CodecFactory();
        }

        @Override
        protected List<Json.Obj> legal() {
            return List.of(
                    Json.object()
                            .with(Blosc2Codec.BLOCK_SHAPE, Json.of(new long[] {2, 3}))
                            .with(Blosc2Codec.ENDIAN, Json.of("big")),
                    Json.object().with(Blosc2Codec.BLOCK_SHAPE, Json.of(new long[] {7})));
        }

        @Override
        protected List<Json.Obj> illegal() {
            return List.of(
                    Json.object(),
                    Json.object().with(Blosc2Codec.BLOCK_SHAPE, Json.of(new long[] {0})),
                    Json.object()
                            .with(Blosc2Codec.BLOCK_SHAPE, Json.of(new long[] {2}))
                            .with(Blosc2Codec.ENDIAN, Json.of("middle")));
        }
    }
}
