package dev.shardkit.testkit.extension;

import dev.shardkit.spi.ChunkGridFactory;
import dev.shardkit.spi.ChunkKeyEncodingFactory;
import dev.shardkit.spi.Config;
import dev.shardkit.spi.array.ChunkKeyEncoding;
import dev.shardkit.spi.grid.ChunkKeyFactories;
import dev.shardkit.spi.grid.ChunkKeys;
import dev.shardkit.spi.grid.RegularGrid;
import dev.shardkit.spi.grid.RegularGridFactory;
import dev.shardkit.spi.json.Json;
import java.util.List;
import org.junit.jupiter.api.Nested;

/** The regular grid and the key encodings of the core under the contracts. */
class GridsAndKeysTest {
    @Nested
    class Regular extends ChunkGridContract {
        private static Case of(long[] array, long[] chunk) {
            return new Case(RegularGrid.of(array, chunk), array);
        }

        @Override
        protected List<Case> cases() {
            return List.of(
                    of(new long[] {10, 7, 5}, new long[] {3, 7, 2}),
                    of(new long[] {12}, new long[] {4}),
                    of(new long[] {3, 3}, new long[] {10, 1}),
                    of(new long[0], new long[0]),
                    of(new long[] {5, 0}, new long[] {2, 3}));
        }

        @Override
        protected ChunkGridFactory factory() {
            return new RegularGridFactory();
        }
    }

    @Nested
    class RegularFactory extends FactoryContract<ChunkGridFactory> {
        RegularFactory() {
            super(ChunkGridFactory.class);
        }

        @Override
        protected ChunkGridFactory factory() {
            return new RegularGridFactory();
        }

        @Override
        protected Object create(ChunkGridFactory factory, Config config) {
            return factory.create(config, new long[] {4, 4});
        }

        private static Json.Obj shape(Json shape) {
            return Json.object().with("chunk_shape", shape);
        }

        @Override
        protected List<Json.Obj> legal() {
            return List.of(shape(Json.of(new long[] {2, 3})));
        }

        @Override
        protected List<Json.Obj> illegal() {
            return List.of(
                    Json.object(),
                    shape(Json.of(new long[] {2, 0})),
                    shape(Json.of(new long[] {2})),
                    shape(Json.of(new long[] {2, -1})),
                    shape(Json.of(2)),
                    shape(Json.of(new long[] {2, 2, 2})));
        }
    }

    @Nested
    class Standard extends ChunkKeyEncodingContract {
        @Override
        protected List<ChunkKeyEncoding> encodings() {
            return List.of(ChunkKeys.standard(ChunkKeys.Separator.SLASH), ChunkKeys.standard(ChunkKeys.Separator.DOT));
        }

        @Override
        protected ChunkKeyEncodingFactory factory() {
            return new ChunkKeyFactories.Default();
        }
    }

    @Nested
    class V2 extends ChunkKeyEncodingContract {
        @Override
        protected List<ChunkKeyEncoding> encodings() {
            return List.of(ChunkKeys.v2(ChunkKeys.Separator.SLASH), ChunkKeys.v2(ChunkKeys.Separator.DOT));
        }

        @Override
        protected ChunkKeyEncodingFactory factory() {
            return new ChunkKeyFactories.V2();
        }
    }

    @Nested
    class V2Factory extends FactoryContract<ChunkKeyEncodingFactory> {
        V2Factory() {
            super(ChunkKeyEncodingFactory.class);
        }

        @Override
        protected ChunkKeyEncodingFactory factory() {
            return new ChunkKeyFactories.V2();
        }

        @Override
        protected Object create(ChunkKeyEncodingFactory factory, Config config) {
            return factory.create(config);
        }

        @Override
        protected List<Json.Obj> legal() {
            return List.of(Json.object(), Json.object().with("separator", Json.of("/")));
        }

        @Override
        protected List<Json.Obj> illegal() {
            return List.of(
                    Json.object().with("separator", Json.of("-")), Json.object().with("separator", Json.of(1)));
        }
    }
}
