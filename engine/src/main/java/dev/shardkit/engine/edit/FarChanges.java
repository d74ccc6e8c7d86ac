package dev.shardkit.engine.edit;

import dev.shardkit.engine.Failures;
import dev.shardkit.engine.run.Engine;
import dev.shardkit.engine.threads.EncodedBudget;
import dev.shardkit.spi.codec.Edit;
import dev.shardkit.store.FarReads;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import java.util.function.LongFunction;
import org.jspecify.annotations.Nullable;

/**
 * Carries out the changes that one call makes in a far store. The changes begin in order, as many at once as the store
 * allows requests and {@link EncodedBudget} allows memory. The thread that completes a change begins the next one, so
 * no thread waits. After a failure no further change begins, and running ones are awaited. Guarded by its monitor,
 * which is not held while a change begins or ends.
 */
final class FarChanges {
    private final Engine engine;
    private final EncodedBudget encoded;
    private final WriteContext context;
    private final FarEdit.Guard guard;
    private final Wanted wanted;
    private final Runnable over;
    private final FarReads reads;
    /** Whether changes reserve memory; a call inside another change of the same thread could wait for itself. */
    private final boolean reserving = !EncodedBudget.isReserving();

    private final Set<FarEdit> underWay = new HashSet<>();
    /** The number of changes that were taken. */
    private long taken;
    /** The change that was taken and has not begun, because there was no memory for it. */
    private @Nullable Next waiting;
    /** The request for the memory of {@link #waiting}. */
    private @Nullable CompletableFuture<EncodedBudget.Reservation> requested;

    private @Nullable Throwable failure;
    private boolean beginning;
    private boolean again;
    private boolean ended;

    /**
     * The changes of a call.
     *
     * @param key the key of object i
     * @param change the change of object i
     * @param made is called after each change
     */
    record Wanted(
            long count, LongFunction<String> key, LongFunction<ObjectChange> change, Consumer<ObjectChange> made) {}

    private record Next(String key, ObjectChange change) {}

    /**
     * Prepares the changes, which {@link #begin} begins.
     *
     * @param over is called once, after the last change has ended
     */
    FarChanges(
            Engine engine,
            EncodedBudget encoded,
            WriteContext context,
            FarEdit.Guard guard,
            Wanted wanted,
            Runnable over) {
        this.engine = engine;
        this.encoded = encoded;
        this.context = context;
        this.guard = guard;
        this.wanted = wanted;
        this.over = over;
        this.reads = (FarReads) context.store().reads();
    }

    /** Returns whether all changes have ended, or one has failed and no other is running. */
    synchronized boolean isOver() {
        return ended;
    }

    /** Returns the first failure. */
    synchronized @Nullable Throwable failure() {
        return failure;
    }

    /** Begins changes until the store or the memory is full. Throws nothing. */
    void begin() {
        synchronized (this) {
            again = true;
            if (beginning) {
                return; // the other thread begins them, or this thread does further up the stack
            }
            beginning = true;
        }
        while (isAskedAgain()) {
            try {
                while (beginNext()) {
                    // one more
                }
            } catch (Throwable e) {
                fail(e);
            }
        }
        endIfOver();
    }

    private synchronized boolean isAskedAgain() {
        beginning = again;
        again = false;
        return beginning;
    }

    private boolean beginNext() {
        Next next = take();
        if (next == null) {
            return false;
        }
        EncodedBudget.Reservation share = null;
        if (reserving && next.change().weight() != 0) {
            share = reserve(next);
            if (share == null) {
                return false;
            }
        }
        begin(next, share);
        return true;
    }

    /** Returns the next change; null if there is none, or if the store has as many requests as it allows. */
    private @Nullable Next take() {
        long number;
        int most = Math.max(1, reads.maxRequests());
        synchronized (this) {
            if (failure != null || underWay.size() >= most) {
                return null;
            } else if (waiting != null) {
                Next next = waiting;
                waiting = null;
                return next;
            } else if (taken == wanted.count()) {
                return null;
            }
            number = taken++;
        }
        return new Next(wanted.key().apply(number), wanted.change().apply(number));
    }

    /**
     * Reserves the memory of a change. If there is none, the end of a running change tries again; if none is running,
     * the change waits in the queue of all writers.
     */
    private EncodedBudget.@Nullable Reservation reserve(Next next) {
        CompletableFuture<EncodedBudget.Reservation> request;
        synchronized (this) {
            request = requested;
            if (request != null && !request.isDone()) {
                waiting = next;
                return null;
            }
            requested = null;
        }
        Optional<EncodedBudget.Reservation> share = request != null
                ? Optional.of(request.join())
                : encoded.tryReserveUnbound(next.change().weight());
        if (share.isPresent()) {
            return share.get();
        }
        synchronized (this) {
            waiting = next;
            if (!underWay.isEmpty()) {
                return null;
            }
        }
        request(next);
        return null;
    }

    private void request(Next next) {
        CompletableFuture<EncodedBudget.Reservation> request =
                encoded.reserveLater(next.change().weight());
        synchronized (this) {
            requested = request;
        }
        request.whenComplete((share, thrown) -> {
            try {
                engine.workers().calls().execute(this::begin);
            } catch (Throwable e) {
                begin(); // no thread is available
            }
        });
    }

    private void begin(Next next, EncodedBudget.@Nullable Reservation share) {
        FarEdit edit = null;
        try {
            Consumer<Edit> holds = share == null ? encodedEdit -> {} : share::holds;
            FarEdit made = new FarEdit(engine, next.key(), next.change(), context, guard, holds);
            // registered before it begins: if the end of an edit were missed, the call would wait forever
            made.whenEnded(thrown -> ended(made, next.change(), share, thrown));
            synchronized (this) {
                if (failure == null) {
                    underWay.add(made);
                    edit = made;
                }
            }
        } finally {
            if (edit == null) {
                release(share);
            }
        }
        if (edit != null) {
            edit.start();
        }
    }

    private void ended(
            FarEdit edit, ObjectChange change, EncodedBudget.@Nullable Reservation share, @Nullable Throwable thrown) {
        try {
            release(share);
            if (thrown == null) {
                wanted.made().accept(change);
            } else {
                fail(Failures.unwrap(thrown));
            }
        } catch (Throwable e) {
            fail(e);
        }
        synchronized (this) {
            underWay.remove(edit);
        }
        begin();
    }

    private static void release(EncodedBudget.@Nullable Reservation share) {
        if (share != null) {
            share.close();
        }
    }

    private synchronized void fail(Throwable thrown) {
        if (failure == null) {
            failure = thrown;
        }
    }

    /** Begins no further change and ends running ones, as {@link FarEdit#cancel} does. Throws nothing. */
    void cancel(Throwable reason) {
        fail(reason);
        try {
            Set<FarEdit> all;
            synchronized (this) {
                all = Set.copyOf(underWay);
            }
            all.forEach(FarEdit::cancel);
        } catch (Throwable e) {
            fail(e); // the edits are awaited all the same
        }
        endIfOver();
    }

    private void endIfOver() {
        CompletableFuture<EncodedBudget.Reservation> unused;
        synchronized (this) {
            boolean all = taken == wanted.count() && waiting == null;
            if (ended || beginning || !underWay.isEmpty() || (failure == null && !all)) {
                return;
            }
            ended = true;
            unused = requested;
            requested = null;
        }
        if (unused != null) {
            unused.thenAccept(EncodedBudget.Reservation::close);
            unused.cancel(false);
        }
        over.run();
    }
}
