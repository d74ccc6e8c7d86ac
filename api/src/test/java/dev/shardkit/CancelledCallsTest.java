package dev.shardkit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.shardkit.AsyncCalls.Scene;
import dev.shardkit.spi.array.Box;
import dev.shardkit.spi.codec.ShardWritePolicy;
import dev.shardkit.spi.error.ZarrException;
import dev.shardkit.store.Store;
import dev.shardkit.store.file.FileStore;
import dev.shardkit.store.memory.MemoryStore;
import dev.shardkit.store.policy.Durability;
import dev.shardkit.store.zip.ZipStore;
import dev.shardkit.testkit.internal.Rounds;
import dev.shardkit.testkit.store.RemoteAdapter;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.TreeSet;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import java.util.function.Function;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * A call that has ended, for whatever reason, touches neither the caller's memory nor the store. Each round ends a call
 * at a random moment, and then fills the caller's memory with poison, which must not be stored. The system property
 * {@code shardkit.rounds} sets the number of rounds of each call on each kind of store.
 */
@Timeout(3600)
public class CancelledCallsTest {
    private static final int ROUNDS = Rounds.of(1);
    private static final int POISON = -999;
    /** Rounds take turns with these arrays, so a store is also looked at some rounds later. */
    private static final int ARRAYS = 4;

    @TempDir
    private Path dir;

    private final long seed = Long.getLong("shardkit.cancel.seed", System.nanoTime());
    private final Random random = new Random(seed);

    /** The kinds of stores and of writes. */
    public enum Kind {
        MEMORY,
        CONDITIONAL,
        FILES,
        IN_PLACE,
        APPEND,
        ZIP,
        REMOTE,
        REMOTE_ON_EXECUTOR;

        public Store store(Path dir, ExecutorService threads) throws IOException {
            return switch (this) {
                case MEMORY -> MemoryStore.create();
                case CONDITIONAL -> MemoryStore.conditional("local");
                case FILES, IN_PLACE, APPEND -> FileStore.at(dir.resolve("files"));
                case ZIP -> ZipStore.at(dir.resolve("a.zip"));
                case REMOTE, REMOTE_ON_EXECUTOR -> RemoteAdapter.of(MemoryStore.conditional("remote"), threads, 4);
            };
        }

        public ZarrOptions options(ExecutorService threads) {
            ZarrOptions plain =
                    ZarrOptions.defaults().withDurability(Durability.NONE).withCacheBytes(0);
            return switch (this) {
                case IN_PLACE ->
                    plain.withWritePolicy(ShardWritePolicy.defaults().withStrategy(ShardWritePolicy.Strategy.IN_PLACE));
                case APPEND ->
                    plain.withWritePolicy(ShardWritePolicy.defaults().withStrategy(ShardWritePolicy.Strategy.APPEND));
                case REMOTE_ON_EXECUTOR -> plain.withExecutor(threads);
                default -> plain;
            };
        }

        /** Whether a stored chunk can be written again before the store is closed. */
        public boolean writesAgain() {
            return this != ZIP;
        }
    }

    @Test
    void everyCallThatTakesMemory_isTried() {
        TreeSet<String> asynchronous = new TreeSet<>(AsyncCalls.WITH_MEMORY.keySet());
        asynchronous.addAll(AsyncCalls.OTHERS.keySet());
        assertEquals(AsyncCalls.asynchronous(), asynchronous);
        assertEquals(AsyncCalls.blockingWithMemory(), AsyncCalls.BLOCKING.keySet());
    }

    @ParameterizedTest
    @EnumSource
    void asynchronousCalls(Kind kind) throws Exception {
        for (String call : AsyncCalls.WITH_MEMORY.keySet()) {
            rounds(kind, call, scene -> endedEarly(AsyncCalls.WITH_MEMORY.get(call), scene));
        }
    }

    @ParameterizedTest
    @EnumSource
    void interruptedCalls(Kind kind) throws Exception {
        for (String call : AsyncCalls.BLOCKING.keySet()) {
            rounds(kind, call, scene -> interrupted(AsyncCalls.BLOCKING.get(call), scene));
        }
    }

    private void rounds(Kind kind, String call, Consumer<Scene> ended) throws Exception {
        String name = kind + " " + call + ", -Dshardkit.cancel.seed=" + seed;
        Path own = dir.resolve(Integer.toHexString(call.hashCode()));
        own.toFile().mkdirs();
        ExecutorService threads = Executors.newFixedThreadPool(3);
        int[] expected = new int[ARRAYS];
        try (Store store = kind.store(own, threads)) {
            ZarrOptions options = kind.options(threads);
            int count = kind.writesAgain() ? ARRAYS : ROUNDS;
            List<ZarrArray> arrays = new ArrayList<>();
            for (int i = 0; i < count; i++) {
                arrays.add(Zarr.createArray(store, "a" + i, AsyncCalls.SPEC, IfExists.REFUSE, options));
            }
            for (int round = 0; round < ROUNDS; round++) {
                int at = round % count;
                ZarrArray array = arrays.get(at);
                if (round >= count) {
                    assertStored(array, expected[at], expected[at], name);
                }
                int value = 10 + 2 * round;
                Scene scene = new Scene(store, "a" + at, array, value, options);
                ended.accept(scene);
                Arrays.fill(scene.memory, POISON);
                for (AutoCloseable open : scene.after) {
                    close(open);
                }
                if (!kind.writesAgain()) {
                    continue;
                }
                assertStored(array, round < count ? -1 : expected[at], value, name);
                int[] later = new int[AsyncCalls.LENGTH];
                Arrays.fill(later, value + 1);
                array.write(array.domain(), later, 0);
                assertStored(array, value + 1, value + 1, name);
                expected[at] = value + 1;
                assertTrue(call.contains("rite") || call.contains("take") || isAll(scene.memory, POISON), name);
            }
            for (int i = 0; i < Math.min(count, ROUNDS) && kind.writesAgain(); i++) {
                assertStored(arrays.get(i), expected[i], expected[i], name);
            }
        } finally {
            threads.shutdown();
        }
        if (!kind.writesAgain()) {
            try (Store store = kind.store(own, threads)) {
                for (int i = 0; i < ROUNDS; i++) {
                    assertStored(Zarr.openArray(store, "a" + i, ZarrOptions.defaults()), -1, 10 + 2 * i, name);
                }
            }
        }
    }

    /** A writer that did not write everything fails when it is closed. */
    private static void close(AutoCloseable open) throws Exception {
        try {
            open.close();
        } catch (ZarrException | IllegalStateException e) {
            assertFalse(e.getMessage().isEmpty());
        }
    }

    private static void assertStored(ZarrArray array, int one, int other, String name) {
        for (int value : array.read().ints()) {
            assertTrue(
                    value == one || value == other,
                    () -> name + ": expected " + one + " or " + other + ", found "
                            + (value == POISON ? "the poison" : value));
        }
    }

    private static boolean isAll(int[] memory, int value) {
        return Arrays.stream(memory).allMatch(v -> v == value);
    }

    /** Ends an asynchronous call at a random moment. */
    private void endedEarly(Function<Scene, CompletableFuture<?>> call, Scene scene) {
        CompletableFuture<?> future = call.apply(scene);
        int way = random.nextInt(5);
        if (way == 0) {
            future.orTimeout(random.nextInt(2_000_000), TimeUnit.NANOSECONDS);
        } else {
            passTime();
        }
        switch (way) {
            case 1 -> {
                boolean cancelled = future.cancel(true);
                assertTrue(future.isDone());
                assertEquals(cancelled, future.isCancelled());
            }
            case 2 -> future.cancel(false);
            case 3 -> future.completeExceptionally(new IllegalStateException("ended by the caller"));
            case 4 -> future.obtrudeException(new IllegalStateException("ended by the caller"));
            default -> {}
        }
        try {
            future.join();
        } catch (CancellationException e) {
            assertTrue(way == 1 || way == 2, "cancelled");
        } catch (CompletionException e) {
            assertTrue(
                    way == 0 && e.getCause() instanceof TimeoutException
                            || e.getCause() instanceof IllegalStateException,
                    e::toString);
        }
    }

    private void passTime() {
        long end = System.nanoTime() + random.nextInt(random.nextBoolean() ? 200_000 : 3_000_000);
        while (System.nanoTime() < end) {
            Thread.onSpinWait();
        }
    }

    /** Interrupts a blocking call at a random moment. */
    private void interrupted(Consumer<Scene> call, Scene scene) {
        CompletableFuture<Void> ended = new CompletableFuture<>();
        Thread thread = new Thread(() -> {
            try {
                call.accept(scene);
                ended.complete(null);
            } catch (Throwable e) {
                ended.completeExceptionally(e);
            }
        });
        thread.start();
        passTime();
        thread.interrupt();
        try {
            ended.join();
        } catch (CancellationException e) {
            assertFalse(e.toString().isEmpty());
        } catch (CompletionException e) {
            assertTrue(
                    e.getCause() instanceof CancellationException || e.getCause() instanceof ZarrException,
                    () -> "interrupted: " + e.getCause());
        }
    }

    /** The order in which the parts of a cancelled call end is the test's. */
    @Test
    void future_isDoneOnlyAfterItsPut() throws Exception {
        BlockingQueue<Runnable> held = new LinkedBlockingQueue<>();
        boolean[] holds = new boolean[1];
        RemoteAdapter remote = RemoteAdapter.of(
                MemoryStore.conditional("held"),
                task -> {
                    if (holds[0]) {
                        held.add(task);
                    } else {
                        task.run();
                    }
                },
                1);
        ZarrArray array = Zarr.createArray(remote, "a", AsyncCalls.SPEC, IfExists.REFUSE, ZarrOptions.defaults());
        Scene scene = new Scene(remote, "a", array, 5, ZarrOptions.defaults());
        holds[0] = true;
        CompletableFuture<?> writing = array.writeAsync(scene.all(), scene.values());
        for (int i = remote.writes(); remote.writes() == i; ) {
            Runnable next = held.poll(60, TimeUnit.SECONDS);
            if (remote.writes() == i) {
                next.run();
            } else {
                held.add(next);
            }
        }
        CompletableFuture<Boolean> dependent = writing.handle((done, thrown) -> thrown != null);
        assertTrue(writing.cancel(false));
        assertTrue(writing.cancel(false), "it is cancelled again");
        CompletableFuture<Boolean> completing = new CompletableFuture<>(); // waits for the end of the put
        new Thread(() -> completing.complete(writing.complete(null)), "caller").start();
        assertFalse(writing.isDone());
        assertFalse(CompletableFuture.allOf(writing).isDone());
        assertThrows(TimeoutException.class, () -> writing.get(1, TimeUnit.MILLISECONDS));
        holds[0] = false;
        for (Runnable next = held.poll(); next != null; next = held.poll()) {
            next.run();
        }
        assertThrows(CancellationException.class, writing::join);
        assertTrue(writing.isCancelled());
        assertFalse(completing.get(60, TimeUnit.SECONDS));
        assertTrue(dependent.get(60, TimeUnit.SECONDS));
        assertThrows(CancellationException.class, () -> writing.get(60, TimeUnit.SECONDS));
    }

    @Test
    void failureOfAPart_endsTheCallAfterTheOthers() throws Exception {
        try (Store store = MemoryStore.create()) {
            ZarrArray array = Zarr.createArray(store, "a", AsyncCalls.SPEC, IfExists.REFUSE, ZarrOptions.defaults());
            Scene scene = new Scene(store, "a", array, 5, ZarrOptions.defaults());
            for (int round = 0; round < 10 * ROUNDS; round++) {
                int failing = random.nextInt(AsyncCalls.LENGTH);
                boolean[] over = new boolean[1];
                boolean[] late = new boolean[1];
                CompletableFuture<?> writing = array.writeAsync(scene.all(), (part, to, offset, strides) -> {
                    late[0] |= over[0];
                    if (part.origin()[0] <= failing && failing < part.end(0)) {
                        throw new IllegalStateException("the caller's");
                    }
                    scene.feed().get(part, to, offset, strides);
                    late[0] |= over[0];
                });
                ExecutionException thrown =
                        assertThrows(ExecutionException.class, () -> writing.get(60, TimeUnit.SECONDS));
                over[0] = true;
                assertEquals("the caller's", thrown.getCause().getMessage());
                array.write(
                        Box.of(new long[] {0}, new long[] {1}),
                        NdArray.of(array.dataType(), new long[] {1}, new int[] {round}));
                assertFalse(late[0], "the feed was called after the call had failed; seed " + seed);
            }
        }
    }
}
