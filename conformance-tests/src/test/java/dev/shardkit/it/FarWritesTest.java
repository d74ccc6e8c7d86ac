package dev.shardkit.it;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.shardkit.ArraySpec;
import dev.shardkit.NdArray;
import dev.shardkit.Outside;
import dev.shardkit.Zarr;
import dev.shardkit.ZarrArray;
import dev.shardkit.ZarrOptions;
import dev.shardkit.spi.array.Box;
import dev.shardkit.spi.error.StoreException;
import dev.shardkit.spi.error.UnsupportedException;
import dev.shardkit.spi.json.Json;
import dev.shardkit.store.Condition;
import dev.shardkit.store.Durability;
import dev.shardkit.store.Locks;
import dev.shardkit.store.Outcome;
import dev.shardkit.store.Ownership;
import dev.shardkit.store.Reads;
import dev.shardkit.store.Store;
import dev.shardkit.store.StoreAccess;
import dev.shardkit.store.StoreListener;
import dev.shardkit.store.memory.MemoryStore;
import dev.shardkit.testkit.FarForm;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Arrays in a far store that can write: what is asked of it, how many at once, and what lost answers do. */
@Timeout(120)
class FarWritesTest {
    private static final int SHARDS = 100;
    private static final int SHARD = 8;
    private static final int CHUNK = 4;
    private static final ZarrOptions OPTIONS =
            ZarrOptions.defaults().withDurability(Durability.ATOMIC).withParallelism(2);

    private final MemoryStore behind = MemoryStore.conditional("far");

    private ZarrArray create(Store store, int shards, ZarrOptions options) {
        ArraySpec spec = ArraySpec.of("int32", (long) shards * SHARD)
                .withChunkShape(CHUNK)
                .withShardShape(SHARD);
        return Zarr.createArray(store, "a", spec, Zarr.Existing.REFUSE, options);
    }

    private static int[] filled(int count, int value) {
        int[] all = new int[count];
        Arrays.fill(all, value);
        return all;
    }

    private static void write(ZarrArray array, long from, long count, int value) {
        array.write(Box.of(new long[] {from}, new long[] {count}), filled((int) count, value), 0);
    }

    @Test
    void wholeShards_takeOnePutEach_andAreNotRead() {
        FarForm far = FarForm.of(behind);
        ZarrArray array = create(far, SHARDS, OPTIONS);
        int before = far.requests();
        int writes = far.writes();
        write(array, 0, (long) SHARDS * SHARD, 7);
        assertEquals(SHARDS, far.writes() - writes);
        assertTrue(
                far.requests() - before <= SHARDS + 2,
                "no shard is read; the document may be: " + (far.requests() - before));
        assertArrayEquals(filled(SHARDS * SHARD, 7), array.read().ints());
    }

    /** What is asked waits until the test answers: as many requests are under way as the store takes. */
    @Test
    void manyShards_areUnderWayTogether_andNoThreadWaitsForEach() throws Exception {
        BlockingQueue<Runnable> asked = new LinkedBlockingQueue<>();
        Set<String> threads = ConcurrentHashMap.newKeySet();
        AtomicInteger holding = new AtomicInteger();
        FarForm far = FarForm.of(
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
        ZarrArray array = create(far, SHARDS, OPTIONS);
        write(array, 0, (long) SHARDS * SHARD, 1);
        holding.set(1);
        int count = SHARDS * SHARD - 2;
        CompletableFuture<Void> writing =
                CompletableFuture.runAsync(() -> write(array, 1, count, 2), task -> new Thread(task, "caller").start());
        int before = far.writes();
        List<Runnable> together = new ArrayList<>();
        while (together.size() < 48) {
            Runnable next = asked.poll(60, TimeUnit.SECONDS);
            assertTrue(next != null, "no further request, after " + together.size());
            if (far.writes() == before) {
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
        assertEquals(48, far.mostUnderWay(), "requests under way at once");
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
        FarForm far = FarForm.of(
                behind,
                request -> {
                    if (calledFrom("put")) {
                        puts.add(request);
                    } else {
                        request.run();
                    }
                },
                16);
        create(FarForm.of(behind), SHARDS, OPTIONS);
        ZarrArray array = Zarr.openArray(far, "a", OPTIONS);
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
        awaitNoThreadIn("dev.shardkit.engine.Workers$Call");
        together.forEach(Runnable::run);
        CompletableFuture.allOf(calls.toArray(CompletableFuture[]::new)).get();
        int[] all = array.read().ints();
        for (int s = 0; s < SHARDS; s++) {
            assertEquals(s + 1, all[s * SHARD + SHARD - 1]);
        }
    }

    private static boolean calledFrom(String method) {
        return StackWalker.getInstance()
                .walk(frames -> frames.anyMatch(f -> f.getMethodName().equals(method)));
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
        FarForm far = FarForm.of(
                behind,
                request -> {
                    if (calledFrom("put")) {
                        puts.add(request);
                    } else {
                        request.run();
                    }
                },
                4);
        create(FarForm.of(behind), SHARDS, OPTIONS);
        ZarrArray array = Zarr.openArray(far, "a", OPTIONS);
        int before = far.writes();
        CompletableFuture<?> writing = array.writeAsync(
                array.domain(), NdArray.of(array.dataType(), array.shape(), filled(SHARDS * SHARD, 2)));
        List<Runnable> begun = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            begun.add(puts.poll(60, TimeUnit.SECONDS));
        }
        writing.cancel(true);
        begun.forEach(Runnable::run);
        assertEquals(4, far.writes() - before, "a put began after the cancellation");
        assertEquals(0, array.read().ints()[SHARDS * SHARD - 1]);
    }

    @Test
    void writersOfOneShard_loseNothing() throws Exception {
        ExecutorService answers = Executors.newFixedThreadPool(3);
        ExecutorService writers = Executors.newFixedThreadPool(2);
        try (FarForm far = FarForm.of(behind, answers, 16)) {
            create(far, 1, OPTIONS);
            CompletableFuture<?>[] both = new CompletableFuture<?>[2];
            for (int w = 0; w < 2; w++) {
                long from = (long) w * CHUNK;
                ZarrArray array = Zarr.openArray(far, "a", OPTIONS);
                both[w] = CompletableFuture.runAsync(
                        () -> {
                            for (int round = 1; round <= 40; round++) {
                                write(array, from, CHUNK, round);
                                assertArrayEquals(
                                        filled(CHUNK, round),
                                        array.read(Box.of(new long[] {from}, new long[] {CHUNK}))
                                                .ints());
                            }
                        },
                        writers);
            }
            CompletableFuture.allOf(both).get();
            assertArrayEquals(
                    filled(SHARD, 40), Zarr.openArray(far, "a", OPTIONS).read().ints());
        } finally {
            writers.shutdownNow();
            answers.shutdownNow();
        }
    }

    /** Another writer is always first, until the patience ends. */
    @Test
    void writerWhoAlwaysLoses_saysSoInTheEnd() {
        FarForm far = FarForm.of(behind);
        create(far, 1, OPTIONS);
        ZarrArray other = Zarr.openArray(behind, "a", OPTIONS);
        write(other, 0, SHARD, 1);
        AtomicInteger changed = new AtomicInteger();
        ZarrArray array = Zarr.openArray(
                far, "a", OPTIONS.withLockPatience(Duration.ofMillis(50)).withListener(new StoreListener() {
                    @Override
                    public void onChanged(String key, int attempt) {
                        changed.incrementAndGet();
                    }
                }));
        far.losing(key -> {
            if (key.startsWith("a/c/")) {
                write(other, CHUNK, CHUNK, changed.get() + 5);
            }
            return FarForm.Answer.COMES;
        });
        StoreException e = assertThrows(StoreException.class, () -> write(array, 0, CHUNK, 2));
        assertTrue(e.getMessage().contains("other writers changed it first"), e.getMessage());
        int[] left = other.read().ints();
        assertArrayEquals(filled(CHUNK, 1), Arrays.copyOf(left, CHUNK), "nothing was put");
        assertTrue(left[CHUNK] >= 5, "the other's: " + left[CHUNK]);
    }

    @ParameterizedTest
    @EnumSource
    void lostAnswers_ofEverySecondWrite_changeNothing(FarForm.Answer lost) {
        FarForm far = FarForm.of(behind);
        ZarrArray array = create(far, 6, OPTIONS);
        AtomicInteger asked = new AtomicInteger();
        far.losing(key -> asked.incrementAndGet() % 2 == 0 ? lost : FarForm.Answer.COMES);
        int[] model = new int[6 * SHARD];
        for (int i = 0; i < 30; i++) {
            int from = i * 7 % (6 * SHARD - 5);
            Arrays.fill(model, from, from + 5, i);
            write(array, from, 5, i);
            assertArrayEquals(model, array.read().ints());
        }
        array.erase(Box.of(new long[] {SHARD}, new long[] {2 * SHARD}));
        Arrays.fill(model, SHARD, 3 * SHARD, 0);
        assertArrayEquals(model, array.read().ints());
    }

    @Test
    void cancelledMidway_endsRequests_andLeavesWholeShards() throws Exception {
        BlockingQueue<Runnable> asked = new LinkedBlockingQueue<>();
        AtomicInteger holding = new AtomicInteger();
        FarForm far = FarForm.of(
                behind,
                request -> {
                    if (holding.get() > 0) {
                        asked.add(request);
                    } else {
                        request.run();
                    }
                },
                8);
        ZarrArray array = create(far, SHARDS, OPTIONS);
        write(array, 0, (long) SHARDS * SHARD, 1);
        holding.set(1);
        CompletableFuture<?> writing = array.writeAsync(
                array.domain(), NdArray.of(array.dataType(), array.shape(), filled(SHARDS * SHARD, 2)));
        for (int i = 0; i < 20; i++) {
            Runnable next = asked.poll(60, TimeUnit.SECONDS);
            assertTrue(next != null, "no further request");
            next.run();
        }
        writing.cancel(true);
        assertThrows(CancellationException.class, writing::join);
        holding.set(0);
        int[] all = Zarr.openArray(behind, "a", OPTIONS).read().ints();
        for (int s = 0; s < SHARDS; s++) {
            int[] shard = Arrays.copyOfRange(all, s * SHARD, (s + 1) * SHARD);
            assertArrayEquals(filled(SHARD, shard[0]), shard, "a torn shard");
        }
    }

    @Test
    void failedPut_endsTheCall() {
        FarForm far = FarForm.of(behind);
        ZarrArray array = create(far, 10, OPTIONS);
        far.losing(key -> {
            if (key.endsWith("/4")) {
                throw new StoreException("full");
            }
            return FarForm.Answer.COMES;
        });
        StoreException e = assertThrows(StoreException.class, () -> write(array, 0, 10L * SHARD, 1));
        assertTrue(e.getMessage().startsWith("full [array "), e.getMessage());
        ExecutionException async = assertThrows(ExecutionException.class, () -> array.writeAsync(
                        array.domain(), NdArray.of(array.dataType(), array.shape(), filled(10 * SHARD, 2)))
                .get());
        assertTrue(async.getCause().getMessage().startsWith("full"), async.toString());
    }

    /** Whoever owns what he writes needs no conditions. */
    @Test
    void ownersPuts_haveNoCondition_othersAreRefusedWithoutOne() {
        FarForm far = FarForm.of(MemoryStore.create());
        assertFalse(far.can(Locks.class));
        ZarrArray array = create(far, 2, OPTIONS.withOwnership(Ownership.OWNED));
        write(array, 1, 2, 5);
        write(array, 3, 9, 6);
        assertArrayEquals(
                new int[] {0, 5, 5, 6, 6, 6, 6, 6, 6, 6, 6, 6, 0, 0, 0, 0},
                array.read().ints());
    }

    @Test
    void groupsAndTrees_areMadeListedAndDeleted() throws Exception {
        FarForm far = FarForm.of(behind);
        Zarr.createGroup(far, "", Json.object(), Zarr.Existing.REFUSE, OPTIONS);
        ZarrArray array = create(far, 2, OPTIONS);
        write(array, 0, SHARD, 3);
        array = array.resize(new long[] {3 * SHARD}, Outside.REMOVE);
        write(array, 2 * SHARD, SHARD, 4);
        assertEquals(4, Zarr.openArray(far, "a", OPTIONS).read().ints()[2 * SHARD]);
        array = array.resize(new long[] {SHARD}, Outside.REMOVE);
        assertFalse(behind.open("a/c/2").isPresent(), "shards outside are removed");
        array.delete();
        assertFalse(behind.open("a/zarr.json").isPresent());
        assertTrue(StoreAccess.to(far).delete("none", Condition.ANY) instanceof Outcome.Nothing);
    }

    /** What a store lacks is said before anything is changed. */
    @Test
    void storeThatCannotWrite_isOneClearError() {
        FarForm far = FarForm.of(behind);
        create(far, 2, OPTIONS);
        Store reading = new Store() {
            @Override
            public String describe() {
                return "reading:";
            }

            @Override
            public Reads reads() {
                return far;
            }
        };
        ZarrArray array = Zarr.openArray(reading, "a", OPTIONS);
        int before = far.requests();
        UnsupportedException e = assertThrows(UnsupportedException.class, () -> write(array, 0, 1, 1));
        assertTrue(
                e.getMessage().startsWith("the store reading: cannot write objects, which writing elements needs"),
                e.getMessage());
        assertEquals(before, far.requests());
    }
}
