package dev.shardkit.engine.threads;

import dev.shardkit.engine.error.Failures;
import dev.shardkit.spi.plan.Scratch;
import java.lang.ref.WeakReference;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * All threads of the engine, or the caller's executor in their place. The engine's threads are daemons that end when
 * idle. The process shares the workers' scratch memory ({@link Scratches}).
 *
 * <p>There are four kinds of threads. {@code shardkit-worker-N} run units of work and never wait for one another
 * ({@link WorkerPool}). {@code shardkit-call-N} run calls that may wait for a lock or a store on behalf of a future.
 * {@code shardkit-callback-N} run the dependents of callers' futures ({@link CallThreads}). {@code shardkit-decoder-N}
 * decode for blocking callers without a permit ({@link DecodePermits}). Calls and callbacks are virtual threads on JDKs
 * where blocking does not pin them. A caller's executor replaces workers and call threads. No call waits for a task
 * that an executor has not begun: an executor with a single thread is enough, even if the call is made on that thread.
 */
public final class Workers {
    /** The workers in use, by parallelism. Guarded by itself. */
    private static final Map<Integer, WeakReference<Workers>> OWN = new HashMap<>();

    private final UnitThreads helpers;
    private final Executor calls;
    private final Executor callbacks;
    private final int parallelism;
    /** The limit on callers that decode at once; null if a caller's executor replaces the engine's threads. */
    private final @Nullable DecodePermits permits;

    private final Scratches scratches = Scratches.shared();

    private Workers(
            UnitThreads helpers, Executor calls, Executor callbacks, int parallelism, @Nullable DecodePermits permits) {
        this.helpers = helpers;
        this.calls = calls;
        this.callbacks = callbacks;
        this.parallelism = parallelism;
        this.permits = permits;
    }

    /** Returns the same threads, plus the thread that waits for {@code tasks} and runs them meanwhile. */
    public Workers sharing(SharedTasks tasks) {
        return new Workers(tasks.alsoRunning(helpers), tasks.alsoRunning(calls), callbacks, parallelism, permits);
    }

    /** Returns the engine's own threads, shared by all handles of this parallelism, or the caller's. */
    public static Workers of(@Nullable Executor callers, int parallelism) {
        return callers == null
                ? shared(parallelism)
                : new Workers(new UnitThreads.OnExecutor(callers), callers, CallThreads.callbacks(), parallelism, null);
    }

    /**
     * Returns the workers of this parallelism, which all its handles share, so a thousand handles use no more threads
     * than one. The workers end with the last handle.
     */
    private static Workers shared(int parallelism) {
        synchronized (OWN) {
            OWN.values().removeIf(w -> w.refersTo(null));
            Workers workers = Optional.ofNullable(OWN.get(parallelism))
                    .map(WeakReference::get)
                    .orElseGet(() -> create(parallelism));
            OWN.put(parallelism, new WeakReference<>(workers));
            return workers;
        }
    }

    private static Workers create(int parallelism) {
        WorkerPool pool = new WorkerPool(parallelism, CallThreads.platform("shardkit-worker-"));
        return new Workers(
                new UnitThreads.OnPool(pool),
                CallThreads.calls(),
                CallThreads.callbacks(),
                parallelism,
                DecodePermits.shared());
    }

    /** Returns the maximum number of workers of one call. */
    public int parallelism() {
        return parallelism;
    }

    /** Returns the threads for units of work. */
    public UnitThreads helpers() {
        return helpers;
    }

    /** Returns the threads for whole calls that may wait. */
    public Executor calls() {
        return calls;
    }

    /** Returns whether these are the engine's own threads, not a caller's executor. */
    public boolean areOwn() {
        return permits != null;
    }

    /** Returns the limit on callers that decode at once; null if a caller's executor replaces the engine's threads. */
    @Nullable
    public DecodePermits decodePermits() {
        return permits;
    }

    /**
     * Completes a caller's future after the end of its call. The future's dependents are callers' code, which may wait
     * for other calls. So they run on a callback thread, which no other call needs. Throws nothing.
     */
    public <T> void end(CallFuture<T> future, @Nullable T value, @Nullable Throwable thrown) {
        if (future.getNumberOfDependents() > 0) {
            try {
                callbacks.execute(() -> future.end(value, thrown));
                return;
            } catch (Throwable e) {
                Failures.log(System.Logger.Level.DEBUG, "no thread for the dependents of a future", e);
            }
        }
        future.end(value, thrown);
    }

    /** Returns a scratch for one worker, until {@link #giveBack}. */
    public Scratch scratch() {
        return scratches.take();
    }

    /** Caches a scratch for the next worker, or closes it if enough are cached. */
    public void giveBack(Scratch scratch) {
        scratches.giveBack(scratch, parallelism);
    }

    /**
     * Runs a call that may wait on a thread of its own; stopping the future interrupts that thread. With a caller's
     * executor, a thread that waits for the future makes the call itself if no other thread has begun it.
     */
    public <T> CompletableFuture<T> async(Supplier<T> call) {
        Call<T> running = new Call<>(call);
        try {
            calls.execute(running);
        } catch (Throwable e) {
            running.onRejected(e);
        }
        return running;
    }

    /**
     * Runs a call that may wait on a thread of its own. Then begins the second part, which the call has prepared and
     * which needs no thread. Stopping the returned future interrupts the call, or stops the second part.
     */
    public <T> CompletableFuture<T> asyncThen(Supplier<PreparedCall<T>> call) {
        CallSequence<T> sequence = new CallSequence<>();
        CompletableFuture<PreparedCall<T>> preparing = async(() -> {
            PreparedCall<T> prepared = call.get();
            if (prepared.future() instanceof CallFuture<T> preparedFuture) {
                // set before the second part begins, so that stopping the call reaches it even while it begins
                sequence.setCurrent(preparedFuture);
            }
            prepared.begin();
            return prepared;
        });
        sequence.setFirst(preparing);
        preparing.whenComplete((prepared, thrown) -> {
            if (thrown != null) {
                end(sequence, null, Failures.unwrap(thrown));
            } else {
                prepared.future().whenComplete((value, failure) -> end(sequence, value, failure));
            }
        });
        return sequence;
    }

    /** A call that may wait, and its thread. */
    private final class Call<T> extends CallFuture<T> implements Runnable {
        private volatile @Nullable Supplier<T> call;
        private final CallInterrupt thread = new CallInterrupt();

        Call(Supplier<T> call) {
            this.call = call;
        }

        @Override
        public void run() {
            Supplier<T> supplier = call;
            if (supplier != null && thread.begin()) {
                working(() -> runAndEnd(supplier));
            }
        }

        private void runAndEnd(Supplier<T> supplier) {
            T value = null;
            Throwable failure = null;
            try {
                value = supplier.get();
            } catch (Throwable e) {
                failure = e;
            }
            thread.end();
            call = null; // an executor may keep this object; it must not keep the caller's data with it
            Workers.this.end(this, value, failure);
        }

        /** Handles the rejection of the call, unless a thread has begun it. */
        void onRejected(Throwable rejection) {
            if (thread.stop()) {
                call = null;
                end(null, rejection);
            }
        }

        @Override
        protected void stopWork(Throwable reason) {
            if (thread.stop()) {
                call = null;
                Workers.this.end(this, null, reason);
            }
        }

        @Override
        public void help() {
            if (!areOwn() && !Thread.currentThread().isInterrupted()) {
                run();
            }
        }
    }
}
