package dev.shardkit.clouds;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.shardkit.ArraySpec;
import dev.shardkit.IfExists;
import dev.shardkit.SliceOptions;
import dev.shardkit.SliceWriter;
import dev.shardkit.Zarr;
import dev.shardkit.ZarrArray;
import dev.shardkit.ZarrOptions;
import dev.shardkit.spi.json.Json;
import dev.shardkit.store.Store;
import dev.shardkit.testkit.server.FaultProxy;
import dev.shardkit.testkit.server.FaultProxy.Fault;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Rounds of streams that extend an array and of writers that increment one attribute, each with a store of its own,
 * through a network that loses answers. The documents that two writers of the counter put are equal, so their content
 * does not show whose put was made.
 */
final class LostAnswerRounds {
    private static final String PATH = "lost";
    private static final int STREAMS = 3;
    private static final int SLICES = 3;
    private static final int COUNTERS = 4;
    private static final int INCREMENTS = 3;
    private static final int ROW = 4;
    private static final int FILL = -1;
    private static final int LOST_PERCENT = 15;

    private final Bucket bucket;
    private final Random random;
    private final AtomicInteger exchanges = new AtomicInteger();
    private final AtomicInteger lostAnswers = new AtomicInteger();
    private int rounds;
    private int holes;
    private int missing;
    private int doubles;
    private final List<String> counts = new ArrayList<>();

    LostAnswerRounds(Bucket bucket, long seed) {
        this.bucket = bucket;
        this.random = new Random(seed);
    }

    private synchronized Fault next() {
        exchanges.incrementAndGet();
        boolean lost = random.nextInt(100) < LOST_PERCENT;
        lostAnswers.addAndGet(lost ? 1 : 0);
        return lost ? Fault.LOST_ANSWER : Fault.NONE;
    }

    /** Runs rounds; a call that fails ends them. */
    void run(int count) throws Exception {
        ExecutorService threads = Executors.newFixedThreadPool(STREAMS + COUNTERS);
        try (FaultProxy proxy = new FaultProxy(bucket.endpoint(), asked -> next());
                Store direct = bucket.store()) {
            for (int round = 0; round < count; round++) {
                round(proxy, direct, threads);
                rounds++;
                if (rounds % 100 == 0) {
                    System.out.println(bucket.location().getScheme() + ": " + this);
                }
            }
        } finally {
            threads.shutdownNow();
        }
    }

    private void round(FaultProxy proxy, Store direct, ExecutorService threads) throws Exception {
        ArraySpec spec = ArraySpec.of("int32", 0, ROW)
                .withChunkShape(2, ROW)
                .withShardShape(4, ROW)
                .withFillValue(FILL);
        Zarr.createArray(direct, PATH, spec, IfExists.OVERWRITE, ZarrOptions.defaults())
                .close();
        List<Callable<Void>> writers = new ArrayList<>();
        for (int t = 0; t < STREAMS; t++) {
            int stream = t;
            writers.add(() -> append(proxy, stream));
        }
        for (int t = 0; t < COUNTERS; t++) {
            writers.add(() -> count(proxy));
        }
        for (Future<Void> writer : threads.invokeAll(writers)) {
            writer.get();
        }
        try (ZarrArray array = Zarr.openArray(direct, PATH, ZarrOptions.defaults())) {
            long counted = counter(array.attributes());
            if (counted != COUNTERS * INCREMENTS) {
                counts.add("round " + rounds + ": " + counted);
            }
            rows(array);
        }
    }

    private Void append(FaultProxy proxy, int stream) {
        SliceOptions growing =
                SliceOptions.defaults().withGrowth(SliceOptions.Growth.GROW).withBudgetBytes(64);
        try (Store store = bucket.behind(proxy.uri());
                ZarrArray array = Zarr.openArray(store, PATH, ZarrOptions.defaults());
                SliceWriter slices = array.slices(0, growing)) {
            for (int i = 0; i < SLICES; i++) {
                int[] row = new int[ROW];
                Arrays.fill(row, value(stream, i));
                slices.write(row, 0);
                slices.flush();
            }
        }
        return null;
    }

    private static int value(int stream, int slice) {
        return 1000 * (stream + 1) + slice;
    }

    private Void count(FaultProxy proxy) {
        try (Store store = bucket.behind(proxy.uri());
                ZarrArray array = Zarr.openArray(store, PATH, ZarrOptions.defaults())) {
            for (int i = 0; i < INCREMENTS; i++) {
                array.changeAttributes(now -> now.with("n", Json.of(counter(now) + 1)));
            }
        }
        return null;
    }

    private static long counter(Json.Obj attributes) {
        return attributes.get("n").map(n -> Long.parseLong(n.toString())).orElse(0L);
    }

    private void rows(ZarrArray array) {
        int[] elements = array.read().ints();
        Map<Integer, Integer> seen = new HashMap<>();
        for (int row = 0; row < array.shape()[0]; row++) {
            seen.merge(elements[row * ROW], 1, Integer::sum);
        }
        holes += seen.getOrDefault(FILL, 0);
        for (int stream = 0; stream < STREAMS; stream++) {
            for (int i = 0; i < SLICES; i++) {
                int times = seen.getOrDefault(value(stream, i), 0);
                missing += times == 0 ? 1 : 0;
                doubles += Math.max(0, times - 1);
            }
        }
    }

    /** Every call succeeded, so all changes are there, once. */
    void check() {
        assertTrue(lostAnswers.get() > 5 * rounds, "hardly an answer was lost");
        assertEquals(List.of(), counts, () -> "the counter, expected " + COUNTERS * INCREMENTS);
        assertEquals(0, holes, "rows of fill values");
        assertEquals(0, missing, "missing rows");
        assertEquals(0, doubles, "repeated rows");
    }

    @Override
    public String toString() {
        return rounds + " rounds, " + exchanges + " requests, " + lostAnswers + " of them lost their answer; " + holes
                + " holes, " + missing + " missing and " + doubles + " repeated rows; wrong counters: " + counts;
    }
}
