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
 * obtruding methods) stops the work. The future completes with the caller's outcome when the work has ended. The method
 * waits for that end, at most {@link #PATIENCE_SECONDS} seconds, because an end takes only as long as a running unit of
 * work or put. On a thread that is itself doing a call's work, the method returns at once: it could be waiting for its
 * own thread. {@code cancel(false)}, time limits ({@link #orTimeout}, {@link #completeOnTimeout}) and {@link #stop}
 * never wait, so event loops may call them.
 *
 * <p>A thread that waits for this future without a limit may work for it ({@link #help}). Futures that depend on this
 * one stop nothing, but a thread that waits for one of them helps too.
 */
public class CallFuture<T> extends CompletableFuture<T> {
    /** Long enough for most puts, and short enough to end a wait for code that waits for this thread. */
    private static final long PATIENCE_SECONDS = 10;

    /**
     * How often a waiting thread checks the future. {@code CompletableFuture} runs dependents before it wakes waiting
     * threads, so a dependent that blocks delays their wake-up.
     */
    private static final long LOOK_MILLIS = 20;

    /** How many calls the thread works for. */
    private static final ThreadLocal<int[]> WORKING = ThreadLocal.withInitial(() -> new int[1]);

    /** The outcome that the caller has chosen. */
    private record Early(@Nullable Object value, @Nullable Throwable thrown) {}

    private @Nullable Early early;
    /** Whether the work has ended. From then on the methods complete the future. */
    private boolean ended;

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

    /** Stops the work; called once, possibly while it begins or ends. Throws nothing and waits for nothing. */
    protected void stopWork(Throwable reason) {}

    /** Works for the call until it has ended or the thread is interrupted, if that is possible. */
    public void help() {}

    /** Stops the call, whose future then fails with {@code reason}, and returns at once. False if it has ended. */
    public final boolean stop(Throwable reason) {
        return stop(new Early(null, reason));
    }

    /** Stops the call of a future; cancels any other future. Returns at once. */
    public static void stop(CompletableFuture<?> future, Throwable reason) {
        if (future instanceof CallFuture<?> call) {
            call.stop(reason);
        } else {
            future.cancel(true);
        }
    }

    private boolean stop(Early outcome) {
        synchronized (this) {
            if (ended) {
                return false;
            }
            if (early != null) {
                return true;
            }
            early = outcome;
        }
        stopWork(outcome.thrown() == null ? new CancellationException("completed by the caller") : outcome.thrown());
        return true;
    }

    /** Returns whether the caller has ended the future early. */
    public final synchronized boolean isStopped() {
        return early != null;
    }

    /** Completes the future after the end of its work, with the caller's outcome if there is one. Throws nothing. */
    public final void end(@Nullable T value, @Nullable Throwable thrown) {
        Early chosen;
        synchronized (this) {
            ended = true;
            chosen = early;
            notifyAll(); // subclasses wait under this monitor for the next work or the end
        }
        if (chosen != null) {
            completeWith(chosen);
        } else if (thrown != null) {
            Completions.fail(this, thrown);
        } else {
            Completions.complete(this, value);
        }
    }

    @SuppressWarnings("unchecked")
    private void completeWith(Early chosen) {
        if (chosen.thrown() != null) {
            Completions.fail(this, chosen.thrown());
        } else {
            Completions.complete(this, (T) chosen.value());
        }
    }

    /** Returns whether the work has ended; the future is done then, or will be at once. */
    public final synchronized boolean hasEnded() {
        return ended;
    }

    /** Completes the future before its call has ended. Returns whether {@code outcome} became its outcome. */
    private boolean endEarly(Early outcome) {
        boolean stopped = stop(outcome);
        if (stopped) {
            awaitEnd();
        }
        synchronized (this) {
            return stopped && early == outcome;
        }
    }

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
        if (stop(new Early(null, new CancellationException("cancelled"))) && mayInterruptIfRunning) {
            awaitEnd();
        }
        return isCancelled() || isToBeCancelled();
    }

    /** Returns whether the future will be cancelled when its work ends. */
    private synchronized boolean isToBeCancelled() {
        return !isDone() && early != null && early.thrown() instanceof CancellationException;
    }

    @Override
    public boolean complete(T value) {
        return hasEnded() ? super.complete(value) : endEarly(new Early(value, null));
    }

    @Override
    public boolean completeExceptionally(Throwable thrown) {
        return hasEnded() ? super.completeExceptionally(thrown) : endEarly(new Early(null, thrown));
    }

    @Override
    public void obtrudeValue(T value) {
        obtrude(new Early(value, null));
        if (isDone()) {
            super.obtrudeValue(value);
        }
    }

    @Override
    public void obtrudeException(Throwable thrown) {
        obtrude(new Early(null, thrown));
        if (isDone()) {
            super.obtrudeException(thrown);
        }
    }

    private void obtrude(Early outcome) {
        if (stop(outcome)) {
            synchronized (this) {
                early = outcome; // replaces an outcome that was chosen before
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
        return within(new CompletableFuture<T>().orTimeout(timeout, unit), new Early(value, null));
    }

    private CompletableFuture<T> within(CompletableFuture<T> limit, @Nullable Early outcome) {
        limit.whenComplete((unused, thrown) -> {
            if (thrown instanceof TimeoutException) {
                stop(outcome != null ? outcome : new Early(null, thrown));
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

    /** A future that depends on that of a call. Ending it early does not stop the call. */
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
