package dev.shardkit.region.stream;

import static dev.shardkit.testing.Values.at;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.shardkit.NdArray;
import dev.shardkit.SliceOptions;
import dev.shardkit.SliceWriter;
import dev.shardkit.Zarr;
import dev.shardkit.ZarrArray;
import dev.shardkit.ZarrOptions;
import dev.shardkit.spi.plan.NoResult;
import dev.shardkit.store.Locks;
import dev.shardkit.store.Store;
import dev.shardkit.store.file.FileStore;
import dev.shardkit.store.memory.MemoryStore;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Slices that are written with futures: order, failures and cancellation. */
@Timeout(300)
class SliceStreamsAsyncTest extends SliceStreams {
    @Test
    void writeAsync_keepsTheOrderOfTheCalls() {
        Store store = MemoryStore.create();
        ZarrArray array = create(store, 400);
        List<CompletableFuture<NoResult>> all = new ArrayList<>();
        try (SliceWriter slices = array.slices(0)) {
            for (int i = 0; i < 400; i++) {
                if (i % 50 == 25) {
                    slices.write(slice(i), 0);
                } else {
                    all.add(slices.writeAsync(nd(array, i)));
                }
                if (i % 100 == 70) {
                    all.add(slices.flushAsync());
                }
            }
        }
        assertTrue(all.stream().allMatch(f -> f.isDone() && !f.isCompletedExceptionally()), "close waits for all");
        assertEquals(IntStream.range(0, 400).boxed().toList(), stored(store));
    }

    @Test
    void writeAsync_inAnExecutorOfOneThread_isWaitedForThere() throws Exception {
        ExecutorService one = Executors.newSingleThreadExecutor();
        try {
            Store store = MemoryStore.create();
            create(store, 6);
            ZarrArray array = Zarr.openArray(store, "a", ZarrOptions.defaults().withExecutor(one));
            one.submit(() -> {
                        try (SliceWriter slices = array.slices(0)) {
                            for (int i = 0; i < 5; i++) {
                                slices.writeAsync(nd(array, i));
                            }
                            slices.write(slice(5), 0);
                        }
                    })
                    .get();
            assertEquals(List.of(0, 1, 2, 3, 4, 5), stored(store));
        } finally {
            one.shutdown();
        }
    }

    @Test
    void writeAsync_thatFails_failsThoseBehindIt() throws Exception {
        ExecutorService one = Executors.newSingleThreadExecutor();
        try {
            writeAsyncFails(one);
        } finally {
            one.shutdownNow();
        }
    }

    @SuppressWarnings("try")
    private void writeAsyncFails(ExecutorService one) throws Exception {
        FileStore store = FileStore.at(dir);
        ZarrArray array = create(store, 20);
        List<CompletableFuture<NoResult>> all = new ArrayList<>();
        SliceWriter slices = array.with(o -> o.withLockPatience(Duration.ZERO).withExecutor(one))
                .slices(0, SliceOptions.defaults().withBudgetBytes(32));
        for (int i = 0; i < 4; i++) {
            slices.writeAsync(nd(array, i)).get();
        }
        CountDownLatch asked = new CountDownLatch(1);
        one.submit(() -> {
            asked.await(); // all calls are made before the first one fails
            return null;
        });
        all.add(slices.writeAsync(NdArray.of(array.dataType(), at(3), new int[3])));
        for (int i = 0; i < 6; i++) {
            all.add(slices.writeAsync(nd(array, 100 + i)));
        }
        CompletableFuture<NoResult> flushed = slices.flushAsync();
        CompletableFuture<NoResult> behind = slices.writeAsync(nd(array, 200));
        asked.countDown();
        assertTrue(assertThrows(ExecutionException.class, flushed::get).getCause() instanceof IllegalStateException);
        assertThrows(ExecutionException.class, behind::get);
        for (CompletableFuture<NoResult> each : all) {
            assertThrows(ExecutionException.class, each::get);
        }
        assertEquals(4, slices.position());
        slices.write(slice(4), 0);
        slices.write(slice(5), 0);
        CompletableFuture<NoResult> locked;
        try (Locks.Lock held = store.lock("a", "a/c/0/0", Duration.ZERO)) {
            slices.writeAsync(nd(array, 6)).get();
            locked = slices.writeAsync(nd(array, 7));
            assertThrows(ExecutionException.class, locked::get);
        }
        IllegalStateException refused = assertThrows(IllegalStateException.class, () -> slices.write(slice(300), 0));
        assertTrue(refused.getMessage().contains("earlier"), refused.getMessage());
        assertThrows(IllegalStateException.class, slices::close);
        slices.close();
        assertEquals(IntStream.range(0, 8).boxed().toList(), stored(store).subList(0, 8));
        assertEquals(0, stored(store).get(8));
    }

    @Test
    @SuppressWarnings("try")
    void writeAsync_cancelledBeforeItsTurn_misplacesNothing() throws Exception {
        FileStore store = FileStore.at(dir);
        ZarrArray array = create(store, 20);
        SliceWriter slices = array.slices(0, SliceOptions.defaults().withBudgetBytes(32));
        CompletableFuture<NoResult> waits;
        CompletableFuture<NoResult> cancelled;
        CompletableFuture<NoResult> behind;
        try (Locks.Lock held = store.lock("a", "a/c/0/0", Duration.ZERO)) {
            slices.writeAsync(nd(array, 1)).get();
            waits = slices.writeAsync(nd(array, 2));
            cancelled = slices.writeAsync(nd(array, 3));
            behind = slices.writeAsync(nd(array, 4));
            assertTrue(cancelled.cancel(true));
            assertFalse(waits.isDone());
        }
        waits.get();
        assertTrue(assertThrows(ExecutionException.class, behind::get).getCause() instanceof IllegalStateException);
        assertEquals(2, slices.position());
        assertThrows(IllegalStateException.class, slices::flush);
        slices.write(slice(3), 0);
        slices.close();
        assertEquals(List.of(1, 2, 3, 0), stored(store).subList(0, 4));
    }

    /** Its future has failed, so the caller may have changed the slice, or repeats the call. */
    @Test
    void writeAsync_thatTheExecutorRejects_isNotMadeLater() {
        Store store = MemoryStore.create();
        create(store, 20);
        AtomicBoolean rejects = new AtomicBoolean(true);
        ZarrArray array = Zarr.openArray(store, "a", ZarrOptions.defaults().withExecutor(task -> {
            if (rejects.get()) {
                throw new RejectedExecutionException("on purpose");
            }
            task.run();
        }));
        SliceWriter slices = array.slices(0);
        slices.write(slice(1), 0);
        CompletableFuture<NoResult> rejected = slices.writeAsync(nd(array, 2));
        assertTrue(rejected.isDone());
        rejects.set(false);
        CompletableFuture<NoResult> behind = slices.writeAsync(nd(array, 3));
        ExecutionException thrown = assertThrows(ExecutionException.class, rejected::get);
        assertTrue(thrown.getCause() instanceof RejectedExecutionException, () -> "found " + thrown.getCause());
        assertTrue(assertThrows(ExecutionException.class, behind::get).getCause() instanceof IllegalStateException);
        assertEquals(1, slices.position());
        IllegalStateException refused = assertThrows(IllegalStateException.class, slices::flush);
        assertTrue(refused.getMessage().contains("rejected"), refused.getMessage());
        slices.write(slice(2), 0);
        slices.close();
        assertEquals(List.of(1, 2, 0), stored(store).subList(0, 3));
    }
}
