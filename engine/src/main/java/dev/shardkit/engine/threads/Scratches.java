package dev.shardkit.engine.threads;

import dev.shardkit.spi.plan.Scratch;
import java.lang.ref.WeakReference;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Optional;

/**
 * The scratch memory of idle workers. All open handles of a process share one pool, because a scratch is far larger
 * than a handle; the pool ends with the last handle. It keeps as many scratches as there can be concurrent workers, and
 * at most a quarter of the heap. Guarded by its monitor.
 */
final class Scratches {
    private static final int PROCESSORS = Runtime.getRuntime().availableProcessors();
    /** The maximum size of the buffers that one scratch keeps. */
    private static final long MAX_OF_ONE = 64L << 20;
    /** The pool of the process. The open handles hold it, so it ends with the last one. */
    private static WeakReference<Scratches> current = new WeakReference<>(null);

    private final long budget;
    private final Deque<Entry> idle = new ArrayDeque<>();
    private long idleBytes;

    /** An idle scratch and the size of its buffers. */
    private record Entry(Scratch scratch, long bytes) {}

    /** Creates a pool that keeps at most {@code budget} bytes of buffers. */
    Scratches(long budget) {
        this.budget = budget;
    }

    /** Returns the pool of the process. */
    static Scratches shared() {
        synchronized (Scratches.class) {
            Scratches pool = Optional.ofNullable(current.get())
                    .orElseGet(() -> new Scratches(Runtime.getRuntime().maxMemory() / 4));
            current = new WeakReference<>(pool);
            return pool;
        }
    }

    /** Returns a scratch for one worker, until {@link #giveBack}: the most recently used one, whose memory is warm. */
    Scratch take() {
        synchronized (this) {
            Entry newest = idle.pollFirst();
            if (newest != null) {
                idleBytes -= newest.bytes();
                return newest.scratch();
            }
        }
        return new Scratch(Math.min(MAX_OF_ONE, budget / PROCESSORS));
    }

    /**
     * Keeps a scratch for the next worker, or closes it if there are enough.
     *
     * @param workers the number of workers of its last user's handle
     */
    void giveBack(Scratch scratch, int workers) {
        scratch.reset(0);
        Entry entry = new Entry(scratch, scratch.kept());
        synchronized (this) {
            if (idle.size() < Math.max(workers, PROCESSORS) && idleBytes + entry.bytes() <= budget) {
                idle.addFirst(entry);
                idleBytes += entry.bytes();
                return;
            }
        }
        scratch.close();
    }

    /** Returns the size of the idle scratches' buffers in bytes. */
    synchronized long idleBytes() {
        return idleBytes;
    }
}
