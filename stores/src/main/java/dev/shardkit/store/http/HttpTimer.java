package dev.shardkit.store.http;

import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/**
 * The clock of all stores: one daemon thread, which ends when nothing is due for a while. Its tasks hand over and
 * return. No code of callers runs on it, so nothing that they block keeps a deadline from coming. Thread-safe.
 */
final class HttpTimer {
    private static final ScheduledThreadPoolExecutor CLOCK = clock();

    private HttpTimer() {}

    /** Something that is due later. */
    interface Due {
        /** Does nothing for one that is due already. */
        void cancel();
    }

    private static ScheduledThreadPoolExecutor clock() {
        ScheduledThreadPoolExecutor clock = new ScheduledThreadPoolExecutor(1, work -> {
            Thread thread = new Thread(null, work, "shardkit-http-timer", 0, false);
            thread.setDaemon(true);
            thread.setContextClassLoader(HttpTimer.class.getClassLoader());
            return thread;
        });
        clock.setRemoveOnCancelPolicy(true);
        clock.setKeepAliveTime(10, TimeUnit.SECONDS);
        clock.allowCoreThreadTimeOut(true);
        return clock;
    }

    /** Runs {@code work}, which neither waits nor calls callers, after so many nanoseconds. */
    static Due after(long nanos, Runnable work) {
        var due = CLOCK.schedule(work, Math.max(0, nanos), TimeUnit.NANOSECONDS);
        return () -> due.cancel(false);
    }
}
