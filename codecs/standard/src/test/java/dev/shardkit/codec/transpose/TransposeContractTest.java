package dev.shardkit.codec.transpose;

import dev.shardkit.codec.Codecs;
import dev.shardkit.spi.CodecFactory;
import dev.shardkit.spi.array.ChunkType;
import dev.shardkit.spi.codec.ArrayToArrayCodec;
import dev.shardkit.spi.json.Json;
import dev.shardkit.testkit.SampleChunks;
import dev.shardkit.testkit.extension.ArrayToArrayCodecContract;
import dev.shardkit.testkit.extension.ChunkCase;
import dev.shardkit.testkit.extension.CodecFactoryContract;
import java.util.List;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Nested;

class TransposeContractTest {
    @Nested
    class Chunks extends ArrayToArrayCodecContract {
        @Override
        protected List<ChunkCase<ArrayToArrayCodec>> cases() {
            return Stream.concat(SampleChunks.fixedTypes().stream(), SampleChunks.variableTypes().stream())
                    .flatMap(type -> Stream.of(shifted(type, 1), shifted(type, 2)))
                    .toList();
        }

        /** The last dimensions come first. */
        private static ChunkCase<ArrayToArrayCodec> shifted(ChunkType type, int by) {
            long[] order = LongStream.range(0, type.rank())
                    .map(d -> (d + by) % type.rank())
                    .toArray();
            return new ChunkCase<>((ArrayToArrayCodec) Codecs.transpose(order), type);
        }
    }

    @Nested
    class Factory extends CodecFactoryContract {
        @Override
        protected CodecFactory factory() {
            return new TransposeCodecFactory();
        }

        private static Json.Obj order(Json order) {
            return Json.object().with("order", order);
        }

        private static Json.Obj order(long... order) {
            return order(Json.of(order));
        }

        @Override
        protected List<Json.Obj> legal() {
            return List.of(order(), order(0), order(1, 0), order(2, 0, 1));
        }

        @Override
        protected List<Json.Obj> illegal() {
            return List.of(Json.object(), order(1), order(0, 0), order(-1, 0), order(0, 2), order(Json.of("F")));
        }
    }
}
