package dev.shardkit.codec.numcodecs;

import dev.shardkit.json.JsonReader;
import dev.shardkit.spi.array.ChunkType;
import dev.shardkit.spi.array.DataType;
import dev.shardkit.spi.array.DenseChunk;
import dev.shardkit.spi.array.Elements;
import dev.shardkit.spi.codec.ArrayToArrayCodec;
import dev.shardkit.spi.codec.BytesToBytesCodec;
import dev.shardkit.spi.codec.Limits;
import dev.shardkit.spi.json.Json;
import dev.shardkit.spi.type.CoreTypes;
import dev.shardkit.testkit.SampleChunks;
import dev.shardkit.testkit.extension.ArrayToArrayCodecContract;
import dev.shardkit.testkit.extension.BytesToBytesCodecContract;
import dev.shardkit.testkit.extension.ChunkCase;
import dev.shardkit.testkit.extension.LoadedExtensions;
import java.util.List;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Tag;

@Tag("one-jdk")
class NumcodecsContractTest {
    private static Json.Obj json(String text) {
        return (Json.Obj) JsonReader.read(text.replace('\'', '"'), Limits.defaults());
    }

    private static BytesToBytesCodec bytes(String name, String configuration) {
        return (BytesToBytesCodec) new LoadedExtensions().codec(Json.extension(name, json(configuration)), "");
    }

    private abstract static class BytesContract extends BytesToBytesCodecContract {
        private final String name;

        BytesContract(String name) {
            this.name = name;
        }

        @Override
        protected BytesToBytesCodec codec() {
            return bytes(name, "{}");
        }
    }

    @Nested
    class Bz2 extends BytesContract {
        Bz2() {
            super("numcodecs.bz2");
        }
    }

    @Nested
    class Lzma extends BytesContract {
        Lzma() {
            super("numcodecs.lzma");
        }
    }

    @Nested
    class Lz4 extends BytesContract {
        Lz4() {
            super("numcodecs.lz4");
        }
    }

    @Nested
    class Adler32 extends BytesContract {
        Adler32() {
            super("numcodecs.adler32");
        }
    }

    @Nested
    class Crc32 extends BytesContract {
        Crc32() {
            super("numcodecs.crc32");
        }
    }

    @Nested
    class Fletcher32 extends BytesContract {
        Fletcher32() {
            super("numcodecs.fletcher32");
        }
    }

    @Nested
    class JenkinsLookup3 extends BytesContract {
        JenkinsLookup3() {
            super("numcodecs.jenkins_lookup3");
        }
    }

    @Nested
    class TiffLzw extends BytesContract {
        TiffLzw() {
            super("numcodecs.imagecodecs_lzw");
        }
    }

    @Nested
    class RowDelta extends ElementsContract {
        RowDelta() {
            super("numcodecs.imagecodecs_delta", CoreTypes.UINT16, "{'axis': -1, 'dtype': '>u2', 'shape': [5, 3, 7]}");
        }
    }

    private abstract static class ElementsContract extends ArrayToArrayCodecContract {
        private final List<ChunkCase<ArrayToArrayCodec>> cases;

        ElementsContract(String name, DataType type, String configuration) {
            ArrayToArrayCodec codec =
                    (ArrayToArrayCodec) new LoadedExtensions().codec(Json.extension(name, json(configuration)), "");
            ChunkType flat = ChunkType.of(type, type.defaultFill(), new long[] {41});
            cases = List.of(new ChunkCase<>(codec, flat), new ChunkCase<>(codec, flat.withShape(new long[] {5, 3, 7})));
        }

        @Override
        protected List<ChunkCase<ArrayToArrayCodec>> cases() {
            return cases;
        }
    }

    @Nested
    class Delta extends ElementsContract {
        Delta() {
            super("numcodecs.delta", CoreTypes.INT32, "{'dtype': '<i4'}");
        }
    }

    @Nested
    class Packbits extends ElementsContract {
        Packbits() {
            super("numcodecs.packbits", CoreTypes.BOOL, "{}");
        }
    }

    @Nested
    class Astype extends ElementsContract {
        Astype() {
            super("numcodecs.astype", CoreTypes.INT16, "{'encode_dtype': '<i8', 'decode_dtype': '<i2'}");
        }
    }

    @Nested
    class FixedScaleOffset extends ElementsContract {
        FixedScaleOffset() {
            super(
                    "numcodecs.fixedscaleoffset",
                    CoreTypes.INT16,
                    "{'offset': 3.0, 'scale': 2, 'dtype': '<i2', 'astype': '<i4'}");
        }
    }

    @Nested
    class Quantize extends ElementsContract {
        Quantize() {
            super("numcodecs.quantize", CoreTypes.FLOAT32, "{'digits': 2, 'dtype': '<f4'}");
        }

        /** Numbers that quantization keeps. */
        @Override
        protected DenseChunk sample(ChunkType type) {
            DenseChunk random = SampleChunks.random(type, 11);
            return random(type, random);
        }

        private DenseChunk random(ChunkType type, DenseChunk random) {
            var words = ((Elements.Fixed) random.elements()).bytes();
            for (int i = 0; i < type.count(); i++) {
                words.putFloat(4 * i, words.getInt(4 * i) % 1000 / 128f);
            }
            return random;
        }
    }
}
