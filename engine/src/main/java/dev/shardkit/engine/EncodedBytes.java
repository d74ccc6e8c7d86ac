package dev.shardkit.engine;

import dev.shardkit.spi.codec.Edit;
import dev.shardkit.spi.codec.Piece;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CancellationException;
import java.util.concurrent.TimeUnit;

/**
 * The bytes of encoded objects that all writers of a process may hold until they are stored. A change reserves what it
 * may need before it takes its lock, and corrects that when it is encoded; one that is larger than all of the budget
 * waits until it is alone. First come, first served.
 *
 * <p>A change that is made in the middle of another one, on the same thread, reserves nothing, or it could wait for
 * itself; and since it may be made on another thread, nobody waits for longer than {@link #PATIENCE}. Thread-safe:
 * guarded by its monitor.
 */
final class EncodedBytes {
    /** An eighth of the heap. */
    static final EncodedBytes OF_PROCESS = new EncodedBytes(Runtime.getRuntime().maxMemory() / 8);

    private static final long PATIENCE = TimeUnit.MINUTES.toNanos(1);
    private static final ThreadLocal<Boolean> RESERVING = new ThreadLocal<>();

    private final long most;
    private final Deque<Share> queue = new ArrayDeque<>();
    private long held;
    private int holders;

    /** A budget of {@code most} bytes. */
    EncodedBytes(long most) {
        this.most = most;
    }

    /** What one change holds. */
    final class Share implements AutoCloseable {
        private long bytes;
        /** Whether it is of one thread, from the beginning to the end. */
        private boolean bound;

        private Share(long bytes) {
            this.bytes = bytes;
        }

        /** Takes note of what the change holds in memory now that it is encoded. */
        void holds(Edit edit) {
            synchronized (EncodedBytes.this) {
                held -= bytes;
                bytes = inMemory(edit);
                held += bytes;
                EncodedBytes.this.notifyAll();
            }
        }

        @Override
        public void close() {
            if (bound) {
                RESERVING.remove();
            }
            synchronized (EncodedBytes.this) {
                held -= bytes;
                holders--;
                EncodedBytes.this.notifyAll();
            }
        }
    }

    /** Whether the calling thread holds a share already. */
    static boolean isReserving() {
        return RESERVING.get() != null;
    }

    /**
     * Waits for room for about {@code estimate} bytes; to be closed by the same thread.
     *
     * @throws CancellationException if the thread is interrupted
     */
    Share reserve(long estimate) {
        Share share = reserveUnbound(estimate);
        share.bound = true;
        RESERVING.set(true);
        return share;
    }

    /** The same, of work that others do: closed by any thread. */
    Share reserveUnbound(long estimate) {
        Share share = new Share(Math.max(0, estimate));
        synchronized (this) {
            queue.addLast(share);
            try {
                awaitRoom(share);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new CancellationException("interrupted");
            } finally {
                queue.remove(share);
                notifyAll();
            }
            held += share.bytes;
            holders++;
        }
        return share;
    }

    /** The same, if there is room at once. */
    synchronized Optional<Share> tryReserveUnbound(long estimate) {
        Share share = new Share(Math.max(0, estimate));
        if (!queue.isEmpty() || !fits(share)) {
            return Optional.empty();
        }
        held += share.bytes;
        holders++;
        return Optional.of(share);
    }

    private void awaitRoom(Share share) throws InterruptedException {
        long start = System.nanoTime();
        for (long left = PATIENCE; left > 0 && !hasRoom(share); left = PATIENCE - (System.nanoTime() - start)) {
            TimeUnit.NANOSECONDS.timedWait(this, left);
        }
    }

    private boolean hasRoom(Share share) {
        return queue.peekFirst() == share && fits(share);
    }

    private boolean fits(Share share) {
        return holders == 0 || share.bytes <= most - held;
    }

    /** How many bytes are reserved. */
    synchronized long held() {
        return held;
    }

    /** How many changes wait for room. */
    synchronized int waiting() {
        return queue.size();
    }

    private static long inMemory(Edit edit) {
        long bytes = 0;
        if (edit instanceof Edit.Replace r) {
            bytes = literals(r.pieces());
        } else if (edit instanceof Edit.Patch p) {
            bytes = literals(p.appended());
            for (Edit.Write w : p.overwritten()) {
                bytes += w.bytes().size();
            }
        }
        return bytes;
    }

    private static long literals(List<Piece> pieces) {
        long bytes = 0;
        for (Piece p : pieces) {
            bytes += p instanceof Piece.Literal ? p.size() : 0;
        }
        return bytes;
    }
}
