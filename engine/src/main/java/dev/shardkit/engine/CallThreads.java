package dev.shardkit.engine;

import java.lang.reflect.Method;
import java.util.Optional;
import java.util.concurrent.Executor;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/** Where calls and callers' callbacks run that may wait: on virtual threads where waiting does not pin them. */
final class CallThreads {
    /** From here on a virtual thread that waits in a monitor gives up its carrier (JEP 491). */
    private static final int UNPINNED = 24;

    private static final int MOST = 64;
    private static final String PREFIX = "shardkit-call-";

    /** One thread for each callback that is blocked; none while there are no callbacks. */
    private static final Executor CALLBACKS = virtual()
            .orElseGet(() -> new ThreadPoolExecutor(
                    0,
                    Integer.MAX_VALUE,
                    10,
                    TimeUnit.SECONDS,
                    new SynchronousQueue<>(),
                    platform("shardkit-callback-")));

    private CallThreads() {}

    /**
     * For calls. On platform threads at most 64 run at once, and others queue. A call that holds a lock needs no second
     * one of these threads, so calls that wait for a lock cannot stop its holder. Only callers' code, such as a
     * listener, may wait for another call; meanwhile its thread does not count ({@link WorkerPool#callersCode}).
     */
    static Executor calls() {
        return virtual().orElseGet(() -> new WorkerPool(MOST, platform(PREFIX)));
    }

    /** For callers' callbacks, which may wait for other calls: shared by the process. */
    static Executor callbacks() {
        return CALLBACKS;
    }

    /** Makes daemons of that name. */
    static ThreadFactory platform(String prefix) {
        AtomicInteger number = new AtomicInteger();
        return task -> {
            Thread thread = new Thread(task, prefix + number.incrementAndGet());
            thread.setDaemon(true);
            return thread;
        };
    }

    private static Optional<Executor> virtual() {
        if (Runtime.version().feature() < UNPINNED) {
            return Optional.empty();
        }
        try {
            Class<?> builder = Class.forName("java.lang.Thread$Builder");
            Method named = builder.getMethod("name", String.class, long.class);
            Object threads = named.invoke(Thread.class.getMethod("ofVirtual").invoke(null), PREFIX, 1L);
            ThreadFactory factory = (ThreadFactory) builder.getMethod("factory").invoke(threads);
            return Optional.of(task -> factory.newThread(task).start());
        } catch (ReflectiveOperationException e) {
            return Optional.empty();
        }
    }
}
