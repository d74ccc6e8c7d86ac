package dev.shardkit.testkit.store;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.shardkit.store.Content;
import dev.shardkit.store.Entry;
import dev.shardkit.store.Leftover;
import dev.shardkit.store.LeftoverCleanup;
import dev.shardkit.store.Store;
import dev.shardkit.store.policy.Durability;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.WritableByteChannel;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * The contract of stores with {@link LeftoverCleanup}, local or remote, as tests. A leftover is a temporary file or
 * object of an interrupted write. To test a store, extend this class in addition to {@link WritesContract}.
 */
@Timeout(120)
public abstract class LeftoverCleanupContract extends StoreSuite {
    /** For subclasses. */
    protected LeftoverCleanupContract() {}

    /**
     * Creates the leftover of an interrupted put directly below {@code prefix}. It has {@code bytes} bytes, and is so
     * old that no writer can be using it.
     */
    protected abstract void leaveTemporary(Store store, String prefix, int bytes) throws Exception;

    private List<Leftover> leftovers(String prefix) throws IOException {
        List<Leftover> all = new ArrayList<>();
        ability(LeftoverCleanup.class).leftovers(prefix, all::add);
        return all;
    }

    private boolean remove(Leftover leftover) throws IOException {
        return ability(LeftoverCleanup.class).remove(leftover);
    }

    @Test
    void leftovers_afterPutsAndDeletes_areNone() throws IOException {
        assertEquals(List.of(), leftovers(""));
        for (Durability durability : Durability.values()) {
            store().put("a/c/0", StoreSuiteHelpers.content(StoreSuiteHelpers.bytes(1, 10)), durability);
            store().put("a/c/1", StoreSuiteHelpers.content(StoreSuiteHelpers.bytes(1, 10)), durability);
            store().delete("a/c/1");
        }
        assertEquals(List.of(), leftovers(""));
        assertEquals(List.of(), leftovers("a"));
        assertEquals(List.of(), leftovers("none/at/all"));
    }

    @Test
    void leftovers_ofAKilledPut_areNamedOnce() throws Exception {
        put("a/c/0", StoreSuiteHelpers.bytes(1, 10));
        put("b/c/0", StoreSuiteHelpers.bytes(1, 10));
        leaveTemporary(store().store(), "a/c", 123);
        for (String prefix : List.of("", "a", "a/c")) {
            List<Leftover> found = leftovers(prefix);
            assertEquals(1, found.size(), "below \"" + prefix + "\": " + found);
            assertEquals(Leftover.Kind.TEMPORARY, found.get(0).kind());
            assertEquals(123, found.get(0).bytes());
            assertFalse(found.get(0).name().isBlank());
        }
        assertEquals(List.of(), leftovers("b"));
        assertListed(Map.of("0", Entry.Kind.OBJECT), "a/c", "leftovers are not listed");
    }

    @Test
    void remove_removesThatOneOnly() throws Exception {
        put("a/c/0", StoreSuiteHelpers.bytes(1, 10));
        leaveTemporary(store().store(), "a/c", 10);
        leaveTemporary(store().store(), "a", 20);
        Leftover small = leftovers("").stream()
                .filter(left -> left.bytes() == 10)
                .findFirst()
                .orElseThrow(() -> new AssertionError("a leftover is not named"));
        assertTrue(remove(small));
        assertFalse(remove(small), "it is gone");
        assertEquals(List.of(20L), leftovers("").stream().map(Leftover::bytes).toList());
        assertTrue(remove(leftovers("").get(0)));
        assertEquals(List.of(), leftovers(""));
        assertArrayEquals(StoreSuiteHelpers.bytes(1, 10), get("a/c/0").orElseThrow());
    }

    /** Checks that the file of a running put is neither listed nor removed. */
    @Test
    void leftovers_besideARunningPut_leaveItAlone() throws IOException {
        List<Leftover> found = new ArrayList<>();
        put("a/c/0", StoreSuiteHelpers.bytes(1, 10));
        store().put(
                        "a/c/0",
                        new Content() {
                            @Override
                            public long size() {
                                return 20;
                            }

                            @Override
                            public void writeTo(WritableByteChannel out) throws IOException {
                                ByteBuffer bytes = ByteBuffer.wrap(StoreSuiteHelpers.bytes(2, 20));
                                out.write(bytes.limit(10));
                                found.addAll(leftovers(""));
                                found.forEach(
                                        left -> assertFalse(removed(left), "the file of a running put was removed"));
                                out.write(bytes.limit(20));
                            }
                        },
                        Durability.ATOMIC);
        assertEquals(List.of(), found);
        assertArrayEquals(StoreSuiteHelpers.bytes(2, 20), get("a/c/0").orElseThrow());
    }

    /** Removes a leftover and returns whether it existed, without checked exceptions. */
    private boolean removed(Leftover leftover) {
        try {
            return remove(leftover);
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    @Test
    void prefixes_illegal_areTheCallersMistake() {
        for (String prefix : StoreSuiteHelpers.ILLEGAL_KEYS) {
            if (!prefix.isEmpty()) {
                assertThrows(IllegalArgumentException.class, () -> leftovers(prefix), prefix);
            }
        }
    }
}
