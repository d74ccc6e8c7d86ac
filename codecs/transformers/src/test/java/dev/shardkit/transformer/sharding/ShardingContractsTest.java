package dev.shardkit.transformer.sharding;

import dev.shardkit.spi.Config;
import dev.shardkit.spi.StorageTransformerFactory;
import dev.shardkit.spi.codec.StorageTransformer;
import dev.shardkit.spi.json.Json;
import dev.shardkit.testkit.extension.FactoryContract;
import dev.shardkit.testkit.extension.StorageTransformerContract;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Nested;

/** The transformer under the contracts. */
class ShardingContractsTest {
    private static final class Cases {
        static List<String> keys(String prefix, String separator) {
            return IntStream.range(0, 20)
                    .mapToObj(i -> prefix + i / 4 + separator + i % 4)
                    .toList();
        }
    }

    @Nested
    class DraftKeys extends StorageTransformerContract {
        @Override
        protected StorageTransformer transformer() {
            return ShardingTransformer.of(2, 3);
        }

        @Override
        protected StorageTransformerFactory factory() {
            return new ShardingTransformerFactory();
        }

        @Override
        protected List<String> keys() {
            return Cases.keys("data/root/foo/c", "/");
        }
    }

    @Nested
    class FinalKeys extends StorageTransformerContract {
        @Override
        protected StorageTransformer transformer() {
            return ShardingTransformer.of(3, 1);
        }

        @Override
        protected StorageTransformerFactory factory() {
            return new ShardingTransformerFactory();
        }

        @Override
        protected List<String> keys() {
            return Cases.keys("foo/c.", ".");
        }
    }

    @Nested
    class Factory extends FactoryContract<StorageTransformerFactory> {
        Factory() {
            super(StorageTransformerFactory.class);
        }

        @Override
        protected StorageTransformerFactory factory() {
            return new ShardingTransformerFactory();
        }

        @Override
        protected Object create(StorageTransformerFactory factory, Config config) {
            return factory.create(config);
        }

        private static Json.Obj per(Json json) {
            return Json.object().with("chunks_per_shard", json);
        }

        @Override
        protected List<Json.Obj> legal() {
            return List.of(per(Json.of(new long[] {2, 2})), per(Json.of(new long[0])));
        }

        @Override
        protected List<Json.Obj> illegal() {
            return List.of(
                    Json.object(),
                    per(Json.of(2)),
                    per(Json.of(new long[] {2, 0})),
                    per(Json.of(new long[] {-2})),
                    per(Json.of(new long[] {1L << 60})),
                    per(Json.of(new long[] {1L << 32, 1L << 32})),
                    per(new Json.Arr(List.of(Json.of("2")))));
        }
    }
}
