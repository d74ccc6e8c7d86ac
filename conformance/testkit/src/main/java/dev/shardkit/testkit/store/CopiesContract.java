package dev.shardkit.testkit.store;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.shardkit.store.Copies;
import dev.shardkit.store.Entry;
import dev.shardkit.store.ObjectChangedException;
import dev.shardkit.store.policy.Durability;
import dev.shardkit.testkit.internal.Parallel;
import dev.shardkit.testkit.internal.Rounds;
import java.io.IOException;
import java.util.Arrays;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * The contract of stores with {@link Copies}, local or remote, as tests. To test a store, extend this class in addition
 * to {@link WritesContract}.
 */
@Timeout(120)
public abstract class CopiesContract extends StoreSuite {
    /** For subclasses. */
    protected CopiesContract() {}

    /**
     * Returns whether each read sees one version of an object while copies replace the object. Override it for a server
     * that does not guarantee this.
     */
    protected boolean readsDuringCopiesAreWhole() {
        return true;
    }

    private boolean copy(String from, String to) throws IOException {
        return ability(Copies.class).copy(from, to, Durability.ATOMIC);
    }

    @Test
    void copy_anySize_hasTheSameBytes() throws IOException {
        for (int size : new int[] {0, 1, 65_537, (3 << 20) + 17}) {
            byte[] value = StoreSuiteHelpers.bytes(size, size);
            put("a/from", value);
            for (Durability durability : Durability.values()) {
                String to = "new/" + size + "/" + durability;
                assertTrue(ability(Copies.class).copy("a/from", to, durability), to);
                assertArrayEquals(value, get(to).orElseThrow(), to);
                assertArrayEquals(value, get("a/from").orElseThrow(), "the object that was copied");
            }
        }
    }

    @Test
    void copy_ofNothing_isFalseAndChangesNothing() throws IOException {
        put("a/k", StoreSuiteHelpers.bytes(1, 10));
        assertFalse(copy("a/none", "a/k"));
        assertFalse(copy("none/at/all", "b/k"));
        assertFalse(copy("a", "b/k"), "a prefix is no object");
        assertArrayEquals(StoreSuiteHelpers.bytes(1, 10), get("a/k").orElseThrow());
        assertTrue(get("b/k").isEmpty());
    }

    @Test
    void copy_overAnObject_replacesIt() throws IOException {
        put("a/from", StoreSuiteHelpers.bytes(1, 10));
        put("a/to", StoreSuiteHelpers.bytes(2, 5000));
        assertTrue(copy("a/from", "a/to"));
        assertArrayEquals(StoreSuiteHelpers.bytes(1, 10), get("a/to").orElseThrow());
        assertListed(
                Map.of("from", Entry.Kind.OBJECT, "to", Entry.Kind.OBJECT),
                "a",
                "temporary files of copies are not listed");
    }

    @Test
    void copy_ontoItself_changesNoByte() throws IOException {
        put("a/k", StoreSuiteHelpers.bytes(1, 1000));
        assertTrue(copy("a/k", "a/k"));
        assertArrayEquals(StoreSuiteHelpers.bytes(1, 1000), get("a/k").orElseThrow());
    }

    @Test
    void put_afterACopy_changesOneOfThem() throws IOException {
        put("a/from", StoreSuiteHelpers.bytes(1, 10));
        assertTrue(copy("a/from", "b/to"));
        put("a/from", StoreSuiteHelpers.bytes(2, 20));
        assertArrayEquals(StoreSuiteHelpers.bytes(1, 10), get("b/to").orElseThrow());
        put("b/to", StoreSuiteHelpers.bytes(3, 30));
        assertArrayEquals(StoreSuiteHelpers.bytes(2, 20), get("a/from").orElseThrow());
    }

    @Test
    void delete_afterACopy_removesOneOfThem() throws IOException {
        put("a/from", StoreSuiteHelpers.bytes(1, 10));
        assertTrue(copy("a/from", "b/one"));
        assertTrue(copy("a/from", "b/two"));
        assertTrue(store().delete("a/from"));
        assertTrue(store().delete("b/one"));
        assertTrue(get("a/from").isEmpty());
        assertTrue(get("b/one").isEmpty());
        assertArrayEquals(StoreSuiteHelpers.bytes(1, 10), get("b/two").orElseThrow());
    }

    @Test
    void copy_besideAReader_isSeenWholeOrNotAtAll() throws Exception {
        if (!readsDuringCopiesAreWhole()) {
            return;
        }
        byte[][] values = {filled(1, 200_000), filled(2, 100_003)};
        put("from/0", values[0]);
        put("from/1", values[1]);
        put("to", values[0]);
        AtomicBoolean done = new AtomicBoolean();
        CompletableFuture<Integer> reader = Parallel.start(() -> {
            int rounds = 0;
            for (; !done.get() || rounds < 20; rounds++) {
                assertWhole(values);
            }
            return rounds;
        });
        try {
            for (int i = 0; i < Rounds.of(40) && !reader.isDone(); i++) {
                assertTrue(copy("from/" + i % 2, "to"));
            }
        } finally {
            done.set(true);
        }
        assertTrue(Parallel.await(reader) >= 20);
    }

    private void assertWhole(byte[][] values) throws IOException {
        byte[] found;
        try {
            found = get("to").orElseThrow(() -> new AssertionError("the object is absent for a moment"));
        } catch (ObjectChangedException e) {
            return; // in a remote store, the object may change between two requests
        }
        // The bytes of values[0] are 1, those of values[1] are 2.
        assertEquals(-1, Arrays.mismatch(values[found[0] - 1], found), "torn");
    }

    private static byte[] filled(int value, int size) {
        byte[] bytes = new byte[size];
        Arrays.fill(bytes, (byte) value);
        return bytes;
    }

    @Test
    void keys_illegal_areTheCallersMistake() throws IOException {
        put("a/k", new byte[1]);
        for (String key : StoreSuiteHelpers.ILLEGAL_KEYS) {
            assertThrows(IllegalArgumentException.class, () -> copy(key, "a/x"), "from " + key);
            assertThrows(IllegalArgumentException.class, () -> copy("a/k", key), "to " + key);
        }
    }
}
