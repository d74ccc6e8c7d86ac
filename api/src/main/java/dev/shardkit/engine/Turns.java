package dev.shardkit.engine;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Optional;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;

/**
 * Calls that are made one after the other, in the order in which they were asked for, blocking ones and others. One
 * thread is enough for any number of calls that wait. A caller who waits makes the calls before his own himself, if
 * nobody else has begun to: an executor that never starts what it was given holds nobody up. Guarded by its monitor.
 */
public final class Turns {
  private final Workers workers;
  private final Deque<Turn<?>> queue = new ArrayDeque<>();
  private Optional<Thread> busy = Optional.empty();
  private boolean draining;

  /** Turns whose calls without a caller run on these threads. */
  public Turns(Workers workers) {
    this.workers = workers;
  }

  /** One call. */
  private final class Turn<T> {
    private final Supplier<T> call;
    private final Runnable skipped;
    private final boolean waitedFor;
    private final CompletableFuture<T> future = new CompletableFuture<>();
    private Optional<Thread> thread = Optional.empty();
    private boolean interrupted;

    Turn(Supplier<T> call, Runnable skipped, boolean waitedFor) {
      this.call = call;
      this.skipped = skipped;
      this.waitedFor = waitedFor;
    }

    /** Makes the call; its future ends with it. */
    void run() {
      if (!begin()) {
        skipped.run();
        return;
      }
      try {
        T value = call.get();
        end();
        workers.complete(future, 1, () -> future.complete(value));
      } catch (Throwable e) {
        end();
        workers.complete(future, 1, () -> future.completeExceptionally(e));
      }
    }

    private synchronized boolean begin() {
      if (future.isDone()) {
        return false;
      }
      thread = Optional.of(Thread.currentThread());
      return true;
    }

    /** After this no interrupt of ours can hit whatever the thread does next. */
    private synchronized void end() {
      thread = Optional.empty();
      if (interrupted) {
        Thread.interrupted();
      }
    }

    synchronized void interrupt() {
      interrupted = thread.isPresent();
      thread.ifPresent(Thread::interrupt);
    }
  }

  /** Whether calls wait behind the one that is being made. */
  public synchronized boolean hasMore() {
    return !queue.isEmpty();
  }

  /**
   * Makes a call when those before it are made, and waits for it; from within a call, at once.
   *
   * @throws CancellationException if the thread is interrupted before its turn comes; then the call is not made
   */
  public <T> T call(Supplier<T> call) {
    Turn<T> own = new Turn<>(call, () -> {}, true);
    synchronized (this) {
      if (busy.filter(Thread.currentThread()::equals).isPresent()) {
        return call.get();
      }
      queue.add(own);
    }
    while (true) {
      Turn<?> next = await(own);
      if (next == own) {
        try {
          return call.get();
        } finally {
          over();
        }
      }
      made(next);
    }
  }

  /** Waits until a call may be made by this thread: its own, or one before it for which nobody waits. */
  private synchronized Turn<?> await(Turn<?> own) {
    while (busy.isPresent() || (queue.peek() != own && queue.peek().waitedFor)) {
      try {
        wait();
      } catch (InterruptedException e) {
        queue.remove(own);
        notifyAll();
        Thread.currentThread().interrupt();
        throw new CancellationException("interrupted");
      }
    }
    busy = Optional.of(Thread.currentThread());
    return queue.remove();
  }

  private void made(Turn<?> turn) {
    try {
      turn.run();
    } finally {
      over();
    }
  }

  private synchronized void over() {
    busy = Optional.empty();
    notifyAll();
  }

  /**
   * Makes a call when those before it are made, without waiting. Cancelling the future interrupts a call that was
   * begun.
   *
   * @param skipped is run in the call's turn if the future was cancelled before
   */
  public <T> CompletableFuture<T> start(Supplier<T> call, Runnable skipped) {
    Turn<T> turn = new Turn<>(call, skipped, false);
    turn.future.whenComplete((value, thrown) -> turn.interrupt());
    boolean first;
    synchronized (this) {
      queue.add(turn);
      first = !draining;
      draining = true;
    }
    if (first) {
      try {
        workers.calls().execute(this::drain);
      } catch (RuntimeException e) {
        refused(e);
      }
    }
    return turn.future;
  }

  /** The executor takes no more tasks: what nobody waits for will not be made, unless somebody comes who waits. */
  private void refused(RuntimeException reason) {
    Deque<Turn<?>> left = new ArrayDeque<>();
    synchronized (this) {
      draining = false;
      queue.stream().filter(turn -> !turn.waitedFor).forEach(left::add);
    }
    left.forEach(turn -> turn.future.completeExceptionally(reason));
  }

  private void drain() {
    for (Optional<Turn<?>> next = take(); next.isPresent(); next = take()) {
      made(next.get());
    }
  }

  private synchronized Optional<Turn<?>> take() {
    boolean mine = false;
    while (!queue.isEmpty() && (busy.isPresent() || queue.peek().waitedFor)) {
      try {
        wait();
      } catch (InterruptedException e) {
        mine = true; // nobody's who knows of these calls
      }
    }
    if (mine) {
      Thread.currentThread().interrupt();
    }
    if (queue.isEmpty()) {
      draining = false;
      return Optional.empty();
    }
    busy = Optional.of(Thread.currentThread());
    return Optional.of(queue.remove());
  }
}
