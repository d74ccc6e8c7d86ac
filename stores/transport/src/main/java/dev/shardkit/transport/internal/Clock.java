package dev.shardkit.transport.internal;

import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/**
 * The timer of all remote stores: one daemon thread, which ends when it is idle. Its tasks hand work to other threads
 * and return. It never runs code of callers, so callers cannot delay deadlines. Thread-safe.
 */
public final class Clock {
    private static final ScheduledThreadPoolExecutor CLOCK = clock();

    private Clock() {}

    /** A scheduled task. */
    public interface Due {
        /** Cancels the task. A no-op if it has already started. */
        void cancel();
    }

    private static ScheduledThreadPoolExecutor clock() {
        ScheduledThreadPoolExecutor clock = new ScheduledThreadPoolExecutor(1, work -> {
            Thread thread = new Thread(null, work, "shardkit-http-timer", 0, false);
            thread.setDaemon(true);
            thread.setContextClassLoader(Clock.class.getClassLoader());
            return thread;
        });
        clock.setRemoveOnCancelPolicy(true);
        clock.setKeepAliveTime(10, TimeUnit.SECONDS);
        clock.allowCoreThreadTimeOut(true);
        return clock;
    }

    /** Runs {@code work} after {@code nanos} nanoseconds. It must not block and must not run code of callers. */
    public static Due after(long nanos, Runnable work) {
        var due = CLOCK.schedule(work, Math.max(0, nanos), TimeUnit.NANOSECONDS);
        return () -> due.cancel(false);
    }
}
