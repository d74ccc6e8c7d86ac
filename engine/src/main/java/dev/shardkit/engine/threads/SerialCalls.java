package dev.shardkit.engine.threads;

import dev.shardkit.engine.error.Failures;
import dev.shardkit.store.StoreListener;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Deque;
import java.util.LinkedList;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A queue that runs blocking and asynchronous calls one after another, in the order in which they were requested. One
 * thread suffices for any number of waiting calls. A waiting caller runs the calls before its own if no other thread
 * has started them. So an executor that never starts a task does not block callers.
 *
 * <p>At most one thread, the drainer, runs the calls that no caller waits for. The future of a call completes after the
 * call's turn. The future's dependents are callers' code: they may run on the completing thread and wait for later
 * calls. So before a drainer completes a future, it starts another drainer, its stand-in, for the later calls. A
 * blocking call from within a call would wait for itself, so it is refused. Guarded by its monitor.
 */
public final class SerialCalls {
    /** The queues that are calling a listener on this thread ({@link Listening}), compared by identity. */
    private static final ThreadLocal<List<Object>> INSIDE = ThreadLocal.withInitial(List::of);

    private final Workers workers;
    /** The calls that have not begun. Linked: an ArrayDeque that cannot grow for lack of memory loses its elements. */
    private final Deque<Call<?>> queue = new LinkedList<>();

    /** The calls that have ended and whose futures may not be completed yet. Linked as well. Guarded by itself. */
    private final Deque<Call<?>> ended = new LinkedList<>();

    /** The thread that makes a call now; null between calls. */
    private @Nullable Thread busy;
    /**
     * The current drainer, which runs the calls that no caller waits for. A previous drainer ends when it sees another
     * one here.
     */
    private @Nullable Object drainer;
    /** Whether the executor has a drainer that has not begun. */
    private boolean submitted;
    /** The thread that requests a stand-in: an executor may run it at once, on that thread. */
    private @Nullable Thread requestingThread;

    /** Creates an empty queue. Calls that no caller waits for run on {@code workers}. */
    public SerialCalls(Workers workers) {
        this.workers = workers;
    }

    /** Returns whether calls wait for the current one. */
    public synchronized boolean hasMore() {
        return !queue.isEmpty();
    }

    /**
     * Returns a listener for the queued calls. A call that the listener requests of this queue counts as a call from
     * within a call.
     */
    public StoreListener listener(StoreListener listener) {
        return listener == StoreListener.NONE ? listener : new Listening(this, listener);
    }

    private synchronized boolean isInside() {
        return busy == Thread.currentThread() || INSIDE.get().contains(this);
    }

    /**
     * Runs a call after all earlier ones, and waits for it.
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
        // only a place in the queue: this thread makes the call itself, and the future is not used
        Call<T> ownCall = new Call<>(call, () -> {}, true);
        synchronized (this) {
            queue.add(ownCall);
        }
        try {
            for (Call<?> next = awaitTurn(ownCall); next != ownCall; next = awaitTurn(ownCall)) {
                runAndRecord(next);
            }
            try {
                return call.get();
            } finally {
                release();
            }
        } finally {
            submit();
            completeEnded();
        }
    }

    /** Waits until this thread may make a call: its own, or an earlier one without a waiting caller. */
    private synchronized Call<?> awaitTurn(Call<?> ownCall) {
        while (busy != null || (queue.peek() != ownCall && queue.peek().waitedFor)) {
            try {
                wait();
            } catch (InterruptedException e) {
                queue.remove(ownCall);
                notifyAll();
                Thread.currentThread().interrupt();
                throw new CancellationException("interrupted");
            }
        }
        busy = Thread.currentThread();
        return queue.remove();
    }

    /** Runs the queued calls up to {@code ownCall}, for which this thread waits, unless other threads run them. */
    void help(Call<?> ownCall) {
        if (isInside()) {
            return;
        }
        try {
            for (Call<?> next = takeUntil(ownCall); next != null; next = takeUntil(ownCall)) {
                runAndRecord(next);
            }
        } finally {
            submit();
            completeEnded();
        }
    }

    /** Waits for the turn of the next call up to {@code ownCall}, and takes it. Null if there is none left to make. */
    private synchronized @Nullable Call<?> takeUntil(Call<?> ownCall) {
        while (queue.contains(ownCall) && (busy != null || queue.element().waitedFor)) {
            try {
                wait();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                return null;
            }
        }
        if (!queue.contains(ownCall) || Thread.currentThread().isInterrupted()) {
            return null;
        }
        busy = Thread.currentThread();
        return queue.remove();
    }

    /** Makes a call whose turn it is, and records it for {@link #completeEnded}. */
    private void runAndRecord(Call<?> queued) {
        queued.run();
        boolean recorded = false;
        try {
            synchronized (ended) {
                ended.add(queued);
            }
            recorded = true;
        } finally {
            release();
            if (!recorded) {
                queued.publish(); // memory ran out, so completeEnded would not find the call
            }
        }
    }

    private synchronized void release() {
        busy = null;
        notifyAll();
    }

    /**
     * Queues a call without waiting for it. Stopping the future interrupts a running call. If the executor rejects the
     * task that would make the call, the future fails with the executor's exception, and the call is not made.
     *
     * @param skipped runs in the call's turn, in place of the call, if the future was stopped before or the call was
     *     rejected
     */
    public <T> CompletableFuture<T> start(Supplier<T> call, Runnable skipped) {
        Call<T> queued = new Call<>(call, skipped, false);
        synchronized (this) {
            queue.add(queued);
        }
        submit();
        return queued;
    }

    /** Queues a call after {@code delay}, without waiting for it. The JDK's timer and common pool queue it. */
    public void startLater(Duration delay, Supplier<?> call) {
        CompletableFuture.delayedExecutor(delay.toNanos(), TimeUnit.NANOSECONDS).execute(() -> start(call, () -> {}));
    }

    /**
     * Waits for the end of a call that {@link #start} has queued, and makes the call if no other thread has begun it.
     * Returns whether the call succeeded. False if it failed, was cancelled, or was rejected by the executor.
     *
     * @throws CancellationException if the thread is interrupted; the call goes on
     */
    public static boolean await(CompletableFuture<?> call) {
        try {
            call.get();
            return true;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new CancellationException("interrupted");
        } catch (ExecutionException | CancellationException e) {
            return false;
        }
    }

    /** Submits a drainer for the calls without a waiting caller, unless one is active. */
    private void submit() {
        synchronized (this) {
            if (drainer != null || submitted || queue.stream().allMatch(queued -> queued.waitedFor)) {
                return;
            }
            submitted = true;
        }
        try {
            workers.calls().execute(new Drainer());
        } catch (Throwable e) {
            onRejected(e);
        }
    }

    /**
     * Handles a rejected task: rejects the calls without a waiting caller that have not begun. Their futures fail now.
     * When their turns come, they are skipped, because the callers already know that they were not made.
     */
    private void onRejected(Throwable reason) {
        List<Call<?>> unclaimed = new ArrayList<>();
        synchronized (this) {
            submitted = false;
            queue.stream().filter(queued -> !queued.waitedFor).forEach(unclaimed::add);
        }
        unclaimed.forEach(queued -> queued.reject(reason));
    }

    /** The task of a thread that makes calls. As an object, it also stands for the role in {@link #drainer}. */
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

    /** Gives up the role of the drainer after an error of the engine itself, such as an {@link OutOfMemoryError}. */
    private synchronized void resign(Object role) {
        if (isDrainer(role)) {
            drainer = null;
        }
        notifyAll();
    }

    /** Makes the calls without a waiting caller, one by one, until none is left or another drainer has the role. */
    private void drain(Object role) {
        if (!acquireRole(role)) {
            return;
        }
        do {
            Call<?> next = awaitNext(role);
            if (next == null) {
                return;
            }
            runAndRecord(next);
            startStandIn(role);
            completeEnded();
        } while (reacquireRole(role));
    }

    /**
     * Acquires the role of the drainer. Returns false if the executor runs this task at once on a thread that is within
     * a call or has just requested a stand-in.
     */
    private synchronized boolean acquireRole(Object role) {
        submitted = false;
        if (isInside() || requestingThread == Thread.currentThread()) {
            return false;
        }
        drainer = role;
        notifyAll();
        return true;
    }

    /** Waits until the drainer may make the next call, and takes it. Null if there is none or the role is lost. */
    private synchronized @Nullable Call<?> awaitNext(Object role) {
        boolean wasInterrupted = false;
        while (isDrainer(role) && !queue.isEmpty() && (busy != null || queue.peek().waitedFor)) {
            try {
                wait();
            } catch (InterruptedException e) {
                wasInterrupted = true; // no call is running here, so the interrupt is meant for the thread's owner
            }
        }
        if (wasInterrupted) {
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
    private void startStandIn(Object role) {
        synchronized (this) {
            if (!isDrainer(role)) {
                return;
            }
            drainer = null;
            if (submitted || queue.stream().allMatch(queued -> queued.waitedFor)) {
                return;
            }
            submitted = true;
            requestingThread = Thread.currentThread();
        }
        try {
            workers.calls().execute(new Drainer());
        } catch (Throwable e) {
            synchronized (this) {
                submitted = false; // without a stand-in, this thread makes the later calls itself (reacquireRole)
            }
        } finally {
            synchronized (this) {
                requestingThread = requestingThread == Thread.currentThread() ? null : requestingThread;
            }
        }
    }

    /** Takes the role back if the stand-in has not begun and calls wait. Returns false if this thread is to end. */
    private synchronized boolean reacquireRole(Object role) {
        if (drainer != null || queue.stream().allMatch(queued -> queued.waitedFor)) {
            return false;
        }
        drainer = role;
        return true;
    }

    /**
     * Completes the futures of all ended calls, including those that other threads are about to complete. So when a
     * blocking call returns, the futures of all earlier calls are done. Several threads may do this at once: if a
     * dependent blocks this thread until a later call is done, another thread completes the later call's future.
     */
    private void completeEnded() {
        try {
            completeAllEnded();
        } catch (Throwable e) {
            // memory ran out: completes the futures one by one, which allocates nothing
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
        List<Call<?>> calls;
        synchronized (ended) {
            calls = List.copyOf(ended);
        }
        // First the futures without dependents. A dependent may block, so of the other futures this thread completes
        // one, and further threads complete the rest.
        calls.stream().filter(queued -> !queued.hasCallbacks()).forEach(Call::publish);
        calls.stream().filter(queued -> !queued.isDone()).skip(1).forEach(queued -> {
            try {
                workers.calls().execute(queued::publish);
            } catch (Throwable e) {
                // below, this thread completes the future instead
                Failures.log(System.Logger.Level.DEBUG, "an executor rejected a task", e);
            }
        });
        calls.forEach(Call::publish); // the first one, and those that no thread has completed yet
        synchronized (ended) {
            calls.forEach(ended::remove);
        }
    }

    /** One call and its future. One thread makes it, once; then the future is completed. */
    private final class Call<T> extends CallFuture<T> {
        /** Null after the call was rejected: its turn may come much later, and it may refer to much memory. */
        private volatile @Nullable Supplier<T> call;

        private final Runnable skipped;
        /** Whether a caller waits and may make the call itself. */
        final boolean waitedFor;

        private final CallInterrupt thread = new CallInterrupt();
        private volatile boolean finished;
        private @Nullable T value;
        private @Nullable Throwable failure;

        Call(Supplier<T> call, Runnable skipped, boolean waitedFor) {
            this.call = call;
            this.skipped = skipped;
            this.waitedFor = waitedFor;
        }

        /** Runs the call and stores the outcome for {@link #publish}. */
        void run() {
            Supplier<T> own = call;
            if (!thread.begin() || own == null) {
                skipped.run();
                return;
            }
            try {
                working(() -> value = own.get());
            } catch (Throwable e) {
                failure = e;
            } finally {
                thread.end();
                finished = true;
            }
        }

        boolean hasCallbacks() {
            return getNumberOfDependents() > 0;
        }

        /** Completes the future of a call that was made; several threads may call this. Throws nothing. */
        void publish() {
            if (finished && !isDone()) {
                workers.end(this, value, failure);
            }
        }

        /** Fails the future, unless another thread has begun the call. Then its turn only skips it. */
        void reject(Throwable reason) {
            if (thread.refuseBegin()) {
                call = null;
                workers.end(this, null, reason);
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
     * A listener that records, for each thread, the queue whose call notifies it: a call that the listener requests of
     * that queue is a call from within a call. Thread-safe if the wrapped listener is.
     */
    private static final class Listening extends ForwardingListener {
        private final Object calls;

        Listening(Object calls, StoreListener listener) {
            super(listener);
            this.calls = calls;
        }

        @Override
        void make(Runnable call) {
            List<Object> outer = INSIDE.get();
            List<Object> inner = new ArrayList<>(outer);
            inner.add(calls);
            INSIDE.set(inner);
            try {
                call.run();
            } finally {
                INSIDE.set(outer);
            }
        }
    }
}
