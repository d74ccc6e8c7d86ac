package dev.shardkit.testkit.store;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.shardkit.spi.error.StoreException;
import dev.shardkit.store.Commits;
import dev.shardkit.store.Store;
import dev.shardkit.store.access.BlockingStore;
import dev.shardkit.store.policy.Durability;
import java.io.IOException;
import java.util.Arrays;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * The contract of stores with {@link Commits} as tests: changes are published by a commit only. To test a store, extend
 * this class in addition to {@link WritesContract}.
 */
@Timeout(120)
public abstract class CommitsContract extends StoreSuite {
    private static final byte[] BYTES = StoreSuiteHelpers.bytes(1, 1000);
    private static final byte[] OTHER = StoreSuiteHelpers.bytes(2, 900);

    /** For subclasses. */
    protected CommitsContract() {}

    /** Opens the same location as another store. */
    protected abstract Store reopened() throws Exception;

    private void commit() throws IOException {
        ability(Commits.class).commit();
    }

    /** Checks what another store of the same location finds under a key. */
    private void assertOthersFind(String key, Optional<byte[]> expected, String when) throws Exception {
        try (Store other = reopened()) {
            Optional<byte[]> found = StoreSuiteHelpers.get(BlockingStore.to(other), key);
            assertEquals(expected.map(Arrays::toString), found.map(Arrays::toString), key + " " + when);
        }
    }

    @Test
    void put_isPublishedByCommit() throws Exception {
        put("a/k", BYTES);
        assertArrayEquals(BYTES, get("a/k").orElseThrow());
        assertOthersFind("a/k", Optional.empty(), "before the commit");
        commit();
        assertArrayEquals(BYTES, get("a/k").orElseThrow());
        assertOthersFind("a/k", Optional.of(BYTES), "after the commit");
    }

    @Test
    void delete_isPublishedByCommit() throws Exception {
        put("a/k", BYTES);
        commit();
        store().delete("a/k");
        assertOthersFind("a/k", Optional.of(BYTES), "before the commit");
        commit();
        assertOthersFind("a/k", Optional.empty(), "after the commit");
    }

    @Test
    void commit_ofNothing_isNoFailure() throws Exception {
        commit();
        commit();
        assertListed(Map.of(), "", "committing creates nothing");
    }

    @Test
    void discard_keepsWhatWasPublished() throws Exception {
        put("a/k", BYTES);
        commit();
        put("a/k", OTHER);
        put("a/new", OTHER);
        ability(Commits.class).discard();
        assertArrayEquals(BYTES, get("a/k").orElseThrow());
        assertEquals(Optional.empty(), get("a/new").map(Arrays::toString));
        closeStore();
        assertOthersFind("a/k", Optional.of(BYTES), "after discarding and closing");
        assertOthersFind("a/new", Optional.empty(), "after discarding and closing");
    }

    @Test
    void changes_areReported_untilTheyArePublishedOrDiscarded() throws Exception {
        Commits commits = ability(Commits.class);
        assertFalse(commits.hasChanges(), "of a new store");
        put("a/k", BYTES);
        assertTrue(commits.hasChanges(), "after a put");
        commits.commit();
        assertFalse(commits.hasChanges(), "after a commit");
        store().delete("a/k");
        assertTrue(commits.hasChanges(), "after a delete");
        commits.discard();
        assertFalse(commits.hasChanges(), "after discarding");
        commits.discard();
    }

    @Test
    void commit_afterAnotherProgram_losesNothing() throws Exception {
        put("mine", BYTES);
        try (Store other = reopened()) {
            BlockingStore.to(other).put("theirs", StoreSuiteHelpers.content(OTHER), Durability.ATOMIC);
        }
        boolean committed = true;
        try {
            commit();
        } catch (StoreException e) { // refused, which is allowed
            committed = false;
        }
        assertOthersFind("theirs", Optional.of(OTHER), "after both commits");
        assertOthersFind("mine", committed ? Optional.of(BYTES) : Optional.empty(), "committed: " + committed);
        if (!committed) {
            assertThrows(StoreException.class, this::closeStore);
            assertOthersFind("theirs", Optional.of(OTHER), "after the close");
        }
    }
}
