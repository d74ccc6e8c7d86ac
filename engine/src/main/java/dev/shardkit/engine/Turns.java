package dev.shardkit.engine;

import dev.shardkit.store.StoreListener;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;

/**
 * Calls that are made one after the other, in the order in which they were asked for, blocking ones and others. One
 * thread is enough for any number of calls that wait. A caller who waits makes the calls before his own himself, if
 * nobody else has begun to: an executor that never starts what it was given holds nobody up.
 *
 * <p>A future is completed after its turn is over: callers' code that depends on it may run on the thread that
 * completes it, and may wait for calls behind. Before that, the thread that makes the calls has another one stand in
 * for it. A call from within a call would wait for itself, so it is refused. Guarded by its monitor.
 */
public final class Turns {
    /** Of the thread: the turns from within whose calls it runs a listener. */
    private static final ThreadLocal<List<Turns>> INSIDE = ThreadLocal.withInitial(List::of);

    private final Workers workers;
    private final Deque<Turn<?>> queue = new ArrayDeque<>();
    /** Turns that are over, whose futures may not be completed yet. */
    private final Set<Turn<?>> ended = new LinkedHashSet<>();

    private Optional<Thread> busy = Optional.empty();
    /** Who makes the calls for which nobody waits; whoever did before ends when he notices. */
    private Optional<Object> drainer = Optional.empty();
    /** Whether the executor was given a drainer that has not begun. */
    private boolean submitted;
    /** Who has asked for a stand-in, while he does: an executor may run it at once, on his thread. */
    private Optional<Thread> asking = Optional.empty();

    /** Turns whose calls without a caller run on these threads. */
    public Turns(Workers workers) {
        this.workers = workers;
    }

    /** Whether calls wait behind the one that is being made. */
    public synchronized boolean hasMore() {
        return !queue.isEmpty();
    }

    /** A listener of the calls; what it asks of these turns meanwhile comes from within a call. */
    public StoreListener listener(StoreListener own) {
        return own == StoreListener.NONE ? own : new Inside(own);
    }

    private final class Inside extends ListenerCalls {
        Inside(StoreListener own) {
            super(own);
        }

        @Override
        void make(Runnable call) {
            List<Turns> before = INSIDE.get();
            List<Turns> now = new ArrayList<>(before);
            now.add(Turns.this);
            INSIDE.set(now);
            try {
                call.run();
            } finally {
                INSIDE.set(before);
            }
        }
    }

    private synchronized boolean isInside() {
        return busy.filter(Thread.currentThread()::equals).isPresent()
                || INSIDE.get().contains(this);
    }

    /**
     * Makes a call when those before it are made, and waits for it.
     *
     * @throws CancellationException if the thread is interrupted before its turn comes; then the call is not made
     * @throws IllegalStateException from within a call
     */
    public <T> T call(Supplier<T> call) {
        if (isInside()) {
            throw new IllegalStateException(
                    "a listener asked for a call of the stream that it listens to and would wait for "
                            + "itself; ask for it without waiting, or when the stream's call has returned");
        }
        Turn<T> own = new Turn<>(workers, call, () -> {}, true);
        synchronized (this) {
            queue.add(own);
        }
        try {
            for (Turn<?> next = await(own); next != own; next = await(own)) {
                made(next);
            }
            try {
                return call.get();
            } finally {
                over();
            }
        } finally {
            submit();
            completeEnded();
        }
    }

    /** Waits until a call may be made by this thread: its own, or one before it for which nobody waits. */
    private synchronized Turn<?> await(Turn<?> own) {
        while (busy.isPresent() || (queue.peek() != own && queue.peek().waitedFor)) {
            try {
                wait();
            } catch (InterruptedException e) {
                queue.remove(own);
                notifyAll();
                Thread.currentThread().interrupt();
                throw new CancellationException("interrupted");
            }
        }
        busy = Optional.of(Thread.currentThread());
        return queue.remove();
    }

    private void made(Turn<?> turn) {
        try {
            turn.run();
        } finally {
            synchronized (this) {
                ended.add(turn);
                over();
            }
        }
    }

    /**
     * Completes futures, also those that other threads are about to complete: who was waited for in order finds those
     * before done. Where callers' code runs here and waits for a later one, another thread can complete that.
     */
    private void completeEnded() {
        List<Turn<?>> all;
        synchronized (this) {
            all = List.copyOf(ended);
        }
        all.stream().filter(turn -> !turn.hasCallbacks()).forEach(Turn::complete);
        all.stream().filter(turn -> !turn.future.isDone()).skip(1).forEach(turn -> {
            try {
                workers.calls().execute(turn::complete);
            } catch (RuntimeException e) {
                // then this thread does it
                System.getLogger("dev.shardkit.engine")
                        .log(System.Logger.Level.DEBUG, "an executor takes no more tasks", e);
            }
        });
        all.forEach(Turn::complete);
        synchronized (this) {
            all.forEach(ended::remove);
        }
    }

    private synchronized void over() {
        busy = Optional.empty();
        notifyAll();
    }

    /**
     * Makes a call when those before it are made, without waiting. Cancelling the future interrupts a call that was
     * begun.
     *
     * @param skipped is run in the call's turn if the future was cancelled before
     */
    public <T> CompletableFuture<T> start(Supplier<T> call, Runnable skipped) {
        Turn<T> turn = new Turn<>(workers, call, skipped, false);
        turn.future.whenComplete((value, thrown) -> turn.interrupt());
        synchronized (this) {
            queue.add(turn);
        }
        submit();
        return turn.future;
    }

    /** Has the executor begin to make the calls for which nobody waits, unless somebody does. */
    private void submit() {
        synchronized (this) {
            if (drainer.isPresent() || submitted || queue.stream().allMatch(turn -> turn.waitedFor)) {
                return;
            }
            submitted = true;
        }
        try {
            workers.calls().execute(this::drain);
        } catch (RuntimeException e) {
            refused(e);
        }
    }

    /** The executor takes no more tasks: what nobody waits for will not be made, unless somebody comes who waits. */
    private void refused(RuntimeException reason) {
        Deque<Turn<?>> left = new ArrayDeque<>();
        synchronized (this) {
            submitted = false;
            queue.stream().filter(turn -> !turn.waitedFor).forEach(left::add);
        }
        left.forEach(turn -> turn.future.completeExceptionally(reason));
    }

    private void drain() {
        Object role = new Object();
        if (!begin(role)) {
            return;
        }
        do {
            Optional<Turn<?>> next = take(role);
            if (next.isEmpty()) {
                return;
            }
            made(next.get());
            standIn(role);
            completeEnded();
        } while (goesOn(role));
    }

    /** Takes over; not on a thread that has just asked for somebody else, or is within a call. */
    private synchronized boolean begin(Object role) {
        submitted = false;
        if (isInside() || asking.filter(Thread.currentThread()::equals).isPresent()) {
            return false;
        }
        drainer = Optional.of(role);
        notifyAll();
        return true;
    }

    private synchronized Optional<Turn<?>> take(Object role) {
        boolean mine = false;
        while (isDrainer(role) && !queue.isEmpty() && (busy.isPresent() || queue.peek().waitedFor)) {
            try {
                wait();
            } catch (InterruptedException e) {
                mine = true; // nobody's who knows of these calls
            }
        }
        if (mine) {
            Thread.currentThread().interrupt();
        }
        if (!isDrainer(role)) {
            return Optional.empty();
        }
        if (queue.isEmpty()) {
            drainer = Optional.empty();
            return Optional.empty();
        }
        busy = Optional.of(Thread.currentThread());
        return Optional.of(queue.remove());
    }

    private boolean isDrainer(Object role) {
        return drainer.filter(d -> d == role).isPresent();
    }

    /** Has another thread make the calls that wait: this one is about to run callers' code, which may take for ever. */
    private void standIn(Object role) {
        synchronized (this) {
            if (!isDrainer(role)) {
                return;
            }
            drainer = Optional.empty();
            if (submitted || queue.stream().allMatch(turn -> turn.waitedFor)) {
                return;
            }
            submitted = true;
            asking = Optional.of(Thread.currentThread());
        }
        try {
            workers.calls().execute(this::drain);
        } catch (RuntimeException e) {
            synchronized (this) {
                submitted = false; // this thread goes on when it can
            }
        } finally {
            synchronized (this) {
                asking = asking.filter(thread -> thread != Thread.currentThread());
            }
        }
    }

    /** Whether a thread whose stand-in has not begun makes the calls that wait. */
    private synchronized boolean goesOn(Object role) {
        if (drainer.isPresent() || queue.stream().allMatch(turn -> turn.waitedFor)) {
            return false;
        }
        drainer = Optional.of(role);
        return true;
    }
}
