package dev.shardkit.testkit.store;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.shardkit.store.Ability;
import dev.shardkit.store.Entry;
import dev.shardkit.store.Listings;
import dev.shardkit.store.Store;
import dev.shardkit.store.access.BlockingStore;
import dev.shardkit.store.policy.Durability;
import java.io.IOException;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

/**
 * The base class of the suites for writable stores, without tests of its own. Each test gets an empty store; after the
 * test, the store is closed.
 */
public abstract class StoreSuite {
    private @Nullable Store fresh;

    /** For the suites. */
    protected StoreSuite() {}

    /** Returns an empty, writable store. */
    protected abstract Store freshStore() throws Exception;

    @BeforeEach
    final void makeStore() throws Exception {
        fresh = freshStore();
    }

    @AfterEach
    final void closeStore() {
        Store old = fresh;
        fresh = null; // even if closing fails
        if (old != null) {
            old.close();
        }
    }

    /** Returns the store of this test. */
    protected final BlockingStore store() {
        return BlockingStore.to(Objects.requireNonNull(fresh));
    }

    /** Uses another store for the rest of the test. */
    final void use(Store other) {
        closeStore();
        fresh = other;
    }

    /** Returns an ability of the store, without which the suite cannot run. */
    final <A extends Ability> A ability(Class<A> type) {
        Store store = Objects.requireNonNull(fresh);
        return store.find(type)
                .orElseThrow(() -> new AssertionError("find(" + type.getSimpleName()
                        + ".class) is empty, though the suite expects it: " + store.describe()));
    }

    final void put(String key, byte[] value) throws IOException {
        store().put(key, StoreSuiteHelpers.content(value), Durability.ATOMIC);
    }

    final Optional<byte[]> get(String key) throws IOException {
        return StoreSuiteHelpers.get(store(), key);
    }

    /** Compares a listing, if the store supports listing. */
    final void assertListed(Map<String, Entry.Kind> expected, String prefix, String description) throws IOException {
        if (store().can(Listings.class)) {
            assertEquals(expected, StoreSuiteHelpers.list(store(), prefix), description);
        }
    }
}
