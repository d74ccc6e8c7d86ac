package dev.shardkit.testkit.store;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.shardkit.spi.error.UnsupportedException;
import dev.shardkit.store.Ability;
import dev.shardkit.store.Commits;
import dev.shardkit.store.Condition;
import dev.shardkit.store.Copies;
import dev.shardkit.store.Moves;
import dev.shardkit.store.Patches;
import dev.shardkit.store.TreeDeletions;
import dev.shardkit.store.WriteOnce;
import dev.shardkit.store.WriteResult;
import dev.shardkit.store.policy.Durability;
import dev.shardkit.testkit.internal.Parallel;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.function.Executable;

/**
 * The contract of stores with {@link WriteOnce}, local or remote, as tests: objects cannot be replaced or deleted. To
 * test a store, extend this class in place of {@link WritesContract}, whose tests replace and delete objects.
 */
@Timeout(120)
public abstract class WriteOnceContract extends StoreSuite {
    /** For subclasses. */
    protected WriteOnceContract() {}

    /** Checks that a change fails with a message that names the key and the reason. */
    private static void assertRefused(String key, Executable change) {
        UnsupportedException e = assertThrows(UnsupportedException.class, change);
        assertTrue(e.getMessage().contains(key) && e.getMessage().contains("write-once"), e.getMessage());
    }

    private void assertHolds(String key, byte[] value) throws IOException {
        assertArrayEquals(value, get(key).orElseThrow(), key);
    }

    @Test
    void isMarked_andLacksWhatReplaces() {
        assertTrue(store().can(WriteOnce.class));
        List<Class<? extends Ability>> replacing =
                List.of(Patches.class, Copies.class, Moves.class, TreeDeletions.class, Commits.class);
        replacing.forEach(ability -> assertFalse(store().can(ability), ability.getSimpleName()));
    }

    @Test
    void put_freeKeys_storesThem() throws IOException {
        for (int size : new int[] {0, 1, 1000, 100_000}) {
            put("a/c/" + size, StoreSuiteHelpers.bytes(size, size));
        }
        store().put(
                        "a/if",
                        StoreSuiteHelpers.content(StoreSuiteHelpers.bytes(1, 9)),
                        Condition.ABSENT,
                        Durability.ATOMIC);
        for (int size : new int[] {0, 1, 1000, 100_000}) {
            assertHolds("a/c/" + size, StoreSuiteHelpers.bytes(size, size));
        }
        assertHolds("a/if", StoreSuiteHelpers.bytes(1, 9));
    }

    @Test
    void put_storedKey_isRefused_andNamesTheKey() throws IOException {
        put("a/k", StoreSuiteHelpers.bytes(1, 10));
        assertRefused("a/k", () -> put("a/k", StoreSuiteHelpers.bytes(2, 20)));
        assertRefused("a/k", () -> put("a/k", StoreSuiteHelpers.bytes(1, 10)));
        assertHolds("a/k", StoreSuiteHelpers.bytes(1, 10));
    }

    @Test
    void putIfAbsent_storedKey_isNotMet() throws IOException {
        put("a/k", StoreSuiteHelpers.bytes(1, 10));
        WriteResult outcome = store().put(
                        "a/k",
                        StoreSuiteHelpers.content(StoreSuiteHelpers.bytes(2, 20)),
                        Condition.ABSENT,
                        Durability.ATOMIC);
        assertInstanceOf(WriteResult.NotMet.class, outcome);
        assertHolds("a/k", StoreSuiteHelpers.bytes(1, 10));
    }

    @Test
    void delete_storedKey_isRefused() throws IOException {
        put("a/k", StoreSuiteHelpers.bytes(1, 10));
        assertRefused("a/k", () -> store().delete("a/k"));
        assertHolds("a/k", StoreSuiteHelpers.bytes(1, 10));
    }

    @Test
    void delete_freeKey_findsNothing() throws IOException {
        assertFalse(store().delete("a/none"));
    }

    @Test
    void put_contentThatFails_leavesTheKeyFree() throws IOException {
        assertThrows(IllegalStateException.class, () -> store().put(
                        "a/k",
                        StoreSuiteHelpers.failing(
                                StoreSuiteHelpers.bytes(2, 5), new IllegalStateException("on purpose")),
                        Durability.ATOMIC));
        assertTrue(store().open("a/k").isEmpty());
        put("a/k", StoreSuiteHelpers.bytes(3, 10));
        assertHolds("a/k", StoreSuiteHelpers.bytes(3, 10));
    }

    @Test
    void puts_ofOneKey_byManyThreads_storeOne() throws Exception {
        for (int round = 0; round < 50; round++) {
            String key = "a/" + round;
            AtomicInteger stored = new AtomicInteger();
            AtomicInteger winner = new AtomicInteger();
            Parallel.run(thread -> {
                try {
                    put(key, StoreSuiteHelpers.bytes(thread, 100));
                    stored.incrementAndGet();
                    winner.set(thread);
                } catch (UnsupportedException e) {
                    return; // another thread was first
                } catch (IOException e) {
                    throw new AssertionError(e);
                }
            });
            assertEquals(1, stored.get(), "puts that succeeded");
            assertHolds(key, StoreSuiteHelpers.bytes(winner.get(), 100));
        }
    }
}
