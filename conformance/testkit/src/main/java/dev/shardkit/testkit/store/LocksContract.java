package dev.shardkit.testkit.store;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.shardkit.spi.error.StoreException;
import dev.shardkit.store.Entry;
import dev.shardkit.store.Locks;
import dev.shardkit.store.TreeDeletions;
import dev.shardkit.store.access.BlockingStore;
import dev.shardkit.store.policy.Durability;
import dev.shardkit.testkit.internal.Rounds;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * The contract of stores with {@link Locks}, local or remote, as tests within one process. To test a store, extend this
 * class in addition to {@link WritesContract}. Locks between processes need a separate test.
 */
@Timeout(300)
@SuppressWarnings("try") // a held lock needs no further use
public abstract class LocksContract extends ThreadedStoreSuite {
    /** The number of increments of each counter by each thread. */
    private static final int INCREMENTS = Rounds.of(10);
    /** The maximum wait for a lock that should become free. */
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    /** For subclasses. */
    protected LocksContract() {}

    private Locks locks() {
        return ability(Locks.class);
    }

    /** Returns another store with the same objects. */
    private BlockingStore another() throws Exception {
        return BlockingStore.to(anotherOf(store().store()));
    }

    @Test
    void lock_readModifyWriteByManyThreads_losesNothing() throws Exception {
        locks();
        List<Future<Boolean>> writers = new ArrayList<>();
        for (int t = 0; t < THREADS; t++) {
            BlockingStore mine = another();
            writers.add(start(() -> {
                for (int i = 0; i < 2 * INCREMENTS; i++) {
                    increment(mine, "a/c/" + i % 2);
                }
                return true;
            }));
        }
        for (Future<Boolean> writer : writers) {
            assertTrue(writer.get());
        }
        assertEquals(THREADS * INCREMENTS, counter(store(), "a/c/0"));
        assertEquals(THREADS * INCREMENTS, counter(store(), "a/c/1"));
        assertListed(Map.of("c", Entry.Kind.PREFIX), "a", "lock files are not listed");
    }

    /** Increments the number under {@code key}, under its lock. */
    private static void increment(BlockingStore store, String key) throws Exception {
        try (Locks.Lock lock = store.lock("a", key, PATIENCE)) {
            byte[] next = ByteBuffer.allocate(4).putInt(counter(store, key) + 1).array();
            store.put(key, StoreSuiteHelpers.content(next), Durability.ATOMIC);
        }
    }

    private static int counter(BlockingStore store, String key) throws Exception {
        return StoreSuiteHelpers.get(store, key)
                .map(b -> ByteBuffer.wrap(b).getInt())
                .orElse(0);
    }

    @Test
    void lock_heldByAnother_isAStoreExceptionAfterItsPatience() throws Exception {
        BlockingStore other = another();
        try (Locks.Lock held = locks().lock("a", "a/c/0", PATIENCE)) {
            StoreException e =
                    assertThrows(StoreException.class, () -> other.lock("a", "a/c/0", Duration.ofMillis(20)));
            assertTrue(e.getMessage().contains("a/c/0"), e.getMessage());
            assertThrows(StoreException.class, () -> other.lock("a", "a/c/0", Duration.ZERO));
        }
        other.lock("a", "a/c/0", Duration.ZERO).close();
    }

    @Test
    void lock_ofAnotherObject_isFree() throws Exception {
        BlockingStore other = another();
        try (Locks.Lock held = locks().lock("a", "a/c/0", PATIENCE)) {
            other.lock("a", "a/c/1", Duration.ZERO).close();
            other.lock("b", "b/c/0", Duration.ZERO).close();
        }
    }

    @Test
    void lock_held_leavesReadsAlone() throws Exception {
        put("a/c/0", new byte[] {1});
        BlockingStore other = another();
        try (Locks.Lock held = locks().lock("a", "a/c/0", PATIENCE)) {
            assertEquals(
                    1,
                    start(() -> StoreSuiteHelpers.get(other, "a/c/0").orElseThrow())
                            .get()[0]);
        }
    }

    @Test
    void lock_ofAnAbsentObject_createsNone() throws Exception {
        try (Locks.Lock held = locks().lock("a", "a/c/0", PATIENCE)) {
            assertTrue(store().open("a/c/0").isEmpty());
        }
        assertTrue(store().open("a/c/0").isEmpty());
        assertListed(Map.of(), "a", "lock files are not listed");
    }

    @Test
    void lock_closedTwice_isReleasedOnce() throws Exception {
        Locks.Lock first = locks().lock("a", "a/c/0", PATIENCE);
        first.close();
        try (Locks.Lock second = locks().lock("a", "a/c/0", Duration.ZERO)) {
            first.close();
            assertThrows(StoreException.class, () -> locks().lock("a", "a/c/0", Duration.ZERO));
        }
    }

    @Test
    void lock_closedByAnotherThread_goesToTheWaiter() throws Exception {
        Locks.Lock held = locks().lock("", "c/0", PATIENCE);
        Future<Boolean> waiter = start(() -> {
            locks().lock("", "c/0", PATIENCE).close();
            return true;
        });
        assertTrue(start(() -> {
                    held.close();
                    return true;
                })
                .get());
        assertTrue(waiter.get());
    }

    @Test
    void lock_interruptedWaiter_failsAndStaysInterrupted() throws Exception {
        CountDownLatch started = new CountDownLatch(1);
        try (Locks.Lock held = locks().lock("a", "a/c/0", PATIENCE)) {
            AtomicBoolean stayedInterrupted = new AtomicBoolean();
            Thread waiter = new Thread(() -> {
                started.countDown();
                assertThrows(StoreException.class, () -> locks().lock("a", "a/c/0", PATIENCE));
                stayedInterrupted.set(Thread.currentThread().isInterrupted());
            });
            waiter.start();
            started.await();
            waiter.interrupt();
            waiter.join();
            assertTrue(stayedInterrupted.get(), "the waiter fails, and its thread stays interrupted");
            // The interrupted waiter must not have released the held lock.
            assertThrows(StoreException.class, () -> another().lock("a", "a/c/0", Duration.ZERO));
        }
    }

    @Test
    void generation_isOneForAllLocks_untilTheArrayIsRemoved() throws Exception {
        String first = generation("a/c/0");
        assertEquals(first, generation("a/c/1"));
        if (store().can(TreeDeletions.class)) {
            store().deleteAll("a");
            String second = generation("a/c/0");
            assertEquals(second, generation("a/zarr.json"));
            assertTrue(first.isEmpty() || !first.equals(second), "the mark of a removed array: " + first);
        }
    }

    @Test
    void generation_ofAnotherArray_isAnother() throws Exception {
        try (Locks.Lock one = locks().lock("a", "a/c/0", PATIENCE);
                Locks.Lock other = locks().lock("b", "b/c/0", PATIENCE)) {
            if (!one.generation().isEmpty()) {
                assertNotEquals(one.generation(), other.generation());
            }
        }
    }

    /** Returns the mark by which locks tell an array from one that was removed and created again. */
    private String generation(String key) throws Exception {
        try (Locks.Lock lock = locks().lock("a", key, PATIENCE)) {
            return lock.generation();
        }
    }

    @Test
    void keys_illegal_areTheCallersMistake() {
        for (String key : StoreSuiteHelpers.ILLEGAL_KEYS) {
            assertThrows(IllegalArgumentException.class, () -> locks().lock("a", key, Duration.ZERO), key);
        }
    }
}
