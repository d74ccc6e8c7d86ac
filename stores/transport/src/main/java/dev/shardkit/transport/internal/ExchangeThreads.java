package dev.shardkit.transport.internal;

import java.util.concurrent.Executor;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * The threads of one transport, {@code shardkit-http-N}: daemons, one for each exchange that is under way, that end
 * when idle. The stores' permits bound them; the pool itself has no bound, since a future's dependents may block the
 * thread that completed it, and must not stop others by that. They are platform threads: virtual ones share carriers
 * with those of callers, who may pin all of them. Thread-safe.
 */
public final class ExchangeThreads implements Executor {
    private static final AtomicInteger NUMBER = new AtomicInteger();
    private static final int IDLE_SECONDS = 10;

    private final ThreadPoolExecutor pool = new ThreadPoolExecutor(
            0, Integer.MAX_VALUE, IDLE_SECONDS, TimeUnit.SECONDS, new SynchronousQueue<>(), ExchangeThreads::thread);

    private static Thread thread(Runnable work) {
        Thread thread = new Thread(null, work, "shardkit-http-" + NUMBER.incrementAndGet(), 0, false);
        thread.setDaemon(true);
        return thread;
    }

    /** Begins {@code work} on a thread of its own, or throws what keeps it from that. */
    public void begin(Runnable work) {
        pool.execute(work);
    }

    /** As {@link #begin}; on the calling thread if no other can be had. */
    @Override
    public void execute(Runnable work) {
        try {
            pool.execute(work);
        } catch (Throwable e) { // closed, or no memory for a thread
            work.run();
        }
    }

    /** Ends the idle threads now, and the others when their work is done. */
    public void close() {
        pool.shutdown();
    }
}
