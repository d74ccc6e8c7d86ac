package dev.shardkit.engine.threads;

import dev.shardkit.memory.Completions;
import dev.shardkit.spi.codec.Edit;
import dev.shardkit.spi.codec.Piece;
import java.util.Deque;
import java.util.LinkedList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Limits the bytes of encoded objects that all writers of a process hold until they are stored. A change reserves an
 * estimate after it has acquired its lock, and corrects it after encoding. A change that exceeds the whole budget waits
 * until it is alone. First come, first served.
 *
 * <p>A change inside another one on the same thread reserves nothing, because it could wait for itself. As it may also
 * run on another thread, nothing waits longer than {@link #PATIENCE}. Thread-safe: guarded by its monitor.
 */
public final class EncodedBudget {
    /** An eighth of the heap. */
    public static final EncodedBudget OF_PROCESS =
            new EncodedBudget(Runtime.getRuntime().maxMemory() / 8);

    private static final long PATIENCE = TimeUnit.MINUTES.toNanos(1);
    private static final ThreadLocal<Boolean> RESERVING = new ThreadLocal<>();

    private final long most;
    /** Linked: an ArrayDeque that cannot grow for lack of memory loses its elements. */
    private final Deque<Reservation> queue = new LinkedList<>();

    private long held;
    private int holders;

    /** Uses a budget of {@code most} bytes. */
    public EncodedBudget(long most) {
        this.most = most;
    }

    /** The reserved bytes of one change. */
    public final class Reservation implements AutoCloseable {
        private long bytes;
        /** Whether one thread reserves and closes it. */
        private boolean bound;
        /** Whether the bytes are counted; guarded by the budget. */
        private boolean holding;
        /** Completed when the share is granted; null if a thread waits. */
        private @Nullable CompletableFuture<Reservation> granted;

        private Reservation(long bytes) {
            this.bytes = bytes;
        }

        /** Corrects the reservation after encoding. A change that was cancelled may have closed it already. */
        public void holds(Edit edit) {
            long exact = inMemory(edit);
            synchronized (EncodedBudget.this) {
                if (!holding) {
                    return;
                }
                held += exact - bytes;
                bytes = exact;
            }
            grant();
        }

        private void tell() {
            CompletableFuture<Reservation> future = granted;
            if (future != null) {
                Completions.complete(future, this);
                if (future.isCancelled()) {
                    close();
                }
            }
        }

        @Override
        public void close() {
            if (bound) {
                RESERVING.remove();
            }
            synchronized (EncodedBudget.this) {
                if (!holding) {
                    return;
                }
                holding = false;
                held -= bytes;
                holders--;
            }
            grant();
        }
    }

    /** Returns whether the calling thread already holds a share. */
    public static boolean isReserving() {
        return RESERVING.get() != null;
    }

    /**
     * Waits for {@code estimate} bytes. The same thread must close the share.
     *
     * @throws CancellationException if the thread is interrupted
     */
    public Reservation reserve(long estimate) {
        Reservation share = reserveUnbound(estimate);
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
    private Reservation reserveUnbound(long estimate) {
        Reservation share = new Reservation(Math.max(0, estimate));
        enqueue(share);
        boolean kept = false;
        try {
            await(share);
            kept = true;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new CancellationException("interrupted");
        } finally {
            if (!kept) {
                withdraw(share);
            }
        }
        return share;
    }

    /**
     * Waits for {@code estimate} bytes without a thread. Any thread may close the share. Cancelling the future gives up
     * the place in the queue. The future completes on a thread that releases memory, so its dependents must be short.
     */
    public CompletableFuture<Reservation> reserveLater(long estimate) {
        CompletableFuture<Reservation> granted = new CompletableFuture<>();
        Reservation share = new Reservation(Math.max(0, estimate));
        share.granted = granted;
        granted.whenComplete((value, thrown) -> {
            if (thrown != null) {
                withdraw(share);
            }
        });
        enqueue(share);
        try {
            CompletableFuture.delayedExecutor(PATIENCE, TimeUnit.NANOSECONDS).execute(() -> force(share));
            return granted;
        } catch (Throwable e) {
            withdraw(share); // memory ran out
            throw e;
        }
    }

    /** Reserves {@code estimate} bytes if they are available now. Any thread may close the share. */
    public synchronized Optional<Reservation> tryReserveUnbound(long estimate) {
        Reservation share = new Reservation(Math.max(0, estimate));
        Optional<Reservation> granted = Optional.of(share);
        if (!queue.isEmpty() || !fits(share)) {
            return Optional.empty();
        }
        hold(share);
        return granted;
    }

    private void enqueue(Reservation share) {
        synchronized (this) {
            queue.addLast(share);
        }
        grant();
    }

    /** Grants memory to the shares that are due. Called without the monitor: a grant runs a dependent of its future. */
    private void grant() {
        for (Reservation next = grantOne(); next != null; next = grantOne()) {
            next.tell();
        }
    }

    private synchronized @Nullable Reservation grantOne() {
        Reservation head = queue.peekFirst();
        if (head == null || !fits(head)) {
            return null;
        }
        queue.removeFirst();
        hold(head);
        notifyAll();
        return head;
    }

    private void hold(Reservation share) {
        held += share.bytes;
        holders++;
        share.holding = true;
    }

    /** Grants a share that has waited too long, although there is no room for it. */
    private void force(Reservation share) {
        synchronized (this) {
            if (!queue.remove(share)) {
                return;
            }
            hold(share);
        }
        share.tell();
        grant();
    }

    /** Releases a share, whether it was granted or not. */
    private void withdraw(Reservation share) {
        boolean was;
        synchronized (this) {
            queue.remove(share);
            was = share.holding;
        }
        if (was) {
            share.close();
        } else {
            grant();
        }
    }

    private void await(Reservation share) throws InterruptedException {
        long start = System.nanoTime();
        synchronized (this) {
            for (long left = PATIENCE; left > 0 && !share.holding; left = PATIENCE - (System.nanoTime() - start)) {
                TimeUnit.NANOSECONDS.timedWait(this, left);
            }
        }
        force(share);
    }

    private boolean fits(Reservation share) {
        return holders == 0 || share.bytes <= most - held;
    }

    /** Returns the number of reserved bytes. */
    public synchronized long held() {
        return held;
    }

    /** Returns the number of waiting changes. */
    public synchronized int waiting() {
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
