package dev.shardkit.engine;

import dev.shardkit.spi.plan.Plan;
import dev.shardkit.store.ObjectChangedException;
import java.util.Optional;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;

/** Runs plans, again when an object has changed underneath. Thread-safe. */
public final class Engine {
    private final Workers workers;

    /** An engine on these threads. */
    public Engine(Workers workers) {
        this.workers = workers;
    }

    /** The threads. */
    public Workers workers() {
        return workers;
    }

    /**
     * Runs a plan with the calling thread as the first worker; interrupting it ends the run.
     *
     * @param plan makes the plan, once for each attempt
     */
    public <T> T call(Supplier<Plan<T>> plan, ReadContext context) {
        return call(new Rounds<>(plan, context));
    }

    /**
     * The same for a plan of parts: those that have read what changed are run again, and no others.
     *
     * @param parts makes them, once
     */
    public <T> T callParts(Supplier<Parts<T>> parts, ReadContext context) {
        return call(Rounds.ofParts(parts, context));
    }

    private <T> T call(Rounds<T> rounds) {
        try {
            return run(rounds);
        } catch (CallersException e) {
            throw Failures.rethrow(e.own());
        }
    }

    /** Ends a long series of calls, each of which may be over before it notices that its thread was interrupted. */
    public static void refuseInterrupted() {
        if (Thread.currentThread().isInterrupted()) {
            throw new CancellationException("interrupted");
        }
    }

    /** As {@link #run}, of a caller who has an object open and opens it anew if that has changed: tried once. */
    <T> T once(Supplier<Plan<T>> plan, ReadContext context) {
        return new Rounds<>(plan, context).next(workers).call();
    }

    /** As {@link #call}, with what the caller's own code throws still marked as such. */
    <T> T run(Supplier<Plan<T>> plan, ReadContext context) {
        return run(new Rounds<>(plan, context));
    }

    private <T> T run(Rounds<T> rounds) {
        while (true) {
            try {
                return rounds.next(workers).call();
            } catch (ObjectChangedException e) {
                rounds.again(e);
            }
        }
    }

    /** Runs a plan on workers; completing the future from outside, by cancelling it, say, ends the run. */
    public <T> CompletableFuture<T> start(Supplier<Plan<T>> plan, ReadContext context) {
        return start(() -> new Rounds<>(plan, context));
    }

    /**
     * The same for a plan of parts.
     *
     * @param parts makes them, once
     */
    public <T> CompletableFuture<T> startParts(Supplier<Parts<T>> parts, ReadContext context) {
        return start(() -> Rounds.ofParts(parts, context));
    }

    private <T> CompletableFuture<T> start(Supplier<Rounds<T>> rounds) {
        Attempts<T> attempts = new Attempts<>(workers);
        attempts.all.whenComplete((value, thrown) -> attempts.end());
        try {
            attempt(rounds.get(), attempts);
        } catch (Throwable e) {
            attempts.all.completeExceptionally(e);
        }
        return attempts.all;
    }

    private <T> void attempt(Rounds<T> rounds, Attempts<T> attempts) {
        try {
            CompletableFuture<T> run = rounds.next(workers).start();
            attempts.follow(run);
            run.whenComplete((value, thrown) -> {
                if (thrown == null) {
                    attempts.complete(() -> attempts.all.complete(value));
                } else {
                    failed(rounds, attempts, Failures.unwrap(thrown));
                }
            });
        } catch (Throwable e) {
            attempts.all.completeExceptionally(e);
        }
    }

    private <T> void failed(Rounds<T> rounds, Attempts<T> attempts, Throwable thrown) {
        try {
            if (thrown instanceof ObjectChangedException changed && !attempts.all.isDone()) {
                rounds.again(changed);
                attempt(rounds, attempts);
            } else {
                Throwable own = thrown instanceof CallersException c ? c.own() : thrown;
                attempts.complete(() -> attempts.all.completeExceptionally(own));
            }
        } catch (Throwable e) {
            attempts.complete(() -> attempts.all.completeExceptionally(e));
        }
    }

    /** The future of all attempts, and that of the one under way. */
    private static final class Attempts<T> {
        private final Workers workers;
        private final CompletableFuture<T> all = new CompletableFuture<>();
        private Optional<CompletableFuture<T>> current = Optional.empty();

        Attempts(Workers workers) {
            this.workers = workers;
        }

        /** Completes {@code all}, of which {@link #end} is the one dependent that is ours. */
        void complete(Runnable completion) {
            workers.complete(all, 1, completion);
        }

        void follow(CompletableFuture<T> run) {
            synchronized (this) {
                current = Optional.of(run);
            }
            if (all.isDone()) {
                run.cancel(true);
            }
        }

        void end() {
            Optional<CompletableFuture<T>> run;
            synchronized (this) {
                run = current;
            }
            run.ifPresent(r -> r.cancel(true));
        }
    }
}
