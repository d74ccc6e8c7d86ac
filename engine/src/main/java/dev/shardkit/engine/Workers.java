package dev.shardkit.engine;

import dev.shardkit.spi.plan.Scratch;
import java.lang.ref.WeakReference;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.function.Supplier;

/**
 * The threads, all daemons that end when idle. The workers' scratch memory is the process's ({@link Scratches}).
 *
 * <p>Three kinds: {@code shardkit-worker-N} pull units of work and never wait for one another; {@code shardkit-call-N}
 * carry calls that may wait for a lock or a store on behalf of a future; what depends on a caller's future runs on
 * {@code shardkit-callback-N} ({@link CallThreads}; all but the workers are virtual threads where waiting does not pin
 * them). A caller's executor takes the place of workers and call threads. No call waits for a task that an executor has
 * not begun: one with a single thread will do, even if the call is made on that thread.
 */
public final class Workers {
    /** By their parallelism, those that a handle uses. Guarded by itself. */
    private static final Map<Integer, WeakReference<Workers>> OWN = new HashMap<>();

    private final Helpers helpers;
    private final Executor calls;
    private final Executor callbacks;
    private final int parallelism;
    private final DecodeTurns turns;
    private final Scratches scratches = Scratches.shared();

    private Workers(Helpers helpers, Executor calls, Executor callbacks, int parallelism, DecodeTurns turns) {
        this.helpers = helpers;
        this.calls = calls;
        this.callbacks = callbacks;
        this.parallelism = parallelism;
        this.turns = turns;
    }

    /** The same threads, and the one that waits for {@code tasks}. */
    Workers sharing(SharedTasks tasks) {
        return new Workers(tasks.over(helpers), tasks.over(calls), callbacks, parallelism, turns);
    }

    /** Threads of our own, shared by all handles of this parallelism, or the caller's. */
    public static Workers of(Optional<Executor> callers, int parallelism) {
        return callers.map(e ->
                        new Workers(new OnExecutor(e), e, CallThreads.callbacks(), parallelism, DecodeTurns.UNLIMITED))
                .orElseGet(() -> shared(parallelism));
    }

    /** A thousand handles have no more threads than one; the pool goes when the last handle does. */
    private static Workers shared(int parallelism) {
        synchronized (OWN) {
            OWN.values().removeIf(w -> w.refersTo(null));
            Workers workers = Optional.ofNullable(OWN.get(parallelism))
                    .map(WeakReference::get)
                    .orElseGet(() -> own(parallelism));
            OWN.put(parallelism, new WeakReference<>(workers));
            return workers;
        }
    }

    private static Workers own(int parallelism) {
        WorkerPool pool = new WorkerPool(parallelism, CallThreads.platform("shardkit-worker-"));
        return new Workers(
                new OnPool(pool), CallThreads.calls(), CallThreads.callbacks(), parallelism, DecodeTurns.shared());
    }

    /** Where runs get threads for units of work. */
    interface Helpers {
        /** Runs a task of a run that is new. */
        void execute(Runnable task);

        /** Runs a task of a run that has had its time slice, after those that wait. */
        void continueLater(Runnable task);

        /** Whether other runs may wait for the calling thread. */
        boolean isAwaited();
    }

    private record OnPool(WorkerPool pool) implements Helpers {
        @Override
        public void execute(Runnable task) {
            pool.execute(task);
        }

        @Override
        public void continueLater(Runnable task) {
            pool.continueLater(task);
        }

        @Override
        public boolean isAwaited() {
            return pool.isAwaited();
        }
    }

    private record OnExecutor(Executor executor) implements Helpers {
        @Override
        public void execute(Runnable task) {
            executor.execute(task);
        }

        @Override
        public void continueLater(Runnable task) {
            executor.execute(task);
        }

        @Override
        public boolean isAwaited() {
            return true;
        }
    }

    /** How many workers one call may use. */
    public int parallelism() {
        return parallelism;
    }

    /** Where units of work run. */
    Helpers helpers() {
        return helpers;
    }

    /** Where whole calls run that may wait. */
    Executor calls() {
        return calls;
    }

    /** Who decodes now. */
    DecodeTurns turns() {
        return turns;
    }

    /**
     * Completes a future that a caller has. What depends on it is the caller's code, which may wait for other calls, so
     * it runs on no thread that these calls need.
     *
     * @param own how many dependents the future has that are ours
     */
    void complete(CompletableFuture<?> future, int own, Runnable completion) {
        if (future.getNumberOfDependents() <= own) {
            completion.run();
            return;
        }
        try {
            callbacks.execute(completion);
        } catch (Throwable e) {
            completion.run(); // there are no more threads
        }
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
    private final class Call<T> implements Runnable {
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
                complete(future, 1, () -> future.complete(value));
            } catch (Throwable e) {
                end();
                complete(future, 1, () -> future.completeExceptionally(e));
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
