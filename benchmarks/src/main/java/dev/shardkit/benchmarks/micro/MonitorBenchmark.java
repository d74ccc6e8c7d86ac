package dev.shardkit.benchmarks.micro;

import dev.shardkit.spi.error.DataLocation;
import dev.shardkit.spi.plan.JoinParts;
import dev.shardkit.spi.plan.NoResult;
import dev.shardkit.spi.plan.Plan;
import dev.shardkit.spi.plan.PlanRun;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Threads;
import org.openjdk.jmh.annotations.Warmup;

/**
 * Measures how much the monitor of a plan's run limits the number of workers. The plan has a million inner chunks that
 * take no time, so only the scheduling is measured. As in the engine, workers create the parts of joins (plans that
 * consist of many plans) outside the monitor. They take tasks and deliver results under it, 32 at a time. The reported
 * time is that of one worker for one inner chunk. If two workers need twice the time of one, the monitor is always
 * held, and more workers give no higher rate.
 */
@State(Scope.Benchmark)
@Fork(1)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class MonitorBenchmark {
    /** The number of tasks that a worker takes at a time. */
    private static final int PORTION = 32;
    /** The number of tasks that may be open at a time. */
    private static final int BUDGET = 4096;

    private static final long INNER_CHUNKS = 1_000_000;

    /** The tasks that the run has handed out and no worker has taken yet. */
    private final Queue<PlanRun.Task> ready = new ArrayDeque<>();
    /** The current run. When it has no more work to give away, the next one replaces it. */
    private PlanRun<NoResult> run = newRun();
    /** The number of workers that are creating parts of the current run. */
    private int creatingWorkers;

    private static PlanRun<NoResult> newRun() {
        return new PlanRun<>(
                Plan.each(INNER_CHUNKS, i -> Plan.defer(DataLocation.nowhere(), scratch -> Plan.done())), BUDGET);
    }

    /** The tasks that a worker has taken, and the run that they belong to. */
    @State(Scope.Thread)
    public static class Worker {
        private final List<PlanRun.Task> tasks = new ArrayList<>();
        private PlanRun<NoResult> run = newRun();
    }

    /** Measures a run with one worker. */
    @Benchmark
    @Threads(1)
    @OperationsPerInvocation(PORTION)
    public int oneWorker(Worker worker) {
        return turn(worker);
    }

    /** Measures a run with two workers. */
    @Benchmark
    @Threads(2)
    @OperationsPerInvocation(PORTION)
    public int twoWorkers(Worker worker) {
        return turn(worker);
    }

    /** Delivers the results of a worker's tasks and takes its next tasks. */
    private int turn(Worker worker) {
        Optional<JoinParts> parts = advance(worker);
        while (worker.tasks.isEmpty()) {
            if (parts.isPresent()) {
                parts.get().make();
                parts = enter(parts.get(), worker);
            } else {
                Thread.onSpinWait(); // until the other worker has created parts, or to enter a new run
                parts = advance(worker);
            }
        }
        return worker.tasks.size();
    }

    /** Delivers the results of a worker's tasks. Returns as {@link #next} does. */
    private synchronized Optional<JoinParts> advance(Worker worker) {
        worker.tasks.forEach(task -> worker.run.advance(task, Plan.done()));
        worker.tasks.clear();
        return next(worker);
    }

    /** Adds parts that a worker has created to the run. Returns as {@link #next} does. */
    private synchronized Optional<JoinParts> enter(JoinParts created, Worker worker) {
        run.enter(created);
        creatingWorkers--;
        return next(worker);
    }

    /**
     * Gives a worker its next work, while the monitor is held. Returns parts that the worker must create. If there are
     * none, the worker receives the tasks that are ready, at most {@link #PORTION}.
     */
    private Optional<JoinParts> next(Worker worker) {
        Optional<JoinParts> parts = run.reserve();
        if (parts.isPresent()) {
            creatingWorkers++;
            return parts;
        }
        run.handOut(ready::add);
        while (!ready.isEmpty() && worker.tasks.size() < PORTION) {
            worker.tasks.add(ready.remove());
        }
        worker.run = run;
        if (worker.tasks.isEmpty() && creatingWorkers == 0) {
            // The run has finished, or another worker still has its last tasks. JMH may have stopped that worker, so
            // do not wait for it. The worker enters the new run when it calls advance again.
            run = newRun();
        }
        return Optional.empty();
    }
}
