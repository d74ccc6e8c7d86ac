package dev.shardkit.testkit.store;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.shardkit.spi.error.StoreException;
import dev.shardkit.spi.error.UnsupportedException;
import dev.shardkit.store.LocalReads;
import dev.shardkit.store.Moves;
import dev.shardkit.store.ObjectSnapshot;
import dev.shardkit.store.Reads;
import dev.shardkit.store.Store;
import dev.shardkit.store.access.BlockingStore;
import dev.shardkit.store.policy.Durability;
import dev.shardkit.testkit.internal.Parallel;
import java.io.IOException;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * The contract of stores with {@link Moves} as tests: a store takes over objects of another store of its kind. To test
 * a store, extend this class in addition to {@link WritesContract}.
 */
@Timeout(120)
public abstract class MovesContract extends StoreSuite {
    private @Nullable Store source;

    /** For subclasses. */
    protected MovesContract() {}

    /** Returns a second empty store of the same kind, whose objects can be moved to the store of the test. */
    protected abstract Store secondStore() throws Exception;

    @BeforeEach
    final void makeSource() throws Exception {
        source = secondStore();
    }

    @AfterEach
    final void closeSource() {
        if (source != null) {
            source.close();
        }
    }

    private Store source() {
        return Objects.requireNonNull(source);
    }

    private boolean take(Store from, String fromKey, String key) throws IOException {
        return ability(Moves.class).takeOver(from, fromKey, key, Durability.ATOMIC);
    }

    /** Puts an object into the source. */
    private void given(String key, byte[] value) throws IOException {
        BlockingStore.to(source()).put(key, StoreSuiteHelpers.content(value), Durability.ATOMIC);
    }

    @Test
    void takeOver_anySize_movesIt() throws IOException {
        for (int size : new int[] {0, 1, 65_537}) {
            for (Durability durability : Durability.values()) {
                byte[] value = StoreSuiteHelpers.bytes(size, size);
                given("a/c/0", value);
                String key = "new/" + size + "/" + durability;
                assertTrue(ability(Moves.class).takeOver(source(), "a/c/0", key, durability), key);
                assertArrayEquals(value, get(key).orElseThrow(), key);
                assertTrue(StoreSuiteHelpers.get(source(), "a/c/0").isEmpty(), "it is in two places");
            }
        }
    }

    @Test
    void takeOver_withinTheStore_movesIt() throws IOException {
        put("a/c/0", StoreSuiteHelpers.bytes(1, 1000));
        assertTrue(take(store().store(), "a/c/0", "b/c/1"));
        assertArrayEquals(StoreSuiteHelpers.bytes(1, 1000), get("b/c/1").orElseThrow());
        assertTrue(get("a/c/0").isEmpty());
    }

    @Test
    void takeOver_ofNothing_isFalse() throws IOException {
        given("a/c/0", new byte[1]);
        assertFalse(take(source(), "a/c/1", "k"));
        assertFalse(take(source(), "none/at/all", "k"));
        assertFalse(take(source(), "a/c", "k"), "a prefix is no object");
        assertTrue(get("k").isEmpty());
    }

    @Test
    void takeOver_ontoAnObject_isRefused_andBothStay() throws IOException {
        given("k", StoreSuiteHelpers.bytes(1, 10));
        put("k", StoreSuiteHelpers.bytes(2, 20));
        assertThrows(StoreException.class, () -> take(source(), "k", "k"));
        assertArrayEquals(StoreSuiteHelpers.bytes(2, 20), get("k").orElseThrow());
        assertArrayEquals(
                StoreSuiteHelpers.bytes(1, 10),
                StoreSuiteHelpers.get(source(), "k").orElseThrow());
    }

    @Test
    void takeOver_fromAnotherKindOfStore_isUnsupported() throws IOException {
        UnsupportedException e = assertThrows(UnsupportedException.class, () -> take(new Foreign(), "k", "k"));
        assertTrue(e.getMessage().contains("foreign:"), e.getMessage());
        assertTrue(get("k").isEmpty());
    }

    /** Checks that the object is in one of the two stores at every moment. */
    @Test
    void takeOver_besideAReader_losesNothing() throws Exception {
        for (int i = 0; i < 50; i++) {
            String key = "a/" + i;
            given(key, StoreSuiteHelpers.bytes(i, 1000));
            CompletableFuture<Boolean> reader = Parallel.start(() -> isFoundAfterTheMove(key));
            assertTrue(take(source(), key, key));
            assertTrue(Parallel.await(reader), "the object is in neither place for a moment");
        }
    }

    /** Waits until the object has left the source, and returns whether the store has it. */
    private boolean isFoundAfterTheMove(String key) throws IOException {
        while (StoreSuiteHelpers.get(source(), key).isPresent()) {
            Thread.onSpinWait();
        }
        return get(key).isPresent();
    }

    @Test
    void takeOverTree_movesAllOrNothing() throws IOException {
        given("zarr.json", StoreSuiteHelpers.bytes(1, 10));
        given("a/c/0", StoreSuiteHelpers.bytes(2, 20));
        assertFalse(ability(Moves.class).takeOverTree(new Foreign()));
        boolean moved = ability(Moves.class).takeOverTree(source());
        for (String key : List.of("zarr.json", "a/c/0")) {
            assertEquals(moved, get(key).isPresent(), key);
            assertEquals(!moved, StoreSuiteHelpers.get(source(), key).isPresent(), key);
        }
    }

    @Test
    void keys_illegal_areTheCallersMistake() throws IOException {
        given("k", new byte[1]);
        for (String key : StoreSuiteHelpers.ILLEGAL_KEYS) {
            assertThrows(IllegalArgumentException.class, () -> take(source(), key, "x"), "from " + key);
            assertThrows(IllegalArgumentException.class, () -> take(source(), "k", key), "to " + key);
        }
        assertTrue(StoreSuiteHelpers.get(source(), "k").isPresent());
    }

    /** A store of an unknown kind. */
    private static final class Foreign implements Store, LocalReads {
        @Override
        public String describe() {
            return "foreign:";
        }

        @Override
        public Reads reads() {
            return this;
        }

        @Override
        public Optional<ObjectSnapshot> open(String key) {
            return Optional.empty();
        }
    }
}
