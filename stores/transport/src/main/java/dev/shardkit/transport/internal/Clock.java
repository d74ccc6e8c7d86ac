package dev.shardkit.transport.internal;

import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/**
 * The clock of all remote stores: one daemon thread, which ends when nothing is due for a while. Its tasks hand over
 * and return. No code of callers runs on it, so nothing that they block keeps a deadline from coming. Thread-safe.
 */
public final class Clock {
    private static final ScheduledThreadPoolExecutor CLOCK = clock();

    private Clock() {}

    /** Something that is due later. */
    public interface Due {
        /** Does nothing for one that is due already. */
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

    /** Runs {@code work}, which neither waits nor calls callers, after so many nanoseconds. */
    public static Due after(long nanos, Runnable work) {
        var due = CLOCK.schedule(work, Math.max(0, nanos), TimeUnit.NANOSECONDS);
        return () -> due.cancel(false);
    }
}
