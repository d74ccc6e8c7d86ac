package dev.shardkit.engine.edit;

import dev.shardkit.engine.error.Failures;
import dev.shardkit.engine.run.Engine;
import dev.shardkit.engine.threads.EncodedBudget;
import dev.shardkit.spi.codec.Edit;
import dev.shardkit.store.RemoteReads;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import java.util.function.LongFunction;
import org.jspecify.annotations.Nullable;

/**
 * Schedules the changes that one call makes in a remote store, each of them a {@link RemoteEdit}. {@link RemoteEdits}
 * creates such a schedule for each call. The changes begin in order, as many at once as the store allows requests and
 * {@link EncodedBudget} allows memory. The thread that completes a change begins the next one, so no thread waits.
 * After a failure no further change begins, and running ones are awaited. Guarded by its monitor, which is not held
 * while a change begins or ends.
 */
final class RemoteChangeSchedule {
    private final Engine engine;
    private final EncodedBudget encoded;
    private final WriteContext context;
    private final RemoteEdit.Guard guard;
    private final Wanted changes;
    private final Runnable onEnd;
    private final RemoteReads reads;
    /**
     * Whether changes reserve memory. A call that is made inside another change of the same thread must not: it could
     * wait for memory that this outer change holds.
     */
    private final boolean reserving = !EncodedBudget.isReserving();

    private final Set<RemoteEdit> running = new HashSet<>();
    /** The number of changes that were started, or deferred to start next. */
    private long taken;
    /** The next change, if there was no memory to begin it. */
    private @Nullable Next deferred;
    /** The request for the memory of {@link #deferred}; null if there is none. */
    private @Nullable CompletableFuture<EncodedBudget.Reservation> reservationRequest;

    private @Nullable Throwable failure;
    /** The number of changes that were made. */
    private long made;
    /** Whether a thread is in the loop of {@link #begin}. Only that thread begins changes. */
    private boolean isBeginning;
    /** Whether {@link #begin} was called since the thread in its loop last looked. */
    private boolean beginAgain;

    private boolean ended;

    /**
     * The changes of a call.
     *
     * @param count the number of objects to change
     * @param key returns the key of an object, given its number from 0
     * @param change returns the change of an object, given its number from 0
     * @param onChanged is called after each change
     */
    record Wanted(
            long count,
            LongFunction<String> key,
            LongFunction<ObjectChange> change,
            Consumer<ObjectChange> onChanged) {}

    /** The change that begins next. */
    private record Next(String key, ObjectChange change) {}

    /**
     * Prepares the changes, which {@link #begin} begins.
     *
     * @param onEnd is called once, after the last change has ended
     */
    RemoteChangeSchedule(
            Engine engine,
            EncodedBudget encoded,
            WriteContext context,
            RemoteEdit.Guard guard,
            Wanted changes,
            Runnable onEnd) {
        this.engine = engine;
        this.encoded = encoded;
        this.context = context;
        this.guard = guard;
        this.changes = changes;
        this.onEnd = onEnd;
        this.reads = (RemoteReads) context.store().reads();
    }

    /** Returns whether all changes have ended, or one has failed and no other is running. */
    synchronized boolean hasEnded() {
        return ended;
    }

    /** Returns the first failure; {@link CancelledAfterChange} if a cancellation came after all changes were made. */
    synchronized @Nullable Throwable failure() {
        return failure instanceof CancellationException reason && made == changes.count()
                ? new CancelledAfterChange(reason)
                : failure;
    }

    /** Begins changes until the limit of the store or of the memory is reached. Throws nothing. */
    void begin() {
        synchronized (this) {
            beginAgain = true;
            if (isBeginning) {
                return; // another thread is in the loop below, or this thread is, further up its stack
            }
            isBeginning = true;
        }
        while (clearBeginAgain()) {
            try {
                while (beginNext()) {
                    // each call starts one change
                }
            } catch (Throwable e) {
                fail(e);
            }
        }
        endIfDone();
    }

    /** Clears {@link #beginAgain} and returns whether it was set. If not, this thread no longer begins changes. */
    private synchronized boolean clearBeginAgain() {
        isBeginning = beginAgain;
        beginAgain = false;
        return isBeginning;
    }

    /** Begins one change. Returns false if there is none, or if it must wait for memory or for requests. */
    private boolean beginNext() {
        Next next = nextChange();
        if (next == null) {
            return false;
        }
        EncodedBudget.Reservation reservation = null;
        if (reserving && next.change().weight() != 0) {
            reservation = reserve(next);
            if (reservation == null) {
                return false;
            }
        }
        startEdit(next, reservation);
        return true;
    }

    /** Returns the next change; null if there is none, or if as many changes run as the store allows requests. */
    private @Nullable Next nextChange() {
        long number;
        int maximum = Math.max(1, reads.maxRequests());
        synchronized (this) {
            if (failure != null || running.size() >= maximum) {
                return null;
            } else if (deferred != null) {
                Next next = deferred;
                deferred = null;
                return next;
            } else if (taken == changes.count()) {
                return null;
            }
            number = taken++;
        }
        return new Next(changes.key().apply(number), changes.change().apply(number));
    }

    /**
     * Reserves the memory of a change, or defers the change and returns null. If {@link #reservationRequest} was
     * granted, it was made for this change, which takes its memory. If no memory is free, the change is tried again
     * when a running change ends. If no change is running, the memory is requested in the queue of all writers.
     */
    private EncodedBudget.@Nullable Reservation reserve(Next next) {
        CompletableFuture<EncodedBudget.Reservation> request;
        synchronized (this) {
            request = reservationRequest;
            if (request != null && !request.isDone()) {
                deferred = next;
                return null;
            }
            reservationRequest = null;
        }
        if (request != null) {
            return request.join();
        }
        Optional<EncodedBudget.Reservation> reservation =
                encoded.tryReserveUnbound(next.change().weight());
        if (reservation.isPresent()) {
            return reservation.get();
        }
        synchronized (this) {
            deferred = next;
            if (!running.isEmpty()) {
                return null;
            }
        }
        requestReservation(next);
        return null;
    }

    /** Requests memory for the deferred change, which begins when the request is granted. */
    private void requestReservation(Next next) {
        CompletableFuture<EncodedBudget.Reservation> request =
                encoded.reserveLater(next.change().weight());
        synchronized (this) {
            reservationRequest = request;
        }
        request.whenComplete((reservation, thrown) -> {
            try {
                engine.workers().calls().execute(this::begin);
            } catch (Throwable e) {
                begin(); // no thread is available
            }
        });
    }

    /** Starts a change, which releases its memory when it ends. */
    private void startEdit(Next next, EncodedBudget.@Nullable Reservation reservation) {
        RemoteEdit edit = null;
        try {
            Consumer<Edit> onEncoded = reservation == null ? encodedEdit -> {} : reservation::holds;
            RemoteEdit created = new RemoteEdit(engine, next.key(), next.change(), context, guard, onEncoded);
            // registered before the edit begins: if the schedule missed its end, the call would wait forever
            created.whenEnded(thrown -> onEditEnded(created, next.change(), reservation, thrown));
            synchronized (this) {
                if (failure == null) {
                    running.add(created);
                    edit = created;
                }
            }
        } finally {
            if (edit == null) {
                release(reservation);
            }
        }
        if (edit != null) {
            edit.start();
        }
    }

    private void onEditEnded(
            RemoteEdit edit,
            ObjectChange change,
            EncodedBudget.@Nullable Reservation reservation,
            @Nullable Throwable thrown) {
        try {
            release(reservation);
            if (thrown == null) {
                changes.onChanged().accept(change);
                countMade();
            } else {
                fail(Failures.unwrap(thrown));
            }
        } catch (Throwable e) {
            fail(e);
        }
        synchronized (this) {
            running.remove(edit);
        }
        begin();
    }

    private synchronized void countMade() {
        made++;
    }

    private static void release(EncodedBudget.@Nullable Reservation reservation) {
        if (reservation != null) {
            reservation.close();
        }
    }

    private synchronized void fail(Throwable thrown) {
        if (failure == null) {
            failure = thrown;
        }
    }

    /** Begins no further change and cancels running ones ({@link RemoteEdit#cancel}). Throws nothing. */
    void cancel(Throwable reason) {
        fail(reason);
        try {
            Set<RemoteEdit> edits;
            synchronized (this) {
                edits = Set.copyOf(running);
            }
            edits.forEach(RemoteEdit::cancel);
        } catch (Throwable e) {
            fail(e); // the schedule still waits for the running edits
        }
        endIfDone();
    }

    /** Ends the schedule if all changes have ended, or if one has failed and no other is running. */
    private void endIfDone() {
        CompletableFuture<EncodedBudget.Reservation> unusedRequest;
        synchronized (this) {
            boolean isAllStarted = taken == changes.count() && deferred == null;
            if (ended || isBeginning || !running.isEmpty() || (failure == null && !isAllStarted)) {
                return;
            }
            ended = true;
            unusedRequest = reservationRequest;
            reservationRequest = null;
        }
        if (unusedRequest != null) {
            // closed if it was granted already or is granted now; otherwise it leaves the writers' queue
            unusedRequest.thenAccept(EncodedBudget.Reservation::close);
            unusedRequest.cancel(false);
        }
        onEnd.run();
    }
}
