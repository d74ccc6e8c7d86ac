package dev.shardkit.engine;

import dev.shardkit.spi.plan.Plan;
import dev.shardkit.store.ObjectChangedException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.Supplier;

/** Runs plans, again when an object has changed underneath. Thread-safe. */
public final class Engine {
  private static final int ATTEMPTS = 5;

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
    for (int attempt = 1; ; attempt++) {
      try {
        return new Execution<>(plan.get(), context, workers).call();
      } catch (ObjectChangedException e) {
        again(e, context, attempt);
      }
    }
  }

  /** Runs a plan on workers; cancelling the future ends the run. */
  public <T> CompletableFuture<T> start(Supplier<Plan<T>> plan, ReadContext context) {
    Running<T> running = new Running<>();
    attempt(plan, context, running, 1);
    return running;
  }

  private <T> void attempt(Supplier<Plan<T>> plan, ReadContext context, Running<T> running, int attempt) {
    CompletableFuture<T> run;
    try {
      run = new Execution<>(plan.get(), context, workers).start();
    } catch (RuntimeException | Error e) {
      running.completeExceptionally(e);
      return;
    }
    running.follow(run);
    run.whenComplete((value, thrown) -> {
      if (thrown == null) {
        running.complete(value);
        return;
      }
      Throwable cause = thrown instanceof CompletionException && thrown.getCause() != null ? thrown.getCause() : thrown;
      if (cause instanceof ObjectChangedException changed) {
        try {
          again(changed, context, attempt);
          attempt(plan, context, running, attempt + 1);
        } catch (ObjectChangedException e) {
          running.completeExceptionally(e);
        }
      } else {
        running.completeExceptionally(cause);
      }
    });
  }

  private static void again(ObjectChangedException e, ReadContext context, int attempt) {
    String key = e.place().flatMap(dev.shardkit.spi.error.Place::key).orElse("");
    context.cache().forget(key);
    if (attempt == ATTEMPTS) {
      throw e;
    }
    context.listener().onChanged(key, attempt);
  }

  /** The future of all attempts; cancelling it cancels the one under way. */
  private static final class Running<T> extends CompletableFuture<T> {
    private CompletableFuture<T> current = new CompletableFuture<>();

    synchronized void follow(CompletableFuture<T> run) {
      current = run;
      if (isCancelled()) {
        run.cancel(true);
      }
    }

    @Override
    public boolean cancel(boolean mayInterruptIfRunning) {
      boolean cancelled = super.cancel(mayInterruptIfRunning);
      synchronized (this) {
        current.cancel(true);
      }
      return cancelled;
    }
  }
}
