package dev.shardkit.engine.threads;

import dev.shardkit.engine.Failures;
import dev.shardkit.store.StoreListener;
import java.util.ArrayDeque;
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
public final class SerialCalls {
    /** The calls whose calls run a listener on this thread; told apart by identity. */
    private static final ThreadLocal<List<Object>> INSIDE = ThreadLocal.withInitial(List::of);

    private final Workers workers;
    /** Linked: an ArrayDeque that cannot grow for lack of memory loses its elements. */
    private final Deque<Call<?>> queue = new LinkedList<>();

    /** The calls that have ended and whose futures may not be completed yet. Guarded by itself. */
    private final Deque<Call<?>> ended = new ArrayDeque<>();

    private @Nullable Thread busy;
    /** The role that makes the calls without a waiting caller; the previous holder ends when it notices. */
    private @Nullable Object drainer;
    /** Whether the executor has a drainer that has not begun. */
    private boolean submitted;
    /** The thread that requests a stand-in: an executor may run it at once, on that thread. */
    private @Nullable Thread asking;

    /** Creates calls whose calls without a waiting caller run on these threads. */
    public SerialCalls(Workers workers) {
        this.workers = workers;
    }

    /** Returns whether calls wait for the current one. */
    public synchronized boolean hasMore() {
        return !queue.isEmpty();
    }

    /** Returns a listener for the calls; calls that it requests of these calls count as calls from within a call. */
    public StoreListener listener(StoreListener own) {
        return own == StoreListener.NONE ? own : new Listening(this, own);
    }

    private synchronized boolean isInside() {
        return busy == Thread.currentThread() || INSIDE.get().contains(this);
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
        Call<T> own = new Call<>(call, () -> {}, true);
        synchronized (this) {
            queue.add(own);
        }
        try {
            for (Call<?> next = await(own); next != own; next = await(own)) {
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
    private synchronized Call<?> await(Call<?> own) {
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

    /** Runs the queued calls up to {@code own}, for which this thread waits, unless other threads run them. */
    void help(Call<?> own) {
        if (isInside()) {
            return;
        }
        try {
            for (Call<?> next = takeUntil(own); next != null; next = takeUntil(own)) {
                made(next);
            }
        } finally {
            submit();
            completeEnded();
        }
    }

    private synchronized @Nullable Call<?> takeUntil(Call<?> own) {
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

    private void made(Call<?> turn) {
        turn.run();
        boolean noted = false;
        try {
            synchronized (ended) {
                ended.add(turn);
            }
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
        Call<T> turn = new Call<>(call, skipped, false);
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
        List<Call<?>> left = new ArrayList<>();
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

    /** Releases the role after an error of the engine itself, such as an {@link OutOfMemoryError}. */
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
            Call<?> next = take(role);
            if (next == null) {
                return;
            }
            made(next);
            standIn(role);
            completeEnded();
        } while (goesOn(role));
    }

    /** Acquires the role, unless this thread has just requested a stand-in or is within a call. */
    private synchronized boolean begin(Object role) {
        submitted = false;
        if (isInside() || asking == Thread.currentThread()) {
            return false;
        }
        drainer = role;
        notifyAll();
        return true;
    }

    private synchronized @Nullable Call<?> take(Object role) {
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
        Call<?> next = queue.element();
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

    /** Returns whether a thread whose stand-in has not begun keeps making the waiting calls. */
    private synchronized boolean goesOn(Object role) {
        if (drainer != null || queue.stream().allMatch(turn -> turn.waitedFor)) {
            return false;
        }
        drainer = role;
        return true;
    }

    /**
     * Completes futures, including those that other threads are about to complete: a caller finds all earlier calls
     * done. If callers' code here waits for a later one, another thread can complete that.
     */
    private void completeEnded() {
        try {
            completeAllEnded();
        } catch (Throwable e) {
            // memory ran out: the futures are completed without any more
            for (Call<?> next = poll(); next != null; next = poll()) {
                next.publish();
            }
        }
    }

    private @Nullable Call<?> poll() {
        synchronized (ended) {
            return ended.poll();
        }
    }

    private void completeAllEnded() {
        List<Call<?>> all;
        synchronized (ended) {
            all = List.copyOf(ended);
        }
        all.stream().filter(turn -> !turn.hasCallbacks()).forEach(Call::publish);
        all.stream().filter(turn -> !turn.isDone()).skip(1).forEach(turn -> {
            try {
                workers.calls().execute(turn::publish);
            } catch (Throwable e) {
                // then this thread completes them
                Failures.log(System.Logger.Level.DEBUG, "an executor rejected a task", e);
            }
        });
        all.forEach(Call::publish);
        synchronized (ended) {
            all.forEach(ended::remove);
        }
    }

    /** One call and its future. One thread makes it, once; then the future is completed. */
    private final class Call<T> extends CallFuture<T> {
        private final Supplier<T> call;
        private final Runnable skipped;
        /** Whether a caller waits and may make the call itself. */
        final boolean waitedFor;

        private final CallInterrupt thread = new CallInterrupt();
        private volatile boolean over;
        private @Nullable T value;
        private @Nullable Throwable failure;

        Call(Supplier<T> call, Runnable skipped, boolean waitedFor) {
            this.call = call;
            this.skipped = skipped;
            this.waitedFor = waitedFor;
        }

        /** Runs the call and stores the outcome for {@link #publish}. */
        void run() {
            if (!thread.begin()) {
                skipped.run();
                return;
            }
            try {
                working(() -> value = call.get());
            } catch (Throwable e) {
                failure = e;
            } finally {
                thread.end();
                over = true;
            }
        }

        boolean hasCallbacks() {
            return getNumberOfDependents() > 0;
        }

        /** Completes the future of a call that was made; several threads may call this. Throws nothing. */
        void publish() {
            if (over && !isDone()) {
                workers.end(this, value, failure);
            }
        }

        /** Interrupts the call if it is running; if it has not begun, its turn only skips it. */
        @Override
        protected void stopWork(Throwable reason) {
            if (thread.stop()) {
                workers.end(this, null, reason);
            }
        }

        @Override
        public void help() {
            if (!workers.areOwn()) {
                SerialCalls.this.help(this);
            }
        }
    }

    /**
     * A listener of the calls. It remembers for each thread the calls whose calls run a listener there: calls that the
     * listener requests of them are calls from within a call. Thread-safe if the listener is.
     */
    private static final class Listening extends ListenerCalls {
        private final Object calls;

        Listening(Object calls, StoreListener own) {
            super(own);
            this.calls = calls;
        }

        @Override
        void make(Runnable call) {
            List<Object> before = INSIDE.get();
            List<Object> now = new ArrayList<>(before);
            now.add(calls);
            INSIDE.set(now);
            try {
                call.run();
            } finally {
                INSIDE.set(before);
            }
        }
    }
}
