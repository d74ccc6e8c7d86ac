package dev.shardkit.engine;

import dev.shardkit.spi.error.Place;
import dev.shardkit.spi.error.ZarrException;
import dev.shardkit.spi.plan.Plan;
import dev.shardkit.store.BlockingStore;
import dev.shardkit.store.ObjectChangedException;
import java.util.Optional;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;

/** Runs plans, again when an object has changed underneath. Thread-safe. */
public final class Engine {
  private static final int ATTEMPTS = 5;
  /** A writer that changes files in place without a pause gets between a reader's looks many times. */
  private static final int NEAR_ATTEMPTS = 200;

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
    try {
      return run(plan, context);
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
    return execution(plan, context).call();
  }

  /** As {@link #call}, with what the caller's own code throws still marked as such. */
  <T> T run(Supplier<Plan<T>> plan, ReadContext context) {
    for (int attempt = 1; ; attempt++) {
      try {
        return execution(plan, context).call();
      } catch (ObjectChangedException e) {
        again(e, context, attempt);
      }
    }
  }

  /** Runs a plan on workers; completing the future from outside, by cancelling it, say, ends the run. */
  public <T> CompletableFuture<T> start(Supplier<Plan<T>> plan, ReadContext context) {
    Attempts<T> attempts = new Attempts<>(workers);
    attempts.all.whenComplete((value, thrown) -> attempts.end());
    attempt(plan, context, attempts, 1);
    return attempts.all;
  }

  private <T> void attempt(Supplier<Plan<T>> plan, ReadContext context, Attempts<T> attempts, int attempt) {
    try {
      CompletableFuture<T> run = execution(plan, context).start();
      attempts.follow(run);
      run.whenComplete((value, thrown) -> {
        if (thrown == null) {
          attempts.complete(() -> attempts.all.complete(value));
        } else {
          failed(plan, context, attempts, attempt, Failures.unwrap(thrown));
        }
      });
    } catch (Throwable e) {
      attempts.all.completeExceptionally(e);
    }
  }

  private <T> void failed(
      Supplier<Plan<T>> plan, ReadContext context, Attempts<T> attempts, int attempt, Throwable thrown) {
    try {
      if (thrown instanceof ObjectChangedException changed && !attempts.all.isDone()) {
        again(changed, context, attempt);
        attempt(plan, context, attempts, attempt + 1);
      } else {
        Throwable own = thrown instanceof CallersException c ? c.own() : thrown;
        attempts.complete(() -> attempts.all.completeExceptionally(own));
      }
    } catch (Throwable e) {
      attempts.complete(() -> attempts.all.completeExceptionally(e));
    }
  }

  private <T> Execution<T> execution(Supplier<Plan<T>> plan, ReadContext context) {
    try {
      return new Execution<>(plan.get(), context, workers);
    } catch (ZarrException e) {
      throw e.locate(Optional.of(context.array()), Optional.empty(), Optional.empty());
    }
  }

  private static void again(ObjectChangedException e, ReadContext context, int attempt) {
    if (attempt == (context.store() instanceof BlockingStore ? NEAR_ATTEMPTS : ATTEMPTS)) {
      throw e;
    }
    context.listener().onChanged(e.place().flatMap(Place::key).orElse(""), attempt);
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
