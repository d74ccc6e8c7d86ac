package dev.shardkit.region.stream;

import static dev.shardkit.testing.Values.at;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.shardkit.ArraySpec;
import dev.shardkit.IfExists;
import dev.shardkit.NdArray;
import dev.shardkit.SliceOptions;
import dev.shardkit.SliceOptions.Growth;
import dev.shardkit.SliceWriter;
import dev.shardkit.Zarr;
import dev.shardkit.ZarrArray;
import dev.shardkit.ZarrOptions;
import dev.shardkit.spi.codec.ShardWritePolicy;
import dev.shardkit.spi.plan.NoResult;
import dev.shardkit.store.Locks;
import dev.shardkit.store.StoreListener;
import dev.shardkit.store.memory.MemoryStore;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Callers' code that a stream of slices runs: listeners and what depends on its futures, which use the stream again.
 */
class SliceCallbacksTest {
    private static final SliceOptions GROW = SliceOptions.defaults().withGrowth(Growth.GROW);
    private static final long DEADLINE = 120;

    private final MemoryStore store = MemoryStore.create();
    private final List<ExecutorService> executors = new ArrayList<>();

    @AfterEach
    void shutDown() {
        executors.forEach(ExecutorService::shutdownNow);
    }

    /** Threads that hold up nobody if they never end. */
    private ExecutorService pool(int threads) {
        ExecutorService pool = Executors.newFixedThreadPool(threads, task -> {
            Thread thread = new Thread(task);
            thread.setDaemon(true);
            return thread;
        });
        executors.add(pool);
        return pool;
    }

    /** An array that grows by slices of two elements, each of which is written at once. */
    private ZarrArray create(String threads) {
        ZarrOptions options = ZarrOptions.defaults();
        return Zarr.createArray(
                store,
                "a",
                ArraySpec.of("int32", 0, 2).withShardShape(4, 2).withChunkShape(1, 2),
                IfExists.REFUSE,
                switch (threads) {
                    case "own" -> options;
                    case "direct" -> options.withExecutor(Runnable::run);
                    default -> options.withExecutor(pool(Integer.parseInt(threads)));
                });
    }

    private static NdArray nd(ZarrArray array, int value) {
        return NdArray.of(array.dataType(), at(2), new int[] {value, value});
    }

    /** The first element of each slice that is stored. */
    private int[] stored() {
        int[] all = Zarr.openArray(store, "a", ZarrOptions.defaults()).read().ints();
        return IntStream.range(0, all.length / 2).map(i -> all[2 * i]).toArray();
    }

    private Locks.Lock held() throws Exception {
        return store.lock("a", "a/c/0/0", Duration.ofMinutes(2));
    }

    /** Asks the stream on the threads of a commit; the first thread waits for a second one. */
    private static final class Asking implements StoreListener {
        private final CountDownLatch two = new CountDownLatch(2);
        private final Set<Thread> threads = ConcurrentHashMap.newKeySet();
        private final List<CompletableFuture<NoResult>> later = new ArrayList<>();
        private final List<Throwable> refusals = new ArrayList<>();
        private final List<String> found = new ArrayList<>();
        private volatile Optional<SliceWriter> slices = Optional.empty();

        @Override
        public void onWrite(String key, ShardWritePolicy.Strategy strategy, long bytes) {
            if (slices.isPresent() && !key.endsWith("zarr.json") && threads.add(Thread.currentThread())) {
                two.countDown();
                try {
                    two.await();
                } catch (InterruptedException e) {
                    throw new AssertionError(e);
                }
                ask(slices.get());
            }
        }

        private synchronized void ask(SliceWriter stream) {
            found.add(stream.committed() + " " + stream.position() + " "
                    + stream.array().shape()[0]);
            for (Runnable call : List.<Runnable>of(stream::flush, stream::close, () -> stream.write(new int[8], 0))) {
                try {
                    call.run();
                } catch (IllegalStateException e) {
                    refusals.add(e);
                }
            }
            later.add(stream.flushAsync());
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"own", "4", "direct"})
    void listener_onAHelpersThread_asksTheStream_andIsNotWaitedForForEver(String threads) throws Exception {
        Asking asking = new Asking();
        if (threads.equals("direct")) {
            asking.two.countDown(); // there are no helpers
        }
        create(threads).close();
        ZarrArray array = Zarr.createArray(
                store,
                "b",
                ArraySpec.of("int32", 0, 8).withShardShape(1, 1).withChunkShape(1, 1),
                IfExists.REFUSE,
                ZarrOptions.defaults());
        ZarrOptions options = ZarrOptions.defaults().withParallelism(4).withListener(asking);
        ZarrArray heard = Zarr.openArray(
                store,
                "b",
                switch (threads) {
                    case "own" -> options;
                    case "direct" -> options.withExecutor(Runnable::run);
                    default -> options.withExecutor(pool(4));
                });
        CompletableFuture.runAsync(
                        () -> {
                            try (SliceWriter slices = heard.slices(0, GROW.withBudgetBytes(32))) {
                                asking.slices = Optional.of(slices);
                                for (int i = 0; i < 3; i++) {
                                    slices.write(IntStream.rangeClosed(1, 8).toArray(), 0);
                                }
                            }
                        },
                        pool(1))
                .get(DEADLINE, TimeUnit.SECONDS);
        int asked = asking.threads.size();
        assertTrue(asked >= (threads.equals("direct") ? 1 : 2), () -> "threads " + asking.threads);
        assertEquals("0 1 0", asking.found.get(0));
        assertEquals(3 * asked, asking.refusals.size(), () -> "refused: " + asking.refusals);
        for (CompletableFuture<NoResult> one : asking.later) {
            one.get(DEADLINE, TimeUnit.SECONDS);
        }
        assertArrayEquals(
                at(3, 8), Zarr.openArray(store, "b", ZarrOptions.defaults()).shape());
        array.close();
    }

    @ParameterizedTest
    @ValueSource(strings = {"own", "4", "1", "direct"})
    @SuppressWarnings("try")
    void callback_thatWrites_comesBehindTheCallsBefore(String threads) throws Exception {
        ZarrArray array = create(threads);
        SliceWriter slices = array.slices(0, GROW.withBudgetBytes(8));
        CompletableFuture<Void> last;
        if (threads.equals("direct")) {
            last = slices.writeAsync(nd(array, 1))
                    .thenCompose(u -> slices.writeAsync(nd(array, 2)))
                    .thenCompose(u -> slices.writeAsync(nd(array, 3)))
                    .thenRun(() -> slices.write(new int[] {9, 9}, 0));
        } else {
            try (Locks.Lock held = held()) {
                last = slices.writeAsync(nd(array, 1)).thenRun(() -> slices.write(new int[] {9, 9}, 0));
                slices.writeAsync(nd(array, 2));
                slices.writeAsync(nd(array, 3));
            }
        }
        last.get(DEADLINE, TimeUnit.SECONDS);
        slices.close();
        assertArrayEquals(new int[] {1, 2, 3, 9}, stored());
    }

    @ParameterizedTest
    @ValueSource(strings = {"own", "4", "2"})
    @SuppressWarnings("try")
    void callback_thatWaitsForCallsBehind_getsThem(String threads) throws Exception {
        ZarrArray array = create(threads);
        SliceWriter slices = array.slices(0, GROW.withBudgetBytes(8));
        AtomicReference<CompletableFuture<NoResult>> second = new AtomicReference<>();
        CompletableFuture<Void> last;
        try (Locks.Lock held = held()) {
            last = slices.writeAsync(nd(array, 1)).thenRun(() -> {
                second.get().join();
                slices.writeAsync(nd(array, 3)).join();
                slices.flushAsync().join();
            });
            second.set(slices.writeAsync(nd(array, 2)));
        }
        last.get(DEADLINE, TimeUnit.SECONDS);
        assertArrayEquals(new int[] {1, 2, 3}, stored());
        CompletableFuture.runAsync(slices::close, pool(1)).get(DEADLINE, TimeUnit.SECONDS);
    }

    @Test
    @SuppressWarnings("try")
    void callback_onTheThreadOfABlockingCall_canWaitForTheCallBehindIt() throws Exception {
        ZarrArray array = create("2");
        SliceWriter slices = array.slices(0, GROW.withBudgetBytes(8));
        AtomicReference<CompletableFuture<Void>> second = new AtomicReference<>();
        CompletableFuture<Void> first;
        CompletableFuture<Void> blocking;
        try (Locks.Lock held = held()) {
            first = slices.writeAsync(nd(array, 1)).thenRun(() -> second.get().join());
            second.set(slices.writeAsync(nd(array, 2)).thenRun(() -> {}));
            blocking = CompletableFuture.runAsync(() -> slices.write(new int[] {3, 3}, 0), pool(1));
        }
        first.get(DEADLINE, TimeUnit.SECONDS);
        blocking.get(DEADLINE, TimeUnit.SECONDS);
        slices.close();
        assertArrayEquals(new int[] {1, 2, 3}, stored());
    }
}
