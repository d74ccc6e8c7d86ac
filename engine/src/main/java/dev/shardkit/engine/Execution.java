package dev.shardkit.engine;

import dev.shardkit.spi.error.CorruptDataException;
import dev.shardkit.spi.error.Place;
import dev.shardkit.spi.plan.Plan;
import dev.shardkit.spi.plan.PlanRun;
import dev.shardkit.spi.plan.Scratch;
import dev.shardkit.store.FarReads;
import dev.shardkit.store.NearReads;
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
 * One run of one plan. This object's monitor guards all mutable state. Reading, decoding, scattering, sending,
 * cancelling, starting workers and completing the future happen outside it. Workers take units of work. The reads that
 * a unit makes possible are merged and queued when the unit is done, so only true dependencies delay work. A run ends
 * only when no worker and no request remains that could write to a target.
 *
 * @param <T> the plan's value
 */
final class Execution<T> {
    /** The maximum number of open tasks, which also limits how far merging looks ahead. */
    static final int WINDOW = 4096;

    /** The party that ends the run. */
    private enum Ending {
        CALLER,
        FUTURE
    }

    /** Whether a flight may wait for this run. */
    private final boolean apart = Flights.isApart();

    private final Workers workers;
    private final ReadContext context;
    private final Answering answering;
    private final Requests reads;
    private final PlanRun<T> run;
    private final Deque<Work> units = new ArrayDeque<>();
    private final CompletableFuture<T> future = new CompletableFuture<>();
    private Ending ending = Ending.CALLER;
    private final HelpingThreads helping;
    private int busy;
    /** The number of threads (0 or the calling one) that wait for work or the end. */
    private int waiting;

    private @Nullable Throwable failure;
    private boolean closed;

    Execution(Plan<T> plan, ReadContext context, Workers workers) {
        this(plan, context, workers, null);
    }

    /**
     * A run of a plan.
     *
     * @param readings records the reads of its parts if they run again separately; otherwise null
     */
    Execution(Plan<T> plan, ReadContext context, Workers workers, @Nullable Readings readings) {
        this.workers = workers;
        this.helping = new HelpingThreads(this, workers);
        this.context = context;
        this.answering = new Answering(context, context.takesTurns() ? workers.turns() : Optional.empty());
        this.run = new PlanRun<>(plan, WINDOW);
        this.reads = context.reads() instanceof NearReads near
                ? new NearRequests(near, context, answering, this, readings)
                : new FarRequests((FarReads) context.reads(), context, answering, this);
    }

    /** Runs to the end with the calling thread as the first worker. */
    T call() {
        helping.limit(workers.parallelism() - 1);
        try {
            pump(List.of(), 0, 1);
            work(this::takeOrWait);
        } catch (Throwable e) {
            fail(e);
        }
        awaitEnd();
        Throwable thrown = outcome();
        if (thrown != null) {
            throw Failures.rethrow(thrown);
        }
        return run.value().orElseThrow();
    }

    /** Returns what this run, after its end, has seen of an object of a far store. */
    synchronized Optional<Pins.Seen> seen(String key) {
        return reads.seen(key);
    }

    /** Runs on worker threads only. Completing the future, for example by cancelling it, ends the run. */
    CompletableFuture<T> start() {
        helping.limit(workers.parallelism());
        ending = Ending.FUTURE;
        future.whenComplete((value, thrown) -> cancelled());
        pump(List.of(), 0, 0);
        return future;
    }

    private void cancelled() {
        synchronized (this) {
            if (closed) {
                return;
            }
        }
        try {
            fail(new CancellationException("cancelled"));
        } catch (Throwable e) {
            fail(e); // memory ran out
        }
    }

    /**
     * Accepts results, resumes the plan, and queues the work that has become possible. Throws nothing.
     *
     * @param finished the number of units (0 or 1) that the calling thread has finished
     * @param takers the number of units (0 or 1) that the calling thread takes next
     */
    private void pump(List<Work.Step> steps, int finished, int takers) {
        Throwable broken = null;
        int wanted;
        synchronized (this) {
            busy -= finished;
            try {
                advance(steps);
            } catch (Throwable e) {
                broken = e;
            }
            wanted = helping.reserve(units.size(), takers + waiting);
            notifyAll();
        }
        if (broken != null) {
            failPlan(broken);
        }
        try {
            reads.send();
        } catch (Throwable e) {
            fail(e);
        }
        helping.ask(wanted);
        endIfDone();
    }

    private void failPlan(Throwable broken) {
        Throwable thrown;
        try {
            thrown = Failures.ofWork(broken, context.array(), Place.nowhere(), "");
        } catch (Throwable e) {
            thrown = e;
        }
        fail(thrown);
    }

    private void advance(List<Work.Step> steps) {
        if (failure != null) {
            return;
        }
        for (Work.Step s : steps) {
            run.advance(s.task(), s.following());
        }
        List<PlanRun.ReadTask> batch = new ArrayList<>();
        for (Optional<PlanRun.Task> task = run.next(); task.isPresent(); task = run.next()) {
            if (task.get() instanceof PlanRun.ReadTask r) {
                batch.add(r);
            } else {
                PlanRun.WorkTask w = (PlanRun.WorkTask) task.get();
                units.add(scratch -> List.of(answering.work(w, scratch)));
            }
        }
        reads.submit(batch, units);
        if (run.value().isPresent()) {
            reads.lastChecks();
        }
    }

    /** Provides units of work. */
    interface Units {
        /** Returns the next unit; null if the thread is to end. If it throws, it has taken none. */
        @Nullable
        Work next();
    }

    /** Performs units until there is none. */
    void work(Units units) {
        Scratch scratch = workers.scratch();
        try {
            for (Work unit = units.next(); unit != null; unit = units.next()) {
                perform(unit, scratch);
            }
        } finally {
            workers.giveBack(scratch);
        }
    }

    private void perform(Work unit, Scratch scratch) {
        List<Work.Step> steps = List.of();
        try {
            steps = asBegun(() -> unit.run(scratch));
            scratch.reset(0);
        } catch (Work.Failed e) {
            failed(e);
        } catch (Throwable e) {
            fail(e);
        } finally {
            pump(steps, 1, 1);
        }
    }

    /** Runs code with this run's flight state: a run that begins inside a run without flights uses none either. */
    <V> V asBegun(Supplier<V> work) {
        return apart ? Flights.apart(work) : work.get();
    }

    /** Whether a read may lead a flight, or wait for one. */
    boolean mayShare(List<PlanRun.ReadTask> tasks) {
        return !apart && Flights.canCarry(tasks, context);
    }

    private void failed(Work.Failed failed) {
        try {
            if (!reads.mustRunAgain(failed.tasks(), failed.getCause())) {
                fail(failed.getCause());
                return;
            }
            synchronized (this) {
                if (failure == null) {
                    failed.tasks().forEach(run::drop);
                }
            }
        } catch (Throwable e) {
            Failures.addSuppressed(e, failed.getCause());
            fail(e);
        }
    }

    /** Accepts the answer to a request. Throws nothing: the store's thread that delivers it would lose the failure. */
    void answered(List<Work> decoding) {
        try {
            synchronized (this) {
                if (failure == null) {
                    units.addAll(decoding);
                }
            }
            pump(List.of(), 0, 0);
        } catch (Throwable e) {
            fail(e);
        }
    }

    /** Ends the run; the first failure counts. Throws nothing. Never called under the monitor. */
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
            // unsent requests are dropped: if none is in progress, no other event ends the run
            notifyAll();
        }
        endIfDone();
    }

    private synchronized boolean isDone() {
        return busy == 0
                && units.isEmpty()
                && reads.underWay() == 0
                && (failure != null || run.value().isPresent());
    }

    /** Whether units wait and no calling thread will take them. Under the monitor. */
    boolean isStuck() {
        return ending == Ending.FUTURE && !units.isEmpty();
    }

    /** Whether units wait. Under the monitor. */
    boolean hasUnits() {
        return !units.isEmpty();
    }

    private @Nullable Work takeOrWait() {
        try {
            synchronized (this) {
                while (!isDone()) {
                    if (Thread.currentThread().isInterrupted()) {
                        throw new InterruptedException();
                    }
                    if (!units.isEmpty()) {
                        return taken();
                    }
                    pause();
                }
                return null;
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            fail(new CancellationException("interrupted"));
            return null;
        }
    }

    /** Takes a unit, of which there must be one. Allocates nothing. Under the monitor. */
    Work taken() {
        busy++;
        return units.remove();
    }

    private void pause() throws InterruptedException {
        waiting++;
        try {
            wait();
        } finally {
            waiting--;
        }
    }

    /** Waits until cancelled work has ended. It never writes to the caller's memory afterwards. */
    private synchronized void awaitEnd() {
        boolean interrupted = false;
        while (!isDone()) {
            try {
                pause();
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        closed = true;
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    /** Completes the future of a run that has ended. Throws nothing. */
    void endIfDone() {
        if (ending == Ending.CALLER) {
            return;
        }
        synchronized (this) {
            if (closed || !isDone()) {
                return;
            }
            closed = true;
        }
        Throwable thrown = outcome();
        if (thrown != null) {
            Completions.fail(future, thrown);
        } else {
            Completions.complete(future, run.value().orElseThrow());
        }
    }

    /** Releases all resources and returns the failure of the run, if there was one. Throws nothing. */
    private @Nullable Throwable outcome() {
        Throwable thrown = failure;
        try {
            if (thrown == null) {
                reads.confirm();
            } else {
                thrown = reads.judge(thrown);
                thrown = thrown instanceof CorruptDataException c
                        ? context.doubt().judge(c)
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
