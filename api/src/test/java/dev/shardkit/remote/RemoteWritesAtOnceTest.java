package dev.shardkit.remote;

import static dev.shardkit.remote.RemoteArrays.OPTIONS;
import static dev.shardkit.remote.RemoteArrays.SHARD;
import static dev.shardkit.remote.RemoteArrays.SHARDS;
import static dev.shardkit.remote.RemoteArrays.create;
import static dev.shardkit.remote.RemoteArrays.filled;
import static dev.shardkit.remote.RemoteArrays.write;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.shardkit.NdArray;
import dev.shardkit.Zarr;
import dev.shardkit.ZarrArray;
import dev.shardkit.spi.array.Box;
import dev.shardkit.store.Ability;
import dev.shardkit.store.Reads;
import dev.shardkit.store.Store;
import dev.shardkit.store.memory.MemoryStore;
import dev.shardkit.testkit.store.RemoteAdapter;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** How many writes of arrays in a remote store are under way at once, and which threads they hold. */
@Timeout(120)
class RemoteWritesAtOnceTest {
    private final MemoryStore behind = MemoryStore.conditional("remote");

    /** What is asked waits until the test answers: as many requests are under way as the store takes. */
    @Test
    void manyShards_areUnderWayTogether_andNoThreadWaitsForEach() throws Exception {
        BlockingQueue<Runnable> asked = new LinkedBlockingQueue<>();
        Set<String> threads = ConcurrentHashMap.newKeySet();
        AtomicInteger holding = new AtomicInteger();
        RemoteAdapter remote = RemoteAdapter.of(
                behind,
                request -> {
                    threads.add(Thread.currentThread().getName().replaceAll("-\\d+$", ""));
                    if (holding.get() > 0) {
                        asked.add(request);
                    } else {
                        request.run();
                    }
                },
                48);
        ZarrArray array = create(remote, SHARDS, OPTIONS);
        write(array, 0, (long) SHARDS * SHARD, 1);
        holding.set(1);
        int count = SHARDS * SHARD - 2;
        CompletableFuture<Void> writing =
                CompletableFuture.runAsync(() -> write(array, 1, count, 2), task -> new Thread(task, "caller").start());
        int before = remote.writes();
        List<Runnable> together = new ArrayList<>();
        while (together.size() < 48) {
            Runnable next = asked.poll(60, TimeUnit.SECONDS);
            assertTrue(next != null, "no further request, after " + together.size());
            if (remote.writes() == before) {
                next.run(); // a look at the document, or at the first shard
            } else {
                together.add(next);
            }
        }
        holding.set(0);
        together.forEach(Runnable::run);
        for (Runnable next = asked.poll(); next != null; next = asked.poll()) {
            next.run();
        }
        writing.get();
        assertEquals(48, remote.maxUnderWay(), "requests under way at once");
        assertEquals(
                Set.of(),
                threads.stream().filter(t -> t.startsWith("shardkit-call")).collect(Collectors.toSet()));
        int[] all = array.read().ints();
        assertEquals(1, all[0]);
        assertEquals(2, all[1]);
        assertEquals(1, all[all.length - 1]);
    }

    /** 100 calls of one shard each: with a thread for each, at most 64 would run before JDK 24. */
    @Test
    void manyAsynchronousCalls_areUnderWayTogether_andHoldNoThread() throws Exception {
        BlockingQueue<Runnable> puts = new LinkedBlockingQueue<>();
        RemoteAdapter remote = holdingPuts(puts, 16);
        create(RemoteAdapter.of(behind), SHARDS, OPTIONS);
        ZarrArray array = Zarr.openArray(remote, "a", OPTIONS);
        List<CompletableFuture<?>> calls = new ArrayList<>();
        for (int s = 0; s < SHARDS; s++) {
            Box shard = Box.of(new long[] {(long) s * SHARD}, new long[] {SHARD});
            calls.add(array.writeAsync(shard, NdArray.of(array.dataType(), shard.shape(), filled(SHARD, s + 1))));
        }
        List<Runnable> together = new ArrayList<>();
        for (int s = 0; s < SHARDS; s++) {
            Runnable put = puts.poll(60, TimeUnit.SECONDS);
            assertTrue(put != null, "only " + together.size() + " of " + SHARDS + " puts are under way");
            together.add(put);
        }
        awaitNoThreadIn("dev.shardkit.engine.threads.Workers$Call");
        together.forEach(Runnable::run);
        CompletableFuture.allOf(calls.toArray(CompletableFuture[]::new)).get();
        int[] all = array.read().ints();
        for (int s = 0; s < SHARDS; s++) {
            assertEquals(s + 1, all[s * SHARD + SHARD - 1]);
        }
    }

    /** Returns a remote store whose puts wait in a queue. */
    private RemoteAdapter holdingPuts(BlockingQueue<Runnable> puts, int parallel) {
        return holdingPuts(behind, puts, parallel);
    }

    private static RemoteAdapter holdingPuts(Store local, BlockingQueue<Runnable> puts, int parallel) {
        return RemoteAdapter.of(
                local,
                request -> {
                    if (calledFrom("RemoteAdapter", "put")) {
                        puts.add(request);
                    } else {
                        request.run();
                    }
                },
                parallel);
    }

    private static boolean calledFrom(String type, String method) {
        return StackWalker.getInstance()
                .walk(frames -> frames.anyMatch(f ->
                        f.getMethodName().equals(method) && f.getClassName().endsWith("." + type)));
    }

    /** Fails after a minute in which a platform thread was always in a method of the class. */
    private static void awaitNoThreadIn(String type) {
        long end = System.nanoTime() + TimeUnit.MINUTES.toNanos(1);
        while (Thread.getAllStackTraces().values().stream()
                .flatMap(Arrays::stream)
                .anyMatch(frame -> frame.getClassName().equals(type))) {
            assertTrue(System.nanoTime() < end, "a thread waits in " + type);
            Thread.onSpinWait();
        }
    }

    @Test
    void asynchronousCall_thatIsCancelled_beginsNoFurtherPut() throws Exception {
        BlockingQueue<Runnable> puts = new LinkedBlockingQueue<>();
        cancelledAfter(4, puts, holdingPuts(puts, 4), () -> {});
    }

    @Test
    void cancelledWrite_isDoneAfterItsPuts_andBeginsNoOther() throws Exception {
        BlockingQueue<Runnable> puts = new LinkedBlockingQueue<>();
        RemoteAdapter remote = holdingPuts(puts, 4);
        create(RemoteAdapter.of(behind), SHARDS, OPTIONS);
        ZarrArray array = Zarr.openArray(remote, "a", OPTIONS);
        int before = remote.writes();
        CompletableFuture<?> writing = array.writeAsync(
                array.domain(), NdArray.of(array.dataType(), array.shape(), filled(SHARDS * SHARD, 2)));
        List<Runnable> begun = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            begun.add(puts.poll(60, TimeUnit.SECONDS));
        }
        awaitNoThreadIn("dev.shardkit.engine.threads.Workers$Call");
        assertTrue(writing.cancel(false));
        assertFalse(writing.isDone(), "puts are under way");
        begun.forEach(Runnable::run);
        assertThrows(CancellationException.class, () -> writing.get(60, TimeUnit.SECONDS));
        assertEquals(4, remote.writes() - before, "a put began after the cancellation");
    }

    /** The pause after a lost race ends on a thread of the executor, which may be shut down meanwhile. */
    @Test
    void executorThatIsShutDown_failsAWriteThatPauses() throws Exception {
        ExecutorService executor = Executors.newFixedThreadPool(2);
        RemoteAdapter remote = RemoteAdapter.of(behind);
        create(remote, 1, OPTIONS).close();
        ZarrArray array = Zarr.openArray(remote, "a", OPTIONS.withExecutor(executor));
        ZarrArray other = Zarr.openArray(behind, "a", OPTIONS);
        remote.loseAnswers(key -> {
            executor.shutdown();
            write(other, 1, 1, 3); // first
            return RemoteAdapter.Answer.COMES;
        });
        CompletableFuture<?> writing = array.writeAsync(
                Box.of(new long[] {0}, new long[] {1}), NdArray.of(array.dataType(), new long[] {1}, filled(1, 2)));
        assertThrows(ExecutionException.class, () -> writing.get(100, TimeUnit.SECONDS));
    }

    /** The thread that begins the changes is held at the fourth one until the call is cancelled. */
    @Test
    void asynchronousCall_thatIsCancelledWhileItBegins_beginsNoFurtherPut() throws Exception {
        BlockingQueue<Runnable> puts = new LinkedBlockingQueue<>();
        CountDownLatch held = new CountDownLatch(1);
        AtomicInteger changes = new AtomicInteger();
        Store holding = new Looked(behind, () -> {
            if (calledFrom("RemoteEdit", "<init>") && changes.incrementAndGet() == 4) {
                await(held);
            }
        });
        cancelledAfter(3, puts, holdingPuts(holding, puts, 4), held::countDown);
    }

    private void cancelledAfter(int expected, BlockingQueue<Runnable> puts, RemoteAdapter remote, Runnable release)
            throws Exception {
        create(RemoteAdapter.of(behind), SHARDS, OPTIONS);
        ZarrArray array = Zarr.openArray(remote, "a", OPTIONS);
        int before = remote.writes();
        CompletableFuture<?> writing = array.writeAsync(
                array.domain(), NdArray.of(array.dataType(), array.shape(), filled(SHARDS * SHARD, 2)));
        List<Runnable> begun = new ArrayList<>();
        for (int i = 0; i < expected; i++) {
            begun.add(puts.poll(60, TimeUnit.SECONDS));
        }
        writing.cancel(false);
        begun.forEach(Runnable::run);
        release.run();
        awaitNoThreadIn("dev.shardkit.engine.threads.Workers$Call");
        assertEquals(expected, remote.writes() - before, "a put began after the cancellation");
        assertEquals(0, array.read().ints()[SHARDS * SHARD - 1]);
    }

    /** A store that runs a task before it is asked for an ability. */
    private record Looked(Store behind, Runnable before) implements Store {
        @Override
        public String describe() {
            return behind.describe();
        }

        @Override
        public Reads reads() {
            return behind.reads();
        }

        @Override
        public <A extends Ability> Optional<A> find(Class<A> ability) {
            before.run();
            return behind.find(ability);
        }

        @Override
        public void close() {
            behind.close();
        }
    }

    /** Waits also on an interrupted thread. */
    private static void await(CountDownLatch latch) {
        boolean interrupted = false;
        while (latch.getCount() > 0) {
            try {
                latch.await();
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    @Test
    void cancelledMidway_endsRequests_andLeavesWholeShards() throws Exception {
        BlockingQueue<Runnable> asked = new LinkedBlockingQueue<>();
        AtomicInteger holding = new AtomicInteger();
        RemoteAdapter remote = RemoteAdapter.of(
                behind,
                request -> {
                    if (holding.get() > 0) {
                        asked.add(request);
                    } else {
                        request.run();
                    }
                },
                8);
        ZarrArray array = create(remote, SHARDS, OPTIONS);
        write(array, 0, (long) SHARDS * SHARD, 1);
        holding.set(1);
        CompletableFuture<?> writing = array.writeAsync(
                array.domain(), NdArray.of(array.dataType(), array.shape(), filled(SHARDS * SHARD, 2)));
        for (int i = 0; i < 20; i++) {
            Runnable next = asked.poll(60, TimeUnit.SECONDS);
            assertTrue(next != null, "no further request");
            next.run();
        }
        writing.cancel(false);
        holding.set(0);
        for (Runnable next = asked.poll(); next != null; next = asked.poll()) {
            next.run();
        }
        assertThrows(CancellationException.class, writing::join);
        int[] all = Zarr.openArray(behind, "a", OPTIONS).read().ints();
        for (int s = 0; s < SHARDS; s++) {
            int[] shard = Arrays.copyOfRange(all, s * SHARD, (s + 1) * SHARD);
            assertArrayEquals(filled(SHARD, shard[0]), shard, "a torn shard");
        }
    }
}
