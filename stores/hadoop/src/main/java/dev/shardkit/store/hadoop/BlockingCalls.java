package dev.shardkit.store.hadoop;

import dev.shardkit.outofmemory.Completions;
import dev.shardkit.spi.error.StoreException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * Makes the calls of Hadoop's client, which block, on threads of the store: daemons that end when idle. At most
 * {@link #MAX} calls of a store run at once; others wait in a queue. A call leaves its slot before its future
 * completes, because dependents of the future may block the thread. Thread-safe.
 */
final class BlockingCalls implements AutoCloseable {
    static final int MAX = 32;
    private static final int IDLE_SECONDS = 10;
    private static final AtomicInteger NUMBER = new AtomicInteger();

    private final ThreadPoolExecutor threads = new ThreadPoolExecutor(
            0, Integer.MAX_VALUE, IDLE_SECONDS, TimeUnit.SECONDS, new SynchronousQueue<>(), BlockingCalls::thread);
    private final String closedMessage;
    /** Guarded by this object, as are the following fields. */
    private final Queue<Call<?>> queue = new ArrayDeque<>();

    private final Set<Call<?>> running = new HashSet<>();
    private boolean ended;

    BlockingCalls(String name) {
        this.closedMessage = "closed: " + name;
    }

    private static Thread thread(Runnable work) {
        // The last argument: the thread inherits no thread-local values, because it outlives the work of its creator.
        Thread thread = new Thread(null, work, "shardkit-hadoop-" + NUMBER.incrementAndGet(), 0, false);
        thread.setDaemon(true);
        return thread;
    }

    /** Runs a blocking call. Cancelling the future interrupts the call. */
    <T> CompletableFuture<T> make(Callable<T> work) {
        Call<T> call = new Call<>(work);
        synchronized (this) {
            if (ended) {
                throw new IllegalStateException(closedMessage);
            }
            if (running.size() >= MAX) {
                queue.add(call);
                return call.result;
            }
            running.add(call);
        }
        start(call);
        return call.result;
    }

    /** Throws {@code IllegalStateException} if the store is closed. */
    synchronized void checkOpen() {
        if (ended) {
            throw new IllegalStateException(closedMessage);
        }
    }

    private void start(Call<?> call) {
        try {
            threads.execute(call);
        } catch (RuntimeException | Error e) { // closed, or no memory for a thread
            passSlot(call).run();
            call.fail(new StoreException("no thread for a call of Hadoop's client", e));
        }
    }

    /** Passes the slot of a finished call to the next waiting call. Returns the action that starts it. */
    private synchronized Runnable passSlot(Call<?> call) {
        running.remove(call);
        Call<?> next = queue.poll();
        if (next == null) {
            return () -> {};
        }
        running.add(next);
        return () -> start(next);
    }

    /** Cancels all calls. */
    @Override
    public void close() {
        List<Call<?>> calls;
        synchronized (this) {
            ended = true;
            calls = new ArrayList<>(queue);
            queue.clear();
            calls.addAll(running);
        }
        calls.forEach(call -> call.fail(new StoreException(closedMessage)));
        threads.shutdown();
    }

    /** A call and its result. */
    private final class Call<T> implements Runnable {
        private final Callable<T> work;
        private final CompletableFuture<T> result = new CompletableFuture<>();
        /** The thread of the call while it may be interrupted; guarded by this object. */
        private @Nullable Thread thread;

        Call(Callable<T> work) {
            this.work = work;
            result.whenComplete((value, thrown) -> {
                if (thrown != null) {
                    interrupt();
                }
            });
        }

        private synchronized void interrupt() {
            if (thread != null) {
                thread.interrupt();
            }
        }

        private void fail(Throwable failure) {
            Completions.fail(result, failure);
        }

        @Override
        public void run() {
            T value = null;
            Throwable thrown = null;
            if (enter()) {
                try {
                    value = work.call();
                } catch (Throwable e) {
                    thrown = e;
                }
                leave();
            }
            passSlot(this).run();
            if (thrown != null) {
                fail(thrown);
            } else if (value != null) {
                Completions.complete(result, value);
            }
        }

        /**
         * Records the thread of the call, so that it can be interrupted; false if the call was cancelled before it
         * began.
         */
        private synchronized boolean enter() {
            if (result.isDone()) {
                return false;
            }
            thread = Thread.currentThread();
            return true;
        }

        /**
         * Ends the time in which the thread may be interrupted, and clears an interrupt that was meant for this call.
         */
        private synchronized void leave() {
            thread = null;
            Thread.interrupted();
        }
    }
}
