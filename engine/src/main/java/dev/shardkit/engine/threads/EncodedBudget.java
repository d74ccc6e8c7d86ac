package dev.shardkit.engine.threads;

import dev.shardkit.outofmemory.Completions;
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
 * estimate after it has acquired its lock, and corrects the estimate after encoding. A change that exceeds the whole
 * budget waits until no other change holds memory. Waiting changes are served in order.
 *
 * <p>A change may be made inside another one, for example by a caller's feed. On the same thread it reserves nothing,
 * because it could wait for memory that the outer change holds. On another thread this cannot be seen, so no change
 * waits longer than {@link #PATIENCE}. Thread-safe: guarded by its monitor.
 */
public final class EncodedBudget {
    /** An eighth of the heap. */
    public static final EncodedBudget OF_PROCESS =
            new EncodedBudget(Runtime.getRuntime().maxMemory() / 8);

    /** The longest wait for memory, in nanoseconds; after it, a reservation is granted beyond the budget. */
    private static final long PATIENCE = TimeUnit.MINUTES.toNanos(1);
    /** True on a thread that holds a reservation; otherwise null. */
    private static final ThreadLocal<Boolean> RESERVING = new ThreadLocal<>();

    private final long maxBytes;
    /** The waiting reservations. Linked: an ArrayDeque that cannot grow for lack of memory loses its elements. */
    private final Deque<Reservation> queue = new LinkedList<>();

    private long heldBytes;
    /** The number of reservations that hold memory. */
    private int holders;

    /** Uses a budget of {@code maxBytes} bytes. */
    public EncodedBudget(long maxBytes) {
        this.maxBytes = maxBytes;
    }

    /** The reserved bytes of one change. */
    public final class Reservation implements AutoCloseable {
        private long bytes;
        /** Whether the thread that reserved it must also close it. */
        private boolean bound;
        /** Whether the bytes are counted as held; guarded by the budget. */
        private boolean holding;
        /** Completed when the reservation is granted; null if a thread waits for the grant. */
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
                heldBytes += exact - bytes;
                bytes = exact;
            }
            grant();
        }

        /** Completes the future of a granted reservation; closes the reservation if the future was cancelled. */
        private void complete() {
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
                heldBytes -= bytes;
                holders--;
            }
            grant();
        }
    }

    /** Returns whether the calling thread already holds a reservation. */
    public static boolean isReserving() {
        return RESERVING.get() != null;
    }

    /**
     * Waits for {@code estimate} bytes. The same thread must close the reservation.
     *
     * @throws CancellationException if the thread is interrupted
     */
    public Reservation reserve(long estimate) {
        Reservation reservation = reserveUnbound(estimate);
        try {
            RESERVING.set(true);
            reservation.bound = true;
            return reservation;
        } finally {
            if (!reservation.bound) {
                reservation.close(); // memory ran out
            }
        }
    }

    /** Waits for {@code estimate} bytes. Any thread may close the reservation. */
    private Reservation reserveUnbound(long estimate) {
        Reservation reservation = new Reservation(Math.max(0, estimate));
        boolean isGranted = false;
        try {
            enqueue(reservation); // may grant memory to others, and fail there
            await(reservation);
            isGranted = true;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new CancellationException("interrupted");
        } finally {
            if (!isGranted) {
                withdraw(reservation);
            }
        }
        return reservation;
    }

    /**
     * Waits for {@code estimate} bytes without a thread. Any thread may close the reservation. Cancelling the future
     * gives up the place in the queue. The future completes on a thread that releases memory, so its dependents must be
     * short.
     */
    public CompletableFuture<Reservation> reserveLater(long estimate) {
        CompletableFuture<Reservation> granted = new CompletableFuture<>();
        Reservation reservation = new Reservation(Math.max(0, estimate));
        reservation.granted = granted;
        granted.whenComplete((value, thrown) -> {
            if (thrown != null) {
                withdraw(reservation);
            }
        });
        try {
            enqueue(reservation);
            CompletableFuture.delayedExecutor(PATIENCE, TimeUnit.NANOSECONDS).execute(() -> grantAnyway(reservation));
            return granted;
        } catch (Throwable e) {
            withdraw(reservation); // memory ran out
            throw e;
        }
    }

    /** Reserves {@code estimate} bytes if they are available now. Any thread may close the reservation. */
    public synchronized Optional<Reservation> tryReserveUnbound(long estimate) {
        Reservation reservation = new Reservation(Math.max(0, estimate));
        Optional<Reservation> granted = Optional.of(reservation); // before counting, because memory may run out
        if (!queue.isEmpty() || !fits(reservation)) {
            return Optional.empty();
        }
        count(reservation);
        return granted;
    }

    private void enqueue(Reservation reservation) {
        synchronized (this) {
            queue.addLast(reservation);
        }
        grant();
    }

    /**
     * Grants memory to the queued reservations that fit, in order. Called without the monitor, because a grant
     * completes a future and runs its dependents.
     */
    private void grant() {
        for (Reservation next = grantOne(); next != null; next = grantOne()) {
            next.complete();
        }
    }

    private synchronized @Nullable Reservation grantOne() {
        Reservation head = queue.peekFirst();
        if (head == null || !fits(head)) {
            return null;
        }
        queue.removeFirst();
        count(head);
        notifyAll();
        return head;
    }

    private void count(Reservation reservation) {
        heldBytes += reservation.bytes;
        holders++;
        reservation.holding = true;
    }

    /** Grants a reservation that has waited for {@link #PATIENCE}, although it exceeds the budget. */
    private void grantAnyway(Reservation reservation) {
        synchronized (this) {
            if (!queue.remove(reservation)) {
                return;
            }
            count(reservation);
        }
        reservation.complete();
        grant();
    }

    /** Releases a reservation, whether it was granted or not. */
    private void withdraw(Reservation reservation) {
        boolean wasHolding;
        synchronized (this) {
            queue.remove(reservation);
            wasHolding = reservation.holding;
        }
        if (wasHolding) {
            reservation.close();
        } else {
            grant();
        }
    }

    private void await(Reservation reservation) throws InterruptedException {
        long start = System.nanoTime();
        synchronized (this) {
            for (long remaining = PATIENCE;
                    remaining > 0 && !reservation.holding;
                    remaining = PATIENCE - (System.nanoTime() - start)) {
                TimeUnit.NANOSECONDS.timedWait(this, remaining);
            }
        }
        grantAnyway(reservation); // does nothing if it was granted
    }

    private boolean fits(Reservation reservation) {
        return holders == 0 || reservation.bytes <= maxBytes - heldBytes;
    }

    /** Returns the number of reserved bytes. */
    public synchronized long held() {
        return heldBytes;
    }

    /** Returns the number of waiting changes. */
    public synchronized int waiting() {
        return queue.size();
    }

    /** Returns the number of encoded bytes that the edit holds in memory. */
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
