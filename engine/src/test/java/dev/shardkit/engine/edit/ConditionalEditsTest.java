package dev.shardkit.engine.edit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.shardkit.spi.codec.Edit;
import dev.shardkit.spi.codec.ShardWritePolicy.Strategy;
import dev.shardkit.spi.error.StoreException;
import dev.shardkit.spi.error.UnsupportedException;
import dev.shardkit.spi.plan.Plan;
import dev.shardkit.store.Writes;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Changes of a store without locks: puts under a condition, and what the loser of a race does. */
@Timeout(180)
class ConditionalEditsTest extends EditsOfOneObject {
    private void conditional() {
        store.abilities = Set.of(Writes.class);
        store.conditional = true;
    }

    @Test
    void conditionalStore_isChangedWithoutLocks() {
        conditional();
        WriteContext context = context(Strategy.REWRITE);
        edits.change("k", APPEND, context);
        edits.change("k", APPEND, context);
        edits.change("k", policy -> Plan.done(new Edit.Keep()), context);
        assertEquals("!!", get());
        edits.change("k", policy -> Plan.done(new Edit.Delete()), context);
        edits.change("k", policy -> Plan.done(new Edit.Delete()), context);
        assertEquals("absent", get());
        assertEquals(0, store.locked.get());
        assertEquals(List.of("write REWRITE 1", "write REWRITE 2", "delete"), told);
    }

    @Test
    void conditionalStore_lostRace_isReadAgain() {
        conditional();
        store.with("k", "a".getBytes());
        store.onPut = key -> {
            store.onPut = k -> {};
            store.with("k", "b".getBytes());
        };
        edits.change("k", APPEND, context(Strategy.REWRITE));
        assertEquals("b!", get());
        assertEquals(List.of("changed 1", "write REWRITE 2"), told);
    }

    @Test
    void conditionalStore_thatIsNeverFree_isAnErrorWithKeyAndAttempts() {
        conditional();
        store.onPut = key -> store.with("k", "other".getBytes());
        StoreException e = assertThrows(
                StoreException.class,
                () -> edits.change(
                        "k",
                        APPEND,
                        context(Strategy.REWRITE, WriteContext.Locking.AS_THE_STORE_CAN, Duration.ofMillis(20))));
        assertTrue(
                e.getMessage().matches("(?s).*[0-9]+ times.*") && e.getMessage().contains("chunk k"), e.getMessage());
    }

    @Test
    void conditionalStore_manyWriters_loseNothing() throws Exception {
        conditional();
        ExecutorService pool = Executors.newFixedThreadPool(8);
        try {
            List<Future<?>> writers = new ArrayList<>();
            for (int t = 0; t < 8; t++) {
                writers.add(pool.submit(() -> {
                    for (int i = 0; i < 50; i++) {
                        edits.change("k", APPEND, context(Strategy.REWRITE));
                    }
                }));
            }
            for (Future<?> writer : writers) {
                writer.get();
            }
        } finally {
            pool.shutdownNow();
        }
        assertEquals("!".repeat(400), get());
    }

    @Test
    void storeWithNeither_isRefused_unlessItIsOwned() {
        store.abilities = Set.of(Writes.class);
        UnsupportedException e =
                assertThrows(UnsupportedException.class, () -> edits.change("k", APPEND, context(Strategy.REWRITE)));
        assertTrue(e.getMessage().contains("OWNED"), e.getMessage());
        edits.change("k", APPEND, context(Strategy.REWRITE, WriteContext.Locking.NONE, Duration.ZERO));
        assertEquals("!", get());
    }
}
