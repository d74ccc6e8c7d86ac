package dev.shardkit.engine;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;

/**
 * Limits how many threads decode at once to the number of cores, first come, first served. Otherwise many blocking
 * callers share the cores by the scheduler's rounds, and a read waits for all rounds before its own. No promise hangs on
 * it: a thread that has waited for a while, or is interrupted, or has a turn already, goes ahead without one. So code
 * that blocks during its turn cannot stop the others. Guarded by its monitor.
 */
final class DecodeTurns {
  /** Longer than the turns of ten waiting threads usually take, and short enough beside a turn that is blocked. */
  private static final long PATIENCE = TimeUnit.MILLISECONDS.toNanos(20);

  private static final class Waiter {
    private final Thread thread = Thread.currentThread();
    private volatile boolean granted;
  }

  private final Deque<Waiter> queue = new ArrayDeque<>();
  private final ThreadLocal<Boolean> inside = new ThreadLocal<>();
  private int free;

  DecodeTurns(int most) {
    this.free = most;
  }

  /** Does {@code work} when it is this thread's turn. */
  <V> V take(Supplier<V> work) {
    if (inside.get() != null) {
      return work.get();
    }
    boolean granted = enter();
    inside.set(Boolean.TRUE);
    try {
      return work.get();
    } finally {
      inside.remove();
      if (granted) {
        leave();
      }
    }
  }

  private boolean enter() {
    Waiter me;
    synchronized (this) {
      if (free > 0) {
        free--;
        return true;
      }
      me = new Waiter();
      queue.addLast(me);
    }
    long end = System.nanoTime() + PATIENCE;
    while (!me.granted) {
      long left = end - System.nanoTime();
      if (left <= 0 || me.thread.isInterrupted()) {
        synchronized (this) {
          // unless the turn came just now
          queue.remove(me);
          return me.granted;
        }
      }
      LockSupport.parkNanos(this, left);
    }
    return true;
  }

  private synchronized void leave() {
    Waiter next = queue.pollFirst();
    if (next == null) {
      free++;
    } else {
      next.granted = true;
      LockSupport.unpark(next.thread);
    }
  }

  /** How many turns nobody has; for tests. */
  synchronized int free() {
    return free;
  }
}
