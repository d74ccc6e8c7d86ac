package dev.shardkit.engine;

import dev.shardkit.memory.Completions;
import dev.shardkit.spi.plan.Scratch;
import dev.shardkit.spi.plan.Unit;
import java.lang.ref.WeakReference;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The threads of the engine: daemons that end when idle. The process shares the workers' scratch memory
 * ({@link Scratches}).
 *
 * <p>There are four kinds; {@link DecodeTurns} has the fourth. {@code shardkit-worker-N} run units of work and never
 * wait for one another. {@code shardkit-call-N} run calls that may wait for a lock or a store on behalf of a future.
 * {@code shardkit-callback-N} run the dependents of callers' futures ({@link CallThreads}). Calls and callbacks are
 * virtual threads on JDKs where blocking does not pin them. A caller's executor replaces workers and call threads. No
 * call waits for a task that an executor has not begun: an executor with a single thread is enough, even if the call is
 * made on that thread.
 */
public final class Workers {
    /** The workers in use, by parallelism. Guarded by itself. */
    private static final Map<Integer, WeakReference<Workers>> OWN = new HashMap<>();

    private final Helpers helpers;
    private final Executor calls;
    private final Executor callbacks;
    private final int parallelism;
    private final @Nullable DecodeTurns turns;
    private final Scratches scratches = Scratches.shared();

    private Workers(Helpers helpers, Executor calls, Executor callbacks, int parallelism, @Nullable DecodeTurns turns) {
        this.helpers = helpers;
        this.calls = calls;
        this.callbacks = callbacks;
        this.parallelism = parallelism;
        this.turns = turns;
    }

    /** Returns the same threads, plus the one that waits for {@code tasks}. */
    Workers sharing(SharedTasks tasks) {
        return new Workers(tasks.over(helpers), tasks.over(calls), callbacks, parallelism, turns);
    }

    /** Returns the engine's own threads, shared by all handles of this parallelism, or the caller's. */
    public static Workers of(@Nullable Executor callers, int parallelism) {
        return callers == null
                ? shared(parallelism)
                : new Workers(new Helpers.OnExecutor(callers), callers, CallThreads.callbacks(), parallelism, null);
    }

    /**
     * Returns the pool of this parallelism: a thousand handles use no more threads than one. The pool ends with the
     * last handle.
     */
    private static Workers shared(int parallelism) {
        synchronized (OWN) {
            OWN.values().removeIf(w -> w.refersTo(null));
            Workers workers = Optional.ofNullable(OWN.get(parallelism))
                    .map(WeakReference::get)
                    .orElseGet(() -> own(parallelism));
            OWN.put(parallelism, new WeakReference<>(workers));
            return workers;
        }
    }

    private static Workers own(int parallelism) {
        WorkerPool pool = new WorkerPool(parallelism, CallThreads.platform("shardkit-worker-"));
        return new Workers(
                new Helpers.OnPool(pool),
                CallThreads.calls(),
                CallThreads.callbacks(),
                parallelism,
                DecodeTurns.shared());
    }

    /** Returns the maximum number of workers of one call. */
    public int parallelism() {
        return parallelism;
    }

    /** Returns the threads for units of work. */
    Helpers helpers() {
        return helpers;
    }

    /** Returns the threads for whole calls that may wait. */
    Executor calls() {
        return calls;
    }

    /** Whether these are the engine's own threads, not a caller's executor. */
    boolean areOwn() {
        return turns != null;
    }

    /** Returns the limit on callers that decode at once; null if a caller's executor replaces our threads. */
    @Nullable
    DecodeTurns turns() {
        return turns;
    }

    /**
     * Completes a caller's future. Its dependents are callers' code, which may wait for other calls, so they run on no
     * thread that these calls need.
     *
     * @param own the number of dependents that belong to the engine
     */
    void complete(CompletableFuture<?> future, int own, Runnable completion) {
        if (future.getNumberOfDependents() <= own) {
            completion.run();
            return;
        }
        try {
            callbacks.execute(() -> run(completion, future));
        } catch (Throwable e) {
            completion.run(); // no thread is available
        }
    }

    private static void run(Runnable completion, CompletableFuture<?> future) {
        try {
            completion.run();
        } catch (Throwable e) {
            Completions.fail(future, e); // memory ran out
        }
    }

    /** Returns a scratch for one worker, until {@link #giveBack}. */
    Scratch scratch() {
        return scratches.take();
    }

    /** Keeps a scratch for the next worker, or closes it if there are enough. */
    void giveBack(Scratch scratch) {
        scratches.giveBack(scratch, parallelism);
    }

    /** Runs a call that may wait on a thread of its own; completing the future interrupts that thread. */
    public <T> CompletableFuture<T> async(Supplier<T> call) {
        Call<T> running = new Call<>(call);
        running.future.stopsBy(running::interrupt);
        running.future.whenComplete((value, thrown) -> running.interrupt()); // it may have begun in between
        try {
            calls.execute(running);
        } catch (Throwable e) {
            running.future.completeExceptionally(e);
        }
        return running.future;
    }

    /**
     * Runs a call that may wait on a thread of its own, then begins what it prepared and continues without a thread.
     * Cancelling the returned future interrupts the call, or cancels what it prepared.
     */
    public <T> CompletableFuture<T> asyncThen(Supplier<Prepared<T>> call) {
        StoppingFuture<T> all = new StoppingFuture<>();
        AtomicReference<@Nullable CompletableFuture<?>> current = new AtomicReference<>();
        Runnable stop = () -> {
            CompletableFuture<?> part = current.get();
            if (part != null) {
                part.cancel(true);
            }
        };
        CompletableFuture<Unit> first = async(() -> {
            Prepared<T> second = call.get();
            // from here on a cancellation reaches the second part, even while it begins
            current.set(second.future());
            if (all.isDone()) {
                second.future().cancel(true);
            }
            second.future().whenComplete((value, thrown) -> end(all, value, thrown));
            second.begin();
            return Unit.UNIT;
        });
        current.compareAndSet(null, first);
        all.stopsBy(stop);
        all.whenComplete((value, thrown) -> stop.run());
        first.whenComplete((done, thrown) -> {
            if (thrown != null) {
                end(all, null, thrown);
            }
        });
        return all;
    }

    /** Completes a future that has one dependent of the engine's own. */
    private <T> void end(CompletableFuture<T> all, @Nullable T value, @Nullable Throwable thrown) {
        try {
            complete(all, 1, () -> {
                if (thrown == null) {
                    Completions.complete(all, value);
                } else {
                    Completions.fail(all, Failures.unwrap(thrown));
                }
            });
        } catch (Throwable e) {
            Completions.fail(all, e); // memory ran out
        }
    }

    /** A call, its future and its thread. */
    private final class Call<T> implements Runnable {
        private final Supplier<T> call;
        private final StoppingFuture<T> future = new StoppingFuture<>();
        private final CallInterrupt thread = new CallInterrupt();

        Call(Supplier<T> call) {
            this.call = call;
        }

        @Override
        public void run() {
            if (!thread.begin(future)) {
                return;
            }
            try {
                T value = call.get();
                thread.end();
                complete(future, 1, () -> Completions.complete(future, value));
            } catch (Throwable e) {
                thread.end();
                failed(e);
            }
        }

        private void failed(Throwable thrown) {
            try {
                complete(future, 1, () -> Completions.fail(future, thrown));
            } catch (Throwable e) {
                Completions.fail(future, thrown); // memory ran out
            }
        }

        void interrupt() {
            thread.interrupt();
        }
    }
}
