package dev.shardkit.engine;

import dev.shardkit.store.StoreListener;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Makes blocking and other calls one after the other, in the order of their requests. One thread suffices for any
 * number of waiting calls. A caller that waits makes the calls before its own itself, if no other thread has begun to;
 * so an executor that never starts a task blocks no caller.
 *
 * <p>A future completes after its turn: dependent code of callers may run on the completing thread and wait for later
 * calls. Before that, the thread that makes the calls starts a stand-in. A call from within a call would wait for
 * itself, so it is refused. Guarded by its monitor.
 */
public final class Turns {
    /** The turns whose calls run a listener on this thread. */
    private static final ThreadLocal<List<Turns>> INSIDE = ThreadLocal.withInitial(List::of);

    private final Workers workers;
    private final Deque<Turn<?>> queue = new ArrayDeque<>();
    /** Turns that have ended and whose futures may not be completed yet. */
    private final Deque<Turn<?>> ended = new ArrayDeque<>();

    private Optional<Thread> busy = Optional.empty();
    /** The role that makes the calls without a waiting caller; the previous holder ends when it notices. */
    private Optional<Object> drainer = Optional.empty();
    /** Whether the executor has a drainer that has not begun. */
    private boolean submitted;
    /** The thread that requests a stand-in: an executor may run it at once, on that thread. */
    private Optional<Thread> asking = Optional.empty();

    /** Creates turns whose calls without a waiting caller run on these threads. */
    public Turns(Workers workers) {
        this.workers = workers;
    }

    /** Whether calls wait for the current one. */
    public synchronized boolean hasMore() {
        return !queue.isEmpty();
    }

    /** Returns a listener for the calls; calls that it requests of these turns count as calls from within a call. */
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
     * Makes a call after those before it, and waits for it.
     *
     * @throws CancellationException if the thread is interrupted before the call's turn; then the call is not made
     * @throws IllegalStateException from within a call
     */
    public <T> T call(Supplier<T> call) {
        if (isInside()) {
            throw new IllegalStateException(
                    "a listener requested a call of the stream that it listens to, which would wait for "
                            + "itself; request it without waiting, or after the stream's call has returned");
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

    /** Waits until this thread may make a call: its own, or an earlier one without a waiting caller. */
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
        turn.run();
        boolean noted = false;
        try {
            synchronized (this) {
                ended.add(turn);
            }
            noted = true;
        } finally {
            over();
            if (!noted) {
                turn.complete(); // memory ran out
            }
        }
    }

    /**
     * Completes futures, including those that other threads are about to complete: a caller finds all earlier calls
     * done. If callers' code here waits for a later one, another thread can complete that.
     */
    private void completeEnded() {
        try {
            completeAll();
        } catch (Throwable e) {
            // memory ran out: the futures are completed without any more
            for (Turn<?> next = pollEnded(); next != null; next = pollEnded()) {
                next.complete();
            }
        }
    }

    private synchronized @Nullable Turn<?> pollEnded() {
        return ended.poll();
    }

    private void completeAll() {
        List<Turn<?>> all;
        synchronized (this) {
            all = List.copyOf(ended);
        }
        all.stream().filter(turn -> !turn.hasCallbacks()).forEach(Turn::complete);
        all.stream().filter(turn -> !turn.future.isDone()).skip(1).forEach(turn -> {
            try {
                workers.calls().execute(turn::complete);
            } catch (Throwable e) {
                // then this thread completes them
                Failures.log(System.Logger.Level.DEBUG, "an executor rejected a task", e);
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
     * Makes a call after those before it, without waiting. Cancelling the future interrupts a running call.
     *
     * @param skipped runs in the call's turn if the future was cancelled before
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

    /** Submits a drainer for the calls without a waiting caller, unless one is active. */
    private void submit() {
        synchronized (this) {
            if (drainer.isPresent() || submitted || queue.stream().allMatch(turn -> turn.waitedFor)) {
                return;
            }
            submitted = true;
        }
        try {
            workers.calls().execute(new Drainer());
        } catch (Throwable e) {
            refused(e);
        }
    }

    /** Handles a rejected task: calls without a waiting caller are made only if a waiting caller comes. */
    private void refused(Throwable reason) {
        List<Turn<?>> left = new ArrayList<>();
        synchronized (this) {
            submitted = false;
            queue.stream().filter(turn -> !turn.waitedFor).forEach(left::add);
        }
        left.forEach(turn -> Completions.fail(turn.future, reason));
    }

    /** The task of a thread that makes calls, and its role. */
    private final class Drainer implements Runnable {
        @Override
        public void run() {
            try {
                drain(this);
            } catch (Throwable e) {
                resign(this);
                Failures.log(System.Logger.Level.WARNING, "waiting calls go on with another thread", e);
                submit();
            }
        }
    }

    /** Gives up the role after an error of the engine itself, such as memory that ran out. */
    private synchronized void resign(Object role) {
        if (isDrainer(role)) {
            drainer = Optional.empty();
        }
        notifyAll();
    }

    private void drain(Object role) {
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

    /** Takes over the role, unless this thread has just requested a stand-in or is within a call. */
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
                mine = true; // of another thread that no longer holds the role
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
        Optional<Turn<?>> next = Optional.of(queue.element()); // if memory runs out here, the call stays
        busy = Optional.of(Thread.currentThread());
        queue.remove();
        return next;
    }

    private boolean isDrainer(Object role) {
        return drainer.filter(d -> d == role).isPresent();
    }

    /** Starts a stand-in for the waiting calls: this thread is about to run callers' code, which may never end. */
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
            workers.calls().execute(new Drainer());
        } catch (Throwable e) {
            synchronized (this) {
                submitted = false; // this thread continues when it can
            }
        } finally {
            synchronized (this) {
                asking = asking.filter(thread -> thread != Thread.currentThread());
            }
        }
    }

    /** Whether a thread whose stand-in has not begun keeps making the waiting calls. */
    private synchronized boolean goesOn(Object role) {
        if (drainer.isPresent() || queue.stream().allMatch(turn -> turn.waitedFor)) {
            return false;
        }
        drainer = Optional.of(role);
        return true;
    }
}
