package dev.shardkit.codec.numcodecs;

import dev.shardkit.json.JsonReader;
import dev.shardkit.spi.CodecFactory;
import dev.shardkit.spi.array.ChunkType;
import dev.shardkit.spi.array.DataType;
import dev.shardkit.spi.array.DenseChunk;
import dev.shardkit.spi.codec.ArrayToArrayCodec;
import dev.shardkit.spi.codec.BytesToBytesCodec;
import dev.shardkit.spi.codec.Limits;
import dev.shardkit.spi.json.Json;
import dev.shardkit.spi.type.CoreTypes;
import dev.shardkit.testkit.ArrayToArrayCodecContract;
import dev.shardkit.testkit.BytesToBytesCodecContract;
import dev.shardkit.testkit.ChunkCase;
import dev.shardkit.testkit.CodecFactoryContract;
import dev.shardkit.testkit.LoadedExtensions;
import dev.shardkit.testkit.SampleChunks;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Nested;

class NumcodecsContractTest {
    private static Json.Obj json(String text) {
        return (Json.Obj) JsonReader.read(text.replace('\'', '"'), Limits.defaults());
    }

    private static List<Json.Obj> all(String... texts) {
        return Stream.of(texts).map(NumcodecsContractTest::json).toList();
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

    @Nested
    class RowDeltaFactory extends FactoryOf {
        RowDeltaFactory() {
            super(
                    new NumcodecsFactories.RowDelta(),
                    all("{'dtype': '<i4'}", "{'dtype': '|u1', 'axis': -2, 'dist': 1, 'shape': [8, 8, 3]}"),
                    all("{}", "{'dtype': '<f4'}", "{'dtype': '<i4', 'axis': 0}", "{'dtype': '<i4', 'dist': 2}"));
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
            var words = ((dev.shardkit.spi.array.Elements.Fixed) random.elements()).bytes();
            for (int i = 0; i < type.count(); i++) {
                words.putFloat(4 * i, words.getInt(4 * i) % 1000 / 128f);
            }
            return random;
        }
    }

    private abstract static class FactoryOf extends CodecFactoryContract {
        private final CodecFactory factory;
        private final List<Json.Obj> legal;
        private final List<Json.Obj> illegal;

        FactoryOf(CodecFactory factory, List<Json.Obj> legal, List<Json.Obj> illegal) {
            this.factory = factory;
            this.legal = legal;
            this.illegal = illegal;
        }

        @Override
        protected CodecFactory factory() {
            return factory;
        }

        @Override
        protected List<Json.Obj> legal() {
            return legal;
        }

        @Override
        protected List<Json.Obj> illegal() {
            return illegal;
        }
    }

    @Nested
    class Bz2Factory extends FactoryOf {
        Bz2Factory() {
            super(
                    new NumcodecsFactories.Bz2(),
                    all("{}", "{'level': 9}"),
                    all("{'level': 0}", "{'level': 10}", "{'level': '1'}"));
        }
    }

    @Nested
    class LzmaFactory extends FactoryOf {
        LzmaFactory() {
            super(
                    new NumcodecsFactories.Lzma(),
                    all(
                            "{}",
                            "{'format': 2, 'check': 0, 'preset': 9, 'filters': null}",
                            "{'preset': 2147483657}",
                            "{'format': 3, 'filters': [{'id': 3, 'dist': 2}, {'id': 33, 'dict_size': 4096}]}"),
                    all(
                            "{'format': 0}",
                            "{'check': 2}",
                            "{'preset': 10}",
                            "{'preset': 1, 'filters': [{'id': 33}]}",
                            "{'filters': []}",
                            "{'filters': [{'id': 33, 'color': 1}]}",
                            "{'filters': [{'id': 33, 'dict_size': 1000000000}]}"));
        }
    }

    @Nested
    class Crc32Factory extends FactoryOf {
        Crc32Factory() {
            super(
                    new NumcodecsFactories.Crc32(),
                    all("{}", "{'location': 'start'}", "{'location': 'end'}"),
                    all("{'location': 'middle'}", "{'location': 1}"));
        }
    }

    @Nested
    class JenkinsFactory extends FactoryOf {
        JenkinsFactory() {
            super(
                    new NumcodecsFactories.JenkinsLookup3(),
                    all("{}", "{'initval': 4294967295, 'prefix': null}"),
                    all("{'initval': -1}", "{'prefix': 'abc'}"));
        }
    }

    @Nested
    class DeltaFactory extends FactoryOf {
        DeltaFactory() {
            super(
                    new NumberFactories.Delta(),
                    all("{'dtype': '<i4'}", "{'dtype': 'float64', 'astype': '>f4'}"),
                    all(
                            "{}",
                            "{'dtype': '|O'}",
                            "{'dtype': 4}",
                            "{'dtype': '|b1'}",
                            "{'dtype': '<i4', 'astype': '<f4'}",
                            "{'dtype': '<c8'}"));
        }
    }

    @Nested
    class AstypeFactory extends FactoryOf {
        AstypeFactory() {
            super(
                    new NumberFactories.Astype(),
                    all("{'encode_dtype': '<i4'}", "{'encode_dtype': '|b1', 'decode_dtype': '<f2'}"),
                    all("{}", "{'encode_dtype': '<U4'}"));
        }
    }

    @Nested
    class FixedScaleOffsetFactory extends FactoryOf {
        FixedScaleOffsetFactory() {
            super(
                    new NumberFactories.FixedScaleOffset(),
                    all(
                            "{'offset': 0, 'scale': 1e-3, 'dtype': '<f8'}",
                            "{'offset': -1.5, 'scale': 10, 'dtype': '<f4', 'astype': '|u1'}"),
                    all(
                            "{'offset': 0, 'dtype': '<f8'}",
                            "{'offset': 0, 'scale': 0.0, 'dtype': '<f8'}",
                            "{'offset': 1e999, 'scale': 1, 'dtype': '<f8'}",
                            "{'offset': 0, 'scale': '1', 'dtype': '<f8'}",
                            "{'offset': 0, 'scale': 1, 'dtype': '|b1'}"));
        }
    }

    @Nested
    class QuantizeFactory extends FactoryOf {
        QuantizeFactory() {
            super(
                    new NumberFactories.Quantize(),
                    all("{'digits': 3, 'dtype': '<f4'}", "{'digits': -1, 'dtype': '<f8', 'astype': '<f4'}"),
                    all("{'digits': 3}", "{'digits': 1.5, 'dtype': '<f4'}", "{'digits': 3, 'dtype': '<i4'}"));
        }
    }

    @Nested
    class PackbitsFactory extends FactoryOf {
        PackbitsFactory() {
            super(new NumcodecsFactories.Packbits(), all("{}"), all("{'padding': 1}"));
        }
    }

    @Nested
    class Lz4Factory extends FactoryOf {
        Lz4Factory() {
            super(new NumcodecsFactories.Lz4(), all("{}", "{'acceleration': 0}"), all("{'acceleration': 'fast'}"));
        }
    }
}
