package dev.shardkit.cf;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.shardkit.ArraySpec;
import dev.shardkit.IfExists;
import dev.shardkit.Zarr;
import dev.shardkit.ZarrArray;
import dev.shardkit.ZarrGroup;
import dev.shardkit.ZarrOptions;
import dev.shardkit.spi.array.Box;
import dev.shardkit.spi.json.Json;
import dev.shardkit.spi.plan.ByteRange;
import dev.shardkit.store.StoreListener;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CfSelectionTest {
    private static final int LATITUDES = 181;
    private static final int LONGITUDES = 360;

    @TempDir
    Path folder;

    private final Queue<String> requests = new ConcurrentLinkedQueue<>();
    private CfDataset dataset;

    /** t2m(time, lat, lon) is time * 10^6 + lat index * 10^3 + lon index, in inner chunks of 1 x 16 x 16 in shards. */
    @BeforeEach
    void create() {
        String location = folder.resolve("data.zarr").toString();
        try (ZarrGroup group = Zarr.createGroup(location, Json.object(), IfExists.REFUSE, ZarrOptions.defaults())) {
            write(group, "time", "int32", Map.of("units", "hours since 2020-03-01"), "time", 4, i -> i * 6);
            write(group, "lat", "float64", Map.of("units", "degrees_north"), "lat", LATITUDES, i -> 90 - i);
            write(group, "lon", "float32", Map.of("units", "degrees_east"), "lon", LONGITUDES, i -> i);
            ZarrArray t2m = group.createArray(
                    "t2m",
                    ArraySpec.of("float64", 4, LATITUDES, LONGITUDES)
                            .withChunkShape(1, 16, 16)
                            .withShardShape(2, 96, 192)
                            .withDimensionNames("time", "lat", "lon")
                            .withAttributes(Json.of(Map.of("units", "K"))),
                    IfExists.REFUSE);
            double[] values = new double[4 * LATITUDES * LONGITUDES];
            for (int i = 0; i < values.length; i++) {
                int time = i / (LATITUDES * LONGITUDES);
                values[i] = time * 1e6 + i / LONGITUDES % LATITUDES * 1e3 + i % LONGITUDES;
            }
            t2m.write(Box.of(t2m.shape()), values, 0);
        }
        StoreListener listener = new StoreListener() {
            @Override
            public void onRequest(String key, ByteRange range) {
                requests.add(key);
            }
        };
        dataset = CfDataset.open(location, ZarrOptions.defaults().withListener(listener), CfOptions.defaults());
        requests.clear();
    }

    private interface Label {
        int at(int i);
    }

    private static void write(
            ZarrGroup group,
            String name,
            String type,
            Map<String, ?> attributes,
            String dimension,
            int length,
            Label label) {
        ZarrArray array = group.createArray(
                name,
                ArraySpec.of(type, length).withDimensionNames(dimension).withAttributes(Json.of(attributes)),
                IfExists.REFUSE);
        Object values = java.lang.reflect.Array.newInstance(
                type.equals("int32") ? int.class : type.equals("float32") ? float.class : double.class, length);
        for (int i = 0; i < length; i++) {
            if (values instanceof int[] ints) {
                ints[i] = label.at(i);
            } else if (values instanceof float[] floats) {
                floats[i] = label.at(i);
            } else {
                ((double[]) values)[i] = label.at(i);
            }
        }
        array.write(Box.of(array.shape()), values, 0);
    }

    @AfterEach
    void close() {
        dataset.close();
    }

    private CfSelection select() {
        return dataset.variable("t2m").select();
    }

    private long[] index(String dimension, UnaryOperator<CfSelection> change) {
        return change.apply(select()).indices(dimension);
    }

    @Test
    void pointQuery_readsOneInnerChunk() {
        CfSelection point = select().at("time", Instant.parse("2020-03-01T06:00:00Z"))
                .nearest("lat", 52.4)
                .nearest("lon", 13.4);
        assertEquals(1_038_013.0, point.read().doubleAt());
        List<String> keys = List.copyOf(requests);
        for (String name : List.of("time", "lat", "lon")) {
            assertEquals(1, keys.stream().filter(k -> k.startsWith(name + "/c")).count(), keys.toString());
        }
        assertEquals(2, keys.stream().filter(k -> k.startsWith("t2m/c")).count(), "index and inner chunk: " + keys);
        requests.clear();
        assertEquals(
                38_014.0,
                select().index("time", 0)
                        .nearest("lat", 52)
                        .nearest("lon", 14)
                        .read()
                        .doubleAt());
        assertEquals(52.0, point.labels("lat").doubleAt());
        List<String> again = List.copyOf(requests);
        assertTrue(again.stream().allMatch(k -> k.startsWith("t2m/c")), "coordinates are read once: " + again);
    }

    @Test
    void readAsync_readsCoordinatesThenElements() throws Exception {
        CfSelection point = select().at("time", Instant.parse("2020-03-01T06:00:00Z"))
                .nearest("lat", 52.4)
                .nearest("lon", 13.4);
        assertEquals(1_038_013.0, point.readAsync().get(60, TimeUnit.SECONDS).doubleAt());
        List<String> keys = List.copyOf(requests);
        assertEquals(5, keys.size(), "three coordinates, index and inner chunk: " + keys);
        requests.clear();
        assertEquals(1_038_013.0, point.readAsync().get(60, TimeUnit.SECONDS).doubleAt());
        assertTrue(requests.stream().allMatch(k -> k.startsWith("t2m/c")), "coordinates are read once: " + requests);
        assertEquals(
                LATITUDES,
                dataset.variable("lat").readAsync().get(60, TimeUnit.SECONDS).count());
        ExecutionException refused = assertThrows(
                ExecutionException.class,
                () -> select().at("lat", 1000).readAsync().get(60, TimeUnit.SECONDS));
        assertTrue(refused.getCause() instanceof IllegalArgumentException, refused.toString());
        dataset.close();
        assertThrows(ExecutionException.class, () -> point.readAsync().get(60, TimeUnit.SECONDS));
    }

    @Test
    void cancelledRead_endsWithoutElements() throws Exception {
        CountDownLatch arrived = new CountDownLatch(1);
        CountDownLatch mayAnswer = new CountDownLatch(1);
        StoreListener listener = new StoreListener() {
            @Override
            public void onRequest(String key, ByteRange range) {
                requests.add(key);
                if (key.startsWith("lat/c")) {
                    arrived.countDown();
                    awaitQuietly(mayAnswer);
                }
            }
        };
        try (CfDataset slow = CfDataset.open(
                folder.resolve("data.zarr").toString(),
                ZarrOptions.defaults().withListener(listener),
                CfOptions.defaults())) {
            CompletableFuture<CfValues> read =
                    slow.variable("t2m").select().at("lat", 50).readAsync();
            assertTrue(arrived.await(60, TimeUnit.SECONDS));
            assertTrue(read.cancel(false));
            mayAnswer.countDown();
            assertTrue(read.isCancelled());
        }
        assertTrue(requests.stream().noneMatch(key -> key.startsWith("t2m/c")), requests.toString());
    }

    /** The read of the labels arrives after the write, so its labels must not be kept for later selections. */
    @Test
    void labelsThatWereReadBeforeAWrite_areNotKept() throws Exception {
        CountDownLatch arrived = new CountDownLatch(1);
        CountDownLatch mayAnswer = new CountDownLatch(1);
        StoreListener listener = new StoreListener() {
            @Override
            public void onResponse(String key, ByteRange range, long bytes, Duration elapsed) {
                if (key.startsWith("time/c")) {
                    arrived.countDown();
                    awaitQuietly(mayAnswer);
                }
            }
        };
        try (CfDataset slow = CfDataset.open(
                folder.resolve("data.zarr").toString(),
                ZarrOptions.defaults().withListener(listener),
                CfOptions.defaults())) {
            CfSelection noon = slow.variable("t2m").select().at("time", "2020-03-01T12:00");
            CompletableFuture<CfValues> read =
                    noon.index("lat", 0).index("lon", 0).readAsync();
            assertTrue(arrived.await(60, TimeUnit.SECONDS));
            List<Optional<CfDateTime>> later = Stream.of("12:00", "18:00", "20:00", "22:00")
                    .map(hour -> Optional.of(CfDateTime.parse(CfCalendar.STANDARD, "2020-03-01T" + hour)))
                    .toList();
            slow.variable("time").writeTimes(Box.of(new long[] {4}), later);
            mayAnswer.countDown();
            read.get(60, TimeUnit.SECONDS);
            assertArrayEquals(new long[] {0}, noon.indices("time"));
        }
    }

    private static void awaitQuietly(CountDownLatch latch) {
        try {
            latch.await(60, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Test
    void matches_takeTheLabelOfTheirSide() {
        assertArrayEquals(new long[] {38}, index("lat", s -> s.nearest("lat", 52.4)));
        assertArrayEquals(new long[] {37}, index("lat", s -> s.nearest("lat", 52.5)), "the greater of two");
        assertArrayEquals(new long[] {14}, index("lon", s -> s.nearest("lon", 13.5)), "the greater of two");
        assertArrayEquals(new long[] {38}, index("lat", s -> s.before("lat", 52.9)), "the label 52");
        assertArrayEquals(new long[] {37}, index("lat", s -> s.after("lat", 52.1)), "the label 53");
        assertArrayEquals(new long[] {38}, index("lat", s -> s.before("lat", 52)));
        assertArrayEquals(new long[] {38}, index("lat", s -> s.at("lat", 52)));
        assertArrayEquals(new long[] {0}, index("lat", s -> s.nearest("lat", 1e300)));
        assertArrayEquals(new long[] {1}, index("time", s -> s.nearest("time", "2020-03-01T08:59:59.999")));
        assertArrayEquals(new long[] {2}, index("time", s -> s.nearest("time", "2020-03-01T09:00")));
        assertArrayEquals(new long[] {0}, index("time", s -> s.at("time", LocalDate.of(2020, 3, 1))));
        assertArrayEquals(
                new long[] {3},
                index("time", s -> s.before("time", CfDateTime.parse(CfCalendar.STANDARD, "2021-01-01"))));
    }

    @Test
    void labelsThatDoNotExist_areRefused() {
        for (UnaryOperator<CfSelection> wrong : List.<UnaryOperator<CfSelection>>of(
                s -> s.at("lat", 52.5),
                s -> s.before("lat", -91),
                s -> s.after("lat", 91),
                s -> s.nearest("lat", 52.4, 0.3),
                s -> s.nearest("time", "2020-03-01T07:00", Duration.ofMinutes(59)),
                s -> s.at("lat", "north"),
                s -> s.at("lat", Double.NaN),
                s -> s.at("time", 6),
                s -> s.at("time", CfDateTime.parse(CfCalendar.NOLEAP, "2020-03-01")),
                s -> s.nearest("lat", 52.4, Duration.ofDays(1)))) {
            CfSelection selection = wrong.apply(select());
            IllegalArgumentException refused = assertThrows(IllegalArgumentException.class, selection::read);
            assertTrue(!refused.getMessage().isEmpty());
        }
        assertThrows(IllegalArgumentException.class, () -> select().at("level", 1));
        assertThrows(IllegalArgumentException.class, () -> select().at("lat", 1).at("lat", 2));
        assertThrows(IndexOutOfBoundsException.class, () -> select().index("lat", LATITUDES));
        assertArrayEquals(new long[] {38}, index("lat", s -> s.nearest("lat", 52.4, 0.5)));
        assertArrayEquals(
                new long[] {1}, index("time", s -> s.nearest("time", "2020-03-01T07:00", Duration.ofHours(1))));
    }

    @Test
    void ranges_areInclusiveInBothOrders() {
        assertArrayEquals(new long[] {36, 37, 38}, index("lat", s -> s.range("lat", 52, 54)));
        assertArrayEquals(new long[] {36, 37, 38}, index("lat", s -> s.range("lat", 54.5, 51.5)));
        assertArrayEquals(new long[0], index("lat", s -> s.range("lat", 52.1, 52.9)));
        CfValues box = select().range("time", "2020-03-01", "2020-03-01T06:00")
                .range("lat", 52, 53)
                .range("lon", 10, 12)
                .read();
        assertEquals(List.of("time", "lat", "lon"), box.dimensions());
        assertArrayEquals(new long[] {2, 2, 3}, box.shape());
        assertEquals(1_038_012.0, box.doubleAt(1, 1, 2));
        CfSelection none = select().index("time", 0).range("lat", 52.1, 52.9).index("lon", 0);
        assertArrayEquals(new long[] {0}, none.read().shape());
        assertArrayEquals(
                new double[] {52, 51},
                select().range("lat", 51, 52).labels("lat").doubles());
    }

    @Test
    void lists_keepTheirOrder() {
        CfValues values = select().index("time", 0)
                .labels("lat", List.of(-90, 90, 0), CfMatch.EXACT)
                .at("lon", 7)
                .read();
        assertArrayEquals(new double[] {180_007, 7, 90_007}, values.doubles());
        assertEquals(List.of("lat"), values.dimensions());
    }

    @Test
    void cyclicLongitudes_repeat() {
        assertArrayEquals(new long[] {350}, index("lon", s -> s.cyclic("lon").at("lon", -10)));
        assertArrayEquals(new long[] {0}, index("lon", s -> s.cyclic("lon").nearest("lon", 359.8)));
        assertArrayEquals(new long[] {359}, index("lon", s -> s.cyclic("lon").before("lon", -0.5)));
        assertArrayEquals(new long[] {0}, index("lon", s -> s.cyclic("lon").after("lon", -0.5)));
        assertArrayEquals(
                new long[] {358, 359, 0, 1}, index("lon", s -> s.cyclic("lon").range("lon", -2, 1)));
        assertArrayEquals(
                new long[] {358, 359, 0, 1}, index("lon", s -> s.cyclic("lon").range("lon", 358, 1)));
        assertEquals(LONGITUDES, index("lon", s -> s.cyclic("lon").range("lon", -180, 180)).length);
        assertThrows(IllegalArgumentException.class, () -> select().cyclic("time"));
        CfSelection far = select().cyclic("lon").nearest("lon", 359.8, 0.1);
        assertThrows(IllegalArgumentException.class, () -> far.indices("lon"));
        assertArrayEquals(new long[] {0}, index("lon", s -> s.cyclic("lon").nearest("lon", 359.8, 0.25)));
    }

    @Test
    void ofTwoEquallyNearLabels_theGreaterIsNearest() {
        assertArrayEquals(new long[] {14}, index("lon", s -> s.nearest("lon", 13.5)));
        assertArrayEquals(new long[] {14}, index("lon", s -> s.cyclic("lon").nearest("lon", 13.5)));
        assertArrayEquals(new long[] {14}, index("lon", s -> s.cyclic("lon").nearest("lon", 373.5)));
    }

    @Test
    void nearestPoint_isThatOfAFullSearch() {
        long seed = new Random().nextLong();
        System.out.println("seed " + seed);
        Random random = new Random(seed);
        try (ZarrGroup group = Zarr.createGroup(
                folder.resolve("grid.zarr").toString(), Json.object(), IfExists.REFUSE, ZarrOptions.defaults())) {
            int rows = 23;
            int columns = 31;
            double[] latitudes = random.doubles(rows * columns, -90, 90).toArray();
            double[] longitudes = random.doubles(rows * columns, -180, 360).toArray();
            latitudes[5] = Double.NaN;
            grid(group, "lat", latitudes, rows, columns, Map.of("units", "degrees_north"));
            grid(group, "lon", longitudes, rows, columns, Map.of("units", "degrees_east"));
            grid(group, "v", longitudes, rows, columns, Map.of("coordinates", "lat lon"));
            CfVariable variable = CfDataset.of(group).variable("v");
            for (int i = 0; i < 200; i++) {
                double latitude = random.nextDouble() * 180 - 90;
                double longitude = random.nextDouble() * 720 - 360;
                CfSelection found = variable.select().nearestPoint("lat", latitude, "lon", longitude);
                int expected = nearest(latitudes, longitudes, latitude, longitude);
                assertEquals(expected / columns, found.indices("y")[0], "seed " + seed);
                assertEquals(expected % columns, found.indices("x")[0], "seed " + seed);
                assertEquals(longitudes[expected], found.read().doubleAt());
            }
            assertThrows(IllegalArgumentException.class, () -> variable.select().at("lat", 1));
        }
    }

    private static void grid(
            ZarrGroup group, String name, double[] values, int rows, int columns, Map<String, ?> attributes) {
        group.createArray(
                        name,
                        ArraySpec.of("float64", rows, columns)
                                .withDimensionNames("y", "x")
                                .withAttributes(Json.of(attributes)),
                        IfExists.REFUSE)
                .write(Box.of(new long[] {rows, columns}), values, 0);
    }

    /** The nearest point by the angle between directions. */
    private static int nearest(double[] latitudes, double[] longitudes, double latitude, double longitude) {
        int best = -1;
        double most = Double.NEGATIVE_INFINITY;
        for (int i = 0; i < latitudes.length; i++) {
            double cosine = Math.sin(Math.toRadians(latitudes[i])) * Math.sin(Math.toRadians(latitude))
                    + Math.cos(Math.toRadians(latitudes[i]))
                            * Math.cos(Math.toRadians(latitude))
                            * Math.cos(Math.toRadians(longitudes[i] - longitude));
            if (cosine > most) {
                most = cosine;
                best = i;
            }
        }
        return best;
    }

    @Test
    void periods_selectAllTheirTimes() {
        CfVariable t2m = dataset.variable("t2m");
        assertArrayEquals(
                new long[] {0, 1, 2, 3}, t2m.select().within("time", "2020").indices("time"));
        assertArrayEquals(
                new long[] {0, 1, 2, 3}, t2m.select().within("time", "2020-03").indices("time"));
        assertArrayEquals(
                new long[] {1}, t2m.select().within("time", "2020-03-01T06").indices("time"));
        assertArrayEquals(new long[0], t2m.select().within("time", "2020-03-02").indices("time"));
        assertArrayEquals(
                new long[] {2, 3},
                t2m.select().range("time", "2020-03-01T12", "2020-03").indices("time"));
        assertArrayEquals(
                new long[] {0, 1},
                t2m.select().range("time", "2020-03-01T06", "2020-02-29").indices("time"),
                "in any order");
        CfSelection one =
                t2m.select().within("time", "2020-03-01T06").at("lat", 50).at("lon", 7);
        assertEquals(List.of("time"), one.dimensions());
        assertArrayEquals(new double[] {1_040_007}, one.read().doubles());
    }

    @Test
    void points_areReadFromTheirInnerChunks_eachOnce() {
        CfVariable t2m = dataset.variable("t2m");
        CfSelection one = t2m.select().at("time", "2020-03-01T06:00");
        one.readPoints(Map.of("lat", List.of(0), "lon", List.of(0)), CfMatch.EXACT); // reads the coordinates
        requests.clear();
        CfValues values = one.readPoints(
                Map.of("lat", List.of(52.4, 51.6, 50, -90), "lon", List.of(13.4, 13.6, 13, 0)), CfMatch.NEAREST);
        assertEquals(List.of("point"), values.dimensions());
        assertArrayEquals(new double[] {1_038_013, 1_038_014, 1_040_013, 1_180_000}, values.doubles());
        // one inner chunk of the first shard, whose index is cached, the index and one inner chunk of the second
        assertEquals(
                List.of("t2m/c/0/0/0", "t2m/c/0/1/0", "t2m/c/0/1/0"),
                requests.stream().sorted().toList());
    }

    /** Returns the number of requests for chunks of each variable while a selection is read. */
    private Map<String, Long> requestsOf(CfVariable variable, UnaryOperator<CfSelection> change) {
        requests.clear();
        change.apply(variable.select()).read();
        return requests.stream()
                .filter(key -> key.contains("/c"))
                .collect(Collectors.groupingBy(
                        key -> key.substring(0, key.indexOf("/c")), TreeMap::new, Collectors.counting()));
    }

    private Map<String, Long> requestsOf(UnaryOperator<CfSelection> change) {
        return requestsOf(dataset.variable("t2m"), change);
    }

    /** A shard has 2 x 6 x 12 inner chunks of 1 x 16 x 16; the first axis is the slowest one. */
    @Test
    void parts_areReadInFewRequests() {
        // lat 50 to 60: two rows of inner chunks, whose distance is small enough for one request; lon 10 to 40: three
        // columns
        UnaryOperator<CfSelection> box =
                s -> s.index("time", 0).range("lat", 50, 60).range("lon", 10, 40);
        assertEquals(Map.of("lat", 1L, "lon", 1L, "t2m", 1L + 1), requestsOf(box), "the index, both rows at once");
        assertEquals(Map.of("t2m", 1L), requestsOf(box), "the index is cached");
        // time 2 is in another shard, whose index is read
        UnaryOperator<CfSelection> period =
                s -> s.within("time", "2020-03-01T12").at("lat", 50).at("lon", 7);
        assertEquals(Map.of("time", 1L, "t2m", 1L + 1), requestsOf(period));
        UnaryOperator<CfSelection> list = s -> s.index("time", 0)
                .labels("lat", List.of(90, 74, 89), CfMatch.EXACT)
                .at("lon", 7);
        assertEquals(Map.of("t2m", 2L), requestsOf(list), "90 and 89 are in one inner chunk, 74 in the next row");
        // lon 350 to 359 is in the second shard along lon, lon 0 to 10 in the first one
        UnaryOperator<CfSelection> cyclic =
                s -> s.index("time", 0).at("lat", 50).cyclic("lon").range("lon", -10, 10);
        assertEquals(Map.of("t2m", 1L + 1 + 1), requestsOf(cyclic), "one inner chunk, an index and one inner chunk");
    }

    /** The coordinates have two dimensions; each is read once. */
    @Test
    void nearestPoint_readsOneInnerChunk() {
        ZarrGroup group = dataset.group();
        ArraySpec spec = ArraySpec.of("float64", 32, 32)
                .withChunkShape(8, 8)
                .withShardShape(32, 32)
                .withDimensionNames("y", "x");
        double[] rows = IntStream.range(0, 32 * 32).mapToDouble(i -> i / 32).toArray();
        double[] columns = IntStream.range(0, 32 * 32).mapToDouble(i -> i % 32).toArray();
        Box all = Box.of(new long[] {32, 32});
        group.createArray("b", spec, IfExists.REFUSE).write(all, rows, 0);
        group.createArray("a", spec, IfExists.REFUSE).write(all, columns, 0);
        group.createArray("v", spec.withAttributes(Json.of(Map.of("coordinates", "a b"))), IfExists.REFUSE)
                .write(all, rows, 0);
        CfVariable variable = CfDataset.of(group).variable("v");
        UnaryOperator<CfSelection> point = s -> s.nearestPoint("b", 17.4, "a", 3.2);
        assertEquals(17.0, point.apply(variable.select()).read().doubleAt());
        assertEquals(Map.of("v", 1L), requestsOf(variable, point), "coordinates and index are there");
    }

    /** The indices of points count from the first label of the dimension, not from the first one of a range. */
    @Test
    void pointsInANarrowedDimension_areRefused() {
        CfSelection range = dataset.variable("t2m").select().index("time", 0).range("lat", 40, 60);
        IllegalArgumentException thrown = assertThrows(
                IllegalArgumentException.class,
                () -> range.readPoints(Map.of("lat", List.of(50), "lon", List.of(0)), CfMatch.EXACT));
        assertTrue(thrown.getMessage().contains("a range or list of lat is selected"), thrown.getMessage());
    }

    @Test
    void pointsWithoutLabelsForADimension_areRefused() {
        CfSelection all = dataset.variable("t2m").select();
        IllegalArgumentException thrown = assertThrows(
                IllegalArgumentException.class,
                () -> all.readPoints(Map.of("lat", List.of(0), "lon", List.of(0)), CfMatch.EXACT));
        assertTrue(thrown.getMessage().contains("each of the dimensions [time, lat, lon]"), thrown.getMessage());
        CfSelection one = all.index("time", 0);
        assertThrows(
                IllegalArgumentException.class,
                () -> one.readPoints(Map.of("lat", List.of(0, 1), "lon", List.of(0)), CfMatch.EXACT));
        assertThrows(
                IllegalArgumentException.class,
                () -> one.readPoints(Map.of("lat", List.of(0.5), "lon", List.of(0)), CfMatch.EXACT));
        assertEquals(
                0,
                one.readPoints(Map.of("lat", List.of(), "lon", List.of()), CfMatch.EXACT)
                        .count());
    }

    @Test
    void typedLabels_arePeriodsOrTimes() {
        CfSelection all = dataset.variable("t2m").select();
        assertEquals(
                List.of("time", "lat", "lon"),
                all.sel("time", "2020-03-01", CfMatch.EXACT).dimensions());
        assertEquals(
                List.of("lat", "lon"),
                all.sel("time", "2020-03-01T06:00", CfMatch.EXACT).dimensions());
        assertEquals(
                List.of("time", "lat", "lon"),
                all.sel("time", "2020-03", CfMatch.NEAREST).dimensions());
        assertArrayEquals(
                new long[] {0}, all.sel("time", "2020-03-01", CfMatch.NEAREST).indices("time"));
        assertArrayEquals(new long[] {38}, all.sel("lat", 51.6, CfMatch.NEAREST).indices("lat"));
    }

    @Test
    void periodsThatAreNone_areRefused() {
        CfSelection all = dataset.variable("t2m").select();
        for (String text : List.of("2020-13", "2020-02-30", "2020-3", "March", "2020-03-01T25", "")) {
            CfSelection selection = all.within("time", text);
            IllegalArgumentException thrown =
                    assertThrows(IllegalArgumentException.class, () -> selection.indices("time"), text);
            assertTrue(thrown.getMessage().contains("time"), thrown.getMessage());
        }
        CfSelection numbers = all.within("lat", "2020");
        assertThrows(IllegalArgumentException.class, () -> numbers.indices("lat"));
    }
}
