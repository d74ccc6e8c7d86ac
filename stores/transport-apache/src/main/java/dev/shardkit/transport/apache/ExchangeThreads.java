package dev.shardkit.transport.apache;

import java.util.concurrent.Executor;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * The threads of one transport for calls that may block, {@code shardkit-http-N}: daemons that end when idle. The
 * permits of the stores limit their number. The pool itself has no limit, because actions that depend on a future may
 * block the thread that completed it, and must not stop other exchanges. They are platform threads, because virtual
 * threads share their carrier threads with the callers' virtual threads, which may occupy all carriers. Thread-safe.
 */
final class ExchangeThreads implements Executor {
    private static final AtomicInteger NUMBER = new AtomicInteger();
    private static final int IDLE_SECONDS = 10;

    private final ThreadPoolExecutor pool = new ThreadPoolExecutor(
            0, Integer.MAX_VALUE, IDLE_SECONDS, TimeUnit.SECONDS, new SynchronousQueue<>(), ExchangeThreads::thread);

    private static Thread thread(Runnable work) {
        Thread thread = new Thread(null, work, "shardkit-http-" + NUMBER.incrementAndGet(), 0, false);
        thread.setDaemon(true);
        return thread;
    }

    /** Runs {@code work} on a separate thread. Throws if no thread can be started. */
    void begin(Runnable work) {
        pool.execute(work);
    }

    /** Runs {@code work} like {@link #begin}, or on the calling thread if no thread can be started. */
    @Override
    public void execute(Runnable work) {
        try {
            pool.execute(work);
        } catch (Throwable e) { // the pool is closed, or there is no memory for a thread
            work.run();
        }
    }

    /** Stops idle threads now, and the others when their work is done. */
    void close() {
        pool.shutdown();
    }
}
