package dev.shardkit.serve;

import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

/**
 * Limits how much work runs at once: one task for each processor, within a memory budget. Other work waits.
 * Thread-safe.
 */
final class BoundedWork {
    /**
     * The maximum number of waiting tasks. Each blocks a thread of the server, so it is below the number of these
     * threads: the others still serve objects.
     */
    private static final int MAX_WAITING = 48;

    /** How long a task waits for memory, and then for a processor. */
    private static final int PATIENCE_SECONDS = 30;
    /** The memory of one permit, so that the number of permits fits into an int. */
    private static final long BYTES_PER_UNIT = 1 << 16;

    private final Semaphore running = new Semaphore(Runtime.getRuntime().availableProcessors());
    private final Semaphore waiting = new Semaphore(MAX_WAITING);
    private final int maxUnits;
    /** Permits for units of memory. Fair, because otherwise small tasks could delay a large one forever. */
    private final Semaphore memory;

    /** A task that needs memory and a processor. Returns the content of a response. */
    interface Work {
        byte[] run() throws HttpError;
    }

    /**
     * Creates an idle instance.
     *
     * @param budget the memory budget in bytes
     */
    BoundedWork(long budget) {
        this.maxUnits = (int) Math.min(Integer.MAX_VALUE, budget / BYTES_PER_UNIT);
        this.memory = new Semaphore(maxUnits, true);
    }

    /** Returns the memory in bytes that one task may need. */
    long budget() {
        return Math.max(0, maxUnits * BYTES_PER_UNIT - 1);
    }

    /**
     * Runs a task as soon as a processor and enough memory are free. Refuses a task that needs more than the budget,
     * and any task while too many wait.
     *
     * @param bytes the memory that the task needs, in bytes
     */
    byte[] run(long bytes, Work work) throws HttpError {
        if (bytes / BYTES_PER_UNIT >= maxUnits) {
            throw new HttpError(
                    422,
                    "reading these elements takes " + mebibytes(bytes)
                            + " MiB of memory, because the stored chunks are " + "large; this server may use "
                            + mebibytes(maxUnits * BYTES_PER_UNIT) + " MiB for that");
        }
        int needed = (int) (bytes / BYTES_PER_UNIT) + 1;
        acquire(needed);
        try {
            return work.run();
        } finally {
            running.release();
            memory.release(needed);
        }
    }

    private void acquire(int needed) throws HttpError {
        if (!waiting.tryAcquire()) {
            throw busy();
        }
        try {
            acquire(memory, needed);
            try {
                acquire(running, 1);
            } catch (HttpError e) {
                memory.release(needed);
                throw e;
            }
        } finally {
            waiting.release();
        }
    }

    private static void acquire(Semaphore semaphore, int permits) throws HttpError {
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

    private static HttpError busy() {
        return new HttpError(503, "the server is busy");
    }
}
