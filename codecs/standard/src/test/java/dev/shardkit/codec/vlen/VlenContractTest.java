package dev.shardkit.codec.vlen;

import dev.shardkit.codec.Codecs;
import dev.shardkit.spi.CodecFactory;
import dev.shardkit.spi.codec.ArrayToBytesCodec;
import dev.shardkit.spi.json.Json;
import dev.shardkit.testkit.SampleChunks;
import dev.shardkit.testkit.extension.ArrayToBytesCodecContract;
import dev.shardkit.testkit.extension.ChunkCase;
import dev.shardkit.testkit.extension.CodecFactoryContract;
import java.util.List;
import org.junit.jupiter.api.Nested;

class VlenContractTest {
    @Nested
    class Chunks extends ArrayToBytesCodecContract {
        @Override
        protected List<ChunkCase<ArrayToBytesCodec>> cases() {
            return SampleChunks.variableTypes().stream()
                    .map(type -> new ChunkCase<>(
                            (ArrayToBytesCodec) Codecs.make(
                                    type.dataType().name().equals("string") ? "vlen-utf8" : "vlen-bytes",
                                    Json.object()),
                            type))
                    .toList();
        }
    }

    /** Neither has a configuration. */
    abstract static class WithoutConfiguration extends CodecFactoryContract {
        @Override
        protected List<Json.Obj> legal() {
            return List.of(Json.object());
        }
    }

    @Nested
    class Utf8Factory extends WithoutConfiguration {
        @Override
        protected CodecFactory factory() {
            return new VlenCodecFactories.Utf8();
        }
    }

    @Nested
    class ArraysFactory extends CodecFactoryContract {
        @Override
        protected CodecFactory factory() {
            return new VlenCodecFactories.Arrays();
        }

        private static Json.Obj dtype(Json dtype) {
            return Json.object().with("dtype", dtype);
        }

        @Override
        protected List<Json.Obj> legal() {
            return List.of(dtype(Json.of("<i4")), dtype(Json.of("|u1")), dtype(Json.of("f8")));
        }

        @Override
        protected List<Json.Obj> illegal() {
            return List.of(Json.object(), dtype(Json.of(">i4")), dtype(Json.of("|O")), dtype(Json.of(4)));
        }
    }

    @Nested
    class BytesFactory extends WithoutConfiguration {
        @Override
        protected CodecFactory factory() {
            return new VlenCodecFactories.Bytes();
        }
    }
}
