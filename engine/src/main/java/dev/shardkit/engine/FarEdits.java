package dev.shardkit.engine;

import dev.shardkit.spi.codec.Edit;
import dev.shardkit.spi.error.Place;
import dev.shardkit.store.FarReads;
import dev.shardkit.store.Locks;
import java.io.IOException;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CancellationException;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.LongFunction;
import org.jspecify.annotations.Nullable;

/**
 * Changes many objects of a far store concurrently, limited by the store's request limit and by {@link EncodedBytes}.
 * The calling thread starts the edits and waits. While it waits, it runs steps that no other thread has begun, so it
 * needs no other thread. After a failure no further edit begins, and running ones are awaited; interrupting the caller
 * ends them. Guarded by its monitor; used once.
 */
final class FarEdits {
    private final Engine engine;
    private final EncodedBytes encoded;
    private final WriteContext context;
    private final FarReads reads;
    private final SharedTasks tasks = new SharedTasks(this::wake);
    private final Set<FarEdit> underWay = new HashSet<>();
    private @Nullable Throwable failure;

    FarEdits(Engine engine, EncodedBytes encoded, WriteContext context) {
        this.engine = engine;
        this.encoded = encoded;
        this.context = context;
        this.reads = (FarReads) context.store().reads();
    }

    /** Receives the end of a change. */
    interface Ended {
        void made(Change change);
    }

    /**
     * Makes all changes; throws the first failure. If the store has locks, each object is changed under its own lock,
     * held by a thread that may wait.
     *
     * @param ended is called after each change
     */
    void run(long count, LongFunction<String> key, LongFunction<Change> change, Ended ended) {
        if (context.locking() == WriteContext.Locking.NONE) {
            run(count, key, change, FarEdit.Guard.NONE, ended);
        } else if (context.can(Locks.class)) {
            Jobs.run(
                    count,
                    i -> locked(key.apply(i), change.apply(i), ended),
                    Math.max(1, reads.mostRequests()),
                    engine.workers().calls());
        } else if (context.access().putsUnderConditions()) {
            run(count, key, change, FarEdit.Guard.CONDITION, ended);
        } else {
            throw context.unguarded(key.apply(0));
        }
    }

    @SuppressWarnings("try")
    private void locked(String key, Change change, Ended ended) {
        try (Locks.Lock held =
                context.call(key, () -> context.access().lock(context.array(), key, context.patience()))) {
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
                EncodedBytes.Share share = reserve(change);
                Consumer<Edit> holds = share == null ? edit -> {} : share::holds;
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
        if (failure != null) {
            throw Failures.rethrow(failure);
        }
    }

    /**
     * Reserves memory for an encoded change. Waits in the queue of all writers only if none of its own edits holds
     * memory.
     */
    private EncodedBytes.@Nullable Share reserve(Change change) throws InterruptedException {
        if (change.weight() == 0 || EncodedBytes.isReserving()) {
            return null;
        }
        Optional<EncodedBytes.Share> share = encoded.tryReserveUnbound(change.weight());
        while (share.isEmpty() && awaitOne()) {
            share = encoded.tryReserveUnbound(change.weight());
        }
        return share.isPresent() ? share.get() : encoded.reserveUnbound(change.weight());
    }

    private void begin(FarEdit edit, Change change, EncodedBytes.@Nullable Share share, Ended ended) {
        if (isOver()) {
            release(share);
            return;
        }
        boolean begun = false;
        try {
            // registered before it begins: if the end of an edit were missed, the call would wait forever
            edit.whenEnded(thrown -> ended(edit, change, share, ended, thrown));
            synchronized (this) {
                underWay.add(edit);
            }
            begun = true;
        } finally {
            if (!begun) {
                release(share);
            }
        }
        edit.start();
    }

    private void ended(
            FarEdit edit, Change change, EncodedBytes.@Nullable Share share, Ended ended, @Nullable Throwable thrown) {
        try {
            release(share);
            if (thrown == null) {
                ended.made(change);
            } else {
                fail(Failures.unwrap(thrown));
            }
        } catch (Throwable e) {
            fail(e);
        } finally {
            ended(edit);
        }
    }

    private static void release(EncodedBytes.@Nullable Share share) {
        if (share != null) {
            share.close();
        }
    }

    private synchronized void ended(FarEdit edit) {
        underWay.remove(edit);
        notifyAll();
    }

    private synchronized void wake() {
        notifyAll();
    }

    private synchronized boolean isOver() {
        return failure != null;
    }

    private synchronized int underWay() {
        return underWay.size();
    }

    private synchronized void fail(Throwable thrown) {
        if (failure == null) {
            failure = thrown;
        }
        notifyAll();
    }

    /** Waits for an edit to end if the number of running edits has reached the store's request limit. */
    private void awaitRoom() throws InterruptedException {
        int most = Math.max(1, reads.mostRequests());
        helpWhile(() -> failure == null && underWay.size() >= most);
    }

    /** Waits until one edit has ended; returns false if none was running. */
    private boolean awaitOne() throws InterruptedException {
        int before = underWay();
        helpWhile(() -> failure == null && before > 0 && underWay.size() >= before);
        return before > 0 && !isOver();
    }

    private void cancel() {
        try {
            Set<FarEdit> all;
            synchronized (this) {
                fail(new CancellationException("interrupted"));
                all = Set.copyOf(underWay);
            }
            all.forEach(FarEdit::cancel);
        } catch (Throwable e) {
            fail(e); // the edits are awaited all the same
        }
    }

    /** Waits for all running edits; returns whether the thread was interrupted. */
    private boolean awaitAll() {
        boolean interrupted = false;
        while (true) {
            try {
                helpWhile(() -> !underWay.isEmpty());
                return interrupted;
            } catch (InterruptedException e) {
                interrupted = true;
                cancel();
            } catch (Throwable e) {
                fail(e);
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
