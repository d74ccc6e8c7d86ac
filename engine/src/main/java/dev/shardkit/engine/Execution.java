package dev.shardkit.engine;

import dev.shardkit.spi.plan.Plan;
import dev.shardkit.spi.plan.PlanParts;
import dev.shardkit.spi.plan.PlanRun;
import dev.shardkit.store.StoreListener;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * One run of one plan. This object's monitor guards all mutable state. Reading, decoding, scattering, sending,
 * cancelling, starting workers and completing the future happen outside it. The reads that a unit of work enables are
 * merged and queued when it is done. A run ends when no worker and no request could still write to a target.
 *
 * @param <T> the plan's value
 */
final class Execution<T> implements AnswerReceiver, WorkQueue {
    /** Whether a flight may wait for this run. */
    private final boolean apart = Flights.isApart();

    private final Workers workers;
    private final ReadContext context;
    private final Answering answering;
    private final Requests reads;
    private final PlanProgress<T> plan;
    private final Deque<Work> units = new ArrayDeque<>();
    private final CallFuture<T> future = new Running();
    /** Whether the future ends the run, not the calling thread. */
    private boolean async;

    private final HelpingThreads helping;
    final CallingThread caller;
    private int busy;
    private @Nullable Throwable failure;
    private boolean closed;

    /** @param readings records the reads of the plan's parts if they run again separately; otherwise null */
    Execution(Plan<T> plan, ReadContext context, Workers workers, @Nullable Readings readings) {
        this.workers = workers;
        this.helping = new HelpingThreads(this, workers);
        this.caller = new CallingThread(this, helping);
        this.context = context;
        this.answering = new Answering(context, context.takesTurns() ? workers.turns() : null);
        this.reads = Requests.of(context, answering, this, readings);
        this.plan = new PlanProgress<>(new PlanRun<>(plan, Work.WINDOW), reads, answering);
    }

    /** Runs to the end with the calling thread as the first worker. */
    T call() {
        helping.limit(workers.parallelism() - 1);
        try {
            pump(List.of(), 0, 1);
            work(caller::takeOrWait);
        } catch (Throwable e) {
            fail(e);
        }
        caller.awaitEnd();
        Throwable thrown = RunOutcome.of(reads, context, failure);
        if (thrown != null) {
            throw Failures.rethrow(thrown);
        }
        return plan.value().orElseThrow();
    }

    /** Returns the state in which this run, after its end, has seen an object of a far store. */
    synchronized Optional<Pins.Seen> seen(String key) {
        return reads.seen(key);
    }

    /** Runs on worker threads only. Stopping the future ends the run. */
    CompletableFuture<T> start() {
        helping.limit(workers.parallelism());
        async = true;
        pump(List.of(), 0, 0);
        return future;
    }

    /** The future of the run. */
    private final class Running extends CallFuture<T> {
        @Override
        void stopWork(Throwable reason) {
            try {
                fail(new CancellationException("cancelled"));
            } catch (Throwable e) {
                fail(e); // memory ran out
            }
        }
    }

    /**
     * Accepts results, resumes the plan, and queues the work that has become possible. Throws nothing.
     *
     * @param finished the number of units (0 or 1) that the calling thread has finished
     * @param takers the number of units (0 or 1) that the calling thread takes next
     */
    void pump(List<Work.Step> steps, int finished, int takers) {
        PlanParts parts = settle(steps, null, finished, takers);
        while (parts != null) {
            try {
                parts.make();
            } catch (Throwable e) {
                fail(Failures.ofPlan(e, context.array()));
            }
            parts = settle(List.of(), parts, 1, takers);
        }
        endIfDone();
    }

    /**
     * Changes the plan, and starts what has become possible. Throws nothing, and allocates nothing before the calling
     * thread has left its unit. Returns parts for that thread, which counts as busy until then, to make.
     */
    private @Nullable PlanParts settle(List<Work.Step> steps, @Nullable PlanParts made, int finished, int takers) {
        Throwable broken = null;
        PlanParts parts = null;
        int wanted;
        synchronized (this) {
            busy -= finished;
            try {
                if (failure == null) {
                    parts = plan.advance(steps, made, units).orElse(null);
                }
            } catch (Throwable e) {
                broken = e;
            }
            busy += parts == null ? 0 : 1;
            wanted = announce(parts == null ? takers : 0);
        }
        if (broken != null) {
            fail(Failures.ofPlan(broken, context.array()));
        }
        sendAndAsk(wanted);
        return parts;
    }

    /** Wakes waiting threads, and returns how many more to ask for the units. */
    private synchronized int announce(int takers) {
        notifyAll();
        return helping.reserve(units.size(), caller.waiting() + takers);
    }

    /** Sends requests and asks for threads. Throws nothing. */
    private void sendAndAsk(int helpers) {
        try {
            reads.send();
        } catch (Throwable e) {
            fail(e);
        }
        helping.ask(helpers);
    }

    @Override
    public void work(Units units) {
        UnitLoop.run(units, this, workers);
    }

    @Override
    public <V> V asBegun(Supplier<V> work) {
        return apart ? Flights.apart(work) : work.get();
    }

    @Override
    public boolean mustMakeWay(long begun) {
        return helping.mustMakeWay(begun);
    }

    @Override
    public int parallelism() {
        return workers.parallelism();
    }

    @Override
    public boolean mayShare(List<PlanRun.ReadTask> tasks) {
        return !apart && context.cache().isKeeping() && Flights.canCarry(tasks);
    }

    @Override
    public boolean acceptsDirectly() {
        return !async && workers.areOwn() && context.listener() == StoreListener.NONE;
    }

    void failed(Work.Failed failed) {
        try {
            if (!reads.mustRunAgain(failed.tasks(), failed.getCause())) {
                fail(failed.getCause());
                return;
            }
            synchronized (this) {
                drop(failed.tasks());
            }
        } catch (Throwable e) {
            Failures.addSuppressed(e, failed.getCause());
            fail(e);
        }
    }

    @Override
    public void drop(List<? extends PlanRun.Task> tasks) {
        if (failure == null) {
            plan.drop(tasks);
        }
    }

    @Override
    public void answered(List<Work> decoding) {
        try {
            synchronized (this) {
                if (failure == null) {
                    units.addAll(decoding);
                }
            }
            if (decoding.isEmpty() || !acceptsDirectly()) {
                pump(List.of(), 0, 0);
            } else {
                sendAndAsk(announce(0)); // the thread that decodes resumes the plan
            }
        } catch (Throwable e) {
            fail(e);
        }
    }

    @Override
    public void fail(Throwable thrown) {
        synchronized (this) {
            if (failure != null || closed) {
                return;
            }
            failure = thrown;
            units.clear();
            notifyAll();
        }
        try {
            reads.cancel();
        } catch (Throwable e) {
            Failures.addSuppressed(thrown, e); // the run ends with its first failure all the same
        }
        synchronized (this) {
            // unsent requests are dropped: if none is in progress, no other event ends the run
            notifyAll();
        }
        endIfDone();
    }

    @Override
    public synchronized boolean isDone() {
        return busy == 0
                && units.isEmpty()
                && reads.underWay() == 0
                && (failure != null || plan.value().isPresent());
    }

    @Override
    public boolean isStuck() {
        return async && !units.isEmpty() && !helping.isJoined();
    }

    @Override
    public int waitingUnits() {
        return units.size();
    }

    @Override
    public void close() {
        closed = true;
    }

    @Override
    public Work taken() {
        busy++;
        return units.remove();
    }

    @Override
    public void endIfDone() {
        if (!async) {
            return;
        }
        synchronized (this) {
            if (closed || !isDone()) {
                return;
            }
            closed = true;
        }
        Throwable thrown = RunOutcome.of(reads, context, failure);
        future.end(thrown == null ? plan.value().orElseThrow() : null, thrown);
    }
}
