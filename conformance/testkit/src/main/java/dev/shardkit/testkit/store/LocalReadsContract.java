package dev.shardkit.testkit.store;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.shardkit.spi.error.UnsupportedException;
import dev.shardkit.store.Entry;
import dev.shardkit.store.Listings;
import dev.shardkit.store.LocalReads;
import dev.shardkit.store.ObjectSnapshot;
import dev.shardkit.store.Store;
import dev.shardkit.store.Writes;
import dev.shardkit.store.access.BlockingStore;
import dev.shardkit.store.policy.Durability;
import dev.shardkit.testkit.internal.Rounds;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.util.Arrays;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

/**
 * The contract of stores with {@link LocalReads} as tests. To test a store, extend this class and supply a store with
 * given objects. {@link WritesContract} tests writes.
 */
public abstract class LocalReadsContract {
    private static final byte[] LARGE = StoreSuiteHelpers.bytes(7, 100_000);
    private static final Map<String, byte[]> OBJECTS = Map.of(
            "zarr.json",
            StoreSuiteHelpers.bytes(1, 40),
            "a/zarr.json",
            StoreSuiteHelpers.bytes(2, 41),
            "a/c/0/0",
            LARGE,
            "a/c/0/1",
            new byte[0],
            "__relayout/x",
            StoreSuiteHelpers.bytes(3, 3));

    /** For subclasses. */
    protected LocalReadsContract() {}

    /** Returns a store with exactly these objects. */
    protected abstract Store storeOf(Map<String, byte[]> objects) throws Exception;

    private static LocalReads reads(Store store) {
        return assertInstanceOf(LocalReads.class, store.reads());
    }

    @Test
    void open_objects_haveTheirBytes() throws Exception {
        try (Store store = storeOf(OBJECTS)) {
            for (Map.Entry<String, byte[]> e : OBJECTS.entrySet()) {
                assertArrayEquals(
                        e.getValue(), StoreSuiteHelpers.get(store, e.getKey()).orElseThrow(), e.getKey());
            }
        }
    }

    @Test
    void open_whatIsNoObject_isEmpty() throws Exception {
        try (Store store = storeOf(OBJECTS)) {
            for (String key : new String[] {"b", "a", "a/c", "a/c/0", "a/c/0/2", "a/c/0/0/0", "zarr.jso"}) {
                assertTrue(reads(store).open(key).isEmpty(), key);
            }
        }
    }

    @Test
    void read_anyRange_fillsTheBufferAndNoMore() throws Exception {
        Random random = new Random(7);
        try (Store store = storeOf(OBJECTS);
                ObjectSnapshot snapshot = reads(store).open("a/c/0/0").orElseThrow()) {
            assertEquals(LARGE.length, snapshot.size());
            for (int i = 0; i < Rounds.of(40); i++) {
                int offset = random.nextInt(LARGE.length);
                int length = random.nextInt(LARGE.length - offset + 1);
                ByteBuffer into = ByteBuffer.allocate(length + 8).position(3).limit(3 + length);
                snapshot.read(offset, into);
                assertFalse(into.hasRemaining());
                assertArrayEquals(
                        Arrays.copyOfRange(LARGE, offset, offset + length),
                        Arrays.copyOfRange(into.array(), 3, 3 + length));
                assertEquals(0, into.array()[3 + length], "a byte after the limit");
            }
        }
    }

    @Test
    void transferTo_range_copiesIt() throws Exception {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        try (Store store = storeOf(OBJECTS);
                ObjectSnapshot snapshot = reads(store).open("a/c/0/0").orElseThrow()) {
            snapshot.transferTo(1_000, 90_000, Channels.newChannel(out));
        }
        assertArrayEquals(Arrays.copyOfRange(LARGE, 1_000, 91_000), out.toByteArray());
    }

    @Test
    void version_otherContent_differs() throws Exception {
        byte[] changed = LARGE.clone();
        changed[50_000]++;
        try (Store one = storeOf(Map.of("k", LARGE));
                Store other = storeOf(Map.of("k", changed));
                ObjectSnapshot before = reads(one).open("k").orElseThrow();
                ObjectSnapshot after = reads(other).open("k").orElseThrow()) {
            assertNotEquals(before.version(), after.version());
        }
    }

    @Test
    void list_prefix_namesWhatLiesBelow() throws Exception {
        try (Store store = storeOf(OBJECTS)) {
            if (!store.can(Listings.class)) {
                return;
            }
            assertEquals(
                    Map.of("zarr.json", Entry.Kind.OBJECT, "a", Entry.Kind.PREFIX),
                    StoreSuiteHelpers.list(BlockingStore.to(store), ""));
            assertEquals(
                    Map.of("zarr.json", Entry.Kind.OBJECT, "c", Entry.Kind.PREFIX),
                    StoreSuiteHelpers.list(BlockingStore.to(store), "a"));
            assertEquals(Map.of(), StoreSuiteHelpers.list(BlockingStore.to(store), "b"));
        }
    }

    @Test
    void put_withoutWrites_saysThatItCannot() throws Exception {
        try (Store store = storeOf(OBJECTS)) {
            if (!store.can(Writes.class)) {
                BlockingStore access = BlockingStore.to(store);
                var content = StoreSuiteHelpers.content(new byte[1]);
                assertThrows(UnsupportedException.class, () -> access.put("k", content, Durability.ATOMIC));
                assertThrows(UnsupportedException.class, () -> access.delete("zarr.json"));
            }
        }
    }
}
