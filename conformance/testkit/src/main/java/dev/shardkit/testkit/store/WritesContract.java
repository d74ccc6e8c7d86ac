package dev.shardkit.testkit.store;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.shardkit.store.Entry;
import dev.shardkit.store.ObjectChangedException;
import dev.shardkit.store.ObjectSnapshot;
import dev.shardkit.store.RemoteReads;
import dev.shardkit.store.Writes;
import dev.shardkit.store.policy.Durability;
import dev.shardkit.testkit.internal.Rounds;
import java.io.File;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * The contract of stores with {@link Writes}, local or remote. To test a store, extend it and supply an empty store.
 * {@link StoreConcurrencyContract} tests threads, {@link ConditionsContract} tests conditions.
 */
@Timeout(120)
public abstract class WritesContract extends StoreSuite {
    /** For subclasses. */
    protected WritesContract() {}

    /**
     * Returns keys that are legal but unusual. Override it to add keys that the store can hold, such as non-ASCII ones.
     */
    protected List<String> unusualKeys() {
        return List.of(
                "a b/c", "a/..b", "a/b..", "a/.b", "%2e%2e/%2f", "a+b", "a#b", "a&b=c", "~", "-", "x/__y/z", "A/a");
    }

    /**
     * Returns whether a delete reports that the object did not exist ({@link dev.shardkit.store.WriteResult.Nothing}).
     * Override it for a store that does not know, such as an object store.
     */
    protected boolean deletesTellAbsence() {
        return true;
    }

    @Test
    void open_absentKey_isEmptyAndCreatesNothing() throws IOException {
        assertTrue(store().open("zarr.json").isEmpty());
        assertTrue(store().open("a/b/c/0/1").isEmpty());
        assertListed(Map.of(), "", "reading creates nothing");
    }

    @Test
    void open_prefixOfKeys_isEmpty() throws IOException {
        put("a/b/c", StoreSuiteHelpers.bytes(1, 3));
        assertTrue(store().open("a").isEmpty());
        assertTrue(store().open("a/b").isEmpty());
    }

    @Test
    void open_keyBelowAnObject_isEmpty() throws IOException {
        put("a/b", StoreSuiteHelpers.bytes(1, 3));
        assertTrue(store().open("a/b/c").isEmpty());
        assertTrue(store().open("a/b/c/d").isEmpty());
    }

    @Test
    void put_anySize_readsBack() throws IOException {
        for (int size : new int[] {0, 1, 511, 65_536, (3 << 20) + 17}) {
            for (Durability durability : Durability.values()) {
                byte[] value = StoreSuiteHelpers.bytes(size, size);
                store().put("a/c/" + size, StoreSuiteHelpers.content(value), durability);
                assertArrayEquals(value, get("a/c/" + size).orElseThrow(), size + " bytes, " + durability);
            }
        }
    }

    @Test
    void put_overAnObject_replacesIt() throws IOException {
        put("k", StoreSuiteHelpers.bytes(1, 5000));
        put("k", StoreSuiteHelpers.bytes(2, 7));
        assertArrayEquals(StoreSuiteHelpers.bytes(2, 7), get("k").orElseThrow());
    }

    @Test
    void put_contentOfAnotherSizeThanItSays_failsAndChangesNothing() throws IOException {
        put("a/k", StoreSuiteHelpers.bytes(1, 100));
        for (int written : new int[] {0, 99, 101, 5000}) {
            var lying = StoreSuiteHelpers.content(StoreSuiteHelpers.bytes(2, written), 100);
            assertThrows(
                    RuntimeException.class, () -> store().put("a/k", lying, Durability.FORCED), written + " bytes");
            assertThrows(
                    RuntimeException.class, () -> store().put("b/n", lying, Durability.FORCED), written + " bytes");
        }
        assertArrayEquals(StoreSuiteHelpers.bytes(1, 100), get("a/k").orElseThrow());
        assertTrue(get("b/n").isEmpty());
        assertListed(Map.of("k", Entry.Kind.OBJECT), "a", "temporary files of failed puts are not listed");
    }

    @Test
    void put_contentThatFails_changesNothing() throws IOException {
        put("a/k", StoreSuiteHelpers.bytes(1, 100));
        var failing =
                StoreSuiteHelpers.failing(StoreSuiteHelpers.bytes(2, 50), new IllegalStateException("on purpose"));
        assertThrows(IllegalStateException.class, () -> store().put("a/k", failing, Durability.ATOMIC));
        assertArrayEquals(StoreSuiteHelpers.bytes(1, 100), get("a/k").orElseThrow());
        assertListed(Map.of("k", Entry.Kind.OBJECT), "a", "temporary files of failed puts are not listed");
    }

    @Test
    void read_anyRange_fillsTheBufferAndNoMore() throws IOException {
        byte[] value = StoreSuiteHelpers.bytes(7, 100_000);
        put("k", value);
        Random random = new Random(7);
        try (ObjectSnapshot snapshot = store().open("k").orElseThrow()) {
            assertEquals(value.length, snapshot.size());
            for (int i = 0; i < Rounds.of(40); i++) {
                int offset = random.nextInt(value.length + 1);
                int length = random.nextInt(value.length - offset + 1);
                ByteBuffer into =
                        i % 2 == 0 ? ByteBuffer.allocate(length + 20) : ByteBuffer.allocateDirect(length + 20);
                into.position(9).limit(9 + length);
                snapshot.read(offset, into);
                assertEquals(9 + length, into.position());
                assertEquals(9 + length, into.limit());
                assertEquals(
                        ByteBuffer.wrap(value, offset, length), into.duplicate().position(9));
                into.clear();
                assertEquals(ByteBuffer.allocate(9), into.slice(0, 9), "before the buffer's position");
                assertEquals(ByteBuffer.allocate(11), into.slice(9 + length, 11), "after the buffer's limit");
            }
        }
    }

    @Test
    void read_pastTheEnd_isAnIOException() throws IOException {
        put("k", StoreSuiteHelpers.bytes(1, 10));
        try (ObjectSnapshot snapshot = store().open("k").orElseThrow()) {
            assertThrows(IOException.class, () -> snapshot.read(0, ByteBuffer.allocate(11)));
            assertThrows(IOException.class, () -> snapshot.read(10, ByteBuffer.allocate(1)));
            assertThrows(IOException.class, () -> snapshot.read(1L << 40, ByteBuffer.allocateDirect(1)));
        }
    }

    @Test
    void transferTo_anyRange_writesIt() throws IOException {
        byte[] value = StoreSuiteHelpers.bytes(7, (2 << 20) + 5);
        put("k", value);
        long[][] ranges = {{0, value.length}, {1, 0}, {17, 70_000}, {value.length, 0}, {5, value.length - 6}};
        try (ObjectSnapshot snapshot = store().open("k").orElseThrow()) {
            for (long[] range : ranges) {
                store().put("moved", StoreSuiteHelpers.moved(snapshot, range[0], range[1]), Durability.ATOMIC);
                byte[] moved = get("moved").orElseThrow();
                assertEquals(ByteBuffer.wrap(value, (int) range[0], (int) range[1]), ByteBuffer.wrap(moved));
            }
        }
    }

    /** The snapshot of a local object keeps the old content. The snapshot of a remote object detects the change. */
    @Test
    void snapshot_ofAReplacedOrDeletedObject_staysAsItWas() throws IOException {
        byte[] old = StoreSuiteHelpers.bytes(1, 5000);
        put("k", old);
        try (ObjectSnapshot snapshot = store().open("k").orElseThrow()) {
            put("k", StoreSuiteHelpers.bytes(2, 5000));
            assertOld(old, snapshot);
            store().delete("k");
            assertOld(old, snapshot);
        }
    }

    private void assertOld(byte[] old, ObjectSnapshot snapshot) throws IOException {
        if (store().store().reads() instanceof RemoteReads) {
            assertThrows(ObjectChangedException.class, () -> StoreSuiteHelpers.read(snapshot));
        } else if (File.separatorChar == '\\') {
            // Windows does not replace open files: a store may close those of its readers, which then retry
            try {
                assertArrayEquals(old, StoreSuiteHelpers.read(snapshot));
            } catch (ObjectChangedException e) {
                return;
            }
        } else {
            assertArrayEquals(old, StoreSuiteHelpers.read(snapshot));
        }
    }

    @Test
    void version_ofEveryPut_isAnother() throws IOException {
        Map<String, Integer> seen = new HashMap<>();
        for (int i = 0; i < Rounds.of(50); i++) {
            put("k", ByteBuffer.allocate(8).putInt(i).array());
            try (ObjectSnapshot snapshot = store().open("k").orElseThrow()) {
                Integer before = seen.put(snapshot.version(), i);
                assertEquals(null, before, "put " + i + " has the version of put " + before);
            }
        }
    }

    @Test
    void version_ofAnUnchangedObject_staysTheSame() throws IOException {
        put("k", StoreSuiteHelpers.bytes(1, 10));
        put("other", StoreSuiteHelpers.bytes(1, 10));
        try (ObjectSnapshot first = store().open("k").orElseThrow();
                ObjectSnapshot again = store().open("k").orElseThrow()) {
            assertEquals(first.version(), again.version());
            assertNotEquals("", first.version());
            assertEquals(Optional.of(first.version()), store().version("k"), "told without opening it");
        }
        assertEquals(Optional.empty(), store().version("none"));
    }

    @Test
    void delete_key_removesItAndSaysWhetherItWasThere() throws IOException {
        put("a/b", StoreSuiteHelpers.bytes(1, 10));
        boolean foundAbsent = !deletesTellAbsence(); // a store that does not know reports every delete as made
        assertEquals(foundAbsent, store().delete("a/x"));
        assertEquals(foundAbsent, store().delete("x/y/z"));
        assertEquals(foundAbsent, store().delete("a"), "a prefix is no key");
        assertEquals(foundAbsent, store().delete("a/b/c"), "below an object");
        assertArrayEquals(StoreSuiteHelpers.bytes(1, 10), get("a/b").orElseThrow());
        assertTrue(store().delete("a/b"));
        assertEquals(foundAbsent, store().delete("a/b"));
        assertTrue(get("a/b").isEmpty());
    }

    @Test
    void keys_unusual_work() throws IOException {
        for (String key : unusualKeys()) {
            byte[] value = StoreSuiteHelpers.bytes(key.hashCode(), 20);
            put(key, value);
            assertArrayEquals(value, get(key).orElseThrow(), key);
        }
        for (String key : unusualKeys()) {
            assertArrayEquals(StoreSuiteHelpers.bytes(key.hashCode(), 20), get(key).orElseThrow(), key);
            assertTrue(store().delete(key), key);
        }
    }

    @Test
    void keys_illegal_areTheCallersMistake() {
        for (String key : StoreSuiteHelpers.ILLEGAL_KEYS) {
            var content = StoreSuiteHelpers.content(new byte[1]);
            assertThrows(IllegalArgumentException.class, () -> store().open(key), "open " + key);
            assertThrows(
                    IllegalArgumentException.class, () -> store().put(key, content, Durability.ATOMIC), "put " + key);
            assertThrows(IllegalArgumentException.class, () -> store().delete(key), "delete " + key);
        }
    }
}
