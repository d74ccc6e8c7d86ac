package dev.shardkit.testkit.store;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.shardkit.spi.error.UnsupportedException;
import dev.shardkit.spi.plan.ByteRange;
import dev.shardkit.store.Ability;
import dev.shardkit.store.BlockingListings;
import dev.shardkit.store.BlockingWrites;
import dev.shardkit.store.Copies;
import dev.shardkit.store.DeviceSync;
import dev.shardkit.store.FetchResult;
import dev.shardkit.store.LeftoverCleanup;
import dev.shardkit.store.Listings;
import dev.shardkit.store.LocalReads;
import dev.shardkit.store.Locks;
import dev.shardkit.store.Moves;
import dev.shardkit.store.ObjectLocations;
import dev.shardkit.store.Patches;
import dev.shardkit.store.RemoteReads;
import dev.shardkit.store.Store;
import dev.shardkit.store.StoreListener;
import dev.shardkit.store.TreeDeletions;
import dev.shardkit.store.Writes;
import dev.shardkit.testkit.internal.Parallel;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * The contract of all stores, local or remote, read-only or not: they describe themselves, report the same abilities at
 * every call, and can be closed. To test a store, extend it in addition to the suites of its abilities.
 */
@Timeout(120)
public abstract class StoreContract {
    private static final byte[] VALUE = StoreSuiteHelpers.bytes(1, 50_000);
    private static final Map<String, byte[]> OBJECTS =
            Map.of("zarr.json", StoreSuiteHelpers.bytes(2, 40), "a/c/0", VALUE);
    private static final List<Class<? extends Ability>> ABILITIES = List.of(
            Writes.class,
            Listings.class,
            Locks.class,
            Patches.class,
            Copies.class,
            Moves.class,
            DeviceSync.class,
            TreeDeletions.class,
            LeftoverCleanup.class,
            ObjectLocations.class);

    private final List<Store> opened = new ArrayList<>();

    /** For subclasses. */
    protected StoreContract() {}

    /** Returns a store with exactly these objects. Called once for each test. */
    protected abstract Store storeOf(Map<String, byte[]> objects) throws Exception;

    /** Opens the objects of {@link #storeOf} again; empty if they exist only as long as the store. */
    protected abstract Optional<Store> reopened() throws Exception;

    @AfterEach
    final void closeStores() {
        opened.forEach(Store::close);
    }

    /** Returns a store with {@link #OBJECTS}, which is closed after the test. */
    private Store store() throws Exception {
        return closing(storeOf(OBJECTS));
    }

    /** Returns a second store of the same objects; skips the test if there cannot be one. */
    private Store other() throws Exception {
        Optional<Store> other = reopened();
        assumeTrue(other.isPresent(), "the objects end with their store");
        return closing(other.get());
    }

    private Store closing(Store store) {
        opened.add(store);
        return store;
    }

    private static byte[] read(Store store) throws Exception {
        return StoreSuiteHelpers.get(store, "a/c/0").orElseThrow(() -> new AssertionError("the object is absent"));
    }

    @Test
    void describe_always_saysTheSame() throws Exception {
        Store store = store();
        String text = store.describe();
        assertFalse(text.isBlank());
        read(store);
        assertEquals(text, store.describe());
    }

    @Test
    void reads_always_areTheSame() throws Exception {
        Store store = store();
        assertSame(store.reads(), store.reads());
        assertTrue(store.reads().mergePolicy().parallel() > 0);
    }

    @Test
    void find_anyAbility_isSteady() throws Exception {
        Store store = store();
        for (Class<? extends Ability> ability : ABILITIES) {
            boolean first = store.find(ability).isPresent();
            read(store);
            assertEquals(first, store.find(ability).isPresent(), "find of " + ability);
            assertEquals(first, store.can(ability), "can of " + ability);
            if (first) {
                assertInstanceOf(ability, store.need(ability, "testing"));
            }
        }
    }

    /** A store with the blocking form of an ability has the ability itself; changes in place need a local store. */
    @Test
    void find_blockingForm_comesWithTheAbility() throws Exception {
        Store store = store();
        assertTrue(!store.can(BlockingWrites.class) || store.can(Writes.class), "BlockingWrites without Writes");
        assertTrue(
                !store.can(BlockingListings.class) || store.can(Listings.class), "BlockingListings without Listings");
        assertTrue(
                !store.can(Patches.class) || store.reads() instanceof LocalReads,
                "changes in place need a local store");
    }

    @Test
    void need_absentAbility_namesTheStoreAndThePurpose() throws Exception {
        Store store = store();
        for (Class<? extends Ability> ability : ABILITIES) {
            if (!store.can(ability)) {
                UnsupportedException e =
                        assertThrows(UnsupportedException.class, () -> store.need(ability, "the purpose of a test"));
                assertTrue(e.getMessage().contains(store.describe()), e.getMessage());
                assertTrue(e.getMessage().contains("the purpose of a test"), e.getMessage());
            }
        }
    }

    @Test
    void close_again_isNoError() throws Exception {
        Store store = store();
        assertArrayEquals(VALUE, read(store));
        store.close();
        store.close();
    }

    @Test
    void close_byThreadsAtOnce_isNoError() throws Exception {
        Store store = store();
        assertArrayEquals(VALUE, read(store));
        Parallel.run(thread -> store.close());
    }

    @Test
    void close_always_leavesTheObjects() throws Exception {
        Store store = store();
        assertArrayEquals(VALUE, read(store));
        store.close();
        assertArrayEquals(VALUE, read(other()));
    }

    @Test
    void close_ofOne_leavesAnother() throws Exception {
        Store store = store();
        Store other = other();
        assertArrayEquals(VALUE, read(store));
        assertArrayEquals(VALUE, read(other));
        store.close();
        assertArrayEquals(VALUE, read(other));
    }

    /** Reads that run while the store is closed return correct bytes or fail; each ends. */
    @Test
    void close_besideReads_endsEach() throws Exception {
        Store store = store();
        if (store.reads() instanceof RemoteReads remote) {
            List<CompletableFuture<FetchResult>> running = new ArrayList<>();
            for (int i = 0; i < 50; i++) {
                running.add(remote.fetch("a/c/0", ByteRange.whole(), Optional.empty(), StoreListener.NONE));
            }
            store.close();
            for (CompletableFuture<FetchResult> future : running) {
                assertEnded(future.thenApply(
                        found -> ((FetchResult.Found) found).bytes().toArray()));
            }
            return;
        }
        ExecutorService pool = Executors.newFixedThreadPool(4);
        try {
            CountDownLatch reading = new CountDownLatch(4);
            List<Future<byte[]>> running = new ArrayList<>();
            for (int i = 0; i < 4; i++) {
                running.add(pool.submit(() -> readOften(store, reading)));
            }
            assertTrue(reading.await(1, TimeUnit.MINUTES));
            store.close();
            for (Future<byte[]> future : running) {
                assertEnded(future);
            }
        } finally {
            pool.shutdownNow();
        }
    }

    private static byte[] readOften(Store store, CountDownLatch reading) throws Exception {
        byte[] last = read(store);
        reading.countDown();
        for (int i = 0; i < 100; i++) {
            last = read(store);
            assertArrayEquals(VALUE, last);
        }
        return last;
    }

    /** Checks a read beside a close: it returns the right bytes or an exception. Wrong bytes fail with an error. */
    private static void assertEnded(Future<byte[]> future) throws Exception {
        try {
            assertArrayEquals(VALUE, future.get(1, TimeUnit.MINUTES));
        } catch (ExecutionException e) {
            assertInstanceOf(Exception.class, e.getCause(), "wrong bytes during a close");
        }
    }
}
