package dev.shardkit.testkit.store;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.shardkit.spi.error.StoreException;
import dev.shardkit.store.Locks;
import dev.shardkit.store.TreeDeletions;
import dev.shardkit.store.policy.Durability;
import dev.shardkit.testkit.internal.Parallel;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * The contract of stores with {@link TreeDeletions}, local or remote, as tests. To test a store, extend this class in
 * addition to {@link WritesContract}.
 */
@Timeout(120)
public abstract class TreeDeletionsContract extends StoreSuite {
    /** The keys below the prefix {@code a}. */
    private static final List<String> BELOW = List.of("a/zarr.json", "a/c/0/1", "a/c/0/2", "a/__relayout/y");
    /** Keys outside this prefix, which look similar. */
    private static final List<String> BESIDE = List.of("a-b", "ab/c", "a.b", "b/a/c", "A/c");

    /** For subclasses. */
    protected TreeDeletionsContract() {}

    /**
     * Returns keys outside the prefix {@code a}. Override it to leave out keys that the store cannot hold, such as
     * names that differ only in case.
     */
    protected List<String> keysBeside() {
        return BESIDE;
    }

    private void deleteAll(String prefix) throws IOException {
        ability(TreeDeletions.class).deleteAll(prefix);
    }

    /** Puts all objects. */
    private void given() throws IOException {
        for (String key : BELOW) {
            put(key, StoreSuiteHelpers.bytes(1, 10));
        }
        for (String key : keysBeside()) {
            put(key, StoreSuiteHelpers.bytes(2, 10));
        }
    }

    @Test
    void deleteAll_prefix_removesAllBelow() throws IOException {
        given();
        deleteAll("a");
        for (String key : BELOW) {
            assertTrue(get(key).isEmpty(), key);
        }
        assertListed(Map.of(), "a", "what is left below the prefix");
    }

    @Test
    void deleteAll_prefix_leavesAllBeside() throws IOException {
        given();
        deleteAll("a");
        for (String key : keysBeside()) {
            assertArrayEquals(StoreSuiteHelpers.bytes(2, 10), get(key).orElseThrow(() -> new AssertionError(key)), key);
        }
    }

    @Test
    void deleteAll_root_removesAll() throws IOException {
        given();
        deleteAll("");
        for (String key : BELOW) {
            assertTrue(get(key).isEmpty(), key);
        }
        for (String key : keysBeside()) {
            assertTrue(get(key).isEmpty(), key);
        }
        assertListed(Map.of(), "", "what is left in the store");
    }

    @Test
    void deleteAll_nothing_isNoFailure() throws IOException {
        deleteAll("");
        given();
        deleteAll("nothing/there");
        deleteAll("a/c/0/1/deeper");
        for (String key : BELOW) {
            assertTrue(get(key).isPresent(), key);
        }
    }

    /** Checks the visited keys. A store that does not know its reserved objects visits none. */
    @Test
    void reserved_visitsTheObjectsThatListingsLeaveOut() throws IOException {
        given();
        List<String> found = new ArrayList<>();
        ability(TreeDeletions.class).reserved("a", found::add);
        assertTrue(found.isEmpty() || found.equals(List.of("__relayout/y")), "reserved below a: " + found);
    }

    @Test
    void put_afterDeleteAll_works() throws IOException {
        given();
        deleteAll("a");
        put("a/zarr.json", StoreSuiteHelpers.bytes(3, 10));
        put("a/c/0/1", StoreSuiteHelpers.bytes(4, 10));
        assertArrayEquals(StoreSuiteHelpers.bytes(3, 10), get("a/zarr.json").orElseThrow());
        assertArrayEquals(StoreSuiteHelpers.bytes(4, 10), get("a/c/0/1").orElseThrow());
    }

    /** Checks that a store with locks waits for the locks of other writers, and removes the files of locks, too. */
    @Test
    void deleteAll_besideALock_waitsForIt() throws Exception {
        given();
        if (!store().can(Locks.class)) {
            return;
        }
        store().lock("a", "a/c/0/2", Duration.ZERO).close();
        Locks.Lock held = store().lock("a", "a/c/0/1", Duration.ZERO);
        CompletableFuture<Boolean> removal = Parallel.start(() -> {
            deleteAll("a");
            return true;
        });
        store().put("a/c/0/1", StoreSuiteHelpers.content(StoreSuiteHelpers.bytes(5, 10)), Durability.ATOMIC);
        held.close();
        assertTrue(Parallel.await(removal));
        assertTrue(get("a/c/0/1").isEmpty(), "an object that was put under a lock remains");
        assertListed(Map.of(), "a", "what is left below the prefix");
    }

    /** Checks that a store that cannot get a lock within the patience removes nothing. */
    @Test
    @SuppressWarnings("try")
    void deleteAll_besideALock_waitsAsLongAsAsked() throws Exception {
        given();
        if (!store().can(Locks.class)) {
            return;
        }
        TreeDeletions deletions = ability(TreeDeletions.class);
        try (Locks.Lock held = store().lock("a", "a/c/0/1", Duration.ZERO)) {
            assertThrows(StoreException.class, () -> deletions.deleteAll("a", Duration.ofMillis(1)));
            for (String key : BELOW) {
                assertTrue(get(key).isPresent(), key);
            }
        }
        deletions.deleteAll("a", Duration.ofMillis(1));
        assertListed(Map.of(), "a", "what is left below the prefix");
    }

    @Test
    void prefixes_illegal_areTheCallersMistake() throws IOException {
        given();
        for (String prefix : StoreSuiteHelpers.ILLEGAL_KEYS) {
            if (!prefix.isEmpty()) {
                assertThrows(IllegalArgumentException.class, () -> deleteAll(prefix), prefix);
            }
        }
        assertTrue(get("a/zarr.json").isPresent());
    }
}
