package dev.shardkit.engine.edit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.shardkit.engine.run.ReadContext;
import dev.shardkit.engine.run.Runs;
import dev.shardkit.engine.run.ValueCache;
import dev.shardkit.spi.codec.Edit;
import dev.shardkit.spi.codec.ShardWritePolicy.Strategy;
import dev.shardkit.spi.error.CorruptDataException;
import dev.shardkit.spi.error.StoreException;
import dev.shardkit.spi.error.UnsupportedException;
import dev.shardkit.spi.plan.ByteRange;
import dev.shardkit.spi.plan.Bytes;
import dev.shardkit.spi.plan.Plan;
import dev.shardkit.spi.plan.Source;
import dev.shardkit.store.ObjectChangedException;
import dev.shardkit.store.Patches.Recovered;
import dev.shardkit.store.policy.Durability;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Changes in place, what a crash leaves, and puts under a condition. */
@Timeout(180)
class EditsPatchTest extends EditsOfOneObject {
    @Test
    void storeThatCanPatch_isPatched_andTheListenerHearsIt() {
        canPatch();
        edits.change("k", APPEND, context(Strategy.APPEND));
        edits.change("k", APPEND, context(Strategy.APPEND));
        edits.change("k", APPEND, context(Strategy.REWRITE));
        assertEquals("!!!", get());
        assertEquals(List.of("write REWRITE 1", "write APPEND 1", "write REWRITE 3"), told);
    }

    @Test
    void storeThatCannotPatch_isAskedForARewrite_andTheListenerHearsWhy() {
        store.with("k", "!".getBytes());
        edits.change("k", APPEND, context(Strategy.APPEND));
        assertEquals("!!", get());
        assertEquals(
                List.of("fallback APPEND REWRITE the store local: cannot change objects in place", "write REWRITE 2"),
                told);
    }

    @Test
    void planThatFallsBack_isToldByItsReason() {
        canPatch();
        store.with("k", "a".getBytes());
        edits.change(
                "k",
                policy -> Plan.done(new Edit.Replace(List.of(literal("b")), Optional.of("too wasteful"))),
                context(Strategy.APPEND));
        assertEquals(List.of("fallback APPEND REWRITE too wasteful", "write REWRITE 1"), told);
    }

    @Test
    void patchRefusedByTheStore_becomesARewrite() {
        canPatch();
        store.with("k", "!".getBytes());
        store.onPatch = key -> {
            throw new UnsupportedException("not this one");
        };
        edits.change("k", APPEND, context(Strategy.APPEND));
        assertEquals("!!", get());
        assertEquals(List.of("fallback APPEND REWRITE not this one", "write REWRITE 2"), told);
        told.clear();
        Edit patch =
                new Edit.Patch(2, List.of(), List.of(), Edit.Recovery.LAST_INDEX, Strategy.APPEND, Optional.empty());
        UnsupportedException e = assertThrows(
                UnsupportedException.class,
                () -> edits.change("k", policy -> Plan.done(patch), context(Strategy.REWRITE)));
        assertTrue(e.getMessage().contains("not this one") && e.getMessage().contains("test:array"), e.getMessage());
        assertEquals(List.of(), told);
    }

    @Test
    void objectThatIsShorterThanThePlanRead_isReadAgain() {
        canPatch();
        store.with("k", "abc!".getBytes());
        store.onPatch = key -> {
            store.onPatch = k -> {};
            store.with("k", "!".getBytes());
        };
        edits.change("k", APPEND, context(Strategy.APPEND));
        assertEquals("!!", get());
        assertEquals(List.of("changed 1", "write APPEND 1"), told);
    }

    @Test
    void recoveredFromAJournal_isTold_andThenChanged() {
        canPatch();
        store.with("k", "!".getBytes());
        store.recovered = Recovered.FROM_JOURNAL;
        edits.change("k", APPEND, context(Strategy.APPEND));
        assertEquals("!!", get());
        assertEquals(List.of("recovered", "write APPEND 1"), told);
    }

    @Test
    void appendCutShort_isCutAtTheLastValidEnd() {
        canPatch();
        store.with("k", "a!b!c".getBytes());
        store.recovered = Recovered.CUT_SHORT;
        edits.change("k", APPEND, context(Strategy.APPEND));
        assertEquals("a!b!!", get());
        assertEquals(List.of("recovered", "write APPEND 1"), told);
    }

    @Test
    void appendCutShort_withoutAValidEnd_isAnErrorThatNamesTheKey() {
        canPatch();
        store.with("k", "abc".getBytes());
        store.recovered = Recovered.CUT_SHORT;
        StoreException e =
                assertThrows(StoreException.class, () -> edits.change("k", APPEND, context(Strategy.APPEND)));
        assertTrue(e.getMessage().contains("chunk k"), e.getMessage());
        assertEquals("abc", get());
        assertEquals(List.of(), told);
    }

    @Test
    void owner_takesNoLock_recoversNothing_andMindsNoOtherOwner() {
        canPatch();
        store.with("k", "abc".getBytes());
        store.recovered = Recovered.CUT_SHORT;
        store.onRead = key -> store.patch(
                "",
                "k",
                new Edit.Patch(
                        3,
                        List.of(),
                        List.of(new Edit.Write(2, Bytes.of("x".getBytes()))),
                        Edit.Recovery.JOURNAL,
                        Strategy.IN_PLACE,
                        Optional.empty()),
                Durability.ATOMIC);
        edits.change(
                "k",
                policy -> Runs.text(Source.stored("k"), new ByteRange.Slice(0, 1))
                        .map(first -> new Edit.Patch(
                                3,
                                List.of(),
                                List.of(new Edit.Write(0, Bytes.of((first + first).getBytes()))),
                                Edit.Recovery.JOURNAL,
                                Strategy.IN_PLACE,
                                Optional.empty())),
                context(Strategy.IN_PLACE, WriteContext.Locking.NONE, Duration.ZERO));
        assertEquals("aax", get());
        assertEquals(0, store.locked.get());
        assertEquals(List.of("write IN_PLACE 2"), told);
    }

    @Test
    void objectPatchedUnderARun_isReadAgain() {
        canPatch();
        store.with("k", Runs.shard("hello"));
        int[] reads = new int[1];
        store.onRead = key -> {
            if (++reads[0] == 2) { // between the index and what it points to
                store.patch(
                        "",
                        "k",
                        new Edit.Patch(
                                7,
                                List.of(),
                                List.of(new Edit.Write(2, Bytes.of("J".getBytes()))),
                                Edit.Recovery.JOURNAL,
                                Strategy.IN_PLACE,
                                Optional.empty()),
                        Durability.ATOMIC);
            }
        };
        ReadContext reading = Runs.context(store, new ValueCache(1000), listener);
        assertEquals("Jello", Runs.engine(1).call(() -> Runs.indexed("k"), reading));
        assertEquals(List.of("changed 1"), told);
        assertEquals("Jello", Runs.engine(1).call(() -> Runs.indexed("k"), reading), "what was kept is of its version");
    }

    @Test
    void corruptionOfAnObjectThatWasPatched_isReadAgain() {
        canPatch();
        store.with("k", "good".getBytes());
        int[] reads = new int[1];
        store.onRead = key -> {
            if (++reads[0] == 1) {
                store.patch(
                        "",
                        "k",
                        new Edit.Patch(
                                4,
                                List.of(),
                                List.of(new Edit.Write(0, Bytes.of("b".getBytes()))),
                                Edit.Recovery.JOURNAL,
                                Strategy.IN_PLACE,
                                Optional.empty()),
                        Durability.ATOMIC);
            }
        };
        int[] runs = new int[1];
        Plan<String> plan = Runs.text(Source.stored("k"), ByteRange.whole()).map(text -> {
            if (++runs[0] == 1) {
                throw new CorruptDataException("torn");
            }
            return text;
        });
        assertEquals("bood", Runs.engine(1).call(() -> plan, Runs.context(store, new ValueCache(0), listener)));
        store.onRead = key -> store.patch(
                "",
                "k",
                new Edit.Patch(4, List.of(), List.of(), Edit.Recovery.JOURNAL, Strategy.IN_PLACE, Optional.empty()),
                Durability.ATOMIC);
        assertThrows(ObjectChangedException.class, () -> Runs.engine(1).call(() -> plan, Runs.context(store)));
    }
}
