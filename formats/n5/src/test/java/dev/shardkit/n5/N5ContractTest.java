package dev.shardkit.n5;

import dev.shardkit.spi.CodecFactory;
import dev.shardkit.spi.NodeFormat;
import dev.shardkit.spi.array.ChunkType;
import dev.shardkit.spi.codec.ArrayToBytesCodec;
import dev.shardkit.spi.codec.BytesToBytesCodec;
import dev.shardkit.spi.json.Json;
import dev.shardkit.testkit.SampleChunks;
import dev.shardkit.testkit.extension.ArrayToBytesCodecContract;
import dev.shardkit.testkit.extension.BytesToBytesCodecContract;
import dev.shardkit.testkit.extension.ChunkCase;
import dev.shardkit.testkit.extension.CodecFactoryContract;
import dev.shardkit.testkit.extension.LoadedExtensions;
import dev.shardkit.testkit.extension.NodeFormatContract;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Nested;

class N5ContractTest {
    private static final String ARRAY = "{\"dimensions\": [9, 8], \"blockSize\": [4, 4], \"dataType\": \"uint16\", "
            + "\"compression\": {\"type\": \"blosc\", \"cname\": \"lz4\", \"clevel\": 5, \"shuffle\": 1, "
            + "\"blocksize\": 0}, \"axes\": [\"x\", \"y\"]}";

    static Json.Obj configuration(int rank, Json... compressor) {
        long[] order = new long[rank];
        for (int d = 0; d < rank; d++) {
            order[d] = rank - 1 - d;
        }
        List<Json> codecs = Stream.concat(
                        Stream.of(
                                Json.extension("transpose", Json.object().with("order", Json.of(order))),
                                Json.extension("bytes", Json.object().with("endian", Json.of("big")))),
                        Stream.of(compressor))
                .toList();
        return Json.object().with("codecs", new Json.Arr(codecs));
    }

    static ArrayToBytesCodec block(int rank, Json... compressor) {
        return (ArrayToBytesCodec)
                new LoadedExtensions().codec(Json.extension("n5_default", configuration(rank, compressor)), "");
    }

    private static Json gzip() {
        return Json.extension("gzip", Json.object().with("level", Json.of(1)));
    }

    abstract static class Documents extends NodeFormatContract {
        private final String path;

        Documents(String path) {
            this.path = path;
        }

        @Override
        protected NodeFormat format() {
            return new N5Format();
        }

        @Override
        protected Map<String, String> documents() {
            return Map.of("attributes.json", "{\"n5\": \"4.0.0\"}", "a/attributes.json", ARRAY);
        }

        @Override
        protected String path() {
            return path;
        }
    }

    @Nested
    class Arrays extends Documents {
        Arrays() {
            super("a");
        }
    }

    @Nested
    class Groups extends Documents {
        Groups() {
            super("");
        }
    }

    @Nested
    class ImpliedGroups extends Documents {
        ImpliedGroups() {
            super("b/c");
        }
    }

    @Nested
    class Blocks extends ArrayToBytesCodecContract {
        @Override
        protected List<ChunkCase<ArrayToBytesCodec>> cases() {
            return SampleChunks.fixedTypes().stream()
                    .filter(type -> type.rank() > 0)
                    .flatMap(type -> Stream.of(of(type), of(type, gzip())))
                    .toList();
        }

        private static ChunkCase<ArrayToBytesCodec> of(ChunkType type, Json... compressor) {
            return new ChunkCase<>(block(type.rank(), compressor), type);
        }
    }

    @Nested
    class BlockFactory extends CodecFactoryContract {
        @Override
        protected CodecFactory factory() {
            return new N5CodecFactories.Block();
        }

        @Override
        protected List<Json.Obj> legal() {
            return List.of(configuration(2), configuration(3, gzip()));
        }

        @Override
        protected List<Json.Obj> illegal() {
            return List.of(
                    Json.object(),
                    Json.object().with("codecs", new Json.Arr(List.of(gzip()))),
                    Json.object().with("codecs", Json.of(1)));
        }
    }

    @Nested
    class Lz4 extends BytesToBytesCodecContract {
        @Override
        protected BytesToBytesCodec codec() {
            return new Lz4BlockCodec(Lz4BlockCodec.DEFAULT_BLOCK_SIZE);
        }
    }

    @Nested
    class SmallLz4 extends BytesToBytesCodecContract {
        @Override
        protected BytesToBytesCodec codec() {
            return new Lz4BlockCodec(Lz4BlockCodec.MIN_BLOCK_SIZE);
        }
    }

    @Nested
    class Lz4Factory extends CodecFactoryContract {
        @Override
        protected CodecFactory factory() {
            return new N5CodecFactories.Lz4Block();
        }

        @Override
        protected List<Json.Obj> legal() {
            return List.of(Json.object(), Json.object().with("block_size", Json.of(64)));
        }

        @Override
        protected List<Json.Obj> illegal() {
            return List.of(
                    Json.object().with("block_size", Json.of(63)), Json.object().with("block_size", Json.of(1L << 26)));
        }
    }
}
