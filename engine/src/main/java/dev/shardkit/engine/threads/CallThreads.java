package dev.shardkit.engine.threads;

import java.lang.reflect.Method;
import java.util.Optional;
import java.util.concurrent.Executor;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * The threads for blocking calls and for callers' callbacks: virtual threads on JDKs where blocking does not pin them.
 */
public final class CallThreads {
    /** Since this JDK, a virtual thread that blocks in a monitor releases its carrier (JEP 491). */
    private static final int FIRST_UNPINNED_JDK = 24;

    private static final int MAX_CALLS = 64;
    private static final String CALL_PREFIX = "shardkit-call-";

    /** One thread for each blocked callback; no thread without callbacks. */
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
     * Returns the executor for calls. With platform threads, at most 64 calls run at once and others queue. A call that
     * holds a lock needs no second thread, so calls that wait for a lock cannot block its holder. Only callers' code,
     * such as a listener, may wait for another call; its thread then does not count ({@link WorkerPool#callersCode}).
     */
    static Executor calls() {
        return virtual().orElseGet(() -> new WorkerPool(MAX_CALLS, platform(CALL_PREFIX)));
    }

    /** Returns the executor for callers' callbacks, which may wait for other calls. Shared by the process. */
    static Executor callbacks() {
        return CALLBACKS;
    }

    /** Returns a factory of daemon threads whose names are {@code prefix} and a number. */
    public static ThreadFactory platform(String prefix) {
        AtomicInteger number = new AtomicInteger();
        return task -> {
            Thread thread = new Thread(task, prefix + number.incrementAndGet());
            thread.setDaemon(true);
            return thread;
        };
    }

    /**
     * Returns an executor with a new virtual thread for each task; empty on JDKs where blocking pins virtual threads.
     * Uses reflection, because the library is compiled for an older JDK.
     */
    private static Optional<Executor> virtual() {
        if (Runtime.version().feature() < FIRST_UNPINNED_JDK) {
            return Optional.empty();
        }
        try {
            Class<?> builder = Class.forName("java.lang.Thread$Builder");
            Method named = builder.getMethod("name", String.class, long.class);
            Object threads = named.invoke(Thread.class.getMethod("ofVirtual").invoke(null), CALL_PREFIX, 1L);
            ThreadFactory factory = (ThreadFactory) builder.getMethod("factory").invoke(threads);
            return Optional.of(task -> factory.newThread(task).start());
        } catch (ReflectiveOperationException e) {
            return Optional.empty();
        }
    }
}
