package dev.shardkit.engine.edit;

import dev.shardkit.engine.error.Failures;
import dev.shardkit.engine.run.Engine;
import dev.shardkit.engine.run.PinnedVersions;
import dev.shardkit.engine.run.ReadContext;
import dev.shardkit.spi.codec.Edit;
import dev.shardkit.spi.codec.Piece;
import dev.shardkit.spi.codec.ShardWritePolicy;
import dev.shardkit.spi.error.DataLocation;
import dev.shardkit.spi.error.StoreException;
import dev.shardkit.spi.error.UnsupportedException;
import dev.shardkit.spi.plan.NoResult;
import dev.shardkit.store.LocalReads;
import dev.shardkit.store.ObjectChangedException;
import dev.shardkit.store.ObjectSnapshot;
import dev.shardkit.store.Patches;
import dev.shardkit.store.StagedPuts;
import dev.shardkit.store.access.BlockingStore;
import dev.shardkit.store.policy.Durability;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * Changes one object of a local store: recovers from a crash, reads, plans, and puts or patches the object. The caller
 * is in one of two states:
 *
 * <ul>
 *   <li>It holds the lock of the object. A program that ignores locks may still write. The edit therefore checks that
 *       the object has not changed since the plan read it, and otherwise plans the change again.
 *   <li>It owns the object ({@code WriteOwnership.OWNED}) and holds no lock. No other writer changes the same elements,
 *       but other owners may patch other inner chunks of the same object at the same time. So a changed version means
 *       nothing, and is not checked.
 * </ul>
 *
 * <p>Used by one thread. For stores without locks, see {@link ConditionalEdit}.
 */
record LocalEdit(Engine engine, String key, ObjectChange change, WriteContext context) {
    private static final int MAX_ATTEMPTS = 5;

    /** Stores the change, in place if the store can patch objects and the policy allows it. */
    void run() {
        run(canPatch() ? context.policy() : context.policy().withStrategy(ShardWritePolicy.Strategy.REWRITE));
    }

    /** Retries until the change is stored. Falls back to a rewrite if the store refuses to patch the object. */
    private void run(ShardWritePolicy policy) {
        try {
            Backoff backoff = new Backoff(context.patience());
            for (int attempt = 1; !tryOnce(policy, attempt, backoff); attempt++) {
                context.reading().listener().onChanged(key, attempt);
            }
        } catch (PatchRefused e) {
            // An owner does not fall back to a rewrite, which would lose the patches of other owners of this object.
            // If this attempt already was a rewrite, there is nothing to fall back to.
            if (!holdsLock() || policy.strategy() == ShardWritePolicy.Strategy.REWRITE) {
                throw Failures.rethrow(
                        Failures.ofStore(e.getCause(), context.reading().array(), DataLocation.of(key), ""));
            }
            context.reading()
                    .listener()
                    .onFallback(
                            key,
                            context.policy().strategy(),
                            ShardWritePolicy.Strategy.REWRITE,
                            e.getCause().getMessage());
            run(policy.withStrategy(ShardWritePolicy.Strategy.REWRITE));
        }
    }

    /** Completes or rolls back a patch that a crash interrupted. */
    void recover() {
        if (!canPatch()) {
            return;
        }
        Patches.Recovered recovered = context.call(key, () -> patches().recover(context.array(), key));
        if (recovered == Patches.Recovered.CUT_SHORT) {
            truncate();
        }
        if (recovered != Patches.Recovered.NOTHING) {
            context.reading().listener().onRecovered(key);
        }
    }

    /** Removes the bytes of an interrupted append, so that the object ends with its last valid index again. */
    private void truncate() {
        OptionalLong end = engine.run(change::lastValidEnd, context.reading().with(planReads()));
        long size = end.orElseThrow(() -> new StoreException(
                        "an append to " + key + " was interrupted, and it holds no valid index")
                .locate(Optional.of(context.reading().array()), Optional.of(DataLocation.of(key)), Optional.empty()));
        Edit.Patch truncation = new Edit.Patch(
                size,
                List.of(),
                List.of(),
                Edit.Recovery.LAST_INDEX,
                ShardWritePolicy.Strategy.APPEND,
                Optional.empty());
        context.call(key, () -> {
            patches().patch(context.array(), key, truncation, context.durability());
            return NoResult.INSTANCE;
        });
    }

    private boolean canPatch() {
        return context.can(Patches.class);
    }

    private Patches patches() {
        return context.store().need(Patches.class, "writing in place");
    }

    private LocalReads reads() {
        return (LocalReads) context.store().reads();
    }

    /** Returns whether the caller holds the lock of the object; otherwise it owns the object. */
    private boolean holdsLock() {
        return context.locking() == WriteContext.Locking.AS_THE_STORE_CAN;
    }

    /** Returns the reads for the plans of this edit, which open objects without waiting for locks. */
    private LockHolderReads planReads() {
        return holdsLock() ? LockHolderReads.locked(reads()) : LockHolderReads.owned(reads());
    }

    /**
     * Returns the settings for the run of the plan. Its reads of the object to change use the open snapshot. If the
     * caller holds the lock, the run confirms at its end that the snapshot has not changed.
     */
    private ReadContext planContext(OldObject old) {
        LockHolderReads.Confirming confirming =
                holdsLock() ? LockHolderReads.Confirming.YES : LockHolderReads.Confirming.NO;
        return context.reading().with(planReads().having(key, old.snapshot(), confirming));
    }

    /** Runs one attempt. Returns false if another writer changed the object after the plan had read it. */
    private boolean tryOnce(ShardWritePolicy policy, int attempt, Backoff backoff) {
        try (OldObject old = new OldObject(context.call(key, () -> open(policy)).orElse(null))) {
            Edit edit = engine.once(() -> change.plan(policy), planContext(old));
            context.call(key, () -> {
                if (holdsLock() && needsOld(edit) && !old.version().equals(currentVersion())) {
                    throw new ObjectChangedException(
                            "expected " + old.version() + ", found another: another program writes without the lock");
                }
                carryOut(edit, old.snapshot());
                return NoResult.INSTANCE;
            });
            return true;
        } catch (ObjectChangedException e) {
            if (attempt == MAX_ATTEMPTS || backoff.pause().isEmpty()) {
                throw e;
            }
            return false;
        }
    }

    /**
     * Opens the object before the change. If the caller owns the object and asks for no durability, a patch needs no
     * journal. Then the store may open the object only once, for the reads and the patch.
     */
    private Optional<? extends ObjectSnapshot> open(ShardWritePolicy policy) throws IOException {
        boolean needsNoJournal = !holdsLock()
                && context.durability() == Durability.NONE
                && policy.strategy() != ShardWritePolicy.Strategy.REWRITE;
        Optional<? extends ObjectSnapshot> owned = needsNoJournal ? patches().openOwned(key) : Optional.empty();
        return owned.isPresent() ? owned : reads().openToChange(key);
    }

    /** Returns whether the edit keeps bytes of the old object, which must then be the one that the plan has read. */
    private static boolean needsOld(Edit edit) {
        return edit instanceof Edit.Patch
                || (edit instanceof Edit.Replace r && r.pieces().stream().anyMatch(p -> p instanceof Piece.Copied));
    }

    private PinnedVersions.Seen currentVersion() throws IOException {
        Optional<String> version = reads().version(key);
        return version.isPresent() ? PinnedVersions.Seen.of(version) : PinnedVersions.Seen.ABSENT;
    }

    /** Stores the edit. Throws {@link PatchRefused} if the store cannot patch this object. */
    private void carryOut(Edit edit, @Nullable ObjectSnapshot old) throws IOException {
        BlockingStore store = context.access();
        if (edit instanceof Edit.Delete) {
            if (store.delete(key)) {
                context.reading().listener().onDelete(key);
            }
        } else if (edit instanceof Edit.Replace replace) {
            PieceContent content = new PieceContent(replace, old);
            Optional<StagedPuts.Staged> staged = change.staged(edit);
            long stagedBytes = staged.map(StagedPuts.Staged::size).orElse(0L);
            if (staged.isPresent()) {
                staged.get().put(content, context.durability());
            } else {
                store.put(key, content, context.durability());
            }
            context.written(
                    key,
                    ShardWritePolicy.Strategy.REWRITE,
                    stagedBytes + replace.size(),
                    replace.fallbackReason(),
                    old != null);
        } else if (edit instanceof Edit.Patch patch) {
            try {
                if (old instanceof Patches.Owned owned) {
                    owned.patch(patch);
                } else {
                    patches().patch(context.array(), key, patch, context.durability());
                }
            } catch (UnsupportedException e) {
                throw new PatchRefused(e);
            }
            context.written(key, patch.strategy(), patch.written(), patch.fallbackReason(), true);
        }
    }
}
