package dev.shardkit.engine;

import dev.shardkit.spi.error.Place;
import dev.shardkit.spi.plan.Plan;
import dev.shardkit.spi.plan.PlanRun;
import dev.shardkit.spi.plan.Scratch;
import dev.shardkit.store.BlockingStore;
import dev.shardkit.store.AsyncStore;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.RejectedExecutionException;

/**
 * One run of one plan. Everything mutable is guarded by this object's monitor; reading, decoding and scattering happen
 * outside it. Workers pull units of work; what one unit makes possible is merged and queued when all of it is done,
 * so there
 * is no barrier but true dependency. A run has ended only when no worker and no request is left that could touch a
 * target.
 *
 * @param <T> the plan's value
 */
final class Execution<T> {
  /** How many tasks may be open at once, and so how far merging looks ahead. */
  static final int WINDOW = 4096;

  /** Work for one worker. */
  interface Work {
    /** Does it; the results go to {@link #finish}. */
    List<Step> run(Scratch scratch);
  }

  /** What follows a task. */
  record Step(PlanRun.Task task, Plan<?> following) {}

  private final Workers workers;
  private final ReadContext context;
  private final Reads reads;
  private final PlanRun<T> run;
  private final Deque<Work> units = new ArrayDeque<>();
  private final CompletableFuture<T> future = new CompletableFuture<>();
  private int busy;
  private int helpers;
  private int places;
  private Optional<Throwable> failure = Optional.empty();
  private boolean closed;

  Execution(Plan<T> plan, ReadContext context, Workers workers) {
    this.workers = workers;
    this.context = context;
    this.run = new PlanRun<>(plan, WINDOW);
    this.reads = context.store() instanceof BlockingStore b
        ? new NearReads(b, context)
        : new FarReads((AsyncStore) context.store(), context, this);
  }

  /** Runs to the end with the calling thread as the first worker. */
  T call() {
    places = workers.parallelism() - 1;
    pump(List.of());
    Scratch scratch = workers.scratch();
    try {
      for (Optional<Work> unit = takeOrWait(); unit.isPresent(); unit = takeOrWait()) {
        perform(unit.get(), scratch);
      }
    } finally {
      workers.giveBack(scratch);
    }
    synchronized (this) {
      reads.close();
      if (failure.isPresent()) {
        throw Failures.rethrow(failure.get());
      }
      return run.value().orElseThrow();
    }
  }

  /** Runs on workers alone; cancelling the future ends the run. */
  CompletableFuture<T> start() {
    places = workers.parallelism();
    future.whenComplete((value, thrown) -> {
      if (future.isCancelled()) {
        fail(new CancellationException("cancelled"));
      }
    });
    pump(List.of());
    endIfDone();
    return future;
  }

  /** Takes in results, lets the plan go on, and queues what can be done now. */
  private void pump(List<Step> steps) {
    List<Runnable> requests;
    synchronized (this) {
      try {
        for (Step s : steps) {
          run.advance(s.task(), s.following());
        }
        requests = failure.isPresent() ? List.of() : collect();
      } catch (RuntimeException | Error e) {
        fail(Failures.ofWork(e, context.array(), Place.nowhere(), ""));
        requests = List.of();
      }
      spawn();
      notifyAll();
    }
    requests.forEach(Runnable::run);
  }

  private List<Runnable> collect() {
    List<PlanRun.ReadTask> batch = new ArrayList<>();
    for (Optional<PlanRun.Task> task = run.next(); task.isPresent(); task = run.next()) {
      if (task.get() instanceof PlanRun.ReadTask r) {
        batch.add(r);
      } else {
        PlanRun.WorkTask w = (PlanRun.WorkTask) task.get();
        units.add(scratch -> List.of(work(w, scratch)));
      }
    }
    List<Runnable> requests = reads.submit(batch, units);
    if (run.value().isPresent() && requests.isEmpty()) {
      requests = reads.lastChecks();
    }
    return requests;
  }

  private Step work(PlanRun.WorkTask task, Scratch scratch) {
    int mark = scratch.mark();
    try {
      return new Step(task, task.run(scratch));
    } catch (RuntimeException | Error e) {
      throw new Failed(Failures.ofWork(e, context.array(), task.place(), ""));
    } finally {
      scratch.reset(mark);
    }
  }

  /** Carries a located failure out of a unit of work. */
  static final class Failed extends RuntimeException {
    private static final long serialVersionUID = 1L;

    Failed(Throwable cause) {
      super(cause);
    }
  }

  private void perform(Work unit, Scratch scratch) {
    List<Step> steps = List.of();
    try {
      steps = unit.run(scratch);
    } catch (Failed e) {
      fail(e.getCause());
    } catch (RuntimeException | Error e) {
      fail(e);
    } finally {
      scratch.reset(0);
    }
    pump(steps);
    synchronized (this) {
      busy--;
      notifyAll();
    }
  }

  /** A request was answered: its decoding is queued, and what waited for its place goes out. */
  void answered(List<Work> decoding, List<Runnable> next) {
    boolean over;
    synchronized (this) {
      over = failure.isPresent();
      if (!over) {
        units.addAll(decoding);
      }
      spawn();
      notifyAll();
    }
    next.forEach(Runnable::run);
    if (over || decoding.isEmpty()) {
      pump(List.of());
      endIfDone();
    }
  }

  synchronized void fail(Throwable thrown) {
    if (failure.isEmpty() && !closed) {
      failure = Optional.of(thrown);
      units.clear();
      Runnable cancelling = reads.cancel();
      // elsewhere, since ending a request calls back
      workers.calls().execute(cancelling);
      notifyAll();
    }
  }

  private synchronized boolean isDone() {
    return busy == 0 && units.isEmpty() && reads.underWay() == 0 && (failure.isPresent() || run.value().isPresent());
  }

  private synchronized Optional<Work> takeOrWait() {
    while (true) {
      if (isDone()) {
        return Optional.empty();
      }
      if (!units.isEmpty()) {
        busy++;
        return Optional.of(units.poll());
      }
      try {
        wait();
      } catch (InterruptedException e) {
        fail(new CancellationException("interrupted"));
        waitUninterruptibly();
        Thread.currentThread().interrupt();
      }
    }
  }

  /** What is under way ends soon after it was cancelled; nobody may touch the caller's memory later. */
  private void waitUninterruptibly() {
    while (!isDone()) {
      try {
        wait();
      } catch (InterruptedException e) {
        // the flag is set again by the caller
      }
    }
  }

  private void spawn() {
    while (helpers < Math.min(places, units.size())) {
      helpers++;
      try {
        workers.workers().execute(this::help);
      } catch (RejectedExecutionException e) {
        helpers--;
        if (places == workers.parallelism()) {
          fail(e);
        }
        return;
      }
    }
  }

  private void help() {
    Scratch scratch = workers.scratch();
    try {
      for (Optional<Work> unit = take(); unit.isPresent(); unit = take()) {
        perform(unit.get(), scratch);
      }
    } finally {
      workers.giveBack(scratch);
    }
    endIfDone();
  }

  private synchronized Optional<Work> take() {
    if (units.isEmpty()) {
      helpers--;
      return Optional.empty();
    }
    busy++;
    return Optional.of(units.poll());
  }

  private void endIfDone() {
    Optional<Throwable> thrown;
    synchronized (this) {
      if (closed || places < workers.parallelism() || !isDone()) {
        return;
      }
      closed = true;
      reads.close();
      thrown = failure;
    }
    if (thrown.isPresent()) {
      future.completeExceptionally(thrown.get());
    } else {
      future.complete(run.value().orElseThrow());
    }
  }
}
