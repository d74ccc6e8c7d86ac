package dev.shardkit.hdf5.codec;

import dev.shardkit.spi.CodecFactory;
import dev.shardkit.spi.codec.BytesToBytesCodec;
import dev.shardkit.spi.json.Json;
import dev.shardkit.testkit.extension.BytesToBytesCodecContract;
import dev.shardkit.testkit.extension.CodecFactoryContract;
import dev.shardkit.testkit.extension.LoadedExtensions;
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
    class Packed extends BytesToBytesCodecContract {
        @Override
        protected BytesToBytesCodec codec() {
            return new Nbit(new long[] {8, 0, 50, 1, 4, 1, 32, 0});
        }

        @Override
        protected int[] sizes() {
            return new int[] {200};
        }
    }

    @Nested
    class Integers extends BytesToBytesCodecContract {
        @Override
        protected BytesToBytesCodec codec() {
            return new PackedNumbersCodec(new WordOrder(2, true), new NumberForm.Whole(2, true, 0, 16));
        }

        @Override
        protected int[] sizes() {
            return new int[] {0, 2, 30, 5000};
        }
    }

    @Nested
    class Floats extends BytesToBytesCodecContract {
        @Override
        protected BytesToBytesCodec codec() {
            return new PackedNumbersCodec(new WordOrder(4, false), new NumberForm.Real(4, 0, 1, 8, 9, 23, 127));
        }

        @Override
        protected int[] sizes() {
            return new int[] {0, 4, 36, 5000};
        }
    }

    @Nested
    class PackedFactory extends CodecFactoryContract {
        @Override
        protected CodecFactory factory() {
            return new Hdf5CodecFactories.Packed();
        }

        private static Json.Obj of(long... parameters) {
            return Json.object().with("parameters", Json.of(parameters));
        }

        @Override
        protected List<Json.Obj> legal() {
            return List.of(of(3, 1, 4), of(8, 0, 60, 1, 2, 0, 10, 3), of(10, 0, 60, 2, 6, 1, 2, 1, 10, 0));
        }

        @Override
        protected List<Json.Obj> illegal() {
            return List.of(
                    Json.object(),
                    of(2, 1),
                    of(8, 0, 60, 1, 2, 0, 10),
                    of(8, 0, 60, 1, 2, 0, 10, 7),
                    of(8, 0, 60, 1, 2, 0, 0, 0),
                    of(8, 0, 60, 1, 16, 0, 10, 0),
                    of(8, 0, 0xffffffffL, 1, 8, 0, 10, 0),
                    of(10, 0, 60, 2, 5, 1, 2, 1, 10, 0),
                    of(5, 0, 60, 4, 5),
                    of(18, 0, 4, 3, 6, 2, 0, 1, 2, 0, 10, 1, 2, 1, 4, 0, 32, 0));
        }
    }

    @Nested
    class NumbersFactory extends CodecFactoryContract {
        @Override
        protected CodecFactory factory() {
            return new Hdf5CodecFactories.Numbers();
        }

        private static Json.Obj of(long size, String endian, String member, long... parameters) {
            return Json.object()
                    .with("elementsize", Json.of(size))
                    .with("endian", Json.of(endian))
                    .with(member, Json.of(parameters));
        }

        @Override
        protected List<Json.Obj> legal() {
            return List.of(
                    of(2, "little", "integer", 1, 3, 10),
                    of(8, "big", "integer", 0, 0, 64),
                    of(4, "big", "float", 26, 20, 6, 7, 13, 31));
        }

        @Override
        protected List<Json.Obj> illegal() {
            return List.of(
                    Json.object(),
                    of(2, "little", "integer", 1, 3),
                    of(2, "little", "integer", 1, 7, 10),
                    of(2, "little", "integer", 1, 0, 0),
                    of(9, "little", "integer", 1, 0, 10),
                    of(2, "little", "float", 15, 10, 5, 0, 10, 15),
                    of(4, "little", "float", 31, 23, 9, 0, 23, 127),
                    of(4, "little", "float", 31, 23, 8, 0, 23, 1000));
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
