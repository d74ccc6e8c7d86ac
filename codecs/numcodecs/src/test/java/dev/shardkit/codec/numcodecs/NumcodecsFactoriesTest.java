package dev.shardkit.codec.numcodecs;

import dev.shardkit.json.JsonReader;
import dev.shardkit.spi.CodecFactory;
import dev.shardkit.spi.codec.Limits;
import dev.shardkit.spi.json.Json;
import dev.shardkit.testkit.extension.CodecFactoryContract;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Nested;

/** Which configurations the factories accept. */
class NumcodecsFactoriesTest {
    private static List<Json.Obj> all(String... texts) {
        return Stream.of(texts)
                .map(text -> (Json.Obj) JsonReader.read(text.replace('\'', '"'), Limits.defaults()))
                .toList();
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

    @Nested
    class RowDeltaFactory extends FactoryOf {
        RowDeltaFactory() {
            super(
                    new NumcodecsFactories.RowDelta(),
                    all("{'dtype': '<i4'}", "{'dtype': '|u1', 'axis': -2, 'dist': 1, 'shape': [8, 8, 3]}"),
                    all("{}", "{'dtype': '<f4'}", "{'dtype': '<i4', 'axis': 0}", "{'dtype': '<i4', 'dist': 2}"));
        }
    }
}
