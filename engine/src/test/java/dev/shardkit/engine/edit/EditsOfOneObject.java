package dev.shardkit.engine.edit;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.shardkit.engine.run.LocalStore;
import dev.shardkit.engine.run.Runs;
import dev.shardkit.engine.run.ValueCache;
import dev.shardkit.spi.codec.Edit;
import dev.shardkit.spi.codec.Piece;
import dev.shardkit.spi.codec.ShardWritePolicy;
import dev.shardkit.spi.codec.ShardWritePolicy.Strategy;
import dev.shardkit.spi.plan.ByteRange;
import dev.shardkit.spi.plan.Bytes;
import dev.shardkit.spi.plan.Plan;
import dev.shardkit.spi.plan.Source;
import dev.shardkit.store.Locks;
import dev.shardkit.store.Patches;
import dev.shardkit.store.StoreListener;
import dev.shardkit.store.Writes;
import dev.shardkit.store.policy.Durability;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;

/** Edits of one object of a local store, with what the listener was told. */
abstract class EditsOfOneObject {
    final LocalStore store = new LocalStore();
    final ObjectEdits edits = new ObjectEdits(Runs.engine(2));
    final List<String> told = Collections.synchronizedList(new ArrayList<>());

    final StoreListener listener = new StoreListener() {
        @Override
        public void onWrite(String key, Strategy strategy, long bytes) {
            told.add("write " + strategy + " " + bytes);
        }

        @Override
        public void onDelete(String key) {
            told.add("delete");
        }

        @Override
        public void onFallback(String key, Strategy wanted, Strategy taken, String reason) {
            told.add("fallback " + wanted + " " + taken + " " + reason);
        }

        @Override
        public void onRecovered(String key) {
            told.add("recovered");
        }

        @Override
        public void onChanged(String key, int attempt) {
            told.add("changed " + attempt);
        }
    };

    WriteContext context(Strategy strategy) {
        return context(strategy, WriteContext.Locking.AS_THE_STORE_CAN, Duration.ofMinutes(1));
    }

    WriteContext context(Strategy strategy, WriteContext.Locking locking, Duration patience) {
        return new WriteContext(
                store,
                "",
                Runs.context(store, new ValueCache(1000), listener),
                ShardWritePolicy.defaults().withStrategy(strategy),
                Durability.ATOMIC,
                locking,
                patience);
    }

    String get() {
        return store.get("k").map(String::new).orElse("absent");
    }

    @AfterEach
    void locksAndSnapshotsAreLetGo() {
        assertEquals(store.locked.get(), store.unlocked.get());
        assertEquals(store.opened.get(), store.closed.get());
    }

    static Piece literal(String text) {
        return new Piece.Literal(Bytes.of(text.getBytes()));
    }

    /** Appends by the policy: a patch, or a rewrite that says nothing. */
    static Plan<Edit> append(ShardWritePolicy policy, String text) {
        return Runs.text(Source.stored("k"), ByteRange.whole()).map(old -> {
            if (old.equals("absent")) {
                return Edit.replace(Bytes.of(text.getBytes()));
            } else if (policy.strategy() == Strategy.REWRITE) {
                return new Edit.Replace(List.of(new Piece.Copied(0, old.length()), literal(text)));
            }
            return new Edit.Patch(
                    old.length(),
                    List.of(literal(text)),
                    List.of(),
                    Edit.Recovery.LAST_INDEX,
                    Strategy.APPEND,
                    Optional.empty());
        });
    }

    /** Appends "!", and can say where the object ends: behind its last "!". */
    static final ObjectChange APPEND = new ObjectChange() {
        @Override
        public Plan<Edit> plan(ShardWritePolicy policy) {
            return append(policy, "!");
        }

        @Override
        public Plan<OptionalLong> lastValidEnd() {
            return Runs.text(Source.stored("k"), ByteRange.whole())
                    .map(s -> s.contains("!") ? OptionalLong.of(s.lastIndexOf('!') + 1) : OptionalLong.empty());
        }
    };

    void canPatch() {
        store.abilities = Set.of(Writes.class, Locks.class, Patches.class);
    }
}
