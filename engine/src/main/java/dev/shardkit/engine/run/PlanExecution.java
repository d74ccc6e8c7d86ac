package dev.shardkit.engine.run;

import dev.shardkit.engine.error.Failures;
import dev.shardkit.engine.threads.CallFuture;
import dev.shardkit.engine.threads.Workers;
import dev.shardkit.spi.error.CorruptDataException;
import dev.shardkit.spi.plan.JoinParts;
import dev.shardkit.spi.plan.Plan;
import dev.shardkit.spi.plan.PlanRun;
import dev.shardkit.spi.plan.Scratch;
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
 * One run of one plan: hands out its units of work to threads, sends its requests, and resumes the plan with the
 * results. This object's monitor guards all mutable state. Reading, decoding, scattering, sending, cancelling, starting
 * workers and completing the future happen outside the monitor.
 *
 * <p>A finished unit of work may make further reads possible. The run merges and queues these when the unit is done.
 * The run notifies its monitor when it adds units or may have ended. It ends when no worker and no request could still
 * write to a target.
 *
 * @param <T> the plan's value
 */
public final class PlanExecution<T> {
    /** Provides units of work. */
    interface Units {
        /** Returns the next unit; null if the thread is to end. If it throws, it has taken none. */
        @Nullable
        WorkUnit next();
    }

    /**
     * Whether this run shares no reads with other runs, because it began inside a shared read. Other runs may wait for
     * that read, so a wait of this run for one of theirs could be a deadlock.
     */
    private final boolean unshared = InFlightReads.isUnshared();

    private final Workers workers;
    private final ReadContext context;
    private final TaskRunner runner;
    private final Requests reads;
    private final PlanRun<T> plan;
    private final Deque<WorkUnit> units = new ArrayDeque<>();
    private final CallFuture<T> future = new Running();
    /** Whether the future ends the run, not the calling thread. */
    private boolean async;

    private final RunThreads threads;
    /** The thread of a blocking call, or a thread that waits for the future and helps. */
    final CallingThread caller;
    /** How many units of work and parts of a join are being worked on. The run does not end before this is 0. */
    private int busy;

    private @Nullable Throwable failure;
    /** Whether the outcome is being determined or known: later failures are ignored. */
    private boolean closed;

    /** @param tracker records which part reads which object, if parts can run again separately; otherwise null */
    PlanExecution(Plan<T> plan, ReadContext context, Workers workers, @Nullable ReadDependencies tracker) {
        this.workers = workers;
        this.threads = new RunThreads(this, workers);
        this.caller = new CallingThread(this, threads);
        this.context = context;
        this.runner = new TaskRunner(context, context.usesPermits() ? workers.decodePermits() : null);
        this.reads = Requests.of(context, runner, this, tracker);
        this.plan = new PlanRun<>(plan, WorkUnit.WINDOW);
    }

    /** Runs to the end with the calling thread as the first worker. */
    T call() {
        threads.limit(workers.parallelism() - 1);
        try {
            pump(List.of(), 0, 1);
            work(caller::takeOrWait);
        } catch (Throwable e) {
            fail(e);
        }
        caller.awaitEnd();
        Throwable thrown = outcome();
        if (thrown != null) {
            throw Failures.rethrow(thrown);
        }
        return plan.value().orElseThrow();
    }

    /** Returns, after the end of this run, the state in which it has seen an object of a remote store. */
    public synchronized Optional<PinnedVersions.Seen> seen(String key) {
        return reads.seen(key);
    }

    /** Returns, after the end of this run, whether one of its answers has shown the state of a remote object. */
    public synchronized boolean isConfirmed(String key) {
        return reads.isConfirmed(key);
    }

    /** Runs on worker threads only. Stopping the future ends the run. */
    public CompletableFuture<T> start() {
        threads.limit(workers.parallelism());
        async = true;
        pump(List.of(), 0, 0);
        return future;
    }

    /** The future of the run. */
    private final class Running extends CallFuture<T> {
        @Override
        protected void stopWork(Throwable reason) {
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
    void pump(List<WorkUnit.Step> steps, int finished, int takers) {
        JoinParts parts = advancePlan(steps, null, finished, takers);
        while (parts != null) {
            try {
                parts.make();
            } catch (Throwable e) {
                fail(Failures.ofPlan(e, context.array()));
            }
            parts = advancePlan(List.of(), parts, 1, takers);
        }
        endIfDone();
    }

    /**
     * Advances the plan by the results of a unit or by parts of a join that have been made, sends the requests that
     * this enables, and asks for threads. Throws nothing, and allocates nothing before the finished unit is subtracted
     * from {@link #busy}, so the run ends even if memory runs out.
     *
     * @return parts that the calling thread must make and pass to the next call; until then it counts as busy
     */
    private @Nullable JoinParts advancePlan(
            List<WorkUnit.Step> steps, @Nullable JoinParts madeParts, int finished, int takers) {
        Throwable planFailure = null;
        JoinParts parts = null;
        int threadsToAsk;
        synchronized (this) {
            busy -= finished;
            try {
                if (failure == null) {
                    parts = advance(steps, madeParts).orElse(null);
                }
            } catch (Throwable e) {
                planFailure = e;
            }
            busy += parts == null ? 0 : 1;
            threadsToAsk = reserveThreads(parts == null ? takers : 0);
        }
        if (planFailure != null) {
            fail(Failures.ofPlan(planFailure, context.array()));
        }
        sendAndAsk(threadsToAsk);
        return parts;
    }

    /**
     * Accepts results and parts that have been made. If no parts are to be made next, queues the work that has become
     * possible, and submits reads. Under the monitor.
     *
     * @return the parts to make next
     */
    private Optional<JoinParts> advance(List<WorkUnit.Step> steps, @Nullable JoinParts madeParts) {
        for (WorkUnit.Step s : steps) {
            plan.advance(s.task(), s.following());
        }
        if (madeParts != null) {
            plan.enter(madeParts);
        }
        Optional<JoinParts> parts = plan.reserve();
        if (parts.isEmpty()) {
            submit();
        }
        return parts;
    }

    /** Submits the reads that the plan has made possible, and queues its other tasks as units of work. */
    private void submit() {
        List<PlanRun.ReadTask> batch = new ArrayList<>();
        plan.handOut(task -> {
            if (task instanceof PlanRun.ReadTask r) {
                batch.add(r);
            } else {
                PlanRun.WorkTask w = (PlanRun.WorkTask) task;
                units.add(scratch -> List.of(runner.work(w, scratch)));
            }
        });
        reads.submit(batch, units);
        if (plan.value().isPresent()) {
            reads.lastChecks();
        }
    }

    /** Wakes waiting threads, and returns how many more to ask for the units. */
    private synchronized int reserveThreads(int takers) {
        notifyAll();
        return threads.reserve(units.size(), caller.waiting() + takers);
    }

    /** Sends requests and asks for threads. Throws nothing. */
    private void sendAndAsk(int helpers) {
        try {
            reads.send();
        } catch (Throwable e) {
            fail(e);
        }
        threads.request(helpers);
    }

    /** Performs units on the calling thread until there is none. */
    void work(Units next) {
        Scratch scratch = workers.scratch();
        try {
            CallFuture.working(() -> {
                for (WorkUnit unit = next.next(); unit != null; unit = next.next()) {
                    perform(unit, scratch);
                }
            });
        } finally {
            workers.giveBack(scratch);
        }
    }

    private void perform(WorkUnit unit, Scratch scratch) {
        List<WorkUnit.Step> steps = List.of();
        try {
            steps = inRun(() -> unit.run(scratch));
            scratch.reset(0);
        } catch (WorkUnit.Failed e) {
            failed(e);
        } catch (Throwable e) {
            fail(e);
        } finally {
            pump(steps, 1, 1);
        }
    }

    /** Runs code as part of this run. If this run shares no reads, a run that begins inside the code shares none. */
    <V> V inRun(Supplier<V> work) {
        return unshared ? InFlightReads.unshared(work) : work.get();
    }

    /** Returns whether the calling thread should end its unit of work early, because another run waits. */
    boolean mustYield(long startNanos) {
        return threads.mustYield(startNanos);
    }

    /** Returns the maximum number of workers of the run. */
    int parallelism() {
        return workers.parallelism();
    }

    /** Returns whether a read may be shared with other runs. */
    boolean mayShare(List<PlanRun.ReadTask> tasks) {
        return !unshared && context.cache().isKeeping() && InFlightReads.canShare(tasks);
    }

    /**
     * Returns whether {@link #answered} never blocks the store's thread: it calls no foreign code, and only wakes the
     * threads that continue the run.
     */
    boolean acceptsDirectly() {
        return !async && workers.areOwn() && context.listener() == StoreListener.NONE;
    }

    /** Drops the parts whose unit has failed if they can run again; otherwise fails the run. */
    private void failed(WorkUnit.Failed failed) {
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

    /** Drops the parts of these tasks, which run again in the next round. Under the monitor. */
    void drop(List<? extends PlanRun.Task> tasks) {
        if (failure == null) {
            tasks.forEach(plan::drop);
            if (plan.value().isPresent()) {
                reads.lastChecks(); // queued under the same monitor, before any thread sees the run as ended
            }
        }
    }

    /** Accepts the answer to a request. Throws nothing: the store's thread that delivers it would lose the failure. */
    void answered(List<WorkUnit> decoding) {
        try {
            synchronized (this) {
                if (failure == null) {
                    units.addAll(decoding);
                }
            }
            if (decoding.isEmpty() || !acceptsDirectly()) {
                pump(List.of(), 0, 0);
            } else {
                sendAndAsk(reserveThreads(0)); // the thread that decodes resumes the plan
            }
        } catch (Throwable e) {
            fail(e);
        }
    }

    /** Fails the run. The first failure wins. Throws nothing. Never called under the monitor. */
    void fail(Throwable thrown) {
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
            // cancelling dropped the unsent requests; if none was in progress, only this call can end the run
            notifyAll();
        }
        endIfDone();
    }

    /** Returns whether all work of the run has ended, so its outcome can be determined. */
    synchronized boolean isDone() {
        return busy == 0
                && units.isEmpty()
                && reads.underWay() == 0
                && (failure != null || plan.value().isPresent());
    }

    /** Returns whether units wait and no calling thread will take them. Under the monitor. */
    boolean isStuck() {
        return async && !units.isEmpty() && !threads.isJoined();
    }

    /** Returns the number of waiting units. Under the monitor. */
    int waitingUnits() {
        return units.size();
    }

    /** Ends the run for the calling thread. Under the monitor. */
    void close() {
        closed = true;
    }

    /** Removes and returns a unit of work; the queue must not be empty. Allocates nothing. Called under the monitor. */
    WorkUnit takeUnit() {
        busy++;
        return units.remove();
    }

    /** Completes the future of a run that has ended. Throws nothing. */
    void endIfDone() {
        if (!async) {
            return;
        }
        synchronized (this) {
            if (closed || !isDone()) {
                return;
            }
            closed = true;
        }
        Throwable thrown = outcome();
        future.end(thrown == null ? plan.value().orElseThrow() : null, thrown);
    }

    /**
     * Releases the resources of the run and returns its failure, if there was one. {@code judge} may replace it, for
     * example if an object changed meanwhile. After success, confirms that all bytes of each object had one version,
     * and that an array whose objects are absent still exists. Throws nothing.
     */
    private @Nullable Throwable outcome() {
        Throwable thrown = failure;
        try {
            if (thrown == null) {
                reads.confirm();
                if (reads.hasMetAbsence()) {
                    context.check().confirmAbsence();
                }
            } else {
                thrown = reads.judge(thrown);
                thrown = thrown instanceof CorruptDataException c
                        ? context.check().judge(c)
                        : thrown;
            }
        } catch (Throwable e) {
            thrown = e;
        }
        try {
            reads.close();
        } catch (Throwable e) {
            if (thrown == null) {
                return e;
            }
            Failures.addSuppressed(thrown, e);
        }
        return thrown;
    }
}
