package dev.shardkit.engine;

import dev.shardkit.spi.codec.Edit;
import dev.shardkit.spi.codec.WritePolicy;
import dev.shardkit.spi.error.Place;
import dev.shardkit.spi.error.StoreException;
import dev.shardkit.spi.plan.Plan;
import dev.shardkit.spi.plan.Unit;
import dev.shardkit.store.BlockingWrites;
import dev.shardkit.store.Condition;
import dev.shardkit.store.Content;
import dev.shardkit.store.FarReads;
import dev.shardkit.store.ObjectChangedException;
import dev.shardkit.store.Outcome;
import dev.shardkit.store.Writes;
import java.util.Optional;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Changes one object of a far store without blocking a thread: the plan reads and pins the object, workers encode, and
 * the content is put if the object is unchanged. A writer that loses the race plans again after a random pause
 * ({@link Patience}). If the answer to a put is lost, a read shows whether it was made. The steps follow one another;
 * each runs on the thread that completes the previous one.
 *
 * <p>{@link ConditionalEdit} does the same for near stores and says why there are two classes.
 */
final class FarEdit {
    /** Whether the put is conditional. */
    enum Guard {
        /** Other writers may change the object: put only if it is unchanged. */
        CONDITION,
        /** The object is locked, or has one owner. */
        NONE
    }

    private final Engine engine;
    private final String key;
    private final Change change;
    private final WriteContext context;
    private final Guard guard;
    private final Consumer<Edit> encoded;
    private final Writes writes;
    private final FarReads reads;
    private final Patience patience;
    private final CompletableFuture<Unit> done = new CompletableFuture<>();
    /** The current step; guarded by this object. */
    private @Nullable CompletableFuture<?> step;
    /** Whether the step changes the object without a condition; guarded by this object. */
    private boolean changing;
    /** Whether no further step may begin; guarded by this object. */
    private boolean cancelled;

    FarEdit(Engine engine, String key, Change change, WriteContext context, Guard guard, Consumer<Edit> encoded) {
        this.engine = engine;
        this.key = key;
        this.change = change;
        this.context = context;
        this.guard = guard;
        this.encoded = encoded;
        this.writes = context.store().need(Writes.class, "changing an object");
        this.reads = new ConfirmingReads(((FarReads) context.store().reads()).forWriters());
        this.patience = new Patience(context.patience());
    }

    /** Calls {@code ended} at the end, with the failure or null; to be registered before {@link #start}. */
    void whenEnded(Consumer<@Nullable Throwable> ended) {
        done.whenComplete((value, thrown) -> end());
        done.whenComplete((value, thrown) -> ended.accept(thrown));
    }

    /** Starts the edit. Throws nothing. */
    void start() {
        attempt();
    }

    /**
     * Ends the edit after its current step. A change without a condition is awaited, not cancelled: a request that was
     * sent cannot be taken back, and after the lock is free it would overwrite the next writer's change.
     */
    void cancel() {
        synchronized (this) {
            cancelled = true;
            if (changing) {
                return;
            }
        }
        done.cancel(true);
    }

    private void attempt() {
        try {
            read();
        } catch (Throwable e) {
            fail(e);
        }
    }

    private void read() {
        ReadContext reading = context.reading().revalidating().with(reads);
        WritePolicy policy = context.policy().withStrategy(WritePolicy.Strategy.REWRITE);
        Supplier<Plan<Edit>> plan = () -> writes.copiesRanges()
                ? change.plan(policy)
                : change.plan(policy).then(edit -> MovedPieces.read(key, edit));
        Execution<Edit> run = new Rounds<>(plan, reading).next(engine.workers());
        follow(run.start(), edit -> {
            encoded.accept(edit);
            carryOut(edit, run.seen(key).orElse(null));
        });
    }

    private void carryOut(Edit edit, Pins.@Nullable Seen seen) {
        if (edit instanceof Edit.Keep) {
            Completions.complete(done, Unit.UNIT);
        } else if (edit instanceof Edit.Absent) {
            delete(seen);
        } else if (edit instanceof Edit.Replace r) {
            put(r, seen);
        } else {
            throw new IllegalStateException("expected a rewrite of " + key + ", found a patch");
        }
    }

    private void delete(Pins.@Nullable Seen seen) {
        if (Pins.Seen.ABSENT.equals(seen)) {
            Completions.complete(done, Unit.UNIT);
            return;
        }
        Condition condition = condition(seen);
        followChange(() -> writes.delete(key, condition), outcome -> {
            if (outcome instanceof Outcome.Unknown unknown) {
                again(unknown.why());
            } else if (outcome instanceof Outcome.NotMet) {
                again(new ObjectChangedException("not the version that was read"));
            } else {
                if (outcome instanceof Outcome.Done) {
                    context.reading().listener().onDelete(key);
                }
                Completions.complete(done, Unit.UNIT);
            }
        });
    }

    private void put(Edit.Replace edit, Pins.@Nullable Seen seen) {
        Content content = MovedPieces.content(
                key, edit, seen == null ? null : seen.version().orElse(null));
        Condition condition = condition(seen);
        boolean changed = seen != null && seen.exists();
        followChange(() -> writes.put(key, content, condition, context.durability()), outcome -> {
            if (outcome instanceof Outcome.Unknown unknown) {
                look(edit, content, changed, unknown.why());
            } else if (outcome instanceof Outcome.NotMet) {
                again(new ObjectChangedException("not the version that was read"));
            } else {
                made(edit, changed);
            }
        });
    }

    private void made(Edit.Replace edit, boolean changed) {
        context.written(key, WritePolicy.Strategy.REWRITE, edit.size(), edit.instead(), changed);
        Completions.complete(done, Unit.UNIT);
    }

    /** Reads whether the stored object is the one that was put. If not, changes the stored object. */
    private void look(Edit.Replace edit, Content content, boolean changed, Throwable why) {
        ReadContext reading = context.reading().revalidating().quiet().with(reads);
        follow(engine.start(() -> MovedPieces.isStored(key, content), reading), ours -> {
            if (ours) {
                made(edit, changed);
            } else {
                again(why);
            }
        });
    }

    private Condition condition(Pins.@Nullable Seen seen) {
        if (guard == Guard.NONE || seen == null) {
            return Condition.ANY; // nothing is kept of an object that was not read
        } else if (!seen.exists()) {
            return Condition.ABSENT;
        }
        return Condition.version(seen.version()
                .orElseThrow(
                        () -> new StoreException("the store " + context.store().describe()
                                + " does not report a version of " + key + ", so a conditional change is impossible")));
    }

    /** Makes a change; a store with blocking writes is called on a thread that may wait. */
    private CompletableFuture<Outcome> change(Supplier<CompletionStage<Outcome>> call) {
        if (!(writes instanceof BlockingWrites)) {
            return call.get().toCompletableFuture();
        }
        return engine.workers().async(() -> call.get().toCompletableFuture().join());
    }

    private void again(Throwable why) {
        if (isCancelled()) {
            done.cancel(true);
            return;
        }
        Optional<Long> pause = patience.pause();
        if (pause.isEmpty()) {
            fail(new StoreException(patience.lost(), why));
            return;
        }
        context.reading().listener().onChanged(key, patience.attempts());
        CompletableFuture.delayedExecutor(
                        pause.get(), TimeUnit.NANOSECONDS, engine.workers().calls())
                .execute(() -> {
                    if (!done.isDone()) {
                        attempt();
                    }
                });
    }

    private interface Next<T> {
        void with(T value);
    }

    /** Makes a change and continues with its outcome. */
    private void followChange(Supplier<CompletionStage<Outcome>> call, Next<Outcome> next) {
        synchronized (this) {
            changing = guard == Guard.NONE && !cancelled;
        }
        if (isCancelled()) {
            done.cancel(true);
            return;
        }
        CompletableFuture<Outcome> change;
        try {
            change = change(call);
        } catch (Throwable e) {
            changed();
            throw e;
        }
        follow(change, next);
    }

    private synchronized void changed() {
        changing = false;
    }

    private synchronized boolean isCancelled() {
        return cancelled && !changing;
    }

    /** Continues with the value of {@code future}. */
    private <T> void follow(CompletableFuture<T> future, Next<T> next) {
        synchronized (this) {
            step = future;
        }
        if (isCancelled()) {
            done.cancel(true);
        }
        if (done.isDone()) {
            end();
        }
        future.whenComplete((value, thrown) -> stepped(value, thrown, next));
    }

    /** Accepts the end of a step. Throws nothing: the edit would never end. */
    private <T> void stepped(T value, @Nullable Throwable thrown, Next<T> next) {
        changed();
        try {
            if (thrown == null) {
                next.with(value);
                return;
            }
            Throwable own = Failures.unwrap(thrown);
            if (own instanceof ObjectChangedException && !done.isDone()) {
                again(own);
            } else {
                fail(own);
            }
        } catch (Throwable e) {
            fail(e);
        }
    }

    /** Ends the edit. Throws nothing. */
    private void fail(Throwable thrown) {
        Throwable own = thrown;
        try {
            if (!(thrown instanceof CallersException || thrown instanceof CancellationException)) {
                own = Failures.ofStore(thrown, context.reading().array(), Place.of(key), "");
            }
        } catch (Throwable e) {
            own = e;
        }
        Completions.fail(done, own instanceof CallersException c ? c.own() : own);
    }

    private void end() {
        CompletableFuture<?> current;
        synchronized (this) {
            current = step;
        }
        if (current != null) {
            current.cancel(true);
        }
    }
}
