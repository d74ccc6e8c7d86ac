package dev.shardkit.engine.run;

import dev.shardkit.engine.error.CallersException;
import dev.shardkit.engine.error.Failures;
import dev.shardkit.engine.threads.Workers;
import dev.shardkit.spi.error.StoreException;
import dev.shardkit.spi.error.ZarrException;
import dev.shardkit.spi.plan.Plan;
import dev.shardkit.store.ObjectChangedException;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Runs plans, and retries them when an object has changed during the run. Thread-safe. */
public final class Engine {
    private final Workers workers;

    /** Creates an engine with these threads. */
    public Engine(Workers workers) {
        this.workers = workers;
    }

    /** Returns the threads. */
    public Workers workers() {
        return workers;
    }

    /**
     * Runs a plan with the calling thread as the first worker; an interrupt ends the run.
     *
     * @param plan creates the plan, once for each attempt
     */
    public <T> T call(Supplier<Plan<T>> plan, ReadContext context) {
        return call(new PlanAttempts<>(plan, context));
    }

    /**
     * Runs a plan of parts. After a change, only the parts that have read the changed object run again.
     *
     * @param parts creates the parts, once
     */
    public <T> T callParts(Supplier<PartedRead<T>> parts, ReadContext context) {
        return call(PlanAttempts.ofParts(parts, context));
    }

    private <T> T call(PlanAttempts<T> attempts) {
        try {
            return run(attempts);
        } catch (CallersException e) {
            throw Failures.rethrow(e.own());
        }
    }

    /**
     * Throws if the thread was interrupted. Ends a long series of calls that may each finish without noticing the
     * interrupt.
     */
    public static void refuseInterrupted() {
        if (Thread.currentThread().isInterrupted()) {
            throw new CancellationException("interrupted");
        }
    }

    /** Throws if a call of the store failed because the thread was interrupted. */
    public static void refuseInterrupted(Exception failure) {
        if (Thread.currentThread().isInterrupted()) {
            throw (CancellationException) new CancellationException("interrupted").initCause(failure);
        }
    }

    /**
     * Waits for a store's answer. An interrupt cancels the request and ends the wait.
     *
     * @param doing the operation, for messages
     * @throws CancellationException if the thread is interrupted
     */
    public static <T> T await(CompletableFuture<T> future, String doing) {
        try {
            return future.get();
        } catch (InterruptedException e) {
            future.cancel(true);
            Thread.currentThread().interrupt();
            throw (CancellationException) new CancellationException("interrupted while " + doing).initCause(e);
        } catch (ExecutionException e) {
            if (e.getCause() instanceof ZarrException z) {
                throw z;
            }
            throw new StoreException(doing + " failed: " + e.getCause(), e);
        }
    }

    /** Returns one run of a plan, which has not begun yet. It is not retried after a change. */
    public <T> PlanExecution<T> attempt(Supplier<Plan<T>> plan, ReadContext context) {
        return new PlanAttempts<>(plan, context).next(workers);
    }

    /**
     * Runs a plan like {@link #run}, but does not retry it after a change: the caller holds the object open, and must
     * open it again first.
     */
    public <T> T once(Supplier<Plan<T>> plan, ReadContext context) {
        return attempt(plan, context).call();
    }

    /** Runs a plan like {@link #call}; exceptions of the caller's own code stay wrapped. */
    public <T> T run(Supplier<Plan<T>> plan, ReadContext context) {
        return run(new PlanAttempts<>(plan, context));
    }

    private <T> T run(PlanAttempts<T> attempts) {
        while (true) {
            try {
                return attempts.next(workers).call();
            } catch (ObjectChangedException e) {
                attempts.retry(e);
            }
        }
    }

    /** Runs a plan on workers. Stopping the future ends the run. */
    public <T> CompletableFuture<T> start(Supplier<Plan<T>> plan, ReadContext context) {
        return start(() -> new PlanAttempts<>(plan, context));
    }

    /**
     * Runs a plan of parts on workers.
     *
     * @param parts creates the parts, once
     */
    public <T> CompletableFuture<T> startParts(Supplier<PartedRead<T>> parts, ReadContext context) {
        return start(() -> PlanAttempts.ofParts(parts, context));
    }

    private <T> CompletableFuture<T> start(Supplier<PlanAttempts<T>> attempts) {
        PlanAttemptsFuture<T> future = new PlanAttemptsFuture<>(workers);
        try {
            attempt(attempts.get(), future);
        } catch (Throwable e) {
            future.finish(null, e);
        }
        return future;
    }

    /** Starts the next attempt, whose end completes the future or starts another attempt. */
    private <T> void attempt(PlanAttempts<T> attempts, PlanAttemptsFuture<T> future) {
        CompletableFuture<T> run;
        try {
            run = future.begin(attempts.next(workers));
        } catch (Throwable e) {
            future.finish(null, e);
            return;
        }
        run.whenComplete((value, thrown) -> onAttemptEnded(attempts, future, value, thrown));
    }

    /** Accepts the end of an attempt. Throws nothing. */
    private <T> void onAttemptEnded(
            PlanAttempts<T> attempts, PlanAttemptsFuture<T> future, @Nullable T value, @Nullable Throwable thrown) {
        if (thrown == null) {
            future.finish(value, null);
            return;
        }
        try {
            Throwable failure = Failures.unwrap(thrown);
            if (failure instanceof ObjectChangedException changed && !future.isStopped()) {
                attempts.retry(changed);
                attempt(attempts, future);
            } else {
                future.finish(null, failure instanceof CallersException c ? c.own() : failure);
            }
        } catch (Throwable e) {
            future.finish(null, e);
        }
    }
}
