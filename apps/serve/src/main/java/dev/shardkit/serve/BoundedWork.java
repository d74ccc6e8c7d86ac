package dev.shardkit.serve;

import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

/** Runs at most as much work at once as there are processors; the rest waits. Thread-safe. */
final class BoundedWork {
    /** Fewer than the threads of the server, so that objects are served meanwhile. */
    private static final int MOST_WAITING = 48;

    private static final int PATIENCE_SECONDS = 30;

    private final Semaphore running = new Semaphore(Runtime.getRuntime().availableProcessors());
    private final Semaphore waiting = new Semaphore(MOST_WAITING);

    /** Work that needs memory and processors. */
    interface Work {
        byte[] run() throws Refused;
    }

    /** Runs work as soon as a processor is free; refuses it if too much work is waiting. */
    byte[] run(Work work) throws Refused {
        if (!waiting.tryAcquire()) {
            throw busy();
        }
        try {
            if (!running.tryAcquire(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
                throw busy();
            }
        } catch (InterruptedException e) {
            throw busy();
        } finally {
            waiting.release();
        }
        try {
            return work.run();
        } finally {
            running.release();
        }
    }

    private static Refused busy() {
        return new Refused(503, "the server is busy");
    }
}
