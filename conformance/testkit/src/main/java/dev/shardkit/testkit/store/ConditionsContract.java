package dev.shardkit.testkit.store;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.shardkit.store.Condition;
import dev.shardkit.store.Content;
import dev.shardkit.store.ObjectChangedException;
import dev.shardkit.store.ObjectSnapshot;
import dev.shardkit.store.WriteResult;
import dev.shardkit.store.Writes;
import dev.shardkit.store.policy.Durability;
import dev.shardkit.testkit.internal.Rounds;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * The contract of stores with conditional puts and deletes ({@link Writes#honours}) as tests. To test a store, extend
 * this class in addition to {@link WritesContract}.
 */
@Timeout(120)
public abstract class ConditionsContract extends StoreSuite {
    /** The number of increments of one counter by each thread. */
    private static final int INCREMENTS = Rounds.of(5);

    private static final int THREADS = 8;

    /** For subclasses. */
    protected ConditionsContract() {}

    /**
     * Returns whether each put creates a new version, even if the bytes are equal. Override it for a store whose
     * versions are hashes of the content, such as the ETags of S3. There, a condition on the version is a condition on
     * the content.
     */
    protected boolean equalBytesAreAnotherVersion() {
        return true;
    }

    private Optional<String> version(String key) throws IOException {
        Optional<ObjectSnapshot> opened = store().open(key);
        if (opened.isEmpty()) {
            return Optional.empty();
        }
        try (ObjectSnapshot snapshot = opened.get()) {
            return Optional.of(snapshot.version());
        }
    }

    /** Puts an object if it has {@code version}, or if it is absent and {@code version} is null. */
    private boolean putIf(@Nullable String version, String key, byte[] value) throws IOException {
        return putIf(version, key, StoreSuiteHelpers.content(value));
    }

    private boolean putIf(@Nullable String version, String key, Content content) throws IOException {
        Condition condition = version == null ? Condition.ABSENT : Condition.version(version);
        WriteResult outcome = store().put(key, content, condition, Durability.ATOMIC);
        assertFalse(
                outcome instanceof WriteResult.Unknown || outcome instanceof WriteResult.Nothing, outcome.toString());
        return outcome instanceof WriteResult.Done;
    }

    private boolean deleteIf(String version, String key) throws IOException {
        return !(store().delete(key, Condition.version(version)) instanceof WriteResult.NotMet);
    }

    private byte[] value(String key) throws IOException {
        return StoreSuiteHelpers.get(store(), key).orElseThrow();
    }

    @Test
    void honours_namesThem() {
        assertTrue(store().putsUnderConditions());
    }

    @Test
    void putIf_nothingThere_creates_onlyOnce() throws IOException {
        assertFalse(putIf("made up", "a/k", StoreSuiteHelpers.bytes(1, 10)), "there is no such version");
        assertTrue(store().open("a/k").isEmpty());
        assertTrue(putIf(null, "a/k", StoreSuiteHelpers.bytes(1, 10)));
        assertFalse(putIf(null, "a/k", StoreSuiteHelpers.bytes(2, 10)));
        assertArrayEquals(StoreSuiteHelpers.bytes(1, 10), value("a/k"));
    }

    @Test
    void putIf_version_isTakenOnce() throws IOException {
        byte[] value = StoreSuiteHelpers.bytes(1, 10);
        byte[] next = equalBytesAreAnotherVersion() ? value : StoreSuiteHelpers.bytes(3, 10);
        assertTrue(putIf(null, "a/k", value));
        String first = version("a/k").orElseThrow();
        assertTrue(putIf(first, "a/k", next));
        assertFalse(putIf(first, "a/k", StoreSuiteHelpers.bytes(2, 10)), "another version");
        assertTrue(store().delete("a/k"));
        assertFalse(putIf(first, "a/k", StoreSuiteHelpers.bytes(2, 10)));
        assertTrue(store().open("a/k").isEmpty());
        store().put("a/k", StoreSuiteHelpers.content(next), Durability.ATOMIC);
        assertFalse(putIf(first, "a/k", StoreSuiteHelpers.bytes(2, 10)));
        assertArrayEquals(next, value("a/k"));
    }

    @Test
    void putIf_contentThatFails_changesNothing() throws IOException {
        assertTrue(putIf(null, "a/k", StoreSuiteHelpers.bytes(1, 10)));
        String version = version("a/k").orElseThrow();
        var failing = StoreSuiteHelpers.failing(StoreSuiteHelpers.bytes(2, 5), new IllegalStateException("on purpose"));
        assertThrows(IllegalStateException.class, () -> putIf(version, "a/k", failing));
        assertArrayEquals(StoreSuiteHelpers.bytes(1, 10), value("a/k"));
        assertTrue(putIf(version, "a/k", StoreSuiteHelpers.bytes(3, 10)));
    }

    @Test
    void deleteIf_version_removesThatOneOnly() throws IOException {
        assertTrue(deleteIf("made up", "a/k"), "nothing is there");
        assertTrue(putIf(null, "a/k", StoreSuiteHelpers.bytes(1, 10)));
        String first = version("a/k").orElseThrow();
        assertTrue(putIf(first, "a/k", StoreSuiteHelpers.bytes(2, 10)));
        assertFalse(deleteIf(first, "a/k"));
        assertArrayEquals(StoreSuiteHelpers.bytes(2, 10), value("a/k"));
        assertTrue(deleteIf(version("a/k").orElseThrow(), "a/k"));
        assertTrue(store().open("a/k").isEmpty());
    }

    @Test
    void keys_illegal_areTheCallersMistake() {
        for (String key : StoreSuiteHelpers.ILLEGAL_KEYS) {
            assertThrows(IllegalArgumentException.class, () -> putIf(null, key, new byte[1]), key);
            assertThrows(IllegalArgumentException.class, () -> deleteIf("v", key), key);
        }
    }

    @Test
    void putIf_byManyThreads_losesNothing() throws Exception {
        ExecutorService pool = Executors.newFixedThreadPool(THREADS);
        try {
            List<Future<?>> writers = new ArrayList<>();
            for (int t = 0; t < THREADS; t++) {
                writers.add(pool.submit(() -> {
                    for (int i = 0; i < INCREMENTS; i++) {
                        increment();
                    }
                    return null;
                }));
            }
            for (Future<?> writer : writers) {
                writer.get();
            }
        } finally {
            pool.shutdownNow();
        }
        assertEquals(THREADS * INCREMENTS, ByteBuffer.wrap(value("n")).getInt());
    }

    /** Adds 1 to a stored counter by conditional puts, until one succeeds. */
    private void increment() throws IOException {
        boolean done = false;
        while (!done) {
            Optional<ObjectSnapshot> opened = store().open("n");
            if (opened.isEmpty()) {
                done = putIf(null, "n", new byte[] {0, 0, 0, 1});
                continue;
            }
            try (ObjectSnapshot snapshot = opened.get()) {
                int next = ByteBuffer.wrap(StoreSuiteHelpers.read(snapshot)).getInt() + 1;
                done = putIf(
                        snapshot.version(),
                        "n",
                        ByteBuffer.allocate(4).putInt(next).array());
            } catch (ObjectChangedException e) {
                continue; // in a remote store, the object may change between two requests
            }
        }
    }
}
