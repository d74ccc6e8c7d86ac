package dev.shardkit.hdf5;

import dev.shardkit.spi.CodecFactory;
import dev.shardkit.spi.codec.BytesToBytesCodec;
import dev.shardkit.spi.json.Json;
import dev.shardkit.testkit.BytesToBytesCodecContract;
import dev.shardkit.testkit.CodecFactoryContract;
import dev.shardkit.testkit.LoadedExtensions;
import java.util.List;
import org.junit.jupiter.api.Nested;

class Hdf5ContractTest {
    private static Json filters(String... names) {
        return new Json.Arr(java.util.Arrays.stream(names).map(Json::of).toList());
    }

    @Nested
    class Lz4 extends BytesToBytesCodecContract {
        @Override
        protected BytesToBytesCodec codec() {
            return new Lz4Blocks();
        }
    }

    @Nested
    class Masked extends BytesToBytesCodecContract {
        @Override
        protected BytesToBytesCodec codec() {
            Json json = Json.extension(
                    MaskedCodec.NAME,
                    Json.object().with(MaskedCodec.FILTERS, filters("numcodecs.zlib", "numcodecs.fletcher32")));
            return (BytesToBytesCodec) new LoadedExtensions().codec(json, "");
        }
    }

    @Nested
    class MaskedFactory extends CodecFactoryContract {
        @Override
        protected CodecFactory factory() {
            return new Hdf5CodecFactories.Masked();
        }

        @Override
        protected List<Json.Obj> legal() {
            return List.of(Json.object().with(MaskedCodec.FILTERS, filters("numcodecs.zlib")));
        }

        @Override
        protected List<Json.Obj> illegal() {
            return List.of(
                    Json.object().with(MaskedCodec.FILTERS, filters("bytes")),
                    Json.object().with(MaskedCodec.FILTERS, Json.of(1)));
        }
    }

    @Nested
    class Lz4Factory extends CodecFactoryContract {
        @Override
        protected CodecFactory factory() {
            return new Hdf5CodecFactories.Lz4();
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
}
