package dev.shardkit.testkit.store;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.shardkit.spi.plan.Bytes;
import dev.shardkit.store.Entry;
import dev.shardkit.store.StagedPuts;
import dev.shardkit.store.policy.Durability;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * The contract of stores with {@link StagedPuts} as tests: puts whose bytes are appended one after the other. To test a
 * store, extend this class in addition to {@link WritesContract}.
 */
@Timeout(120)
public abstract class StagedPutsContract extends StoreSuite {
    /** For subclasses. */
    protected StagedPutsContract() {}

    private StagedPuts.Staged stage(String key) throws IOException {
        return ability(StagedPuts.class).stage(key);
    }

    private List<String> names(String prefix) throws IOException {
        List<String> names = new ArrayList<>();
        store().list(prefix, (Entry entry) -> names.add(entry.name()));
        return names;
    }

    @Test
    void put_piecesOfAnySize_areFollowedByTheTail() throws IOException {
        long seed = System.nanoTime();
        Random random = new Random(seed);
        for (Durability durability : Durability.values()) {
            for (int tail : new int[] {0, 1, 70_000}) {
                byte[] value = StoreSuiteHelpers.bytes(random.nextInt(100), 3_000_000 + tail);
                String key = "a/" + durability + "/" + tail;
                try (StagedPuts.Staged staged = stage(key)) {
                    int done = 0;
                    while (done < value.length - tail) {
                        int size = Math.min(value.length - tail - done, random.nextInt(700_000));
                        int half = size / 2;
                        staged.append(Bytes.concat(
                                List.of(Bytes.of(value, done, half), Bytes.of(value, done + half, size - half))));
                        done += size;
                        assertEquals(done, staged.size(), "seed " + seed);
                    }
                    staged.put(StoreSuiteHelpers.content(Arrays.copyOfRange(value, done, value.length)), durability);
                    assertTrue(staged.isStored());
                    assertArrayEquals(
                            Arrays.copyOfRange(value, 5, 1000),
                            staged.read(5, 995).toArray());
                }
                assertArrayEquals(value, get(key).orElseThrow(), key + ", seed " + seed);
            }
        }
    }

    @Test
    void beforeThePut_readersSeeTheOldObject_andNoName() throws IOException {
        put("a/old", StoreSuiteHelpers.bytes(1, 10));
        try (StagedPuts.Staged replaced = stage("a/old");
                StagedPuts.Staged added = stage("a/new")) {
            replaced.append(Bytes.of(StoreSuiteHelpers.bytes(2, 100)));
            added.append(Bytes.of(StoreSuiteHelpers.bytes(3, 100)));
            assertArrayEquals(StoreSuiteHelpers.bytes(1, 10), get("a/old").orElseThrow());
            assertTrue(get("a/new").isEmpty());
            assertEquals(List.of("old"), names("a"));
            replaced.put(StoreSuiteHelpers.content(new byte[0]), Durability.ATOMIC);
            assertArrayEquals(StoreSuiteHelpers.bytes(2, 100), get("a/old").orElseThrow());
        }
        assertTrue(get("a/new").isEmpty());
        assertEquals(List.of("old"), names("a"));
    }

    @Test
    void truncatedBytes_areReplaced() throws IOException {
        try (StagedPuts.Staged staged = stage("a/k")) {
            staged.append(Bytes.of(StoreSuiteHelpers.bytes(1, 100)));
            staged.append(Bytes.of(StoreSuiteHelpers.bytes(2, 1000)));
            staged.truncate(100);
            assertEquals(100, staged.size());
            staged.append(Bytes.of(StoreSuiteHelpers.bytes(3, 50)));
            assertArrayEquals(
                    StoreSuiteHelpers.bytes(3, 50), staged.read(100, 50).toArray());
            assertThrows(IndexOutOfBoundsException.class, () -> staged.read(100, 51));
            staged.put(StoreSuiteHelpers.content(new byte[] {9}), Durability.ATOMIC);
        }
        byte[] stored = get("a/k").orElseThrow();
        assertEquals(151, stored.length);
        assertArrayEquals(StoreSuiteHelpers.bytes(1, 100), Arrays.copyOf(stored, 100));
        assertEquals(9, stored[150]);
    }

    @Test
    void put_whoseTailFails_changesNothing_andCanBeRepeated() throws IOException {
        put("a/k", StoreSuiteHelpers.bytes(1, 10));
        try (StagedPuts.Staged staged = stage("a/k")) {
            staged.append(Bytes.of(StoreSuiteHelpers.bytes(2, 100)));
            assertThrows(
                    IllegalStateException.class,
                    () -> staged.put(
                            StoreSuiteHelpers.failing(
                                    StoreSuiteHelpers.bytes(3, 5), new IllegalStateException("on purpose")),
                            Durability.ATOMIC));
            assertFalse(staged.isStored());
            assertEquals(100, staged.size());
            assertArrayEquals(StoreSuiteHelpers.bytes(1, 10), get("a/k").orElseThrow());
            staged.put(StoreSuiteHelpers.content(new byte[0]), Durability.ATOMIC);
        }
        assertArrayEquals(StoreSuiteHelpers.bytes(2, 100), get("a/k").orElseThrow());
    }

    @Test
    void storedObject_neverChangesAgain() throws IOException {
        try (StagedPuts.Staged staged = stage("a/k")) {
            staged.append(Bytes.of(StoreSuiteHelpers.bytes(1, 100)));
            staged.put(StoreSuiteHelpers.content(new byte[0]), Durability.ATOMIC);
            assertThrows(IllegalStateException.class, () -> staged.append(Bytes.of(new byte[1])));
            assertThrows(IllegalStateException.class, () -> staged.truncate(0));
            assertThrows(
                    IllegalStateException.class,
                    () -> staged.put(StoreSuiteHelpers.content(new byte[1]), Durability.ATOMIC));
        }
        assertArrayEquals(StoreSuiteHelpers.bytes(1, 100), get("a/k").orElseThrow());
    }
}
