package dev.shardkit.engine.edit;

import dev.shardkit.engine.error.CallersException;
import dev.shardkit.engine.error.Failures;
import dev.shardkit.engine.run.Engine;
import dev.shardkit.engine.run.PinnedVersions;
import dev.shardkit.engine.run.PlanExecution;
import dev.shardkit.engine.run.ReadContext;
import dev.shardkit.engine.threads.CallFuture;
import dev.shardkit.outofmemory.Completions;
import dev.shardkit.spi.codec.Edit;
import dev.shardkit.spi.codec.ShardWritePolicy;
import dev.shardkit.spi.error.CorruptDataException;
import dev.shardkit.spi.error.DataLocation;
import dev.shardkit.spi.error.MetadataException;
import dev.shardkit.spi.error.StoreException;
import dev.shardkit.spi.plan.NoResult;
import dev.shardkit.spi.plan.Plan;
import dev.shardkit.store.BlockingWrites;
import dev.shardkit.store.Condition;
import dev.shardkit.store.Content;
import dev.shardkit.store.ObjectChangedException;
import dev.shardkit.store.RemoteReads;
import dev.shardkit.store.WriteResult;
import dev.shardkit.store.Writes;
import java.util.Optional;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Changes one object of a remote store without blocking a thread. {@link ConditionalEdit} does the same for local
 * stores and says why there are two classes. The steps of an edit:
 *
 * <ol>
 *   <li>A run reads and pins the object, and plans the edit on workers. A value that an earlier call has cached is
 *       confirmed by a request first, however fresh it is.
 *   <li>Encoded bytes that move inside the object are read too, unless the store copies ranges.
 *   <li>The store puts the new content under a condition: the version that the run has seen, or absence if there was no
 *       object. A run that read nothing puts without a condition.
 *   <li>A writer that loses the race plans again after a random pause ({@link Backoff}). After it has read the object
 *       again and before it puts the new content, it checks the version of the node's document (one request), because
 *       the winner may have replaced the array by another one. It checks the document too if an object does not decode,
 *       so the error says that the array was replaced.
 *   <li>If the answer to a put is lost, the store retries the put. If the retry is refused, the id that the store
 *       writes to the object's metadata shows whether the first attempt succeeded. If the id does not decide this, the
 *       edit reads the object ({@link #verifyLostAnswer}). A change that must not be made twice ({@link #mustBeOnce})
 *       fails with an {@link dev.shardkit.spi.error.UnknownOutcomeException} instead.
 * </ol>
 *
 * <p>Each step runs on the thread that completes the previous one. A cancelled edit ends with its current step: a read
 * of elements stops soon, and a change that was sent is awaited, because it would otherwise overwrite the change of a
 * later writer.
 */
final class RemoteEdit {
    /** Continues with the value of a step. */
    private interface Next<T> {
        void accept(T value);
    }

    /** Whether the put is conditional. */
    enum Guard {
        /** Other writers may change the object: put only if it is unchanged. */
        CONDITION,
        /** The object is locked, or has one owner. */
        NONE
    }

    private final Engine engine;
    private final String key;
    private final ObjectChange change;
    private final WriteContext context;
    private final Guard guard;
    /** Receives each planned edit, so that the memory of its encoded bytes is counted. */
    private final Consumer<Edit> encoded;

    private final Writes writes;
    private final RemoteReads reads;
    private final Backoff backoff;
    private final CompletableFuture<NoResult> future = new CompletableFuture<>();
    /** The current step; guarded by this object. */
    private @Nullable CompletableFuture<?> step;
    /** Whether the step changes the object; guarded by this object. */
    private boolean changing;
    /** Whether no further step may begin; guarded by this object. */
    private boolean cancelled;
    /**
     * Whether a put or delete was refused or its answer was lost, or the object changed between two reads. From then on
     * each attempt checks the node before it changes the object. No lock: the steps follow one another.
     */
    private volatile boolean raced;
    /**
     * Tells, after a step has met a changed object, whether another writer changed it during the current attempt. If no
     * answer of the attempt has shown the object, the change only proves that a cached value was old.
     */
    private volatile BooleanSupplier isRaced = () -> true;

    RemoteEdit(
            Engine engine, String key, ObjectChange change, WriteContext context, Guard guard, Consumer<Edit> encoded) {
        this.engine = engine;
        this.key = key;
        this.change = change;
        this.context = context;
        this.guard = guard;
        this.encoded = encoded;
        this.writes = context.store().need(Writes.class, "changing an object");
        this.reads = new RevalidatingReads(((RemoteReads) context.store().reads()).forWriters());
        this.backoff = new Backoff(context.patience());
    }

    /** Calls {@code ended} at the end, with the failure or null; to be registered before {@link #start}. */
    void whenEnded(Consumer<@Nullable Throwable> ended) {
        future.whenComplete((value, thrown) -> ended.accept(thrown));
    }

    /** Starts the edit. Throws nothing. */
    void start() {
        attempt();
    }

    /** Cancels the edit: it begins no further step, and its current step is stopped unless it changes the object. */
    void cancel() {
        CompletableFuture<?> current;
        synchronized (this) {
            cancelled = true;
            current = changing ? null : step;
        }
        if (current != null) {
            CallFuture.stop(current, cancellation());
        }
    }

    private static CancellationException cancellation() {
        return new CancellationException("cancelled");
    }

    private void attempt() {
        try {
            read();
        } catch (Throwable e) {
            fail(e);
        }
    }

    /** Begins the first step: a run that reads the object and plans the edit. */
    private void read() {
        ReadContext reading = context.reading().revalidating().with(reads);
        ShardWritePolicy policy = context.policy().withStrategy(ShardWritePolicy.Strategy.REWRITE);
        Supplier<Plan<Edit>> plan = () -> writes.copiesRanges()
                ? change.plan(policy)
                : change.plan(policy).then(edit -> ReusedRanges.read(key, edit));
        PlanExecution<Edit> run = engine.attempt(plan, reading);
        isRaced = () -> run.isConfirmed(key);
        begin(run::start, edit -> {
            isRaced = () -> true;
            encoded.accept(edit);
            PinnedVersions.Seen state = run.seen(key).orElse(null);
            boolean checks = raced || context.guard().checksEach() && !(edit instanceof Edit.Keep);
            if (guard == Guard.CONDITION && checks) {
                begin(this::checkNode, unchanged -> apply(edit, state));
            } else {
                apply(edit, state);
            }
        });
    }

    /** Checks that the node is the same. The check may wait, so it has a thread of its own. */
    private CompletableFuture<NoResult> checkNode() {
        return engine.workers().async(() -> {
            context.guard().checkAgain();
            return NoResult.INSTANCE;
        });
    }

    /** Fails with {@code corrupt}, or says that the node was replaced: a shard of another array looks corrupt. */
    private void failCorrupt(Throwable corrupt) {
        begin(
                () -> checkNode()
                        .<Throwable>handle((unchanged, thrown) ->
                                Failures.unwrap(thrown) instanceof MetadataException replaced ? replaced : corrupt),
                this::fail);
    }

    private void apply(Edit edit, PinnedVersions.@Nullable Seen state) {
        if (edit instanceof Edit.Keep) {
            complete();
        } else if (edit instanceof Edit.Delete) {
            delete(state);
        } else if (edit instanceof Edit.Replace r) {
            put(r, state);
        } else {
            throw new IllegalStateException("expected a rewrite of " + key + ", found a patch");
        }
    }

    private void delete(PinnedVersions.@Nullable Seen state) {
        if (PinnedVersions.Seen.ABSENT.equals(state)) {
            complete();
            return;
        }
        Condition condition = condition(state);
        beginChange(() -> send(() -> writes.delete(key, condition)), outcome -> {
            if (outcome instanceof WriteResult.Unknown unknown) {
                verifyLostAnswer(ReusedRanges.isAbsent(key), this::complete, state, unknown.cause());
            } else if (outcome instanceof WriteResult.NotMet) {
                retryAfterLostRace();
            } else {
                if (outcome instanceof WriteResult.Done) {
                    context.reading().listener().onDelete(key);
                }
                complete();
            }
        });
    }

    private void put(Edit.Replace edit, PinnedVersions.@Nullable Seen state) {
        Content content = ReusedRanges.content(
                key, edit, state == null ? null : state.version().orElse(null));
        Condition condition = condition(state);
        boolean changed = state != null && state.exists();
        boolean once = mustBeOnce();
        beginChange(() -> send(() -> put(content, condition, once)), outcome -> {
            if (outcome instanceof WriteResult.Unknown unknown && once) {
                fail(context.unknown(unknown));
            } else if (outcome instanceof WriteResult.Unknown unknown) {
                verifyLostAnswer(
                        ReusedRanges.isStored(key, content),
                        () -> reportWritten(edit, changed),
                        state,
                        unknown.cause());
            } else if (outcome instanceof WriteResult.NotMet) {
                retryAfterLostRace();
            } else {
                reportWritten(edit, changed);
            }
        });
    }

    /**
     * Returns whether the change must not be made twice. A single owner can tell from the content whether its put was
     * made; of several writers, another may have put equal content. For example, two writers that increment a counter
     * put the same document. So the store decides ({@link Writes#putExactlyOnce}).
     */
    private boolean mustBeOnce() {
        return guard == Guard.CONDITION && !change.isRepeatable();
    }

    private CompletionStage<WriteResult> put(Content content, Condition condition, boolean once) {
        return once
                ? writes.putExactlyOnce(key, content, condition, context.durability())
                : writes.put(key, content, condition, context.durability());
    }

    private void reportWritten(Edit.Replace edit, boolean changed) {
        context.written(key, ShardWritePolicy.Strategy.REWRITE, edit.size(), edit.fallbackReason(), changed);
        complete();
    }

    /**
     * Reads the object after a change whose answer was lost, and compares size and bytes. If the change was not made
     * and the object still has the version that was read before, all the store's attempts have failed. Then the edit
     * fails too, because only the store retries failed requests. If another writer has changed the object, the edit is
     * planned again.
     *
     * @param isMade whether the object shows the change
     */
    private void verifyLostAnswer(
            Plan<Boolean> isMade, Runnable onMade, PinnedVersions.@Nullable Seen state, Throwable failure) {
        raced = true;
        ReadContext reading = context.reading().revalidating().quiet().with(reads);
        PlanExecution<Boolean> run = engine.attempt(() -> isMade, reading);
        begin(run::start, changeMade -> {
            if (changeMade) {
                onMade.run();
            } else if (state == null || state.equals(run.seen(key).orElse(null))) {
                fail(failure);
            } else {
                retry();
            }
        });
    }

    private Condition condition(PinnedVersions.@Nullable Seen state) {
        if (guard == Guard.NONE || state == null) {
            return Condition.ANY; // the new content depends on nothing that was read, so any version may be replaced
        } else if (!state.exists()) {
            return Condition.ABSENT;
        }
        return Condition.version(state.version()
                .orElseThrow(
                        () -> new StoreException("the store " + context.store().describe()
                                + " does not report a version of " + key + ", so a conditional change is impossible")));
    }

    /** Sends the change to the store. A store with blocking writes is called on a thread that may block. */
    private CompletableFuture<WriteResult> send(Supplier<CompletionStage<WriteResult>> call) {
        if (!(writes instanceof BlockingWrites)) {
            return call.get().toCompletableFuture();
        }
        return engine.workers().async(() -> call.get().toCompletableFuture().join());
    }

    /** Retries after another writer was first. That writer may have replaced the whole array, so it is checked. */
    private void retryAfterLostRace() {
        raced = true;
        retry();
    }

    private void retry() {
        if (endIfCancelled()) {
            return;
        }
        Optional<Long> pause = backoff.pause();
        if (pause.isEmpty()) {
            fail(new StoreException(backoff.exhausted()));
            return;
        }
        context.reading().listener().onChanged(key, backoff.attempts());
        begin(() -> pauseFor(pause.get()), elapsed -> attempt());
    }

    /** Returns a future that completes after {@code nanos}, on a call thread, where the next step may run. */
    private CompletableFuture<NoResult> pauseFor(long nanos) {
        CompletableFuture<NoResult> pause = new CompletableFuture<>();
        CompletableFuture.delayedExecutor(nanos, TimeUnit.NANOSECONDS, task -> onCallThread(task, pause))
                .execute(() -> pause.complete(NoResult.INSTANCE));
        return pause;
    }

    /** Runs a task on a call thread. If the executor rejects it, fails the pause: the edit would never end. */
    private void onCallThread(Runnable task, CompletableFuture<?> pause) {
        try {
            engine.workers().calls().execute(task);
        } catch (Throwable e) {
            pause.completeExceptionally(e);
        }
    }

    /** Handles the failure of a step. */
    private void onStepFailed(Throwable failure) {
        if (failure instanceof ObjectChangedException) {
            raced |= isRaced.getAsBoolean();
            retry();
        } else if (failure instanceof CorruptDataException && guard == Guard.CONDITION) {
            failCorrupt(failure);
        } else {
            fail(failure);
        }
    }

    /** Completes the edit exceptionally. Throws nothing. */
    private void fail(Throwable thrown) {
        Throwable failure = thrown;
        try {
            if (!(thrown instanceof CallersException || thrown instanceof CancellationException)) {
                failure = Failures.ofStore(thrown, context.reading().array(), DataLocation.of(key), "");
            }
        } catch (Throwable e) {
            failure = e;
        }
        Completions.fail(future, failure instanceof CallersException c ? c.own() : failure);
    }

    private synchronized boolean isCancelled() {
        return cancelled;
    }

    /** Completes the edit between two steps if it was cancelled. Returns whether it was cancelled. */
    private boolean endIfCancelled() {
        if (!isCancelled()) {
            return false;
        }
        Completions.fail(future, cancellation());
        return true;
    }

    /** Completes the edit successfully. */
    private void complete() {
        Completions.complete(future, NoResult.INSTANCE);
    }

    /**
     * Sends the change and continues with its result. Once the change was sent, the edit waits for the result even if
     * it is cancelled.
     */
    private <T> void beginChange(Supplier<CompletableFuture<T>> call, Next<T> next) {
        synchronized (this) {
            changing = !cancelled;
        }
        try {
            begin(call, next);
        } catch (Throwable e) {
            endChanging();
            throw e;
        }
    }

    /** Begins a step and continues with its value, unless the edit was cancelled. */
    private <T> void begin(Supplier<CompletableFuture<T>> call, Next<T> next) {
        boolean continues;
        synchronized (this) {
            continues = changing || !cancelled;
        }
        if (continues) {
            follow(call.get(), next);
        } else {
            endIfCancelled();
        }
    }

    /** Makes {@code begun} the current step, and continues when it ends. */
    private <T> void follow(CompletableFuture<T> begun, Next<T> next) {
        boolean stopNow;
        synchronized (this) {
            step = begun;
            stopNow = cancelled && !changing;
        }
        if (stopNow) {
            CallFuture.stop(begun, cancellation());
        }
        begun.whenComplete((value, thrown) -> onStepEnded(value, thrown, next));
    }

    /** Accepts the end of a step. Throws nothing: an exception would be lost, and the edit would never end. */
    private <T> void onStepEnded(T value, @Nullable Throwable thrown, Next<T> next) {
        boolean changedObject = endChanging();
        try {
            if (!changedObject && endIfCancelled()) {
                return;
            }
            if (thrown == null) {
                next.accept(value);
            } else {
                onStepFailed(Failures.unwrap(thrown));
            }
        } catch (Throwable e) {
            fail(e);
        }
    }

    /** Records the end of a step; returns whether it changed the object. */
    private synchronized boolean endChanging() {
        boolean wasChanging = changing;
        changing = false;
        return wasChanging;
    }
}
