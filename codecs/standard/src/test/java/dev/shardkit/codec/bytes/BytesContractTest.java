package dev.shardkit.codec.bytes;

import dev.shardkit.codec.Codecs;
import dev.shardkit.spi.CodecFactory;
import dev.shardkit.spi.codec.ArrayToBytesCodec;
import dev.shardkit.spi.json.Json;
import dev.shardkit.testkit.SampleChunks;
import dev.shardkit.testkit.extension.ArrayToBytesCodecContract;
import dev.shardkit.testkit.extension.ChunkCase;
import dev.shardkit.testkit.extension.CodecFactoryContract;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Nested;

class BytesContractTest {
    @Nested
    class Chunks extends ArrayToBytesCodecContract {
        @Override
        protected List<ChunkCase<ArrayToBytesCodec>> cases() {
            return Stream.of("little", "big")
                    .flatMap(endian -> SampleChunks.fixedTypes().stream()
                            .map(type -> new ChunkCase<>((ArrayToBytesCodec) Codecs.bytes(endian), type)))
                    .toList();
        }
    }

    @Nested
    class Factory extends CodecFactoryContract {
        @Override
        protected CodecFactory factory() {
            return new BytesCodecFactory();
        }

        private static Json.Obj endian(Json endian) {
            return Json.object().with("endian", endian);
        }

        @Override
        protected List<Json.Obj> legal() {
            return List.of(Json.object(), endian(Json.of("little")), endian(Json.of("big")));
        }

        @Override
        protected List<Json.Obj> illegal() {
            return List.of(endian(Json.of("middle")), endian(new Json.Null()), endian(Json.of(1)));
        }
    }
}
