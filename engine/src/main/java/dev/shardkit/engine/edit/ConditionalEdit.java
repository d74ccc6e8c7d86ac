package dev.shardkit.engine.edit;

import dev.shardkit.engine.run.Engine;
import dev.shardkit.engine.run.ReadContext;
import dev.shardkit.spi.codec.Edit;
import dev.shardkit.spi.codec.ShardWritePolicy;
import dev.shardkit.spi.error.CorruptDataException;
import dev.shardkit.spi.error.DataLocation;
import dev.shardkit.spi.error.StoreException;
import dev.shardkit.store.Condition;
import dev.shardkit.store.LocalReads;
import dev.shardkit.store.ObjectChangedException;
import dev.shardkit.store.ObjectSnapshot;
import dev.shardkit.store.WriteResult;
import java.io.IOException;
import java.util.Optional;
import java.util.concurrent.CancellationException;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * Changes one object of a local store without locks but with conditional puts: reads, plans, and puts the object if it
 * is unchanged. A writer that loses the race retries ({@link Backoff}). Used by one thread.
 *
 * <p>{@link RemoteEdit} does the same for remote stores. There are two classes because they share almost no code. A
 * conditional edit blocks: one snapshot stays open from the first read to the put, and the put copies the kept bytes
 * from this snapshot. A remote edit holds no thread and keeps no object open. Each of its steps is a request, kept
 * bytes are read again or copied by the server, and the answer to a put can be lost.
 */
record ConditionalEdit(Engine engine, String key, ObjectChange change, WriteContext context) {
    /** Retries until the change is made, or patience expires. */
    void run() {
        Backoff backoff = new Backoff(context.patience());
        while (!tryOnce(backoff)) {
            long pause = backoff.pause().orElseThrow(() -> new StoreException(backoff.exhausted())
                    .locate(
                            Optional.of(context.reading().array()),
                            Optional.of(DataLocation.of(key)),
                            Optional.empty()));
            context.reading().listener().onChanged(key, backoff.attempts());
            LockSupport.parkNanos(pause);
            if (Thread.currentThread().isInterrupted()) {
                throw new CancellationException("interrupted");
            }
        }
    }

    /** Runs one attempt. Returns false if another writer changed the object first. */
    private boolean tryOnce(Backoff backoff) {
        try (OldObject old =
                new OldObject(context.call(key, () -> reads().open(key)).orElse(null))) {
            ShardWritePolicy policy = context.policy().withStrategy(ShardWritePolicy.Strategy.REWRITE);
            ReadContext writersReads = context.reading().with(LockHolderReads.pinned(reads(), key, old.snapshot()));
            Edit edit = engine.run(() -> change.plan(policy), writersReads);
            if (backoff.attempts() > 0 || context.guard().checksEach() && !(edit instanceof Edit.Keep)) {
                context.guard().checkAgain(); // another writer may have replaced the array
            }
            return context.call(key, () -> put(edit, old.snapshot()));
        } catch (ObjectChangedException e) {
            return false;
        } catch (CorruptDataException e) {
            context.guard().checkAgain(); // a shard of another array looks corrupt
            throw e;
        }
    }

    private LocalReads reads() {
        return (LocalReads) context.store().reads();
    }

    /** Carries out an edit if the object is unchanged. Returns false if another writer changed it first. */
    private boolean put(Edit edit, @Nullable ObjectSnapshot old) throws IOException {
        Condition condition = old == null ? Condition.ABSENT : Condition.version(old.version());
        if (edit instanceof Edit.Keep) {
            return true;
        } else if (edit instanceof Edit.Delete) {
            boolean isAbsent = old == null || isMade(context.access().delete(key, condition), old);
            if (isAbsent && old != null) {
                context.reading().listener().onDelete(key);
            }
            return isAbsent;
        } else if (edit instanceof Edit.Replace replace) {
            PieceContent content = new PieceContent(replace, old);
            WriteResult outcome = context.access().put(key, content, condition, context.durability());
            if (outcome instanceof WriteResult.Unknown unknown && !change.isRepeatable()) {
                throw context.unknown(unknown);
            }
            boolean isStored = isMade(outcome, old);
            if (isStored) {
                context.written(
                        key, ShardWritePolicy.Strategy.REWRITE, replace.size(), replace.fallbackReason(), old != null);
            }
            return isStored;
        }
        throw new IllegalStateException("expected a rewrite of " + key + ", found a patch");
    }

    /**
     * Returns whether a change was made. If false, another writer has changed the object, and the change is planned
     * again. Throws if the answer was lost and the object is unchanged: the store has already used up its retries.
     */
    private boolean isMade(WriteResult outcome, @Nullable ObjectSnapshot old) throws IOException {
        if (!(outcome instanceof WriteResult.Unknown unknown)) {
            return !(outcome instanceof WriteResult.NotMet);
        }
        if (reads().version(key).equals(Optional.ofNullable(old).map(ObjectSnapshot::version))) {
            throw new StoreException(unknown.cause().getMessage(), unknown.cause());
        }
        return false;
    }
}
