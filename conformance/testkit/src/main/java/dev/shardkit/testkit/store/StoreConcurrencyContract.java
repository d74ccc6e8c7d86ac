package dev.shardkit.testkit.store;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.shardkit.spi.error.StoreException;
import dev.shardkit.store.Entry;
import dev.shardkit.store.ObjectChangedException;
import dev.shardkit.store.ObjectSnapshot;
import dev.shardkit.store.Writes;
import dev.shardkit.store.access.BlockingStore;
import dev.shardkit.store.policy.Durability;
import dev.shardkit.testkit.internal.Rounds;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * The contract of stores with {@link Writes} that several threads use, as tests: puts are atomic, and none is lost. To
 * test a store, extend this class in addition to {@link WritesContract}. {@link LocksContract} tests locks.
 */
@Timeout(120)
public abstract class StoreConcurrencyContract extends ThreadedStoreSuite {

    /** For subclasses. */
    protected StoreConcurrencyContract() {}

    /** Returns another store with the same objects. */
    private BlockingStore another(BlockingStore store) throws Exception {
        return BlockingStore.to(anotherOf(store.store()));
    }

    /** Returns bytes that all have {@code value}, which also determines their number. */
    private static byte[] filled(int value) {
        byte[] bytes = new byte[100_000 + value % 7];
        Arrays.fill(bytes, (byte) value);
        return bytes;
    }

    @Test
    void put_besideReaders_isSeenWholeOrNotAtAll() throws Exception {
        BlockingStore store = store();
        store.put("c/0", StoreSuiteHelpers.content(filled(0)), Durability.ATOMIC);
        AtomicBoolean done = new AtomicBoolean();
        List<Future<Integer>> readers = new ArrayList<>();
        for (int t = 0; t < 3; t++) {
            BlockingStore mine = another(store);
            readers.add(start(() -> {
                int rounds = 0;
                for (; !done.get() || rounds < 20; rounds++) {
                    assertWhole(mine);
                }
                return rounds;
            }));
        }
        try {
            for (int i = 1; i < Rounds.of(50); i++) {
                store.put("c/0", StoreSuiteHelpers.content(filled(i & 0xff)), Durability.ATOMIC);
            }
        } finally {
            done.set(true);
        }
        for (Future<Integer> reader : readers) {
            assertTrue(reader.get() >= 20);
        }
        assertListed(Map.of("0", Entry.Kind.OBJECT), "c", "temporary files of puts are not listed");
    }

    private static void assertWhole(BlockingStore store) throws IOException {
        try {
            byte[] found = StoreSuiteHelpers.get(store, "c/0").orElseThrow();
            assertEquals(-1, Arrays.mismatch(filled(found[0] & 0xff), found), "torn");
        } catch (ObjectChangedException e) {
            return; // in a remote store, the object may change between two requests
        }
    }

    @Test
    void put_ofManyKeysAtOnce_losesNone() throws Exception {
        List<Future<Boolean>> writers = new ArrayList<>();
        for (int t = 0; t < THREADS; t++) {
            int me = t;
            BlockingStore mine = another(store());
            writers.add(start(() -> {
                for (int i = 0; i < 20; i++) {
                    mine.put(
                            "a/c/" + i % 5 + "/" + me + "." + i,
                            StoreSuiteHelpers.content(new byte[] {(byte) i}),
                            Durability.ATOMIC);
                }
                return true;
            }));
        }
        for (Future<Boolean> writer : writers) {
            assertTrue(writer.get());
        }
        for (int t = 0; t < THREADS; t++) {
            for (int i = 0; i < 20; i++) {
                String key = "a/c/" + i % 5 + "/" + t + "." + i;
                assertEquals(i, get(key).orElseThrow(() -> new AssertionError("lost: " + key))[0]);
            }
        }
    }

    @Test
    void read_interruptedReader_harmsNoOther() throws Exception {
        byte[] value = StoreSuiteHelpers.bytes(3, 50_000);
        store().put("k", StoreSuiteHelpers.content(value), Durability.ATOMIC);
        try (ObjectSnapshot snapshot = store().open("k").orElseThrow()) {
            start(() -> {
                        Thread.currentThread().interrupt();
                        try {
                            return StoreSuiteHelpers.read(snapshot).length;
                        } catch (StoreException e) {
                            return -1;
                        } finally {
                            assertTrue(Thread.interrupted());
                        }
                    })
                    .get();
            assertEquals(-1, Arrays.mismatch(value, StoreSuiteHelpers.read(snapshot)));
        }
    }
}
