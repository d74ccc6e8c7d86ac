package dev.shardkit.serve;

import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

/**
 * Runs at most as much work at once as there are processors, and as fits into a budget of memory; the rest waits.
 * Thread-safe.
 */
final class BoundedWork {
    /** Fewer than the threads of the server, so that objects are served meanwhile. */
    private static final int MAX_WAITING = 48;

    private static final int PATIENCE_SECONDS = 30;
    private static final long UNIT = 1 << 16;

    private final Semaphore running = new Semaphore(Runtime.getRuntime().availableProcessors());
    private final Semaphore waiting = new Semaphore(MAX_WAITING);
    private final int units;
    /** Fair: otherwise a large need would wait for as long as small ones arrive. */
    private final Semaphore memory;

    /** Work that needs memory and processors. */
    interface Work {
        byte[] run() throws Refused;
    }

    /**
     * Sets the budget of memory.
     *
     * @param budget in bytes
     */
    BoundedWork(long budget) {
        this.units = (int) Math.min(Integer.MAX_VALUE, budget / UNIT);
        this.memory = new Semaphore(units, true);
    }

    /**
     * Runs work as soon as a processor and enough memory are free. Refuses it if it needs more than the budget, or if
     * too much work is waiting.
     *
     * @param bytes the memory that the work needs
     */
    byte[] run(long bytes, Work work) throws Refused {
        if (bytes / UNIT >= units) {
            throw new Refused(
                    422,
                    "reading these elements takes " + mebibytes(bytes)
                            + " MiB of memory, because the stored chunks are " + "large; this server may use "
                            + mebibytes(units * UNIT) + " MiB for that");
        }
        int needed = (int) (bytes / UNIT) + 1;
        acquire(needed);
        try {
            return work.run();
        } finally {
            running.release();
            memory.release(needed);
        }
    }

    private void acquire(int needed) throws Refused {
        if (!waiting.tryAcquire()) {
            throw busy();
        }
        try {
            acquire(memory, needed);
            try {
                acquire(running, 1);
            } catch (Refused e) {
                memory.release(needed);
                throw e;
            }
        } finally {
            waiting.release();
        }
    }

    private static void acquire(Semaphore semaphore, int permits) throws Refused {
        try {
            if (!semaphore.tryAcquire(permits, PATIENCE_SECONDS, TimeUnit.SECONDS)) {
                throw busy();
            }
        } catch (InterruptedException e) {
            throw busy();
        }
    }

    private static long mebibytes(long bytes) {
        return (bytes + (1L << 20) - 1) >> 20;
    }

    private static Refused busy() {
        return new Refused(503, "the server is busy");
    }
}
