package dev.shardkit.engine;

import dev.shardkit.spi.codec.Edit;
import dev.shardkit.spi.codec.Piece;
import dev.shardkit.spi.codec.WritePolicy;
import dev.shardkit.spi.error.Place;
import dev.shardkit.spi.error.StoreException;
import dev.shardkit.spi.error.UnsupportedException;
import dev.shardkit.spi.error.ZarrException;
import dev.shardkit.spi.plan.Plan;
import dev.shardkit.spi.plan.Unit;
import dev.shardkit.store.Ability;
import dev.shardkit.store.FarReads;
import dev.shardkit.store.Locks;
import dev.shardkit.store.NearReads;
import dev.shardkit.store.ObjectChangedException;
import dev.shardkit.store.Patches;
import dev.shardkit.store.Snapshot;
import dev.shardkit.store.StoreAccess;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongFunction;
import java.util.function.Supplier;

/**
 * Changes one stored object: acquires the lock, recovers from a crash, reads, applies the edit, releases the lock. For
 * stores without locks but with conditional puts, see {@link ConditionalEdit}. Blocking; called on any thread.
 */
public final class Edits {
    private static final int ATTEMPTS = 5;

    private final Engine engine;
    private final EncodedBytes encoded;

    /** Runs the plans of edits on {@code engine}. */
    public Edits(Engine engine) {
        this(engine, EncodedBytes.OF_PROCESS);
    }

    /** Limits the memory of edits to {@code encoded}. */
    Edits(Engine engine, EncodedBytes encoded) {
        this.engine = engine;
        this.encoded = encoded;
    }

    /**
     * Changes the object under {@code key}.
     *
     * @param change describes the change; it reads the current object while the lock is held
     */
    public void change(String key, Change change, WriteContext context) {
        if (context.store().reads() instanceof FarReads) {
            new FarEdits(engine, encoded, context).run(1, i -> key, i -> change, made -> {});
            return;
        }
        try {
            if (context.locking() == WriteContext.Locking.NONE) {
                reserved(change, counted -> attempts(key, counted, context));
            } else if (can(context, Locks.class)) {
                underLock(key, change, context);
            } else if (access(context).putsUnderConditions()) {
                reserved(change, counted -> new ConditionalEdit(engine, key, counted, context).run());
            } else {
                throw unguarded(key, context);
            }
        } catch (IOException e) {
            throw Failures.rethrow(Failures.ofStore(e, context.reading().array(), Place.of(key), ""));
        } catch (CallersException e) {
            throw Failures.rethrow(e.own());
        }
    }

    static ZarrException unguarded(String key, WriteContext context) {
        return new UnsupportedException(
                        "the store " + context.store().describe() + " has neither locks nor conditional "
                                + "puts, which concurrent writers need: only the owner of the shards "
                                + "can write there (Ownership.OWNED)")
                .locate(Optional.of(context.reading().array()), Optional.of(Place.of(key)), Optional.empty());
    }

    /** Applies a change. */
    @FunctionalInterface
    private interface Carrying {
        void out(Change change) throws IOException;
    }

    /** Applies a change while there is memory for its encoded bytes. */
    private void reserved(Change change, Carrying carrying) throws IOException {
        if (change.weight() == 0 || EncodedBytes.isReserving()) {
            carrying.out(change);
            return;
        }
        try (EncodedBytes.Share share = encoded.reserve(change.weight())) {
            carrying.out(new Counted(change, share));
        }
    }

    /** A change that records the memory of its encoded bytes. */
    private record Counted(Change change, EncodedBytes.Share share) implements Change {
        @Override
        public Plan<Edit> plan(WritePolicy policy) {
            return change.plan(policy).map(edit -> {
                share.holds(edit);
                return edit;
            });
        }

        @Override
        public Plan<OptionalLong> lastValidEnd() {
            return change.lastValidEnd();
        }
    }

    @SuppressWarnings("try")
    private void underLock(String key, Change change, WriteContext context) throws IOException {
        try (Locks.Lock held =
                ofStore(key, context, () -> access(context).lock(context.array(), key, context.patience()))) {
            // Reserved after the lock was acquired: a caller that waits for a slow lock holds no memory, and a caller
            // that holds memory also holds its lock.
            reserved(change, counted -> {
                ofStore(key, context, () -> {
                    context.guard().check(held.generation());
                    return Unit.UNIT;
                });
                recover(key, counted, context);
                attempts(key, counted, context);
            });
        }
    }

    /** Runs a plan with a writer's view: it keeps nothing open and notifies no listener. */
    public <T> T look(Supplier<Plan<T>> plan, NearReads reads, ReadContext reading) {
        return engine.call(plan, reading.quiet().with(WritersView.locked(reads)));
    }

    /** Whether {@link #alone} can exclude other writers. */
    public static boolean canBeAlone(WriteContext context) {
        return context.locking() == WriteContext.Locking.AS_THE_STORE_CAN && can(context, Locks.class);
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
        Locks.Lock held = ofStore(name, context, () -> access(context).lock(context.array(), name, context.patience()));
        try (Locks.Lock closed = held) {
            return body.get();
        } catch (IOException e) {
            throw Failures.rethrow(Failures.ofStore(e, context.reading().array(), Place.of(name), ""));
        }
    }

    private void attempts(String key, Change change, WriteContext context) {
        WritePolicy policy = can(context, Patches.class)
                ? context.policy()
                : context.policy().withStrategy(WritePolicy.Strategy.REWRITE);
        attempts(key, change, policy, context);
    }

    private void attempts(String key, Change change, WritePolicy policy, WriteContext context) {
        try {
            for (int attempt = 1; !changed(key, change, policy, context, attempt); attempt++) {
                context.reading().listener().onChanged(key, attempt);
            }
        } catch (PatchRefused e) {
            // Other writers may exist beside an owner, and a rewrite would lose their changes.
            boolean shared = context.locking() == WriteContext.Locking.AS_THE_STORE_CAN;
            if (!shared || policy.strategy() == WritePolicy.Strategy.REWRITE) {
                throw Failures.rethrow(
                        Failures.ofStore(e.getCause(), context.reading().array(), Place.of(key), ""));
            }
            context.reading()
                    .listener()
                    .onFallback(
                            key,
                            context.policy().strategy(),
                            WritePolicy.Strategy.REWRITE,
                            e.getCause().getMessage());
            attempts(key, change, policy.withStrategy(WritePolicy.Strategy.REWRITE), context);
        }
    }

    /** The store refused to patch this object; nothing was touched. */
    private static final class PatchRefused extends RuntimeException {
        private static final long serialVersionUID = 1L;

        PatchRefused(UnsupportedException cause) {
            super(cause);
        }
    }

    /**
     * Changes many objects concurrently; the calling thread takes part. After a failure no further change begins, and
     * finished changes are kept. No thread holds more than one lock.
     *
     * @param key the key of object i
     * @param change the change of object i
     */
    public void changeAll(long count, LongFunction<String> key, LongFunction<Change> change, WriteContext context) {
        AtomicLong done = new AtomicLong();
        if (count > 0 && context.store().reads() instanceof FarReads) {
            new FarEdits(engine, encoded, context).run(count, key, change, one -> {
                one.carriedOut();
                context.reading().listener().onProgress(done.incrementAndGet(), count);
            });
            return;
        }
        Jobs.run(
                count,
                i -> {
                    Change one = change.apply(i);
                    change(key.apply(i), one, context);
                    one.carriedOut();
                    context.reading().listener().onProgress(done.incrementAndGet(), count);
                },
                engine.workers().parallelism(),
                engine.workers().calls());
    }

    private void recover(String key, Change change, WriteContext context) {
        if (!can(context, Patches.class)) {
            return;
        }
        Patches.Recovered found = ofStore(key, context, () -> patches(context).recover(context.array(), key));
        if (found == Patches.Recovered.CUT_SHORT) {
            OptionalLong end =
                    engine.run(change::lastValidEnd, context.reading().with(view(context)));
            long size = end.orElseThrow(() -> new StoreException(
                            "an append to " + key + " was interrupted, and it holds no valid " + "index")
                    .locate(Optional.of(context.reading().array()), Optional.of(Place.of(key)), Optional.empty()));
            Edit.Patch cut = new Edit.Patch(
                    size,
                    List.of(),
                    List.of(),
                    Edit.Recovery.LAST_INDEX,
                    WritePolicy.Strategy.APPEND,
                    Optional.empty());
            ofStore(key, context, () -> {
                patches(context).patch(context.array(), key, cut, context.durability());
                return Unit.UNIT;
            });
        }
        if (found != Patches.Recovered.NOTHING) {
            context.reading().listener().onRecovered(key);
        }
    }

    static boolean can(WriteContext context, Class<? extends Ability> ability) {
        return context.store().can(ability);
    }

    static StoreAccess access(WriteContext context) {
        return StoreAccess.to(context.store());
    }

    private static Patches patches(WriteContext context) {
        return context.store().need(Patches.class, "writing in place");
    }

    private static NearReads near(WriteContext context) {
        return (NearReads) context.store().reads();
    }

    /** Returns the view for a writer's plans. */
    private static WritersView view(WriteContext context) {
        return context.locking() == WriteContext.Locking.NONE
                ? WritersView.owned(near(context))
                : WritersView.locked(near(context));
    }

    /** Returns the same view, with the object that is changed already open. */
    private static ReadContext view(WriteContext context, String key, Old old) {
        WritersView.Confirming confirming =
                context.locking() == WriteContext.Locking.NONE ? WritersView.Confirming.NO : WritersView.Confirming.YES;
        return context.reading().with(view(context).having(key, old.snapshot(), confirming));
    }

    /** Makes one attempt; returns false if the object changed after the plan had read it. */
    private boolean changed(String key, Change change, WritePolicy policy, WriteContext context, int attempt) {
        try (Old old = new Old(ofStore(key, context, () -> near(context).openToChange(key)))) {
            Edit edit = engine.once(() -> change.plan(policy), view(context, key, old));
            ofStore(key, context, () -> {
                boolean shared = context.locking() == WriteContext.Locking.AS_THE_STORE_CAN;
                if (shared && needsOld(edit) && !old.version().equals(currentVersion(key, context))) {
                    throw new ObjectChangedException(
                            "expected " + old.version() + ", found another: another program writes without the lock");
                }
                carryOut(key, edit, old.snapshot(), context);
                return Unit.UNIT;
            });
            return true;
        } catch (ObjectChangedException e) {
            if (attempt == ATTEMPTS) {
                throw e;
            }
            return false;
        }
    }

    /** Runs a call of the store and adds the place to failures. */
    static <V> V ofStore(String key, WriteContext context, StoreCall<V> call) {
        try {
            return call.run();
        } catch (PatchRefused e) {
            throw e;
        } catch (Throwable e) {
            throw Failures.rethrow(Failures.ofStore(e, context.reading().array(), Place.of(key), ""));
        }
    }

    interface StoreCall<V> {
        V run() throws IOException;
    }

    /** The object before the change. */
    record Old(Optional<Snapshot> snapshot) implements AutoCloseable {
        Pins.Seen version() {
            return snapshot.isPresent() ? Pins.Seen.of(snapshot.map(Snapshot::version)) : Pins.Seen.ABSENT;
        }

        @Override
        public void close() {
            try {
                if (snapshot.isPresent()) {
                    snapshot.get().close();
                }
            } catch (IOException | RuntimeException e) {
                // the change has succeeded, or has failed with a more useful error
                System.getLogger("dev.shardkit.engine").log(System.Logger.Level.DEBUG, "closing an object failed", e);
            }
        }
    }

    private static boolean needsOld(Edit edit) {
        return edit instanceof Edit.Patch
                || (edit instanceof Edit.Replace r && r.pieces().stream().anyMatch(p -> p instanceof Piece.Moved));
    }

    private static Pins.Seen currentVersion(String key, WriteContext context) throws IOException {
        Optional<String> version = near(context).version(key);
        return version.isPresent() ? Pins.Seen.of(version) : Pins.Seen.ABSENT;
    }

    private static void carryOut(String key, Edit edit, Optional<Snapshot> old, WriteContext context)
            throws IOException {
        StoreAccess store = access(context);
        if (edit instanceof Edit.Absent) {
            if (store.delete(key)) {
                context.reading().listener().onDelete(key);
            }
        } else if (edit instanceof Edit.Replace r) {
            store.put(key, new PieceContent(r, old), context.durability());
            tell(key, WritePolicy.Strategy.REWRITE, r.size(), r.instead(), old.isPresent(), context);
        } else if (edit instanceof Edit.Patch p) {
            try {
                patches(context).patch(context.array(), key, p, context.durability());
            } catch (UnsupportedException e) {
                throw new PatchRefused(e);
            }
            tell(key, p.strategy(), p.written(), p.instead(), true, context);
        }
    }

    static void tell(
            String key,
            WritePolicy.Strategy taken,
            long bytes,
            Optional<String> instead,
            boolean changed,
            WriteContext context) {
        WritePolicy.Strategy wanted = context.policy().strategy();
        Optional<String> reason = can(context, Patches.class) || !changed || wanted == taken
                ? instead
                : Optional.of("the store " + context.store().describe() + " cannot change objects in place");
        reason.ifPresent(r -> context.reading().listener().onFallback(key, wanted, taken, r));
        context.reading().listener().onWrite(key, taken, bytes);
    }
}
