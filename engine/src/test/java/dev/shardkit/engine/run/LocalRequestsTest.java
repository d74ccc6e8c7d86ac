package dev.shardkit.engine.run;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.shardkit.spi.error.CorruptDataException;
import dev.shardkit.spi.error.StoreException;
import dev.shardkit.spi.plan.ByteRange;
import dev.shardkit.spi.plan.NoResult;
import dev.shardkit.spi.plan.Plan;
import dev.shardkit.spi.plan.Source;
import dev.shardkit.store.MergePolicy;
import dev.shardkit.store.ObjectChangedException;
import dev.shardkit.store.StoreListener;
import java.io.IOException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(180)
class LocalRequestsTest {
    private final LocalStore store = new LocalStore().with("k", Runs.shard("hello"));
    private final ValueCache cache = new ValueCache(1 << 20);
    private final Engine engine = Runs.engine(2);

    @AfterEach
    void everySnapshotIsClosed() {
        assertEquals(store.opened.get(), store.closed.get());
    }

    private String read() {
        return engine.call(() -> Runs.indexed("k"), Runs.context(store, cache, StoreListener.NONE));
    }

    @Test
    void keptIndex_isUsedForTheSameVersionOnly() {
        assertEquals("hello", read());
        assertEquals(2, store.reads.get());
        assertEquals("hello", read());
        assertEquals(3, store.reads.get());
        store.with("k", "47..other".getBytes());
        assertEquals("oth", read());
        assertEquals(5, store.reads.get());
    }

    @Test
    void oneRun_opensAnObjectOnce_andSeesOneVersionOfIt() {
        store.onRead = key -> store.with("k", Runs.shard("other"));
        assertEquals("hello", read());
        assertEquals(1, store.opened.get());
    }

    @Test
    void manyObjects_fewAreOpenAtATime() {
        int objects = 5000;
        for (int i = 0; i < objects; i++) {
            store.with("k" + i, Runs.shard("x" + i % 10));
        }
        AtomicInteger right = new AtomicInteger();
        engine.call(
                () -> Plan.each(objects, i -> Runs.indexed("k" + i).map(s -> {
                    right.addAndGet(s.equals("x" + i % 10) ? 1 : 0);
                    return NoResult.INSTANCE;
                })),
                Runs.context(store));
        assertEquals(objects, right.get());
        assertTrue(store.maxOpen.get() <= 260, "open at once: " + store.maxOpen);
    }

    @Test
    void objectReopenedInAnotherVersion_isReadAgain() {
        for (int i = 0; i < 600; i++) {
            store.with("k" + i, Runs.shard("old"));
        }
        AtomicInteger reads = new AtomicInteger();
        store.onRead = key -> {
            synchronized (reads) { // the other thread reads nothing meanwhile
                if (reads.incrementAndGet() == 600) {
                    for (int i = 0; i < 600; i++) {
                        store.with("k" + i, "46  new".getBytes());
                    }
                }
            }
        };
        AtomicInteger told = new AtomicInteger();
        StoreListener listener = new StoreListener() {
            @Override
            public void onChanged(String key, int attempt) {
                told.incrementAndGet();
            }
        };
        engine.call(
                () -> Plan.each(600, i -> Runs.indexed("k" + i).map(s -> {
                    assertTrue(s.equals("old") || s.equals("ne"), s);
                    return NoResult.INSTANCE;
                })),
                Runs.context(store, cache, listener));
        assertTrue(told.get() > 0);
    }

    @Test
    void objectThatKeepsChanging_isADeclaredError_blockingAndAsync() {
        AtomicInteger opens = new AtomicInteger();
        store.onOpen = key -> {
            opens.incrementAndGet();
            throw new ObjectChangedException("replaced while it was opened");
        };
        assertThrows(ObjectChangedException.class, this::read);
        assertEquals(200, opens.get());
        CompletableFuture<String> future = engine.start(() -> Runs.indexed("k"), Runs.context(store));
        assertInstanceOf(
                ObjectChangedException.class,
                assertThrows(ExecutionException.class, future::get).getCause());
        assertEquals(400, opens.get());
    }

    @Test
    void objectChangedOnce_isReadAgain() throws Exception {
        AtomicInteger opens = new AtomicInteger();
        store.onOpen = key -> {
            if (opens.incrementAndGet() % 2 == 1) {
                throw new ObjectChangedException("replaced while it was opened");
            }
        };
        assertEquals("hello", read());
        assertEquals(
                "hello",
                engine.start(() -> Runs.indexed("k"), Runs.context(store)).get());
    }

    @Test
    void openAndReadFailures_areStoreErrors_andLeakNothing() {
        store.onOpen = key -> {
            throw new IOException("no permission");
        };
        StoreException e = assertThrows(StoreException.class, this::read);
        assertTrue(
                e.getMessage().contains("no permission") && e.getMessage().contains("shard or chunk k"),
                e.getMessage());
        store.onOpen = key -> {};
        store.onRead = key -> {
            throw new IllegalStateException("a store's own mistake");
        };
        assertThrows(StoreException.class, this::read);
        assertThrows(ExecutionException.class, () -> engine.start(() -> Runs.indexed("k"), Runs.context(store))
                .get());
    }

    @Test
    void rangePastTheEnd_isCorrupt_andNamesItself() {
        CorruptDataException e = assertThrows(
                CorruptDataException.class,
                () -> engine.call(
                        () -> Runs.text(Source.stored("k"), new ByteRange.Slice(5, 10)), Runs.context(store)));
        assertEquals(
                "expected an object of at least 15 bytes, found 7 [array test:array, shard or chunk k, bytes 5 to 15]",
                e.getMessage());
        assertThrows(
                CorruptDataException.class,
                () -> engine.call(() -> Runs.text(Source.stored("k"), ByteRange.whole(6)), Runs.context(store)));
        assertEquals(0, store.reads.get());
    }

    @Test
    void suffixLongerThanTheObject_isAllOfIt() {
        assertEquals(
                "27hello",
                engine.call(() -> Runs.text(Source.stored("k"), new ByteRange.Suffix(100)), Runs.context(store)));
    }

    @Test
    void objectsAreOpenedSideBySide() throws Exception {
        store.with("a", Runs.shard("a")).with("b", Runs.shard("b"));
        CountDownLatch both = new CountDownLatch(2);
        store.onOpen = key -> {
            both.countDown();
            PlanExecutionTest.await(both);
        };
        engine.call(
                () -> Plan.each(2, i -> Runs.indexed(i == 0 ? "a" : "b").map(s -> NoResult.INSTANCE)),
                Runs.context(store));
    }

    @Test
    void windowThatMoves_stillMergesNeighbours() {
        byte[] row = new byte[100_000];
        store.with("row", row);
        AtomicInteger parts = new AtomicInteger();
        engine.call(
                () -> Plan.each(row.length, i -> Source.stored("row").read(new ByteRange.Slice(i, 1), (a, s) -> {
                    parts.incrementAndGet();
                    return NoResult.INSTANCE;
                })),
                Runs.merging(store, new MergePolicy(0, 1 << 20, 1)));
        assertEquals(row.length, parts.get());
        int portions = 2 * engine.workers().parallelism();
        assertTrue(store.reads.get() <= portions * (row.length / (WorkUnit.WINDOW / 2) + 1), "reads: " + store.reads);
    }
}
