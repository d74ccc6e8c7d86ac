package dev.shardkit.engine.run;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.shardkit.spi.error.StoreException;
import dev.shardkit.spi.plan.ByteRange;
import dev.shardkit.spi.plan.Plan;
import dev.shardkit.spi.plan.Source;
import dev.shardkit.store.MergePolicy;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Runs over a store that sends whole objects in place of ranges. */
@Timeout(120)
class WholeObjectsTest {
    private final RemoteStore store = new RemoteStore()
            .with("a", "0123".getBytes())
            .with("b", "bcdefgh".getBytes())
            .asking();
    private final Engine engine = Runs.engine(2);

    WholeObjectsTest() {
        store.sendsAll = true;
    }

    private static Plan<String> slice(String key, long offset) {
        return Runs.text(Source.stored(key), new ByteRange.Slice(offset, 1));
    }

    /** One range of {@code a}, then three of {@code b} at once. */
    private CompletableFuture<String> start() {
        return engine.start(
                () -> slice("a", 1)
                        .then(first -> Plan.all(3, i -> slice("b", 2 * i)).map(all -> first + String.join("", all))),
                Runs.merging(store, new MergePolicy(0, 1, 16)));
    }

    @Test
    void rangesWantedAtOnce_waitForTheObjectOnItsWay() throws Exception {
        CompletableFuture<String> future = start();
        store.answer(store.pending.take());
        store.answer(store.pending.take());
        assertEquals("1bdf", future.get());
        assertEquals(
                List.of("a", "b"),
                store.asked().stream().map(RemoteStore.Asked::key).toList());
    }

    @Test
    void objectThatFailsToCome_endsThoseThatWait() throws Exception {
        CompletableFuture<String> future = start();
        store.answer(store.pending.take());
        store.pending.take().future().completeExceptionally(new StoreException("failed"));
        ExecutionException e = assertThrows(ExecutionException.class, future::get);
        assertTrue(e.getCause() instanceof StoreException, e.toString());
    }

    @Test
    void objectThatIsNotKept_isAskedForAgainByThoseThatWait() throws Exception {
        CompletableFuture<String> future = start();
        store.answer(store.pending.take());
        RemoteStore.Pending first = store.pending.take();
        store.sendsAll = false;
        store.answer(first);
        store.answer(store.pending.take());
        store.answer(store.pending.take());
        assertEquals("1bdf", future.get());
        assertEquals(4, store.requests());
    }

    @Test
    void cancelling_endsThoseThatWait() throws Exception {
        CompletableFuture<String> future = start();
        store.answer(store.pending.take());
        RemoteStore.Pending second = store.pending.take();
        future.cancel(true);
        assertThrows(Exception.class, second.future()::get, "the request ends too");
        assertEquals(2, store.requests());
    }
}
