package dev.shardkit.http;

import static dev.shardkit.testing.Values.at;
import static dev.shardkit.testing.Values.box;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.shardkit.NdArray;
import dev.shardkit.Zarr;
import dev.shardkit.ZarrArray;
import dev.shardkit.ZarrOptions;
import dev.shardkit.spi.array.Box;
import dev.shardkit.spi.error.StoreException;
import dev.shardkit.spi.error.ZarrException;
import dev.shardkit.store.http.HttpStore;
import dev.shardkit.store.http.RetryPolicy;
import dev.shardkit.testing.Values;
import dev.shardkit.testkit.internal.Rounds;
import dev.shardkit.testkit.server.FaultServer;
import dev.shardkit.testkit.server.FaultServer.Fault;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Several faults in one read, such as 503, then a reset in the body, then another ETag: the values are right, or the
 * call fails with a declared error. The same handle reads rightly afterwards. {@code -Dshardkit.rounds=N} and
 * {@code -Dshardkit.http.seed=S} make a longer run.
 */
@Timeout(3600)
class HttpFaultSequencesTest {
    private static final int SEQUENCES = Rounds.of(15);
    private static final long SEED = Long.getLong("shardkit.http.seed", 8);
    private static final int MAX_FAULTS = 3;
    private static final int MAX_MISSED = 60;

    /** Faults that end with a deadline, or that send 16 MiB, take long: one sequence in so many has them. */
    private static final int SLOW_EVERY = 25;

    private static final List<Fault> SLOW = List.of(Fault.STALL, Fault.DRIP, Fault.HUGE_HEAD);
    private static final List<Fault> QUICK = Arrays.stream(Fault.values())
            .filter(fault -> fault != Fault.REFUSED && !SLOW.contains(fault))
            .toList();
    private static final List<Box> REGIONS =
            List.of(box(at(8, 16), 8, 8), box(at(10, 20), 40, 40), box(at(32, 0), 32, 32), box(at(0, 0), 64, 64));

    /** How a caller reads. */
    private enum Caller {
        BLOCKING,
        ASYNC,
        /** On the common pool, whose threads all wait. */
        COMMON_POOL,
        /** Cancels the read while it runs. */
        CANCELLING
    }

    /** What a read comes to. */
    private enum Outcome {
        RIGHT,
        FILL_FOR_WHAT_IS_GONE,
        DECLARED_ERROR,
        CANCELLED
    }

    private final FaultScene scene = new FaultScene();
    private final Random random = new Random(SEED);

    private static HttpStore store(URI uri, boolean isSlow) {
        return HttpStore.builder(uri)
                .connectTimeout(FaultScene.CONNECT)
                .maxConcurrentRequests(2)
                .freshFor(Duration.ZERO)
                .retries(new RetryPolicy(3, Duration.ofMillis(1), Duration.ofMillis(2)))
                .deadline(isSlow ? Duration.ofSeconds(2) : Duration.ofMinutes(2))
                .idleTimeout(isSlow ? Duration.ofMillis(400) : Duration.ofMinutes(1))
                .build();
    }

    /** A busy machine may miss a short deadline, so the array is opened until it meets it. */
    private static ZarrArray open(HttpStore store, boolean isSlow) {
        for (int missed = 0; isSlow && missed < MAX_MISSED; missed++) {
            try {
                return Zarr.openArray(store, FaultScene.PATH, ZarrOptions.defaults());
            } catch (StoreException e) {
                // once more
            }
        }
        return Zarr.openArray(store, FaultScene.PATH, ZarrOptions.defaults());
    }

    private List<Fault> faults(boolean isSlow) {
        List<Fault> faults = new ArrayList<>();
        int count = 2 + random.nextInt(MAX_FAULTS - 1);
        for (int i = 0; i < count; i++) {
            faults.add(QUICK.get(random.nextInt(QUICK.size())));
        }
        if (isSlow) {
            faults.set(random.nextInt(count), SLOW.get(random.nextInt(SLOW.size())));
        }
        return faults;
    }

    private Outcome outcome(FaultServer server, List<Fault> faults, Box region, Caller caller, boolean isSlow)
            throws Exception {
        try (HttpStore store = store(server.uri(), isSlow)) {
            ZarrArray array = open(store, isSlow);
            server.sequence(faults);
            Outcome outcome = read(array, region, caller)
                    .map(found -> FaultScene.isRight(
                                    Values.cut(scene.written, scene.values, region),
                                    found.shorts(),
                                    faults.contains(Fault.GONE_MIDWAY))
                            ? Outcome.RIGHT
                            : Outcome.FILL_FOR_WHAT_IS_GONE)
                    .orElse(caller == Caller.CANCELLING ? Outcome.CANCELLED : Outcome.DECLARED_ERROR);
            server.fault(Fault.NONE);
            for (int i = 0; i < 3 && !isSlow; i++) { // three: a lost permit of the two would be missing
                assertArrayEquals(scene.values, array.read().shorts(), "the same handle, once all is well again");
            }
            return outcome;
        }
    }

    /** Returns the elements; empty if the read fails with a declared error, or was cancelled. */
    private static Optional<NdArray> read(ZarrArray array, Box region, Caller caller) throws Exception {
        CompletableFuture<NdArray> reading =
                switch (caller) {
                    case BLOCKING ->
                        CompletableFuture.supplyAsync(
                                () -> array.read(region), task -> new Thread(task, "caller").start());
                    case COMMON_POOL -> onCommonPool(array, region);
                    case ASYNC, CANCELLING -> array.readAsync(region);
                };
        if (caller == Caller.CANCELLING) {
            Thread.onSpinWait();
            reading.cancel(true);
        }
        try {
            return Optional.of(reading.get(120, TimeUnit.SECONDS));
        } catch (CancellationException e) {
            assertEquals(Caller.CANCELLING, caller);
        } catch (ExecutionException e) {
            assertTrue(e.getCause() instanceof ZarrException, () -> "an undeclared failure: " + e.getCause());
            assertFalse(e.getCause().getMessage().isBlank());
        }
        return Optional.empty();
    }

    /** Reads once on each thread of the common pool; returns one of the reads. */
    private static CompletableFuture<NdArray> onCommonPool(ZarrArray array, Box region) {
        List<CompletableFuture<NdArray>> reads = new ArrayList<>();
        for (int i = 0; i < Runtime.getRuntime().availableProcessors(); i++) {
            reads.add(CompletableFuture.supplyAsync(() -> array.read(region)));
        }
        return CompletableFuture.allOf(reads.toArray(CompletableFuture[]::new))
                .handle((done, thrown) -> reads.get(0))
                .thenCompose(first -> first);
    }

    @Test
    void severalFaultsInOneRead_areRightOrDeclaredErrors() throws Exception {
        Map<Outcome, Integer> outcomes = new EnumMap<>(Outcome.class);
        try (FaultServer server = FaultServer.start()) {
            scene.publish(server);
            for (int i = 0; i < SEQUENCES; i++) {
                boolean isSlow = i % SLOW_EVERY == SLOW_EVERY - 1;
                List<Fault> faults = faults(isSlow);
                Box region = REGIONS.get(random.nextInt(REGIONS.size()));
                Caller caller = Caller.values()[random.nextInt(Caller.values().length)];
                try {
                    outcomes.merge(outcome(server, faults, region, caller, isSlow), 1, Integer::sum);
                } catch (Exception | AssertionError e) {
                    throw new AssertionError(
                            "sequence " + i + " of seed " + SEED + ": " + faults + ", " + region + ", " + caller, e);
                }
            }
            assertTrue(server.awaitNoConnections(120), "connections outlive their stores");
        }
        System.out.println("HTTP faults in sequence, seed " + SEED + ": " + outcomes);
        assertTrue(outcomes.containsKey(Outcome.RIGHT) && outcomes.containsKey(Outcome.DECLARED_ERROR));
        scene.assertThreadsEnd();
    }
}
