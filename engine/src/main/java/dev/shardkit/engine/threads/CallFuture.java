package dev.shardkit.engine.threads;

import dev.shardkit.outofmemory.Completions;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The future that a caller receives for an asynchronous call. It completes only after the call's work has ended, so a
 * call whose future is done touches neither the caller's memory nor the store.
 *
 * <p>A caller that ends the future early ({@link #cancel}, {@link #complete}, {@link #completeExceptionally}, the
 * obtruding methods) stops the work. The future completes with the caller's outcome when the work has ended. Each of
 * these methods waits for that end, at most 10 seconds. Usually the wait is short: work that has begun finishes its
 * current unit or put, and nothing more begins. On a thread that is itself doing a call's work, these methods return at
 * once, because they could be waiting for their own thread. {@code cancel(false)}, time limits ({@link #orTimeout},
 * {@link #completeOnTimeout}) and {@link #stop} never wait, so event loops may call them.
 *
 * <p>A thread that waits for this future without a limit may work for it ({@link #help}). Futures that depend on this
 * one stop nothing, but a thread that waits for one of them helps too.
 */
public class CallFuture<T> extends CompletableFuture<T> {
    /**
     * The longest wait for the end of stopped work. Most puts take less; a deadlock, in which the work waits for the
     * waiting thread, is resolved after this time.
     */
    private static final long PATIENCE_SECONDS = 10;

    /**
     * How often a waiting thread checks the future. {@code CompletableFuture} runs dependents before it wakes waiting
     * threads, so a dependent that blocks delays their wake-up.
     */
    private static final long LOOK_MILLIS = 20;

    /** How many calls the thread works for, one nested in another. */
    private static final ThreadLocal<int[]> WORKING = ThreadLocal.withInitial(() -> new int[1]);

    /** An outcome that the caller chooses for the future: a value, or an exception if {@code thrown} is not null. */
    private record Outcome(@Nullable Object value, @Nullable Throwable thrown) {}

    // The states of a call, in order:
    //   running    chosen == null, !workEnded
    //   stopped    chosen != null, !workEnded    stopWork was called or is about to be; the work still runs
    //   ended      workEnded, !isDone()          end() completes the future
    //   done       workEnded, isDone()
    // A call goes from running to ended directly unless it is stopped. The first outcome that is chosen stays; only the
    // obtruding methods replace it, in the state stopped. The fields change under the monitor. end() completes the
    // future outside of it, because dependents run during the completion.

    /** The outcome that the caller has chosen before the work ended; null if none. */
    private @Nullable Outcome chosen;
    /** Whether the work has ended. From then on, {@code complete} and the like complete the future directly. */
    private boolean workEnded;

    /** Runs work of a call. Meanwhile, a future that is ended early on this thread is not awaited. */
    public static void working(Runnable work) {
        int[] depth = WORKING.get();
        depth[0]++;
        try {
            work.run();
        } finally {
            depth[0]--;
        }
    }

    /** Stops the work. Called once, possibly while the work begins or ends. Throws nothing and waits for nothing. */
    protected void stopWork(Throwable reason) {}

    /** Works for the call until it has ended or the thread is interrupted, if that is possible. */
    public void help() {}

    /** Stops the call and returns at once. Its future then fails with {@code reason}. False if the call has ended. */
    public final boolean stop(Throwable reason) {
        return stopUnlessEnded(new Outcome(null, reason));
    }

    /** Stops the call of a future; cancels any other future. Returns at once. */
    public static void stop(CompletableFuture<?> future, Throwable reason) {
        if (future instanceof CallFuture<?> call) {
            call.stop(reason);
        } else {
            future.cancel(true);
        }
    }

    /**
     * Stops the work and chooses the outcome of the future. If the caller has chosen an outcome before, does nothing.
     *
     * @return false if the work has ended; true if the call is stopped now, even with an outcome chosen earlier
     */
    private boolean stopUnlessEnded(Outcome outcome) {
        synchronized (this) {
            if (workEnded) {
                return false;
            }
            if (chosen != null) {
                return true;
            }
            chosen = outcome;
        }
        stopWork(outcome.thrown() == null ? new CancellationException("completed by the caller") : outcome.thrown());
        return true;
    }

    /** Returns whether the caller has ended the future early. */
    public final synchronized boolean isStopped() {
        return chosen != null;
    }

    /** Completes the future after the end of its work, with the caller's outcome if there is one. Throws nothing. */
    public final void end(@Nullable T value, @Nullable Throwable thrown) {
        Outcome early;
        synchronized (this) {
            workEnded = true;
            early = chosen;
            notifyAll(); // subclasses wait under this monitor for the next work or the end
        }
        if (early != null) {
            completeWith(early);
        } else if (thrown != null) {
            Completions.fail(this, thrown);
        } else {
            Completions.complete(this, value);
        }
    }

    @SuppressWarnings("unchecked")
    private void completeWith(Outcome outcome) {
        if (outcome.thrown() != null) {
            Completions.fail(this, outcome.thrown());
        } else {
            Completions.complete(this, (T) outcome.value());
        }
    }

    /** Returns whether the work has ended; the future is done then, or will be at once. */
    public final synchronized boolean hasEnded() {
        return workEnded;
    }

    /** Stops the work and waits for its end. Returns whether the future gets this outcome, not one chosen earlier. */
    private boolean stopAndAwaitEnd(Outcome outcome) {
        boolean stopped = stopUnlessEnded(outcome);
        if (stopped) {
            awaitEnd();
        }
        synchronized (this) {
            return stopped && chosen == outcome;
        }
    }

    /**
     * Waits until the future is done, at most {@link #PATIENCE_SECONDS}. Returns at once on a thread that does work of
     * a call. An interrupt does not end the wait, and is kept.
     */
    private void awaitEnd() {
        if (WORKING.get()[0] > 0) {
            return;
        }
        long start = System.nanoTime();
        boolean interrupted = false;
        while (!isDone() && System.nanoTime() - start < TimeUnit.SECONDS.toNanos(PATIENCE_SECONDS)) {
            try {
                super.get(LOOK_MILLIS, TimeUnit.MILLISECONDS);
            } catch (InterruptedException e) {
                interrupted = true;
            } catch (TimeoutException | ExecutionException | CancellationException e) {
                continue; // checks the future again
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public boolean cancel(boolean mayInterruptIfRunning) {
        if (hasEnded()) {
            return super.cancel(mayInterruptIfRunning);
        }
        if (stopUnlessEnded(new Outcome(null, new CancellationException("cancelled"))) && mayInterruptIfRunning) {
            awaitEnd();
        }
        return isCancelled() || willBeCancelled();
    }

    /** Returns whether the future is not done yet but will be cancelled, because that outcome was chosen. */
    private synchronized boolean willBeCancelled() {
        return !isDone() && chosen != null && chosen.thrown() instanceof CancellationException;
    }

    @Override
    public boolean complete(T value) {
        return hasEnded() ? super.complete(value) : stopAndAwaitEnd(new Outcome(value, null));
    }

    @Override
    public boolean completeExceptionally(Throwable thrown) {
        return hasEnded() ? super.completeExceptionally(thrown) : stopAndAwaitEnd(new Outcome(null, thrown));
    }

    @Override
    public void obtrudeValue(T value) {
        replaceOutcome(new Outcome(value, null));
        if (isDone()) {
            super.obtrudeValue(value);
        }
    }

    @Override
    public void obtrudeException(Throwable thrown) {
        replaceOutcome(new Outcome(null, thrown));
        if (isDone()) {
            super.obtrudeException(thrown);
        }
    }

    /** Stops the work, replaces an outcome that was chosen before, and waits for the end. No-op if work has ended. */
    private void replaceOutcome(Outcome outcome) {
        if (stopUnlessEnded(outcome)) {
            synchronized (this) {
                chosen = outcome;
            }
            awaitEnd();
        }
    }

    @Override
    public CompletableFuture<T> orTimeout(long timeout, TimeUnit unit) {
        return within(new CompletableFuture<T>().orTimeout(timeout, unit), null);
    }

    @Override
    public CompletableFuture<T> completeOnTimeout(T value, long timeout, TimeUnit unit) {
        return within(new CompletableFuture<T>().orTimeout(timeout, unit), new Outcome(value, null));
    }

    /** Stops the work when {@code limit} times out. The future then gets {@code outcome}; if null, the timeout. */
    private CompletableFuture<T> within(CompletableFuture<T> limit, @Nullable Outcome outcome) {
        limit.whenComplete((unused, thrown) -> {
            if (thrown instanceof TimeoutException) {
                stopUnlessEnded(outcome != null ? outcome : new Outcome(null, thrown));
            }
        });
        whenComplete((value, thrown) -> limit.cancel(false));
        return this;
    }

    @Override
    public CompletableFuture<T> completeAsync(Supplier<? extends T> supplier) {
        return completeAsync(supplier, defaultExecutor());
    }

    @Override
    public CompletableFuture<T> completeAsync(Supplier<? extends T> supplier, Executor executor) {
        executor.execute(() -> {
            try {
                complete(supplier.get());
            } catch (Throwable e) {
                completeExceptionally(new CompletionException(e));
            }
        });
        return this;
    }

    /** Works for the call until it has ended. An interrupt does not end the wait, and is kept. */
    @Override
    public T join() {
        helpUninterrupted();
        return super.join();
    }

    /** Helps until the call has ended. If an interrupt ends {@link #help}, clears it, goes on, and restores it. */
    final void helpUninterrupted() {
        boolean interrupted = Thread.interrupted();
        while (!isDone()) {
            help();
            if (!Thread.interrupted()) {
                break;
            }
            interrupted = true;
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public T get() throws InterruptedException, ExecutionException {
        help();
        return super.get();
    }

    @Override
    public <U> CompletableFuture<U> newIncompleteFuture() {
        return new Dependent<>(this);
    }

    /** A future that depends on a {@link CallFuture}. Ending it early does not stop the call. */
    private static final class Dependent<U> extends CompletableFuture<U> {
        private final CallFuture<?> call;

        Dependent(CallFuture<?> call) {
            this.call = call;
        }

        @Override
        public U join() {
            if (!isDone()) {
                call.helpUninterrupted();
            }
            return super.join();
        }

        @Override
        public U get() throws InterruptedException, ExecutionException {
            if (!isDone()) {
                call.help();
            }
            return super.get();
        }

        @Override
        public <V> CompletableFuture<V> newIncompleteFuture() {
            return new Dependent<>(call);
        }
    }
}
