package dev.shardkit.testkit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.shardkit.spi.error.StoreException;
import dev.shardkit.store.Durability;
import dev.shardkit.store.Entry;
import dev.shardkit.store.Locks;
import dev.shardkit.store.Snapshot;
import dev.shardkit.store.Store;
import dev.shardkit.store.StoreAccess;
import dev.shardkit.store.Writes;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * What every store with {@link Writes} must do among threads: atomic puts, and locks where it says that it has them.
 * For the author of one: extend it beside {@link WritesContract}.
 */
@Timeout(120)
@SuppressWarnings("try") // a lock is held, not used
public abstract class StoreConcurrencyContract {
    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final int THREADS = 8;

    private Optional<Store> fresh = Optional.empty();
    private Optional<ExecutorService> pool = Optional.empty();

    /** For subclasses. */
    protected StoreConcurrencyContract() {}

    /** A store with nothing in it, writable. */
    protected abstract Store freshStore() throws Exception;

    /** Another store over what {@code store} has; the same one where there is no such thing. */
    protected Store anotherOf(Store store) throws Exception {
        return store;
    }

    @BeforeEach
    final void makeStore() throws Exception {
        fresh = Optional.of(freshStore());
        pool = Optional.of(Executors.newFixedThreadPool(THREADS));
    }

    @AfterEach
    final void closeStore() {
        pool.ifPresent(ExecutorService::shutdownNow);
        fresh.ifPresent(Store::close);
    }

    private StoreAccess again(StoreAccess store) throws Exception {
        return StoreAccess.to(anotherOf(store.store()));
    }

    private StoreAccess store() {
        return StoreAccess.to(fresh.orElseThrow());
    }

    private void assumeLocks() {
        assumeTrue(store().can(Locks.class), "the store says that it has no locks");
    }

    private <T> Future<T> start(Callable<T> task) {
        return pool.orElseThrow().submit(task);
    }

    private static byte[] filled(int value) {
        byte[] bytes = new byte[100_000 + value % 7];
        Arrays.fill(bytes, (byte) value);
        return bytes;
    }

    @Test
    void put_besideReaders_isSeenWholeOrNotAtAll() throws Exception {
        StoreAccess store = store();
        store.put("c/0", StoreProbe.content(filled(0)), Durability.ATOMIC);
        AtomicBoolean done = new AtomicBoolean();
        List<Future<Integer>> readers = new ArrayList<>();
        for (int t = 0; t < 3; t++) {
            StoreAccess mine = again(store);
            readers.add(start(() -> {
                int rounds = 0;
                for (; !done.get() || rounds < 20; rounds++) {
                    byte[] found = StoreProbe.get(mine, "c/0").orElseThrow();
                    assertEquals(-1, Arrays.mismatch(filled(found[0] & 0xff), found), "torn");
                }
                return rounds;
            }));
        }
        try {
            for (int i = 1; i < 200; i++) {
                store.put("c/0", StoreProbe.content(filled(i)), Durability.ATOMIC);
            }
        } finally {
            done.set(true);
        }
        for (Future<Integer> reader : readers) {
            assertTrue(reader.get() >= 20);
        }
        assertEquals(Map.of("0", Entry.Kind.OBJECT), StoreProbe.list(store, "c"));
    }

    @Test
    void put_ofManyKeysAtOnce_losesNone() throws Exception {
        List<Future<Boolean>> writers = new ArrayList<>();
        for (int t = 0; t < THREADS; t++) {
            int me = t;
            StoreAccess mine = again(store());
            writers.add(start(() -> {
                for (int i = 0; i < 20; i++) {
                    mine.put(
                            "a/c/" + i % 5 + "/" + me + "." + i,
                            StoreProbe.content(new byte[] {(byte) i}),
                            Durability.ATOMIC);
                }
                return true;
            }));
        }
        for (Future<Boolean> writer : writers) {
            assertTrue(writer.get());
        }
        int found = 0;
        for (int i = 0; i < 5; i++) {
            found += StoreProbe.list(store(), "a/c/" + i).size();
        }
        assertEquals(THREADS * 20, found);
    }

    @Test
    void lock_readModifyWriteByManyThreads_losesNothing() throws Exception {
        assumeLocks();
        List<Future<Boolean>> writers = new ArrayList<>();
        for (int t = 0; t < THREADS; t++) {
            StoreAccess mine = again(store());
            writers.add(start(() -> {
                for (int i = 0; i < 100; i++) {
                    increment(mine, "a", "a/c/" + i % 2);
                }
                return true;
            }));
        }
        for (Future<Boolean> writer : writers) {
            assertTrue(writer.get());
        }
        assertEquals(THREADS * 50, counter(store(), "a/c/0"));
        assertEquals(THREADS * 50, counter(store(), "a/c/1"));
        assertEquals(Map.of("c", Entry.Kind.PREFIX), StoreProbe.list(store(), "a"), "what locks leave is not listed");
    }

    /** Adds one to the number under {@code key}, under its lock. */
    static void increment(StoreAccess store, String array, String key) throws Exception {
        try (Locks.Lock lock = store.lock(array, key, PATIENCE)) {
            byte[] next = ByteBuffer.allocate(4).putInt(counter(store, key) + 1).array();
            store.put(key, StoreProbe.content(next), Durability.ATOMIC);
        }
    }

    /** The number under {@code key}. */
    static int counter(StoreAccess store, String key) throws Exception {
        return StoreProbe.get(store, key).map(b -> ByteBuffer.wrap(b).getInt()).orElse(0);
    }

    @Test
    void lock_heldByAnother_isAStoreExceptionAfterItsPatience() throws Exception {
        assumeLocks();
        StoreAccess other = again(store());
        try (Locks.Lock held = store().lock("a", "a/c/0", PATIENCE)) {
            StoreException e =
                    assertThrows(StoreException.class, () -> other.lock("a", "a/c/0", Duration.ofMillis(20)));
            assertTrue(e.getMessage().contains("a/c/0"), e.getMessage());
            assertThrows(StoreException.class, () -> other.lock("a", "a/c/0", Duration.ZERO));
            other.lock("a", "a/c/1", Duration.ZERO).close();
            other.lock("b", "b/c/0", Duration.ZERO).close();
        }
        other.lock("a", "a/c/0", Duration.ZERO).close();
    }

    @Test
    void lock_closedTwice_letsGoOnce() throws Exception {
        assumeLocks();
        Locks.Lock first = store().lock("a", "a/c/0", PATIENCE);
        first.close();
        try (Locks.Lock second = store().lock("a", "a/c/0", Duration.ZERO)) {
            first.close();
            assertThrows(StoreException.class, () -> store().lock("a", "a/c/0", Duration.ZERO));
        }
    }

    @Test
    void lock_closedByAnotherThread_goesToWhoWaits() throws Exception {
        assumeLocks();
        Locks.Lock held = store().lock("", "c/0", PATIENCE);
        Future<Boolean> waiter = start(() -> {
            store().lock("", "c/0", PATIENCE).close();
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
        assumeLocks();
        CountDownLatch started = new CountDownLatch(1);
        try (Locks.Lock held = store().lock("a", "a/c/0", PATIENCE)) {
            AtomicBoolean flag = new AtomicBoolean();
            Thread waiter = new Thread(() -> {
                started.countDown();
                assertThrows(StoreException.class, () -> store().lock("a", "a/c/0", PATIENCE));
                flag.set(Thread.currentThread().isInterrupted());
            });
            waiter.start();
            started.await();
            waiter.interrupt();
            waiter.join();
            assertTrue(flag.get());
            // The interrupted one must have left the held lock alone.
            assertThrows(StoreException.class, () -> again(store()).lock("a", "a/c/0", Duration.ZERO));
        }
    }

    @Test
    void read_interruptedReader_harmsNoOther() throws Exception {
        byte[] value = StoreProbe.bytes(3, 50_000);
        store().put("k", StoreProbe.content(value), Durability.ATOMIC);
        try (Snapshot snapshot = store().open("k").orElseThrow()) {
            start(() -> {
                        Thread.currentThread().interrupt();
                        try {
                            return StoreProbe.read(snapshot).length;
                        } catch (StoreException e) {
                            return -1;
                        } finally {
                            assertTrue(Thread.interrupted());
                        }
                    })
                    .get();
            assertEquals(-1, Arrays.mismatch(value, StoreProbe.read(snapshot)));
        }
    }
}
