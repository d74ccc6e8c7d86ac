package dev.shardkit.store.http;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Optional;
import java.util.concurrent.Executor;

/** Lets so many requests go at once; the others wait their turn without a thread. Thread-safe. */
final class Permits {
  private final Deque<Runnable> waiting = new ArrayDeque<>();
  private final Executor executor;
  private int free;

  Permits(int free, Executor executor) {
    this.free = free;
    this.executor = executor;
  }

  /** Runs {@code work} here and now, or later elsewhere; it has a permit and must see to its release. */
  void acquire(Runnable work) {
    synchronized (this) {
      if (free == 0) {
        waiting.add(work);
        return;
      }
      free--;
    }
    work.run();
  }

  void release() {
    Optional<Runnable> next;
    synchronized (this) {
      next = Optional.ofNullable(waiting.poll());
      if (next.isEmpty()) {
        free++;
      }
    }
    // Elsewhere, so that a long queue of work that ends at once makes no deep stack.
    next.ifPresent(executor::execute);
  }
}
