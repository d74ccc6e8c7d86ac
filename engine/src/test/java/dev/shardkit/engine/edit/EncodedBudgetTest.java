package dev.shardkit.engine.edit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.shardkit.engine.run.LocalStore;
import dev.shardkit.engine.run.Runs;
import dev.shardkit.engine.threads.EncodedBudget;
import dev.shardkit.spi.codec.Edit;
import dev.shardkit.spi.codec.Piece;
import dev.shardkit.spi.codec.ShardWritePolicy;
import dev.shardkit.spi.error.DataLocation;
import dev.shardkit.spi.plan.Bytes;
import dev.shardkit.spi.plan.Plan;
import dev.shardkit.store.Locks;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(120)
class EncodedBudgetTest {
    private final EncodedBudget budget = new EncodedBudget(100);

    private CompletableFuture<EncodedBudget.Reservation> later(long bytes) {
        int before = budget.waiting();
        CompletableFuture<EncodedBudget.Reservation> share = new CompletableFuture<>();
        new Thread(() -> share.complete(budget.reserve(bytes))).start();
        while (budget.waiting() == before && !share.isDone()) {
            Thread.onSpinWait();
        }
        return share;
    }

    @Test
    void reserve_waitsForRoom_inTheOrderOfCalls() throws Exception {
        EncodedBudget.Reservation first = budget.reserve(60);
        CompletableFuture<EncodedBudget.Reservation> second = later(60);
        CompletableFuture<EncodedBudget.Reservation> third = later(30);
        assertFalse(second.isDone() || third.isDone());
        first.holds(Edit.replace(Bytes.of(new byte[10])));
        second.get(100, TimeUnit.SECONDS);
        third.get(100, TimeUnit.SECONDS);
        assertEquals(100, budget.held());
        first.close();
        second.join().close();
        third.join().close();
        assertEquals(0, budget.held());
    }

    /** A change that is cancelled closes its share, also while its plan is ending. */
    @Test
    void closedShare_isNotCorrected() {
        EncodedBudget.Reservation closed = budget.reserve(60);
        closed.close();
        closed.holds(Edit.replace(Bytes.of(new byte[10])));
        assertEquals(0, budget.held());
    }

    @Test
    void changeLargerThanTheBudget_passesAlone() throws Exception {
        EncodedBudget.Reservation first = budget.reserve(1000);
        CompletableFuture<EncodedBudget.Reservation> second = later(1000);
        assertFalse(second.isDone());
        first.close();
        second.get(100, TimeUnit.SECONDS).close();
        assertEquals(0, budget.held());
    }

    @Test
    void onlyWhatIsInMemory_counts() {
        EncodedBudget.Reservation share = budget.reserve(50);
        share.holds(new Edit.Replace(
                List.of(new Piece.Copied(0, 1000), new Piece.Literal(Bytes.of(new byte[20])), new Piece.Zeros(500))));
        assertEquals(20, budget.held());
        share.holds(new Edit.Delete());
        assertEquals(0, budget.held());
        share.close();
    }

    @Test
    void waiter_thatIsInterrupted_leavesTheQueue() throws Exception {
        EncodedBudget.Reservation first = budget.reserve(100);
        FutureTask<EncodedBudget.Reservation> waiting = new FutureTask<>(() -> budget.reserve(1));
        Thread thread = new Thread(waiting);
        thread.start();
        while (budget.waiting() == 0) {
            Thread.onSpinWait();
        }
        thread.interrupt();
        ExecutionException e = assertThrows(ExecutionException.class, () -> waiting.get(100, TimeUnit.SECONDS));
        assertInstanceOf(CancellationException.class, e.getCause());
        assertEquals(0, budget.waiting());
        first.close();
    }

    @Test
    void requestWithoutAThread_waitsItsTurn_andGivesItUpWhenCancelled() throws Exception {
        EncodedBudget.Reservation first = budget.reserve(60);
        CompletableFuture<EncodedBudget.Reservation> cancelled = budget.reserveLater(60);
        CompletableFuture<EncodedBudget.Reservation> second = budget.reserveLater(30);
        assertEquals(2, budget.waiting());
        assertTrue(budget.tryReserveUnbound(1).isEmpty(), "it passes those that wait");
        cancelled.cancel(false);
        second.get(100, TimeUnit.SECONDS);
        assertEquals(90, budget.held());
        CompletableFuture<EncodedBudget.Reservation> third = budget.reserveLater(80);
        first.close();
        assertFalse(third.isDone());
        second.join().close();
        third.get(100, TimeUnit.SECONDS).close();
        assertEquals(0, budget.held());
        assertEquals(0, budget.waiting());
    }

    @Test
    void changesOfOneCall_holdNoMoreThanTheBudget() {
        LocalStore store = new LocalStore();
        AtomicInteger encoded = new AtomicInteger();
        AtomicInteger most = new AtomicInteger();
        ObjectEdits edits = new ObjectEdits(Runs.engine(16), budget);
        List<String> keys = new ArrayList<>();
        for (int i = 0; i < 100; i++) {
            keys.add("k" + i);
        }
        store.onPut = key -> encoded.addAndGet(-40);
        edits.changeAll(
                keys.size(),
                i -> keys.get((int) i),
                i -> new ObjectChange() {
                    @Override
                    public Plan<Edit> plan(ShardWritePolicy policy) {
                        return Plan.defer(DataLocation.nowhere(), scratch -> {
                            most.accumulateAndGet(encoded.addAndGet(40), Math::max);
                            return Plan.done(Edit.replace(Bytes.of(new byte[40])));
                        });
                    }

                    @Override
                    public long weight() {
                        return 40;
                    }
                },
                ObjectEditsTest.context(store));
        assertTrue(most.get() <= 80, () -> most + " bytes at once");
        assertEquals(100, keys.stream().filter(k -> store.get(k).isPresent()).count());
    }

    private static ObjectChange ofWeight(int bytes) {
        return new ObjectChange() {
            @Override
            public Plan<Edit> plan(ShardWritePolicy policy) {
                return Plan.done(Edit.replace(Bytes.of(new byte[bytes])));
            }

            @Override
            public long weight() {
                return bytes;
            }
        };
    }

    @Test
    @SuppressWarnings("try")
    void writerThatWaitsForItsLock_keepsNoRoomFromOthers() throws Exception {
        LocalStore store = new LocalStore();
        ObjectEdits edits = new ObjectEdits(Runs.engine(4), budget);
        CompletableFuture<Void> slow;
        try (Locks.Lock held = store.lock("", "slow", Duration.ofMinutes(1))) {
            CountDownLatch begun = new CountDownLatch(1);
            slow = CompletableFuture.runAsync(
                    () -> {
                        begun.countDown();
                        edits.change("slow", ofWeight(80), ObjectEditsTest.context(store));
                    },
                    task -> new Thread(task).start());
            begun.await();
            for (int i = 0; i < 50; i++) {
                edits.change("other", ofWeight(80), ObjectEditsTest.context(store));
            }
            assertFalse(slow.isDone());
        }
        slow.get(100, TimeUnit.SECONDS);
        assertTrue(store.get("slow").isPresent() && store.get("other").isPresent());
    }
}
