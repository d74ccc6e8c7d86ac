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
 * Limits the bytes of encoded objects that all writers of a process hold until they are stored. A change reserves an
 * estimate before it acquires its lock, and corrects it after encoding. A change that exceeds the whole budget waits
 * until it is alone. First come, first served.
 *
 * <p>A change inside another one on the same thread reserves nothing, because it could wait for itself. As it may also
 * run on another thread, nothing waits longer than {@link #PATIENCE}. Thread-safe: guarded by its monitor.
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

    /** Uses a budget of {@code most} bytes. */
    EncodedBytes(long most) {
        this.most = most;
    }

    /** The reserved bytes of one change. */
    final class Share implements AutoCloseable {
        private long bytes;
        /** Whether one thread reserves and closes it. */
        private boolean bound;

        private Share(long bytes) {
            this.bytes = bytes;
        }

        /** Corrects the reservation after encoding. */
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

    /** Whether the calling thread already holds a share. */
    static boolean isReserving() {
        return RESERVING.get() != null;
    }

    /**
     * Waits for {@code estimate} bytes. The same thread must close the share.
     *
     * @throws CancellationException if the thread is interrupted
     */
    Share reserve(long estimate) {
        Share share = reserveUnbound(estimate);
        try {
            RESERVING.set(true);
            share.bound = true;
            return share;
        } finally {
            if (!share.bound) {
                share.close(); // memory ran out
            }
        }
    }

    /** Waits for {@code estimate} bytes. Any thread may close the share. */
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

    /** Reserves {@code estimate} bytes if they are available now. Any thread may close the share. */
    synchronized Optional<Share> tryReserveUnbound(long estimate) {
        Share share = new Share(Math.max(0, estimate));
        Optional<Share> granted = Optional.of(share);
        if (!queue.isEmpty() || !fits(share)) {
            return Optional.empty();
        }
        held += share.bytes;
        holders++;
        return granted;
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

    /** Returns the number of reserved bytes. */
    synchronized long held() {
        return held;
    }

    /** Returns the number of waiting changes. */
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
