package dev.shardkit.engine;

import dev.shardkit.spi.plan.Scratch;
import java.lang.ref.WeakReference;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;

/**
 * The threads, all daemons that end when idle. The workers' scratch memory is the process's ({@link Scratches}).
 *
 * <p>Two kinds: {@code shardkit-worker-N} pull units of work and never wait for one another; {@code shardkit-call-N}
 * carry calls that may wait for a lock or a store on behalf of a future. A caller's executor takes the place of both.
 * Nobody waits for a task that an executor has not begun: one with a single thread, or a calling thread that is one of
 * its own, will do.
 */
public final class Workers {
  /** By their parallelism, those that a handle uses. Guarded by itself. */
  private static final Map<Integer, WeakReference<Workers>> OWN = new HashMap<>();

  private final Executor workers;
  private final Executor calls;
  private final int parallelism;
  private final Scratches scratches = Scratches.shared();

  private Workers(Executor workers, Executor calls, int parallelism) {
    this.workers = workers;
    this.calls = calls;
    this.parallelism = parallelism;
  }

  /** Threads of our own, shared by all handles of this parallelism, or the caller's. */
  public static Workers of(Optional<Executor> callers, int parallelism) {
    return callers.map(e -> new Workers(e, e, parallelism)).orElseGet(() -> shared(parallelism));
  }

  /** A thousand handles have no more threads than one; the pool goes when the last handle does. */
  private static Workers shared(int parallelism) {
    synchronized (OWN) {
      OWN.values().removeIf(w -> w.refersTo(null));
      Workers workers = Optional.ofNullable(OWN.get(parallelism)).map(WeakReference::get)
          .orElseGet(() -> own(parallelism));
      OWN.put(parallelism, new WeakReference<>(workers));
      return workers;
    }
  }

  private static Workers own(int parallelism) {
    ThreadPoolExecutor workers = new ThreadPoolExecutor(
        parallelism, parallelism, 10, TimeUnit.SECONDS, new LinkedBlockingQueue<>(), threads("shardkit-worker-"));
    workers.allowCoreThreadTimeOut(true);
    ExecutorService calls = new ThreadPoolExecutor(
        0, Integer.MAX_VALUE, 10, TimeUnit.SECONDS, new SynchronousQueue<>(), threads("shardkit-call-"));
    return new Workers(workers, calls, parallelism);
  }

  private static ThreadFactory threads(String prefix) {
    AtomicInteger number = new AtomicInteger();
    return task -> {
      Thread thread = new Thread(task, prefix + number.incrementAndGet());
      thread.setDaemon(true);
      return thread;
    };
  }

  /** How many workers one call may use. */
  public int parallelism() {
    return parallelism;
  }

  /** Where units of work run. */
  Executor workers() {
    return workers;
  }

  /** Where whole calls run that may wait. */
  Executor calls() {
    return calls;
  }

  /** A scratch for one worker, until {@link #giveBack}. */
  Scratch scratch() {
    return scratches.take();
  }

  /** Keeps a scratch for the next worker, or closes it when there are enough. */
  void giveBack(Scratch scratch) {
    scratches.giveBack(scratch, parallelism);
  }

  /** Runs a call that may wait on a thread of its own; completing the future from outside interrupts that thread. */
  public <T> CompletableFuture<T> async(Supplier<T> call) {
    Call<T> running = new Call<>(call);
    running.future.whenComplete((value, thrown) -> running.interrupt());
    try {
      calls.execute(running);
    } catch (Throwable e) {
      running.future.completeExceptionally(e);
    }
    return running.future;
  }

  /** A call, its future and the thread working for it. */
  private static final class Call<T> implements Runnable {
    private final Supplier<T> call;
    private final CompletableFuture<T> future = new CompletableFuture<>();
    private Optional<Thread> thread = Optional.empty();
    private boolean interrupted;

    Call(Supplier<T> call) {
      this.call = call;
    }

    @Override
    public void run() {
      synchronized (this) {
        if (future.isDone()) {
          return;
        }
        thread = Optional.of(Thread.currentThread());
      }
      try {
        T value = call.get();
        end();
        future.complete(value);
      } catch (Throwable e) {
        end();
        future.completeExceptionally(e);
      }
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
}
