package dev.shardkit.codec.blosc;

import dev.shardkit.codec.Codecs;
import dev.shardkit.spi.CodecFactory;
import dev.shardkit.spi.codec.BytesToBytesCodec;
import dev.shardkit.spi.json.Json;
import dev.shardkit.testkit.extension.BytesToBytesCodecContract;
import dev.shardkit.testkit.extension.CodecFactoryContract;
import java.util.List;
import org.junit.jupiter.api.Nested;

class BloscContractTest {
    private static Json.Obj configuration(String cname, String shuffle, long typesize) {
        return Json.object()
                .with("cname", Json.of(cname))
                .with("clevel", Json.of(5))
                .with("shuffle", Json.of(shuffle))
                .with("typesize", Json.of(typesize))
                .with("blocksize", Json.of(0));
    }

    private static BytesToBytesCodec codec(String cname, String shuffle, long typesize) {
        return (BytesToBytesCodec) Codecs.make("blosc", configuration(cname, shuffle, typesize));
    }

    @Nested
    class Lz4 extends BytesToBytesCodecContract {
        @Override
        protected BytesToBytesCodec codec() {
            return BloscContractTest.codec("lz4", "shuffle", 4);
        }
    }

    @Nested
    class Zstd extends BytesToBytesCodecContract {
        @Override
        protected BytesToBytesCodec codec() {
            return BloscContractTest.codec("zstd", "bitshuffle", 2);
        }
    }

    @Nested
    class Zlib extends BytesToBytesCodecContract {
        @Override
        protected BytesToBytesCodec codec() {
            return BloscContractTest.codec("zlib", "noshuffle", 1);
        }
    }

    @Nested
    class Snappy extends BytesToBytesCodecContract {
        @Override
        protected BytesToBytesCodec codec() {
            return BloscContractTest.codec("snappy", "shuffle", 8);
        }
    }

    @Nested
    class Factory extends CodecFactoryContract {
        @Override
        protected CodecFactory factory() {
            return new BloscCodecFactory();
        }

        @Override
        protected List<Json.Obj> legal() {
            return List.of(
                    configuration("lz4", "shuffle", 4),
                    configuration("blosclz", "noshuffle", 1),
                    configuration("lz4hc", "bitshuffle", 2),
                    configuration("zstd", "shuffle", 255));
        }

        @Override
        protected List<Json.Obj> illegal() {
            Json.Obj good = configuration("lz4", "shuffle", 4);
            return List.of(
                    good.with("cname", Json.of("lz5")),
                    good.with("shuffle", Json.of(1)),
                    good.with("clevel", Json.of(10)),
                    good.with("clevel", Json.of(-1)),
                    good.with("typesize", Json.of(0)),
                    good.with("blocksize", Json.of(-1)));
        }
    }
}
