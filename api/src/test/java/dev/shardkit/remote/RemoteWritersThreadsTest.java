package dev.shardkit.remote;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.shardkit.ArraySpec;
import dev.shardkit.IfExists;
import dev.shardkit.NdArray;
import dev.shardkit.Zarr;
import dev.shardkit.ZarrArray;
import dev.shardkit.ZarrOptions;
import dev.shardkit.spi.array.Box;
import dev.shardkit.store.Ability;
import dev.shardkit.store.Locks;
import dev.shardkit.store.Reads;
import dev.shardkit.store.Store;
import dev.shardkit.store.Writes;
import dev.shardkit.store.memory.MemoryStore;
import dev.shardkit.store.policy.Durability;
import dev.shardkit.store.policy.WriteOwnership;
import dev.shardkit.testkit.store.RemoteAdapter;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Writes to remote stores end on whatever threads they are made, however few there are. */
@Timeout(120)
class RemoteWritersThreadsTest {
    private static final int SHARD = 8;

    private final MemoryStore behind = MemoryStore.conditional("remote");
    private final MemoryStore locking = MemoryStore.create();
    private final ExecutorService answers = Executors.newCachedThreadPool();
    private final ExecutorService one = Executors.newSingleThreadExecutor();

    @AfterEach
    void stop() {
        answers.shutdownNow();
        one.shutdownNow();
    }

    /** What a remote store writes by. */
    private enum Kind {
        FUTURES,
        BLOCKING_WRITES,
        LOCKS
    }

    /** Reads as a remote store; some abilities are those of a local one. */
    private record Mixed(RemoteAdapter remote, MemoryStore local, Kind kind) implements Store {
        @Override
        public Reads reads() {
            return remote;
        }

        @Override
        public <A extends Ability> Optional<A> find(Class<A> ability) {
            boolean nears = ability == Writes.class && kind == Kind.BLOCKING_WRITES
                    || ability == Locks.class && kind == Kind.LOCKS;
            return nears ? local.find(ability) : remote.find(ability);
        }

        @Override
        public String describe() {
            return "mixed";
        }
    }

    private Store store(RemoteAdapter remote, Kind kind) {
        return kind == Kind.FUTURES ? remote : new Mixed(remote, kind == Kind.LOCKS ? locking : behind, kind);
    }

    private static ZarrArray create(Store store, int shards, ZarrOptions options) {
        ArraySpec spec =
                ArraySpec.of("int32", (long) shards * SHARD).withChunkShape(4).withShardShape(SHARD);
        return Zarr.createArray(store, "a", spec, IfExists.REFUSE, options.withDurability(Durability.ATOMIC));
    }

    private static int[] filled(int count, int value) {
        int[] all = new int[count];
        Arrays.fill(all, value);
        return all;
    }

    /** The first and the last shard are changed in part, so they are read. */
    private static void write(ZarrArray array, int value) {
        int count = Math.toIntExact(array.shape()[0]) - 2;
        array.write(Box.of(new long[] {1}, new long[] {count}), filled(count, value), 0);
    }

    private static void check(ZarrArray array, int value) {
        int[] expected = filled(Math.toIntExact(array.shape()[0]), value);
        expected[0] = 0;
        expected[expected.length - 1] = 0;
        assertArrayEquals(expected, array.read().ints());
    }

    @ParameterizedTest
    @EnumSource(Kind.class)
    void callMadeOnTheOnlyThreadOfItsExecutor_ends(Kind kind) throws Exception {
        Store store = store(RemoteAdapter.of(behind, answers, 16), kind);
        ZarrArray array = create(store, 20, ZarrOptions.defaults().withExecutor(one));
        one.submit(() -> write(array, 1)).get();
        check(array, 1);
        int count = 20 * SHARD - 2;
        array.writeAsync(
                        Box.of(new long[] {1}, new long[] {count}),
                        NdArray.of(array.dataType(), new long[] {count}, filled(count, 2)))
                .get();
        check(array, 2);
    }

    @Test
    void writerWhoLosesARaceOnTheOnlyThread_triesAgain() throws Exception {
        RemoteAdapter remote = RemoteAdapter.of(behind, answers, 16);
        ZarrArray array = create(remote, 3, ZarrOptions.defaults().withExecutor(one));
        AtomicBoolean lost = new AtomicBoolean();
        ZarrArray other = Zarr.openArray(behind, "a", ZarrOptions.defaults());
        remote.loseAnswers(key -> {
            if (key.equals("a/c/0") && !lost.getAndSet(true)) {
                other.write(Box.of(new long[] {0}, new long[] {1}), new int[] {0}, 0);
            }
            return RemoteAdapter.Answer.COMES;
        });
        one.submit(() -> write(array, 1)).get();
        check(array, 1);
        assertEquals(true, lost.get());
    }

    /** More calls than there are call threads, all waiting for an answer when their writes want a thread. */
    @ParameterizedTest
    @EnumSource(Kind.class)
    void moreCallsThanCallThreads_end(Kind kind) throws Exception {
        int calls = 80;
        int held = Runtime.version().feature() < 24 ? 64 : calls; // below, call threads are 64
        BlockingQueue<Runnable> asked = new LinkedBlockingQueue<>();
        AtomicBoolean holding = new AtomicBoolean();
        RemoteAdapter remote = RemoteAdapter.of(
                behind,
                request -> {
                    if (holding.get()) {
                        asked.add(request);
                    } else {
                        answers.execute(request);
                    }
                },
                16);
        ZarrArray array = create(store(remote, kind), calls, ZarrOptions.defaults());
        holding.set(true);
        List<CompletableFuture<?>> writes = new ArrayList<>();
        for (int i = 0; i < calls; i++) {
            Box part = Box.of(new long[] {(long) i * SHARD + 1}, new long[] {2});
            writes.add(array.writeAsync(part, NdArray.of(array.dataType(), new long[] {2}, filled(2, 1))));
        }
        List<Runnable> first = new ArrayList<>();
        while (first.size() < held) {
            first.add(Objects.requireNonNull(asked.poll(60, TimeUnit.SECONDS), "after " + first.size()));
        }
        holding.set(false);
        first.forEach(answers::execute);
        CompletableFuture<Void> all = CompletableFuture.allOf(writes.toArray(CompletableFuture<?>[]::new));
        while (!all.isDone()) {
            Optional.ofNullable(asked.poll()).ifPresent(answers::execute); // asked while the answers were held
            Thread.onSpinWait();
        }
        all.get();
        assertEquals(calls * 2, Arrays.stream(array.read().ints()).sum());
    }

    /** A request that was sent cannot be taken back: what ends before it could be overwritten by it. */
    @ParameterizedTest
    @EnumSource(WriteOwnership.class)
    void interruptedWriter_endsAfterItsPut(WriteOwnership ownership) throws Exception {
        RemoteAdapter remote = RemoteAdapter.of(behind, answers, 16);
        ZarrArray array =
                create(store(remote, Kind.LOCKS), 1, ZarrOptions.defaults().withOwnership(ownership));
        CountDownLatch putting = new CountDownLatch(1);
        CountDownLatch go = new CountDownLatch(1);
        AtomicBoolean held = new AtomicBoolean();
        remote.loseAnswers(key -> {
            if (!held.getAndSet(true)) {
                putting.countDown();
                awaitUninterrupted(go);
            }
            return RemoteAdapter.Answer.COMES;
        });
        CompletableFuture<Throwable> thrown = new CompletableFuture<>();
        Thread first = new Thread(() -> {
            try {
                write(array, 1);
                thrown.completeExceptionally(new AssertionError("the write was not interrupted"));
            } catch (Throwable e) {
                thrown.complete(e);
            }
        });
        first.start();
        putting.await();
        first.interrupt();
        while (first.isAlive() && (first.isInterrupted() || first.getState() != Thread.State.WAITING)) {
            Thread.onSpinWait();
        }
        assertTrue(first.isAlive(), "the write ended before its put");
        go.countDown();
        assertInstanceOf(CancellationException.class, thrown.get());
        write(array, 2);
        check(array, 2);
    }

    private static void awaitUninterrupted(CountDownLatch latch) {
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
}
