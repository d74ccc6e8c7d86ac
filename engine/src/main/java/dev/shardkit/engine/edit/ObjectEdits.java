package dev.shardkit.engine.edit;

import dev.shardkit.engine.error.CallersException;
import dev.shardkit.engine.error.Failures;
import dev.shardkit.engine.run.Engine;
import dev.shardkit.engine.run.ReadContext;
import dev.shardkit.engine.threads.BlockingJobs;
import dev.shardkit.engine.threads.EncodedBudget;
import dev.shardkit.engine.threads.PreparedCall;
import dev.shardkit.spi.codec.Edit;
import dev.shardkit.spi.codec.ShardWritePolicy;
import dev.shardkit.spi.error.DataLocation;
import dev.shardkit.spi.plan.NoResult;
import dev.shardkit.spi.plan.Plan;
import dev.shardkit.store.LocalReads;
import dev.shardkit.store.Locks;
import dev.shardkit.store.RemoteReads;
import dev.shardkit.store.StagedPuts;
import dev.shardkit.store.WriteOnce;
import java.io.IOException;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.function.LongFunction;
import java.util.function.Supplier;

/**
 * Changes stored objects, each under its lock if the store has locks. {@link LocalEdit} changes an object of a local
 * store, {@link ConditionalEdit} one of a local store without locks but with conditional puts, {@link RemoteEdits}
 * objects of a remote store. Blocking; called on any thread.
 */
public final class ObjectEdits {
    private final Engine engine;
    private final EncodedBudget encoded;

    /** Runs the plans of edits on {@code engine}. */
    public ObjectEdits(Engine engine) {
        this(engine, EncodedBudget.OF_PROCESS);
    }

    /** Limits the memory of edits to {@code encoded}. */
    ObjectEdits(Engine engine, EncodedBudget encoded) {
        this.engine = engine;
        this.encoded = encoded;
    }

    /**
     * Changes the object under {@code key}.
     *
     * @param change describes the change; it reads the current object while the lock is held
     */
    public void change(String key, ObjectChange change, WriteContext context) {
        if (context.store().reads() instanceof RemoteReads) {
            remoteEdits(context).run(new RemoteChangeSchedule.Wanted(1, i -> key, i -> change, done -> {}));
            return;
        }
        try {
            if (context.locking() == WriteContext.Locking.NONE) {
                reserved(change, counted -> new LocalEdit(engine, key, counted, context).run());
            } else if (context.can(Locks.class)) {
                underLock(key, change, context);
            } else if (context.access().putsUnderConditions()) {
                reserved(change, counted -> new ConditionalEdit(engine, key, counted, context).run());
            } else {
                throw context.unguarded(key);
            }
        } catch (IOException e) {
            throw Failures.rethrow(Failures.ofStore(e, context.reading().array(), DataLocation.of(key), ""));
        } catch (CallersException e) {
            throw Failures.rethrow(e.own());
        }
    }

    /** A way to apply a change, such as a {@link LocalEdit}. */
    @FunctionalInterface
    private interface Carrying {
        void apply(ObjectChange change) throws IOException;
    }

    /**
     * Applies a change while memory is reserved for its encoded bytes. Reserves nothing if the change holds none, or if
     * it is made inside another change of this thread, whose memory it could wait for.
     */
    private void reserved(ObjectChange change, Carrying applying) throws IOException {
        if (change.weight() == 0 || EncodedBudget.isReserving()) {
            applying.apply(change);
            return;
        }
        try (EncodedBudget.Reservation reservation = encoded.reserve(change.weight())) {
            applying.apply(new Counted(change, reservation));
        }
    }

    /**
     * A change that records the memory of its encoded bytes. It forwards only the methods that edits call. The others
     * are called on the wrapped change: {@link #reserved} reads its weight, and {@link #onChanged} notifies it.
     */
    private record Counted(ObjectChange change, EncodedBudget.Reservation reservation) implements ObjectChange {
        @Override
        public Plan<Edit> plan(ShardWritePolicy policy) {
            return change.plan(policy).map(edit -> {
                reservation.holds(edit);
                return edit;
            });
        }

        @Override
        public boolean isRepeatable() {
            return change.isRepeatable();
        }

        @Override
        public Plan<OptionalLong> lastValidEnd() {
            return change.lastValidEnd();
        }

        @Override
        public Optional<StagedPuts.Staged> staged(Edit edit) {
            return change.staged(edit);
        }
    }

    @SuppressWarnings("try")
    private void underLock(String key, ObjectChange change, WriteContext context) throws IOException {
        try (Locks.Lock lock =
                        context.call(key, () -> context.access().lock(context.array(), key, context.patience()));
                ThreadLocks.Held recorded = ThreadLocks.in(context.reading().array())) {
            // Reserved after the lock was acquired: a caller that waits for a slow lock holds no memory, and a caller
            // that holds memory also holds its lock.
            reserved(change, counted -> {
                context.call(key, () -> {
                    context.guard().check(lock.generation());
                    return NoResult.INSTANCE;
                });
                LocalEdit edit = new LocalEdit(engine, key, counted, context);
                edit.recover();
                edit.run();
            });
        }
    }

    /**
     * Throws {@code IllegalStateException} if the current thread holds a lock of the node at {@code location} or of a
     * node below it. This happens if a caller's feed or function starts another operation: it would wait for the lock
     * of the change that called it.
     *
     * @param doing names the operation in the message
     */
    public static void refuseOwnLock(String location, String doing) {
        if (ThreadLocks.areAtOrBelow(location)) {
            throw new IllegalStateException(doing + " inside a change of it is not possible: the change holds a lock "
                    + "until it ends; end the change first");
        }
    }

    /** Runs a plan for a caller that holds a lock: keeps no object open and notifies no listener. */
    public <T> T look(Supplier<Plan<T>> plan, LocalReads reads, ReadContext reading) {
        return engine.call(plan, reading.quiet().with(LockHolderReads.locked(reads)));
    }

    /** Returns whether {@link #alone} can exclude other writers. */
    public static boolean canBeAlone(WriteContext context) {
        return context.locking() == WriteContext.Locking.AS_THE_STORE_CAN && context.can(Locks.class);
    }

    /**
     * Runs an action while no other thread or process runs one under the same name, if the store has locks and other
     * writers are possible. Changes inside the action acquire locks of their own, so the caller must not hold such a
     * lock.
     *
     * @param name a key, which need not have an object
     */
    @SuppressWarnings("try")
    public <T> T alone(String name, WriteContext context, Supplier<T> body) {
        if (!canBeAlone(context)) {
            return body.get();
        }
        Locks.Lock lock = context.call(name, () -> context.access().lock(context.array(), name, context.patience()));
        try (Locks.Lock closed = lock) {
            return body.get();
        } catch (IOException e) {
            throw Failures.rethrow(Failures.ofStore(e, context.reading().array(), DataLocation.of(name), ""));
        }
    }

    /**
     * Changes many objects concurrently; the calling thread takes part. After a failure no further change begins, and
     * finished changes are kept. No thread holds more than one lock.
     *
     * @param key returns the key of an object, given its number from 0
     * @param change returns the change of an object, given its number from 0
     */
    public void changeAll(
            long count, LongFunction<String> key, LongFunction<ObjectChange> change, WriteContext context) {
        refuseStored(count, key, context);
        Consumer<ObjectChange> finished = onChanged(count, context);
        if (context.store().reads() instanceof RemoteReads) {
            remoteEdits(context).run(new RemoteChangeSchedule.Wanted(count, key, change, finished));
            return;
        }
        BlockingJobs.run(
                count,
                i -> {
                    ObjectChange objectChange = change.apply(i);
                    change(key.apply(i), objectChange, context);
                    finished.accept(objectChange);
                },
                engine.workers().parallelism(),
                engine.workers().calls());
    }

    /** Returns whether {@link #prepareAll} can make changes in this context: in a remote store, without locks. */
    public static boolean canStart(WriteContext context) {
        return RemoteEdits.canStart(context);
    }

    /**
     * Prepares the same changes as {@link #changeAll}, which then hold no thread; only if {@link #canStart} is true.
     * After the future was cancelled, no further change begins. Blocks only for a write-once store, while it looks for
     * stored objects.
     */
    public PreparedCall<NoResult> prepareAll(
            long count, LongFunction<String> key, LongFunction<ObjectChange> change, WriteContext context) {
        refuseStored(count, key, context);
        return remoteEdits(context)
                .prepare(new RemoteChangeSchedule.Wanted(count, key, change, onChanged(count, context)));
    }

    /** Refuses changes of a write-once store before the first one if any of the objects is stored already. */
    private void refuseStored(long count, LongFunction<String> key, WriteContext context) {
        if (!context.can(WriteOnce.class)) {
            return;
        }
        BlockingJobs.run(
                count,
                i -> {
                    String objectKey = key.apply(i);
                    context.call(objectKey, () -> {
                        if (context.access().version(objectKey).isPresent()) {
                            throw WriteOnce.refused(context.store(), objectKey);
                        }
                        return NoResult.INSTANCE;
                    });
                },
                engine.workers().parallelism(),
                engine.workers().calls());
    }

    private RemoteEdits remoteEdits(WriteContext context) {
        return new RemoteEdits(engine, encoded, context);
    }

    /** Returns a function that tells a change that it was made, and the listener how many changes were made so far. */
    private static Consumer<ObjectChange> onChanged(long count, WriteContext context) {
        AtomicLong changed = new AtomicLong();
        return change -> {
            change.carriedOut();
            context.reading().listener().onProgress(changed.incrementAndGet(), count);
        };
    }
}
