package dev.shardkit.engine;

import dev.shardkit.spi.codec.Edit;
import dev.shardkit.spi.error.Place;
import dev.shardkit.spi.plan.Unit;
import dev.shardkit.store.FarReads;
import dev.shardkit.store.Locks;
import java.io.IOException;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.function.Consumer;
import java.util.function.LongFunction;

/**
 * Changes many objects of a far store: as many at once as the store takes requests, and as {@link EncodedBytes} has
 * room for. The calling thread begins them and waits; no other thread is held. After a failure no further one is begun,
 * and those under way are waited for; interrupting the caller ends them. Guarded by its monitor; used once.
 */
final class FarEdits {
    private final Engine engine;
    private final EncodedBytes encoded;
    private final WriteContext context;
    private final FarReads reads;
    private final Set<CompletableFuture<Unit>> underWay = new HashSet<>();
    private Optional<Throwable> failure = Optional.empty();

    FarEdits(Engine engine, EncodedBytes encoded, WriteContext context) {
        this.engine = engine;
        this.encoded = encoded;
        this.context = context;
        this.reads = (FarReads) context.store().reads();
    }

    /** Is told that a change was made. */
    interface Ended {
        void made(Change change);
    }

    /**
     * Makes all changes; throws what the first to fail failed with. Where the store has locks, each object is changed
     * under its own, which a thread holds that may wait.
     *
     * @param ended is told when one is made
     */
    void run(long count, LongFunction<String> key, LongFunction<Change> change, Ended ended) {
        boolean shared = context.locking() == WriteContext.Locking.AS_THE_STORE_CAN;
        boolean locking = shared && Edits.can(context, Locks.class);
        if (shared && !locking && !Edits.access(context).putsUnderConditions()) {
            throw Edits.unguarded(key.apply(0), context);
        }
        FarEdit.Guard guard = shared && !locking ? FarEdit.Guard.CONDITION : FarEdit.Guard.NONE;
        run(count, change, ended, (i, one, encoding) -> {
            FarEdit edit = new FarEdit(engine, key.apply(i), one, context, guard, encoding);
            return locking ? locked(key.apply(i), edit) : edit.start();
        });
    }

    /** Begins the edit of an object. */
    private interface Beginning {
        CompletableFuture<Unit> begin(long i, Change change, Consumer<Edit> encoded);
    }

    @SuppressWarnings("try")
    private CompletableFuture<Unit> locked(String key, FarEdit edit) {
        return engine.workers().async(() -> {
            try (Locks.Lock held = Edits.ofStore(
                    key, context, () -> Edits.access(context).lock(context.array(), key, context.patience()))) {
                context.guard().check(held.generation());
                return awaited(edit.start());
            } catch (IOException e) {
                throw Failures.rethrow(Failures.ofStore(e, context.reading().array(), Place.of(key), ""));
            }
        });
    }

    private static Unit awaited(CompletableFuture<Unit> edit) {
        try {
            return edit.get();
        } catch (ExecutionException e) {
            throw Failures.rethrow(Failures.unwrap(e));
        } catch (InterruptedException e) {
            edit.cancel(true);
            Thread.currentThread().interrupt();
            throw new CancellationException("interrupted");
        }
    }

    private void run(long count, LongFunction<Change> changes, Ended ended, Beginning beginning) {
        boolean interrupted = false;
        for (long i = 0; i < count && !isOver(); i++) {
            try {
                awaitRoom();
                begin(i, changes.apply(i), beginning, ended);
            } catch (InterruptedException e) {
                interrupted = true;
                cancel();
            } catch (Throwable e) {
                fail(e);
            }
        }
        interrupted |= awaitAll();
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
        if (failure.isPresent()) {
            throw Failures.rethrow(failure.get());
        }
    }

    private void begin(long i, Change change, Beginning beginning, Ended ended) {
        Optional<EncodedBytes.Share> share = change.weight() == 0 || EncodedBytes.isReserving()
                ? Optional.empty()
                : Optional.of(encoded.reserveUnbound(change.weight()));
        CompletableFuture<Unit> edit;
        try {
            edit = beginning.begin(i, change, done -> share.ifPresent(s -> s.holds(done)));
        } catch (Throwable e) {
            share.ifPresent(EncodedBytes.Share::close);
            throw e;
        }
        synchronized (this) {
            underWay.add(edit);
        }
        edit.whenComplete((value, thrown) -> {
            share.ifPresent(EncodedBytes.Share::close);
            try {
                if (thrown == null) {
                    ended.made(change);
                } else {
                    fail(Failures.unwrap(thrown));
                }
            } catch (Throwable e) {
                fail(e);
            } finally {
                synchronized (this) {
                    underWay.remove(edit);
                    notifyAll();
                }
            }
        });
    }

    private synchronized boolean isOver() {
        return failure.isPresent();
    }

    private synchronized void fail(Throwable thrown) {
        if (failure.isEmpty()) {
            failure = Optional.of(thrown);
        }
        notifyAll();
    }

    private synchronized void awaitRoom() throws InterruptedException {
        if (Thread.interrupted()) {
            throw new InterruptedException();
        }
        while (failure.isEmpty() && underWay.size() >= Math.max(1, reads.mostRequests())) {
            wait();
        }
    }

    private void cancel() {
        Set<CompletableFuture<Unit>> all;
        synchronized (this) {
            fail(new CancellationException("interrupted"));
            all = Set.copyOf(underWay);
        }
        all.forEach(edit -> edit.cancel(true));
    }

    /** Waits for those under way; whether the thread was interrupted. */
    private boolean awaitAll() {
        boolean interrupted = false;
        while (true) {
            try {
                synchronized (this) {
                    while (!underWay.isEmpty()) {
                        wait();
                    }
                }
                return interrupted;
            } catch (InterruptedException e) {
                interrupted = true;
                cancel();
            }
        }
    }
}
