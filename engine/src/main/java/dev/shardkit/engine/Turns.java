package dev.shardkit.engine;

import dev.shardkit.store.StoreListener;
import java.util.ArrayList;
import java.util.Deque;
import java.util.LinkedList;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Makes blocking and other calls one after the other, in the order of their requests. One thread suffices for any
 * number of waiting calls. A waiting caller runs the calls before its own if no other thread has started them. So an
 * executor that never starts a task does not block callers.
 *
 * <p>A future completes after its turn: dependent code of callers may run on the completing thread and wait for later
 * calls. Before that, the thread that makes the calls starts a replacement for itself. A call from within a call would
 * wait for itself, so it is refused. Guarded by its monitor.
 */
public final class Turns {
    private final Workers workers;
    /** Linked: an ArrayDeque that cannot grow for lack of memory loses its elements. */
    private final Deque<Turn<?>> queue = new LinkedList<>();

    private final EndedTurns ended;
    private @Nullable Thread busy;
    /** The role that makes the calls without a waiting caller; the previous holder ends when it notices. */
    private @Nullable Object drainer;
    /** Whether the executor has a drainer that has not begun. */
    private boolean submitted;
    /** The thread that requests a stand-in: an executor may run it at once, on that thread. */
    private @Nullable Thread asking;

    /** Creates turns whose calls without a waiting caller run on these threads. */
    public Turns(Workers workers) {
        this.workers = workers;
        this.ended = new EndedTurns(workers);
    }

    /** Whether calls wait for the current one. */
    public synchronized boolean hasMore() {
        return !queue.isEmpty();
    }

    /** Returns a listener for the calls; calls that it requests of these turns count as calls from within a call. */
    public StoreListener listener(StoreListener own) {
        return own == StoreListener.NONE ? own : new ListeningTurns(this, own);
    }

    private synchronized boolean isInside() {
        return busy == Thread.currentThread() || ListeningTurns.isInside(this);
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
        Turn<T> own = new Turn<>(this, workers, call, () -> {}, true);
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
            ended.complete();
        }
    }

    /** Waits until this thread may make a call: its own, or an earlier one without a waiting caller. */
    private synchronized Turn<?> await(Turn<?> own) {
        while (busy != null || (queue.peek() != own && queue.peek().waitedFor)) {
            try {
                wait();
            } catch (InterruptedException e) {
                queue.remove(own);
                notifyAll();
                Thread.currentThread().interrupt();
                throw new CancellationException("interrupted");
            }
        }
        busy = Thread.currentThread();
        return queue.remove();
    }

    /** Makes the calls up to {@code own}, for which this thread waits, unless other threads make them. */
    void help(Turn<?> own) {
        if (isInside()) {
            return;
        }
        try {
            for (Turn<?> next = takeUntil(own); next != null; next = takeUntil(own)) {
                made(next);
            }
        } finally {
            submit();
            ended.complete();
        }
    }

    private synchronized @Nullable Turn<?> takeUntil(Turn<?> own) {
        while (queue.contains(own) && (busy != null || queue.element().waitedFor)) {
            try {
                wait();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                return null;
            }
        }
        if (!queue.contains(own) || Thread.currentThread().isInterrupted()) {
            return null;
        }
        busy = Thread.currentThread();
        return queue.remove();
    }

    private void made(Turn<?> turn) {
        turn.run();
        boolean noted = false;
        try {
            ended.add(turn);
            noted = true;
        } finally {
            over();
            if (!noted) {
                turn.publish(); // memory ran out
            }
        }
    }

    private synchronized void over() {
        busy = null;
        notifyAll();
    }

    /**
     * Makes a call after those before it, without waiting. Stopping the future interrupts a running call.
     *
     * @param skipped runs in the call's turn if the future was stopped before
     */
    public <T> CompletableFuture<T> start(Supplier<T> call, Runnable skipped) {
        Turn<T> turn = new Turn<>(this, workers, call, skipped, false);
        synchronized (this) {
            queue.add(turn);
        }
        submit();
        return turn;
    }

    /** Submits a drainer for the calls without a waiting caller, unless one is active. */
    private void submit() {
        synchronized (this) {
            if (drainer != null || submitted || queue.stream().allMatch(turn -> turn.waitedFor)) {
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
        left.forEach(turn -> turn.end(null, reason));
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
            drainer = null;
        }
        notifyAll();
    }

    private void drain(Object role) {
        if (!begin(role)) {
            return;
        }
        do {
            Turn<?> next = take(role);
            if (next == null) {
                return;
            }
            made(next);
            standIn(role);
            ended.complete();
        } while (goesOn(role));
    }

    /** Takes over the role, unless this thread has just requested a stand-in or is within a call. */
    private synchronized boolean begin(Object role) {
        submitted = false;
        if (isInside() || asking == Thread.currentThread()) {
            return false;
        }
        drainer = role;
        notifyAll();
        return true;
    }

    private synchronized @Nullable Turn<?> take(Object role) {
        boolean mine = false;
        while (isDrainer(role) && !queue.isEmpty() && (busy != null || queue.peek().waitedFor)) {
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
            return null;
        }
        if (queue.isEmpty()) {
            drainer = null;
            return null;
        }
        Turn<?> next = queue.element();
        busy = Thread.currentThread();
        queue.remove();
        return next;
    }

    private boolean isDrainer(Object role) {
        return drainer == role;
    }

    /** Starts a stand-in for the waiting calls: this thread is about to run callers' code, which may never end. */
    private void standIn(Object role) {
        synchronized (this) {
            if (!isDrainer(role)) {
                return;
            }
            drainer = null;
            if (submitted || queue.stream().allMatch(turn -> turn.waitedFor)) {
                return;
            }
            submitted = true;
            asking = Thread.currentThread();
        }
        try {
            workers.calls().execute(new Drainer());
        } catch (Throwable e) {
            synchronized (this) {
                submitted = false; // this thread continues when it can
            }
        } finally {
            synchronized (this) {
                asking = asking == Thread.currentThread() ? null : asking;
            }
        }
    }

    /** Whether a thread whose stand-in has not begun keeps making the waiting calls. */
    private synchronized boolean goesOn(Object role) {
        if (drainer != null || queue.stream().allMatch(turn -> turn.waitedFor)) {
            return false;
        }
        drainer = role;
        return true;
    }
}
