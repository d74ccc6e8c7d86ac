package dev.shardkit.region.selection;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.shardkit.ArraySpec;
import dev.shardkit.Codecs;
import dev.shardkit.IfExists;
import dev.shardkit.NdArray;
import dev.shardkit.Zarr;
import dev.shardkit.ZarrArray;
import dev.shardkit.ZarrOptions;
import dev.shardkit.ZarrView;
import dev.shardkit.grid.rectilinear.ChunkLengths;
import dev.shardkit.grid.rectilinear.RectilinearGrid;
import dev.shardkit.spi.array.Box;
import dev.shardkit.spi.array.Shapes;
import dev.shardkit.store.memory.MemoryStore;
import dev.shardkit.testkit.internal.Rounds;
import java.lang.reflect.Array;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.function.IntFunction;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Random chains of selections, read and written, beside a model that knows the position of every element. */
class SelectionsTest {
    private static final int ROUNDS = Rounds.areMany() ? 120 : 40;
    private static final long[] SHAPE = {23, 9, 14};

    /** Arrays of one shape, with their elements. */
    enum Layout {
        CHUNKS("uint16", s -> s.withChunkShape(4, 5, 3), n -> new short[n]),
        SHARDS("int32", s -> s.withChunkShape(2, 3, 4).withShardShape(8, 9, 8), n -> new int[n]),
        TRANSPOSED(
                "float64",
                s -> s.withChunkShape(3, 3, 5)
                        .withShardShape(12, 3, 10)
                        .withCodecs(Codecs.transpose(2, 0, 1), Codecs.zstd(1)),
                n -> new double[n]),
        UNEQUAL_SHARDS(
                "int64",
                s -> s.withChunkGrid(RectilinearGrid.metadata(
                                ChunkLengths.of(4, 10, 2, 8),
                                ChunkLengths.of(9),
                                ChunkLengths.builder().add(6, 2).add(3, 1).build()))
                        .withChunkShape(2, 3, 3),
                n -> new long[n]),
        COMPLEX("complex64", s -> s.withChunkShape(6, 2, 7), n -> new float[2 * n]),
        TEXT("string", s -> s.withChunkShape(5, 9, 6), String[]::new);

        private final ArraySpec spec;
        private final IntFunction<Object> carrier;

        Layout(String type, java.util.function.UnaryOperator<ArraySpec> layout, IntFunction<Object> carrier) {
            this.spec = layout.apply(ArraySpec.of(type, SHAPE));
            this.carrier = carrier;
        }

        /** Elements that differ from one another and from the fill value. */
        Object values(int count, Random random) {
            Object values = carrier.apply(count);
            for (int i = 0; i < Array.getLength(values); i++) {
                int value = 1 + random.nextInt(30_000);
                switch (this) {
                    case CHUNKS -> Array.setShort(values, i, (short) value);
                    case TEXT -> Array.set(values, i, "é" + value);
                    default -> Array.setInt(values, i, value); // widened
                }
            }
            return values;
        }
    }

    /** What a chain of selections must give: the indices of each dimension of the array. */
    private record Model(long[][] indices, int[] kept) {
        static Model all() {
            return new Model(
                    Arrays.stream(SHAPE)
                            .mapToObj(n -> LongStream.range(0, n).toArray())
                            .toArray(long[][]::new),
                    new int[] {0, 1, 2});
        }

        long[] shape() {
            return Arrays.stream(kept).mapToLong(d -> indices[d].length).toArray();
        }

        int length(int i) {
            return indices[kept[i]].length;
        }

        Model pick(int i, long... positions) {
            long[][] changed = indices.clone();
            changed[kept[i]] =
                    Arrays.stream(positions).map(p -> indices[kept[i]][(int) p]).toArray();
            return new Model(changed, kept);
        }

        Model without(int i) {
            return new Model(
                    indices,
                    IntStream.range(0, kept.length)
                            .filter(k -> k != i)
                            .map(k -> kept[k])
                            .toArray());
        }

        /** The position in the array of element {@code n} of the result, in C order. */
        int position(int n) {
            long[] at = Shapes.unravel(n, shape());
            long[] point = {indices[0].length == 0 ? 0 : indices[0][0], indices[1].length == 0 ? 0 : indices[1][0], 0};
            point[2] = indices[2].length == 0 ? 0 : indices[2][0];
            for (int i = 0; i < kept.length; i++) {
                point[kept[i]] = indices[kept[i]][(int) at[i]];
            }
            return (int) Shapes.ravel(point, SHAPE);
        }
    }

    private record Case(ZarrView view, Model model, String chain) {
        static Case random(ZarrArray array, Random random) {
            Case now = new Case(array.view(), Model.all(), "");
            for (int steps = random.nextInt(5); steps > 0 && now.model.kept().length > 0; steps--) {
                now = now.next(random);
            }
            return now;
        }

        private Case next(Random random) {
            int d = random.nextInt(model.kept().length);
            int n = model.length(d);
            switch (random.nextInt(n == 0 ? 1 : 6)) {
                case 0 -> {
                    int start = random.nextInt(n + 1);
                    int stop = start + random.nextInt(n + 1 - start);
                    int step = 1 + random.nextInt(4);
                    long[] taken = IntStream.range(start, stop)
                            .filter(i -> (i - start) % step == 0)
                            .asLongStream()
                            .toArray();
                    return new Case(
                            view.range(d, start, stop, step),
                            model.pick(d, taken),
                            chain + " range " + d + " " + start + ":" + stop + ":" + step);
                }
                case 1 -> {
                    int index = random.nextInt(n);
                    return new Case(
                            view.at(d, index), model.pick(d, index).without(d), chain + " at " + d + " " + index);
                }
                case 2 -> {
                    long[] some = random.longs(random.nextInt(12), 0, n).toArray();
                    return new Case(
                            view.indices(d, some), model.pick(d, some), chain + " " + d + Arrays.toString(some));
                }
                case 3 -> {
                    boolean[] mask = new boolean[n];
                    IntStream.range(0, n).forEach(i -> mask[i] = random.nextBoolean());
                    long[] some = IntStream.range(0, n)
                            .filter(i -> mask[i])
                            .asLongStream()
                            .toArray();
                    return new Case(view.mask(d, mask), model.pick(d, some), chain + " mask " + d);
                }
                case 4 -> {
                    long[] back = LongStream.range(0, n).map(i -> n - 1 - i).toArray();
                    return new Case(view.reversed(d), model.pick(d, back), chain + " reversed " + d);
                }
                default -> {
                    int start = random.nextInt(n);
                    long[] part = LongStream.range(start, n).toArray();
                    long[] origin = new long[model.kept().length];
                    long[] shape = model.shape();
                    origin[d] = start;
                    shape[d] = n - start;
                    return new Case(
                            view.region(Box.of(origin, shape)), model.pick(d, part), chain + " box " + d + " " + start);
                }
            }
        }
    }

    private static Object elements(Layout layout, Object from, int count, IntFunction<Integer> position) {
        Object some = layout.carrier.apply(count);
        int words = count == 0 ? 1 : Array.getLength(some) / count;
        for (int i = 0; i < count; i++) {
            for (int w = 0; w < words; w++) {
                Array.set(some, i * words + w, Array.get(from, position.apply(i) * words + w));
            }
        }
        return some;
    }

    private static void set(Object all, int position, Object from, int i, int words) {
        for (int w = 0; w < words; w++) {
            Array.set(all, position * words + w, Array.get(from, i * words + w));
        }
    }

    private static void assertSame(ZarrArray array, long[] shape, Object expected, NdArray found, String chain) {
        assertEquals(NdArray.of(array.dataType(), shape, expected), found, chain);
    }

    @ParameterizedTest
    @EnumSource(Layout.class)
    void views_readAndWrite_asTheModel(Layout layout) {
        long seed = new Random().nextLong();
        Random random = new Random(seed);
        int total = (int) Shapes.count(SHAPE);
        Object all = layout.values(total, random);
        int words = Array.getLength(all) / total;
        try (ZarrArray array =
                Zarr.createArray(MemoryStore.create(), "a", layout.spec, IfExists.REFUSE, ZarrOptions.defaults())) {
            array.write(array.domain(), all, 0);
            for (int round = 0; round < ROUNDS; round++) {
                Case now = Case.random(array, random);
                String chain = "seed " + seed + ", round " + round + ":" + now.chain();
                Model model = now.model();
                assertArrayEquals(model.shape(), now.view().shape(), chain);
                int count = (int) Shapes.count(model.shape());
                Object expected = elements(layout, all, count, model::position);
                NdArray found = random.nextBoolean()
                        ? now.view().read()
                        : now.view().readAsync().join();
                assertSame(array, model.shape(), expected, found, chain);

                Object values = layout.values(count, random);
                now.view().write(NdArray.of(array.dataType(), model.shape(), values));
                for (int i = 0; i < count; i++) {
                    set(all, model.position(i), values, i, words);
                }
            }
            assertSame(array, SHAPE, all, array.read(), "seed " + seed + ", at the end");
        }
    }

    @ParameterizedTest
    @EnumSource(Layout.class)
    void points_readAndWrite_asTheModel(Layout layout) {
        long seed = new Random().nextLong();
        Random random = new Random(seed);
        int total = (int) Shapes.count(SHAPE);
        Object all = layout.values(total, random);
        int words = Array.getLength(all) / total;
        try (ZarrArray array =
                Zarr.createArray(MemoryStore.create(), "a", layout.spec, IfExists.REFUSE, ZarrOptions.defaults())) {
            array.write(array.domain(), all, 0);
            for (int round = 0; round < ROUNDS; round++) {
                Case now = Case.random(array, random);
                String chain = "seed " + seed + ", round " + round + ":" + now.chain();
                int size = (int) Shapes.count(now.model().shape());
                List<Integer> picked = IntStream.range(0, size == 0 ? 0 : random.nextInt(60))
                        .mapToObj(i -> random.nextInt(size))
                        .toList();
                long[][] points = picked.stream()
                        .map(i -> Shapes.unravel(i, now.model().shape()))
                        .toArray(long[][]::new);
                IntFunction<Integer> position = i -> now.model().position(picked.get(i));
                long[] shape = {points.length};
                var selected = now.view().points(points);
                NdArray found = random.nextBoolean()
                        ? selected.read()
                        : selected.readAsync().join();
                assertSame(array, shape, elements(layout, all, points.length, position), found, chain);

                Object values = layout.values(points.length, random);
                selected.write(NdArray.of(array.dataType(), shape, values));
                for (int i = 0; i < points.length; i++) {
                    set(all, position.apply(i), values, i, words);
                }
            }
            assertSame(array, SHAPE, all, array.read(), "seed " + seed + ", at the end");
        }
    }
}
