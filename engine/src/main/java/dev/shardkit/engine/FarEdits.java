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
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.LongFunction;

/**
 * Changes many objects of a far store: as many at once as the store takes requests, and as {@link EncodedBytes} has
 * room for. The calling thread begins the edits and waits; while it waits, it runs those of their steps that no other
 * thread has begun, so it needs no other thread. After a failure no further edit is begun, and those under way are
 * waited for; interrupting the caller ends them. Guarded by its monitor; used once.
 */
final class FarEdits {
    private final Engine engine;
    private final EncodedBytes encoded;
    private final WriteContext context;
    private final FarReads reads;
    private final SharedTasks tasks = new SharedTasks(this::wake);
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
        if (context.locking() == WriteContext.Locking.NONE) {
            run(count, key, change, FarEdit.Guard.NONE, ended);
        } else if (Edits.can(context, Locks.class)) {
            Jobs.run(
                    count,
                    i -> locked(key.apply(i), change.apply(i), ended),
                    Math.max(1, reads.mostRequests()),
                    engine.workers().calls());
        } else if (Edits.access(context).putsUnderConditions()) {
            run(count, key, change, FarEdit.Guard.CONDITION, ended);
        } else {
            throw Edits.unguarded(key.apply(0), context);
        }
    }

    @SuppressWarnings("try")
    private void locked(String key, Change change, Ended ended) {
        try (Locks.Lock held = Edits.ofStore(
                key, context, () -> Edits.access(context).lock(context.array(), key, context.patience()))) {
            context.guard().check(held.generation());
            new FarEdits(engine, encoded, context).run(1, i -> key, i -> change, FarEdit.Guard.NONE, ended);
        } catch (IOException e) {
            throw Failures.rethrow(Failures.ofStore(e, context.reading().array(), Place.of(key), ""));
        }
    }

    private void run(
            long count, LongFunction<String> keys, LongFunction<Change> changes, FarEdit.Guard guard, Ended ended) {
        Engine sharing = new Engine(engine.workers().sharing(tasks));
        boolean interrupted = false;
        for (long i = 0; i < count && !isOver(); i++) {
            try {
                String key = keys.apply(i);
                Change change = changes.apply(i);
                awaitRoom();
                Optional<EncodedBytes.Share> share = reserve(change);
                Consumer<Edit> holds = edit -> share.ifPresent(s -> s.holds(edit));
                begin(new FarEdit(sharing, key, change, context, guard, holds), change, share, ended);
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

    /** Room for what the change encodes. It waits in the queue of all writers only if no edit of its own has room. */
    private Optional<EncodedBytes.Share> reserve(Change change) throws InterruptedException {
        if (change.weight() == 0 || EncodedBytes.isReserving()) {
            return Optional.empty();
        }
        Optional<EncodedBytes.Share> share = encoded.tryReserveUnbound(change.weight());
        while (share.isEmpty() && awaitOne()) {
            share = encoded.tryReserveUnbound(change.weight());
        }
        return share.isPresent() ? share : Optional.of(encoded.reserveUnbound(change.weight()));
    }

    private void begin(FarEdit edit, Change change, Optional<EncodedBytes.Share> share, Ended ended) {
        if (isOver()) {
            share.ifPresent(EncodedBytes.Share::close);
            return;
        }
        CompletableFuture<Unit> begun;
        try {
            begun = edit.start();
        } catch (Throwable e) {
            share.ifPresent(EncodedBytes.Share::close);
            throw e;
        }
        synchronized (this) {
            underWay.add(begun);
        }
        begun.whenComplete((value, thrown) -> {
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
                    underWay.remove(begun);
                    notifyAll();
                }
            }
        });
    }

    private synchronized void wake() {
        notifyAll();
    }

    private synchronized boolean isOver() {
        return failure.isPresent();
    }

    private synchronized int underWay() {
        return underWay.size();
    }

    private synchronized void fail(Throwable thrown) {
        if (failure.isEmpty()) {
            failure = Optional.of(thrown);
        }
        notifyAll();
    }

    /** Waits for an edit to end, if as many are under way as the store takes requests. */
    private void awaitRoom() throws InterruptedException {
        int most = Math.max(1, reads.mostRequests());
        helpWhile(() -> failure.isEmpty() && underWay.size() >= most);
    }

    /** Waits until one edit less is under way; not if there was none. */
    private boolean awaitOne() throws InterruptedException {
        int before = underWay();
        helpWhile(() -> failure.isEmpty() && before > 0 && underWay.size() >= before);
        return before > 0 && !isOver();
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
                helpWhile(() -> !underWay.isEmpty());
                return interrupted;
            } catch (InterruptedException e) {
                interrupted = true;
                cancel();
            }
        }
    }

    /** Runs steps that no other thread has begun, or waits, while {@code lasting} holds under the monitor. */
    private void helpWhile(BooleanSupplier lasting) throws InterruptedException {
        while (true) {
            if (Thread.interrupted()) {
                throw new InterruptedException();
            }
            synchronized (this) {
                while (lasting.getAsBoolean() && tasks.isEmpty()) {
                    wait();
                }
                if (!lasting.getAsBoolean()) {
                    return;
                }
            }
            tasks.runOne();
        }
    }
}
