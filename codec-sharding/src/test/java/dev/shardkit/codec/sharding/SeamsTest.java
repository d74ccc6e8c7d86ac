package dev.shardkit.codec.sharding;

import static dev.shardkit.codec.sharding.Codecs.shape;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.shardkit.spi.array.Box;
import dev.shardkit.spi.array.ChunkGrid;
import dev.shardkit.spi.codec.ChunkCodec;
import dev.shardkit.spi.codec.CodecChain;
import dev.shardkit.spi.codec.Limits;
import dev.shardkit.spi.codec.ShardWritePolicy;
import dev.shardkit.spi.error.CorruptDataException;
import dev.shardkit.spi.error.DataLocation;
import dev.shardkit.spi.json.Json;
import dev.shardkit.spi.plan.NoResult;
import dev.shardkit.spi.plan.Plan;
import dev.shardkit.spi.plan.Source;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.function.Function;
import org.junit.jupiter.api.Test;

/** What the seam must carry beside shards under plain keys: foreign chunks, other keys, other grids, other orders. */
class SeamsTest {
    /** Plans a read of part of an array: chunks by a grid, found by a locator, codecs bound once per distinct shape. */
    private record ArrayPlan(
            ChunkGrid grid,
            CodecChain chain,
            int fill,
            Function<long[], Plan<Source>> locator,
            Map<List<Long>, ChunkCodec> bound) {
        ChunkCodec codec(long[] cell) {
            long[] shape = grid.chunk(cell).shape();
            return bound.computeIfAbsent(
                    Arrays.stream(shape).boxed().toList(), s -> chain.bind(Model.type(fill, shape), Limits.defaults()));
        }

        Plan<NoResult> read(Box region, Model.Output out) {
            Box touched = grid.touched(region);
            return Plan.each(touched.count(), i -> {
                long[] cell = touched.at(i);
                Box chunk = grid.chunk(cell);
                Box hit = chunk.intersect(region);
                return locator.apply(cell).then(source -> codec(cell)
                        .decodeInto(source, hit.relativeTo(chunk), out.target().window(hit.relativeTo(region))));
            });
        }
    }

    /** Chunks of unequal shapes, by the edges in each dimension. */
    private record Unequal(long[][] edges) implements ChunkGrid {
        @Override
        public String name() {
            return "rectilinear";
        }

        @Override
        public Json.Obj configuration() {
            return Json.object();
        }

        @Override
        public long[] gridShape() {
            return Arrays.stream(edges).mapToLong(e -> e.length).toArray();
        }

        @Override
        public Box chunk(long[] cell) {
            long[] origin = new long[edges.length];
            long[] shape = new long[edges.length];
            for (int d = 0; d < edges.length; d++) {
                origin[d] = Arrays.stream(edges[d]).limit(cell[d]).sum();
                shape[d] = edges[d][(int) cell[d]];
            }
            return Box.of(origin, shape);
        }

        @Override
        public Box touched(Box region) {
            long[] first = new long[edges.length];
            long[] count = new long[edges.length];
            for (int d = 0; d < edges.length; d++) {
                long end = 0;
                for (int i = 0; i < edges[d].length; i++) {
                    long start = end;
                    end += edges[d][i];
                    first[d] += end <= region.origin(d) ? 1 : 0;
                    count[d] += end > region.origin(d) && start < region.end(d) ? 1 : 0;
                }
            }
            return Box.of(first, count);
        }

        @Override
        public ChunkGrid resize(long[] arrayShape) {
            throw new UnsupportedOperationException();
        }
    }

    private static final CodecChain SHARDED =
            Codecs.chain(Codecs.shard(shape(4, 2), Codecs.shard(shape(2, 2), Codecs.LITTLE, Codecs.DEFLATE)));

    @Test
    void shardsOfUnequalShapes_areBoundOnceAShape() {
        ChunkGrid grid = new Unequal(new long[][] {{4, 8, 4}, {2, 6, 2, 2}});
        ArrayPlan array = new ArrayPlan(
                grid, SHARDED, 3, cell -> Plan.done(Source.stored(Arrays.toString(cell))), new HashMap<>());
        ObjectMap objects = new ObjectMap();
        Model model = Model.random(new Random(4), 16, 12);
        for (long i = 0; i < 12; i++) {
            long[] cell = Box.of(grid.gridShape()).at(i);
            Box chunk = grid.chunk(cell);
            if (i % 5 == 4) {
                model.set(chunk, Model.filled(3, chunk.shape()));
            }
            objects.write(
                    array.codec(cell),
                    Arrays.toString(cell),
                    Box.of(chunk.shape()),
                    model.part(chunk),
                    ShardWritePolicy.defaults());
        }
        assertEquals(4, array.bound().size(), "12 chunks of 4 shapes");
        List<Box> regions =
                List.of(Box.of(model.shape), Box.of(shape(3, 1), shape(10, 9)), Box.of(shape(11, 7), shape(2, 2)));
        for (Box region : regions) {
            Model.Output out = Model.output(region.shape());
            Driver.merging().run(array.read(region, out), objects);
            assertEquals(model.part(region), out.model());
        }
    }

    @Test
    void foreignChunks_areByteRangesOfSomeObject() {
        ObjectMap objects = new ObjectMap();
        objects.map.put(
                "foreign.dat",
                new Shards().ints(-1, 10, 11, 12, 13, -1, 20, 21, 22, 23).done());
        Map<Long, long[]> ranges = Map.of(0L, new long[] {4, 16}, 2L, new long[] {24, 16}, 3L, new long[] {36, 16});
        Function<long[], Plan<Source>> locator = cell -> Plan.done(Optional.ofNullable(ranges.get(cell[0]))
                .map(r -> Source.stored("foreign.dat", r[0], r[1]))
                .orElseGet(() -> Source.absent(DataLocation.of("foreign.dat").inner(cell))));
        ChunkGrid grid = new Unequal(new long[][] {{4, 4, 4, 4}});
        ArrayPlan array = new ArrayPlan(grid, Codecs.chain(Codecs.LITTLE), 5, locator, new HashMap<>());
        Model.Output out = Model.output(8);
        Driver.merging().run(array.read(Box.of(shape(2), shape(8)), out), objects);
        assertEquals("[12, 13, 5, 5, 5, 5, 20, 21]", Arrays.toString(out.model().data));
        assertEquals(1, objects.requests, "ranges of one object merge, whoever says where they are");
        assertThrows(CorruptDataException.class, () -> Driver.plain()
                .run(array.read(Box.of(shape(12), shape(1)), Model.output(1)), objects));
    }

    @Test
    void transposedShard_isReadAndWrittenInParts() {
        long[] shape = {6, 8, 4};
        ChunkCodec codec = Codecs.bind(
                Model.type(1, shape),
                new Codecs.Transpose(2, 0, 1),
                Codecs.shard(shape(2, 3, 4), new Codecs.Transpose(1, 2, 0), Codecs.BIG, Codecs.DEFLATE));
        assertEquals(
                List.of(3L, 4L, 2L), Arrays.stream(codec.readShape()).boxed().toList());
        ObjectMap objects = new ObjectMap();
        Model model = Model.filled(1, shape);
        Random random = new Random(9);
        for (int i = 0; i < 60; i++) {
            Box part = Model.randomPart(random, shape);
            Model values = i % 4 == 3 ? Model.filled(1, part.shape()) : Model.random(random, part.shape());
            model.set(part, values);
            objects.write(codec, "c", part, values, ShardWritePolicy.defaults());
            Box region = Model.randomPart(random, shape);
            assertEquals(model.part(region), objects.read(codec, "c", region, Driver.merging()));
        }
        objects.requests = 0;
        objects.read(codec, "c", Box.of(shape(3, 4, 2), shape(3, 4, 2)));
        assertEquals(2, objects.requests, "an index and one inner chunk");
    }

    @Test
    void shardOfNoDimensions_hasOneInnerChunk() {
        ChunkCodec codec = Codecs.bind(Model.type(4), Codecs.shard(shape(), Codecs.LITTLE));
        ObjectMap objects = new ObjectMap();
        assertEquals(Model.filled(4), objects.read(codec, "c", Box.of(shape())));
        objects.write(codec, "c", Box.of(shape()), Model.filled(9), ShardWritePolicy.defaults());
        assertEquals(Model.filled(9), objects.read(codec, "c", Box.of(shape())));
        assertEquals(4 + 16 + 4, objects.map.get("c").length);
    }
}
