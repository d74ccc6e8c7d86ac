package dev.shardkit.codec.ffm;

import dev.shardkit.spi.CodecFactory;
import dev.shardkit.spi.codec.BytesToBytesCodec;
import dev.shardkit.spi.json.Json;
import dev.shardkit.testkit.extension.BytesToBytesCodecContract;
import dev.shardkit.testkit.extension.CodecFactoryContract;
import java.util.List;
import org.junit.jupiter.api.Nested;

/** What every codec must do. */
class FfmContractTest {
    @Nested
    class Zstd extends BytesToBytesCodecContract {
        @Override
        protected BytesToBytesCodec codec() {
            return Native.zstd(3, "false");
        }
    }

    @Nested
    class ZstdWithChecksum extends BytesToBytesCodecContract {
        @Override
        protected BytesToBytesCodec codec() {
            return Native.zstd(-7, "true");
        }
    }

    @Nested
    class Gzip extends BytesToBytesCodecContract {
        @Override
        protected BytesToBytesCodec codec() {
            return Native.gzip(5);
        }
    }

    @Nested
    class GzipStored extends BytesToBytesCodecContract {
        @Override
        protected BytesToBytesCodec codec() {
            return Native.gzip(0);
        }
    }

    @Nested
    class BloscLz4 extends BytesToBytesCodecContract {
        @Override
        protected BytesToBytesCodec codec() {
            return Native.blosc("lz4", "shuffle", 4);
        }
    }

    @Nested
    class BloscZstd extends BytesToBytesCodecContract {
        @Override
        protected BytesToBytesCodec codec() {
            return Native.blosc("zstd", "bitshuffle", 2);
        }
    }

    @Nested
    class BloscZlib extends BytesToBytesCodecContract {
        @Override
        protected BytesToBytesCodec codec() {
            return Native.blosc("zlib", "noshuffle", 1);
        }
    }

    @Nested
    class BloscSnappy extends BytesToBytesCodecContract {
        @Override
        protected BytesToBytesCodec codec() {
            return Native.blosc("snappy", "shuffle", 8);
        }
    }

    @Nested
    class ZstdFactory extends CodecFactoryContract {
        @Override
        protected CodecFactory factory() {
            return new FfmZstdCodecFactory();
        }

        @Override
        protected List<Json.Obj> legal() {
            return List.of(
                    Json.object().with("level", Json.of(-131072)), Json.object().with("level", Json.of(22)));
        }

        @Override
        protected List<Json.Obj> illegal() {
            return List.of(Json.object(), Json.object().with("level", Json.of(23)));
        }
    }

    @Nested
    class GzipFactory extends CodecFactoryContract {
        @Override
        protected CodecFactory factory() {
            return new FfmGzipCodecFactory();
        }

        @Override
        protected List<Json.Obj> legal() {
            return List.of(
                    Json.object().with("level", Json.of(0)), Json.object().with("level", Json.of(9)));
        }

        @Override
        protected List<Json.Obj> illegal() {
            return List.of(Json.object(), Json.object().with("level", Json.of(10)));
        }
    }

    @Nested
    class BloscFactory extends CodecFactoryContract {
        @Override
        protected CodecFactory factory() {
            return new FfmBloscCodecFactory();
        }

        @Override
        protected List<Json.Obj> legal() {
            return List.of(
                    Native.bloscConfiguration("lz4", "shuffle", 4), Native.bloscConfiguration("lz4hc", "noshuffle", 1));
        }

        @Override
        protected List<Json.Obj> illegal() {
            return List.of(Json.object(), Native.bloscConfiguration("lz5", "shuffle", 4));
        }
    }
}
