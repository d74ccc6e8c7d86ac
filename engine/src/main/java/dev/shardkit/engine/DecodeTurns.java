package dev.shardkit.engine;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Optional;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Limits how many blocking callers of the process decode at once: there is a place for each core. Otherwise many
 * callers share the cores by the scheduler's rounds, and a read waits for all rounds before its own.
 *
 * <p>A caller that finds a free place decodes in it. Otherwise its work joins a queue, which threads of its own serve
 * in order: such a thread takes over a place that becomes free, and keeps it while work waits. Handing the place from
 * caller to caller would leave a core idle until the next caller is awake. Workers need no place, since there are few.
 *
 * <p>Progress does not depend on these threads: a caller that is interrupted, or that sees no work end for a while,
 * takes its work back, if nobody has begun it, and does it without a place. So code that blocks while decoding stops no
 * other caller. Guarded by its monitor, which is not held during work.
 */
final class DecodeTurns {
    /** No work ended for so long: the threads that have places are blocked. */
    private static final long PATIENCE = TimeUnit.MILLISECONDS.toNanos(20);

    /** Sets no limit: for callers whose executor takes the place of our threads. */
    static final DecodeTurns UNLIMITED = new DecodeTurns(Integer.MAX_VALUE, Runnable::run);

    private static final DecodeTurns SHARED = shared(Runtime.getRuntime().availableProcessors());

    private final Executor threads;
    private final long patience;
    private final ThreadLocal<Boolean> inside = ThreadLocal.withInitial(() -> false);
    private final Deque<Waiting<?>> queue = new ArrayDeque<>();
    private int free;
    private volatile long progress = System.nanoTime();

    /**
     * Makes turns.
     *
     * @param places how many threads may decode at once
     * @param threads runs the threads that serve the queue
     */
    DecodeTurns(int places, Executor threads) {
        this(places, threads, PATIENCE);
    }

    /** Makes turns whose callers wait for {@code patience} nanoseconds without progress. */
    DecodeTurns(int places, Executor threads, long patience) {
        this.free = places;
        this.threads = threads;
        this.patience = patience;
    }

    private static DecodeTurns shared(int cores) {
        return new DecodeTurns(cores, new WorkerPool(cores, CallThreads.platform("shardkit-decoder-")));
    }

    /** The turns of the process. */
    static DecodeTurns shared() {
        return SHARED;
    }

    /** Work that waits, and its outcome. {@code begun} is guarded by the monitor of the turns. */
    private static final class Waiting<V> {
        private final Thread caller = Thread.currentThread();
        private final Supplier<V> work;
        private boolean begun;
        private @Nullable V value;
        private @Nullable Throwable failure;
        private volatile boolean done;

        Waiting(Supplier<V> work) {
            this.work = work;
        }

        void run() {
            try {
                value = work.get();
            } catch (Throwable e) {
                failure = e;
            }
            done = true;
            LockSupport.unpark(caller);
        }

        V outcome() {
            if (failure != null) {
                throw DecodeTurns.<RuntimeException>unchecked(failure);
            }
            return value;
        }
    }

    @SuppressWarnings("unchecked")
    private static <E extends Throwable> E unchecked(Throwable e) throws E {
        throw (E) e;
    }

    /** Does {@code work}, on the calling thread or on another, and returns its value or throws what it throws. */
    <V> V take(Supplier<V> work) {
        if (inside.get() || WorkerPool.isServing()) {
            return work.get();
        }
        Optional<Waiting<V>> waiting = join(work);
        if (waiting.isPresent() && await(waiting.get())) {
            return waiting.get().outcome();
        }
        inside.set(true);
        try {
            return work.get();
        } finally {
            inside.set(false);
            leave(waiting.isEmpty());
        }
    }

    /** Takes a free place, or queues the work. */
    private synchronized <V> Optional<Waiting<V>> join(Supplier<V> work) {
        if (free > 0) {
            free--;
            return Optional.empty();
        }
        Waiting<V> waiting = new Waiting<>(work);
        queue.addLast(waiting);
        return Optional.of(waiting);
    }

    /** Ends the caller's work. If it has a place and work waits, the place goes to a thread that serves the queue. */
    private void leave(boolean place) {
        synchronized (this) {
            progress = System.nanoTime();
            if (!place) {
                return;
            }
            if (queue.isEmpty()) {
                free++;
                return;
            }
        }
        try {
            threads.execute(this::serve);
        } catch (Throwable e) {
            // There are no more threads: the callers that wait lose patience and go ahead.
            System.getLogger("dev.shardkit.engine").log(System.Logger.Level.DEBUG, "no thread to decode", e);
            synchronized (this) {
                free++;
            }
        }
    }

    /** Does the work of the queue, in the place that the calling thread took over. */
    private void serve() {
        for (Optional<Waiting<?>> next = next(); next.isPresent(); next = next()) {
            next.get().run();
        }
    }

    /** Returns the work to do next, or gives the place back. */
    private synchronized Optional<Waiting<?>> next() {
        progress = System.nanoTime();
        Optional<Waiting<?>> next = Optional.ofNullable(queue.pollFirst());
        next.ifPresentOrElse(w -> w.begun = true, () -> free++);
        return next;
    }

    /** Waits until the work is done. Returns false if it is the caller's to do. */
    private boolean await(Waiting<?> waiting) {
        long begun = System.nanoTime();
        boolean interrupted = false;
        try {
            while (!waiting.done) {
                long left = patience - (System.nanoTime() - Math.max(begun, progress));
                interrupted |= Thread.interrupted();
                if ((interrupted || left <= 0) && takesBack(waiting)) {
                    return false;
                }
                LockSupport.parkNanos(this, left > 0 && !interrupted ? left : patience);
            }
            return true;
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    private synchronized boolean takesBack(Waiting<?> waiting) {
        return !waiting.begun && queue.remove(waiting);
    }

    /** How many places are free; for tests. */
    synchronized int free() {
        return free;
    }

    /** How much work waits; for tests. */
    synchronized int waiting() {
        return queue.size();
    }
}
