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
    class Lzf extends BytesToBytesCodecContract {
        @Override
        protected BytesToBytesCodec codec() {
            return new LzfCodec();
        }
    }

    @Nested
    class Bitshuffle extends BytesToBytesCodecContract {
        @Override
        protected BytesToBytesCodec codec() {
            return new BitshuffleCodec(2, 64, BitshuffleCodec.Compressor.NONE);
        }
    }

    @Nested
    class BitshuffleLz4 extends BytesToBytesCodecContract {
        @Override
        protected BytesToBytesCodec codec() {
            return new BitshuffleCodec(4, 128, BitshuffleCodec.Compressor.LZ4);
        }
    }

    @Nested
    class BitshuffleZstd extends BytesToBytesCodecContract {
        @Override
        protected BytesToBytesCodec codec() {
            return new BitshuffleCodec(8, 2048, BitshuffleCodec.Compressor.ZSTD);
        }
    }

    @Nested
    class Scaled extends BytesToBytesCodecContract {
        @Override
        protected BytesToBytesCodec codec() {
            return new ScaleOffset(new long[] {2, 0, 50, 0, 4, 1, 1, 1, 7, 0});
        }

        /** The filter's parameters say how many elements a chunk has. */
        @Override
        protected int[] sizes() {
            return new int[] {200};
        }
    }

    @Nested
    class LzfFactory extends CodecFactoryContract {
        @Override
        protected CodecFactory factory() {
            return new Hdf5CodecFactories.Lzf();
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
    class BitshuffleFactory extends CodecFactoryContract {
        @Override
        protected CodecFactory factory() {
            return new Hdf5CodecFactories.Bitshuffle();
        }

        private static Json.Obj of(long size, long block, String cname) {
            return Json.object()
                    .with("elementsize", Json.of(size))
                    .with("blocksize", Json.of(block))
                    .with("cname", Json.of(cname));
        }

        @Override
        protected List<Json.Obj> legal() {
            return List.of(of(4, 8, "none"), of(2, 4096, "lz4"), of(1, 8192, "zstd"));
        }

        @Override
        protected List<Json.Obj> illegal() {
            return List.of(
                    Json.object(), of(0, 8, "none"), of(4, 9, "none"), of(1 << 20, 1 << 20, "lz4"), of(4, 8, "gzip"));
        }
    }

    @Nested
    class ScaledFactory extends CodecFactoryContract {
        @Override
        protected CodecFactory factory() {
            return new Hdf5CodecFactories.Scaled();
        }

        private static Json.Obj of(long... parameters) {
            return Json.object().with("parameters", Json.of(parameters));
        }

        @Override
        protected List<Json.Obj> legal() {
            return List.of(of(2, 9, 60, 0, 4, 1, 0, 1, 0, 0), of(0, 3, 60, 1, 8, 0, 0, 0, 0, 0));
        }

        @Override
        protected List<Json.Obj> illegal() {
            return List.of(
                    Json.object(),
                    of(2, 9, 60),
                    of(1, 3, 60, 1, 4, 0, 0, 0, 0, 0),
                    of(0, 3, 60, 1, 2, 0, 0, 0, 0, 0),
                    of(2, 9, 60, 0, 3, 1, 0, 1, 0, 0));
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
