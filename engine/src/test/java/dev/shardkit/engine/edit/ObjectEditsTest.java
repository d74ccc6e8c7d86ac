package dev.shardkit.engine.edit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.shardkit.engine.run.LocalStore;
import dev.shardkit.engine.run.PlanExecutionTest;
import dev.shardkit.engine.run.Runs;
import dev.shardkit.engine.run.ValueCache;
import dev.shardkit.spi.codec.Edit;
import dev.shardkit.spi.codec.Piece;
import dev.shardkit.spi.codec.ShardWritePolicy;
import dev.shardkit.spi.error.CorruptDataException;
import dev.shardkit.spi.error.StoreException;
import dev.shardkit.spi.error.UnsupportedException;
import dev.shardkit.spi.plan.ByteRange;
import dev.shardkit.spi.plan.Bytes;
import dev.shardkit.spi.plan.Plan;
import dev.shardkit.spi.plan.Source;
import dev.shardkit.store.ObjectChangedException;
import dev.shardkit.store.StoreListener;
import dev.shardkit.store.policy.Durability;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(180)
public class ObjectEditsTest {
    private final LocalStore store = new LocalStore();
    private final ObjectEdits edits = new ObjectEdits(Runs.engine(2));

    public static WriteContext context(LocalStore store) {
        return context(store, StoreListener.NONE);
    }

    private static Edit patch() {
        return new Edit.Patch(
                3,
                List.of(new Piece.Zeros(1)),
                List.of(),
                Edit.Recovery.JOURNAL,
                ShardWritePolicy.Strategy.APPEND,
                Optional.empty());
    }

    private static WriteContext context(LocalStore store, StoreListener listener) {
        return new WriteContext(
                store,
                "",
                Runs.context(store, new ValueCache(1000), listener),
                ShardWritePolicy.defaults(),
                Durability.ATOMIC,
                WriteContext.Locking.AS_THE_STORE_CAN,
                Duration.ofMinutes(1));
    }

    public static Plan<Edit> put(String content) {
        return Plan.done(Edit.replace(Bytes.of(content.getBytes())));
    }

    private String get(String key) {
        return store.get(key).map(String::new).orElse("absent");
    }

    @AfterEach
    void locksAndSnapshotsAreLetGo() {
        assertEquals(store.locked.get(), store.unlocked.get());
        assertEquals(store.opened.get(), store.closed.get());
    }

    @Test
    void replaceAbsentKeepPatch_areCarriedOut() {
        edits.change("k", policy -> put("new"), context(store));
        assertEquals("new", get("k"));
        edits.change("k", policy -> Plan.done(new Edit.Keep()), context(store));
        assertEquals("new", get("k"));
        assertThrows(UnsupportedException.class, () -> edits.change("k", policy -> Plan.done(patch()), context(store)));
        edits.change("k", policy -> Plan.done(new Edit.Delete()), context(store));
        assertEquals("absent", get("k"));
    }

    /** The first byte goes, the others move. */
    private static Plan<Edit> shorten() {
        return Runs.text(Source.stored("k"), ByteRange.whole())
                .map(old -> new Edit.Replace(List.of(
                        new Piece.Copied(1, old.length() - 1),
                        new Piece.Literal(Bytes.of(("(was " + old + ")").getBytes())))));
    }

    @Test
    void movedPieces_comeFromTheOldObject() {
        store.with("k", "abc".getBytes());
        edits.change("k", policy -> shorten(), context(store));
        assertEquals("bc(was abc)", get("k"));
    }

    @Test
    void objectChangedWithoutTheLock_isReadAgain() {
        store.with("k", "abc".getBytes());
        AtomicInteger told = new AtomicInteger();
        store.onRead = key -> {
            if (told.get() == 0) {
                store.with("k", "xyz".getBytes());
            }
        };
        edits.change("k", policy -> shorten(), context(store, new StoreListener() {
            @Override
            public void onChanged(String key, int attempt) {
                told.incrementAndGet();
            }
        }));
        assertEquals(1, told.get());
        assertEquals("yz(was xyz)", get("k"));
    }

    @Test
    void objectThatKeepsChanging_isADeclaredError() {
        store.with("k", "abc".getBytes());
        store.onRead = key -> store.with("k", "abc".getBytes());
        ObjectChangedException e = assertThrows(
                ObjectChangedException.class, () -> edits.change("k", policy -> shorten(), context(store)));
        assertTrue(e.getMessage().contains("array test:array, shard or chunk k"), e.getMessage());
        assertEquals("abc", get("k"));
    }

    private void failsWith(Class<? extends Throwable> expected, ObjectChange plan) {
        assertThrows(expected, () -> edits.change("k", plan, context(store)));
        locksAndSnapshotsAreLetGo();
    }

    @Test
    void lock_isReleasedWhateverFails() {
        store.with("k", "abc".getBytes());
        failsWith(CorruptDataException.class, policy -> {
            throw new CorruptDataException("no plan");
        });
        failsWith(OutOfMemoryError.class, policy -> {
            throw new OutOfMemoryError("made up");
        });
        store.onPut = key -> {
            throw new IOException("disk full");
        };
        failsWith(StoreException.class, policy -> put("x"));
        store.onPut = key -> {
            throw new IllegalStateException("a store's own mistake");
        };
        failsWith(StoreException.class, policy -> put("x"));
        store.onOpen = key -> {
            throw new IOException("no permission");
        };
        failsWith(StoreException.class, policy -> put("x"));
        store.onLock = key -> {
            throw new IOException("no lock");
        };
        failsWith(StoreException.class, policy -> put("x"));
        assertEquals("abc", get("k"));
    }

    @Test
    void lockThatCannotBeLetGo_isAnError_butNotInThePlaceOfABetterOne() {
        store.onUnlock = key -> {
            throw new IOException("lost it");
        };
        StoreException e =
                assertThrows(StoreException.class, () -> edits.change("k", policy -> put("x"), context(store)));
        assertTrue(e.getMessage().contains("lost it"), e.getMessage());
        assertEquals("x", get("k"));
        store.onPut = key -> {
            throw new IOException("disk full");
        };
        StoreException better =
                assertThrows(StoreException.class, () -> edits.change("k", policy -> put("y"), context(store)));
        assertTrue(better.getMessage().contains("disk full"), better.getMessage());
        assertEquals(1, better.getSuppressed().length);
    }

    @Test
    void interruptWhileWaitingForALock_isACancellation() {
        store.onLock = key -> {
            Thread.currentThread().interrupt();
            throw new StoreException("interrupted while waiting for the lock");
        };
        assertThrows(CancellationException.class, () -> edits.change("k", policy -> put("x"), context(store)));
        assertTrue(Thread.interrupted());
    }

    @Test
    void changeAll_changesAll_andTellsOfEach() {
        List<Long> told = Collections.synchronizedList(new ArrayList<>());
        edits.changeAll(100, i -> "k" + i, i -> policy -> put("x" + i), context(store, new StoreListener() {
            @Override
            public void onProgress(long done, long total) {
                told.add(done);
                assertEquals(100, total);
            }
        }));
        for (int i = 0; i < 100; i++) {
            assertEquals("x" + i, get("k" + i));
        }
        Collections.sort(told);
        assertEquals(100, told.size());
        assertEquals(100, told.get(99));
    }

    @Test
    void changeAll_beginsNothingAfterAFailure() {
        AtomicInteger told = new AtomicInteger();
        ObjectEdits alone = new ObjectEdits(Runs.engine(1));
        WriteContext context = context(store, new StoreListener() {
            @Override
            public void onProgress(long done, long total) {
                told.incrementAndGet();
            }
        });
        CorruptDataException e = assertThrows(
                CorruptDataException.class,
                () -> alone.changeAll(
                        100,
                        i -> "k" + i,
                        i -> policy -> {
                            if (i == 7) {
                                throw new CorruptDataException("the seventh");
                            }
                            return put("x");
                        },
                        context));
        assertEquals("the seventh", e.fact());
        assertEquals(7, told.get());
        assertEquals(8, store.locked.get());
        assertEquals("absent", get("k8"));
    }

    @Test
    void changeAll_interrupted_endsTheOthersToo() throws Exception {
        CountDownLatch waiting = new CountDownLatch(2);
        CountDownLatch never = new CountDownLatch(1);
        store.onLock = key -> {
            waiting.countDown();
            PlanExecutionTest.await(never);
            throw new IOException("the lock was not to be had");
        };
        AtomicReference<Throwable> thrown = new AtomicReference<>();
        AtomicReference<Boolean> flag = new AtomicReference<>();
        Thread caller = new Thread(() -> {
            try {
                edits.changeAll(10, i -> "k" + i, i -> policy -> put("x"), context(store));
            } catch (Throwable e) {
                thrown.set(e);
            }
            flag.set(Thread.currentThread().isInterrupted());
        });
        caller.start();
        waiting.await();
        caller.interrupt();
        caller.join();
        assertInstanceOf(CancellationException.class, thrown.get());
        assertTrue(flag.get());
        assertEquals(Optional.empty(), store.get("k0"));
    }

    @Test
    void changeAll_ofNothing_doesNothing() {
        edits.changeAll(0, i -> "k" + i, i -> policy -> put("x"), context(store));
        assertFalse(store.get("k0").isPresent());
    }
}
