package dev.shardkit.grid.rectilinear;

import dev.shardkit.spi.ChunkGridFactory;
import dev.shardkit.spi.Config;
import dev.shardkit.spi.json.Json;
import dev.shardkit.testkit.extension.ChunkGridContract;
import dev.shardkit.testkit.extension.FactoryContract;
import java.util.List;
import org.junit.jupiter.api.Nested;

/** The rectilinear grid under the contracts. */
class RectilinearContractsTest {
    @Nested
    class Grid extends ChunkGridContract {
        private static Case of(long[] array, ChunkLengths... edges) {
            return new Case(RectilinearGrid.of(array, List.of(edges)), array);
        }

        @Override
        protected List<Case> cases() {
            return List.of(
                    of(new long[] {10, 6}, ChunkLengths.of(2, 3, 5), ChunkLengths.of(4, 2)),
                    of(
                            new long[] {12, 9},
                            ChunkLengths.builder().add(2, 4).add(4, 1).build(),
                            ChunkLengths.builder().add(3, 3).build()),
                    of(
                            new long[] {7, 6, 5},
                            ChunkLengths.uniform(3),
                            ChunkLengths.of(1, 5),
                            ChunkLengths.of(2, 2, 2, 9)),
                    of(new long[] {10}, ChunkLengths.builder().add(4, 1L << 58).build()),
                    of(new long[0]),
                    of(new long[] {5, 0, 0}, ChunkLengths.of(5, 5), ChunkLengths.of(), ChunkLengths.of(3)));
        }

        @Override
        protected ChunkGridFactory factory() {
            return new RectilinearGridFactory();
        }
    }

    @Nested
    class Factory extends FactoryContract<ChunkGridFactory> {
        Factory() {
            super(ChunkGridFactory.class);
        }

        @Override
        protected ChunkGridFactory factory() {
            return new RectilinearGridFactory();
        }

        @Override
        protected Object create(ChunkGridFactory factory, Config config) {
            return factory.create(config, new long[] {6, 6});
        }

        private static Json.Obj shapes(String kind, Json... shapes) {
            return Json.object().with("kind", Json.of(kind)).with("chunk_shapes", new Json.Arr(List.of(shapes)));
        }

        private static Json list(Json... items) {
            return new Json.Arr(List.of(items));
        }

        private static Json run(long... numbers) {
            return Json.of(numbers);
        }

        private static Json.Obj bad(Json shape) {
            return shapes("inline", Json.of(6), shape);
        }

        @Override
        protected List<Json.Obj> legal() {
            return List.of(
                    shapes("inline", Json.of(4), run(1, 2, 3)),
                    shapes("inline", list(run(4, 2)), run(4, 4, 4)),
                    shapes("inline", list(run(1, 3), Json.of(3)), list(run(1, 1L << 60))));
        }

        @Override
        protected List<Json.Obj> illegal() {
            Json.Obj good = legal().get(0);
            return List.of(
                    Json.object(),
                    Json.object().with("kind", Json.of("inline")),
                    Json.object().with("chunk_shapes", good.members().get("chunk_shapes")),
                    shapes("reference", Json.of(4), Json.of(4)),
                    good.with("chunk_shapes", Json.of(4)),
                    shapes("inline", Json.of(6)),
                    shapes("inline", Json.of(6), Json.of(6), Json.of(6)),
                    bad(Json.of(0)),
                    bad(Json.of(-1)),
                    bad(Json.of("6")),
                    bad(new Json.Num("6.0")),
                    bad(new Json.Num("1e3")),
                    bad(new Json.Num("9223372036854775808")),
                    bad(new Json.Num("9999999999999999999999999999999999")),
                    bad(new Json.Null()),
                    bad(run(6, 0)),
                    bad(run(-6, 12)),
                    bad(run(5)),
                    bad(run()),
                    bad(list(run())),
                    bad(list(run(6))),
                    bad(list(run(6, 0))),
                    bad(list(run(0, 6))),
                    bad(list(run(2, 3, 1))),
                    bad(list(run(2, 2))),
                    bad(list(list(run(6, 1), Json.of(1)))),
                    bad(list(run(1L << 60, 1L << 60))),
                    bad(run(Long.MAX_VALUE, 1)),
                    bad(list(run(1L << 61, 3), run(1L << 61, 1))),
                    bad(list(Json.of("6"))),
                    bad(Json.object()));
        }
    }
}
