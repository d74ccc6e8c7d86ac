package dev.shardkit.benchmarks.kernel;

import dev.shardkit.spi.error.Place;
import dev.shardkit.spi.plan.Plan;
import dev.shardkit.spi.plan.PlanParts;
import dev.shardkit.spi.plan.PlanRun;
import dev.shardkit.spi.plan.Unit;
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
 * What a run costs for each inner chunk if its workers do nothing else: as in the engine, they make the parts of joins
 * outside the monitor, and take tasks and pass on results, a portion at a time, under it. The time is that of one
 * worker for one inner chunk. If two workers need twice the time of one, the monitor is always held, and more workers
 * give no higher rate.
 */
@State(Scope.Benchmark)
@Fork(1)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class MonitorBenchmark {
    private static final int PORTION = 32;
    private static final int BUDGET = 4096;
    private static final long INNER_CHUNKS = 1_000_000;

    private final Queue<PlanRun.Task> ready = new ArrayDeque<>();
    private PlanRun<Unit> run = start();

    private static PlanRun<Unit> start() {
        return new PlanRun<>(Plan.each(INNER_CHUNKS, i -> Plan.defer(Place.nowhere(), scratch -> Plan.done())), BUDGET);
    }

    /** The tasks of one worker. */
    @State(Scope.Thread)
    public static class Worker {
        private final List<PlanRun.Task> tasks = new ArrayList<>();
    }

    /** One worker. */
    @Benchmark
    @Threads(1)
    @OperationsPerInvocation(PORTION)
    public int oneWorker(Worker worker) {
        return turn(worker.tasks);
    }

    /** Two workers of the same run. */
    @Benchmark
    @Threads(2)
    @OperationsPerInvocation(PORTION)
    public int twoWorkers(Worker worker) {
        return turn(worker.tasks);
    }

    /** Passes on the results of a worker's tasks and takes its next ones. */
    private int turn(List<PlanRun.Task> tasks) {
        Optional<PlanParts> parts = advance(tasks);
        while (parts.isPresent()) {
            parts.get().make();
            parts = enter(parts.get(), tasks);
        }
        return tasks.size();
    }

    private synchronized Optional<PlanParts> advance(List<PlanRun.Task> tasks) {
        tasks.forEach(task -> run.advance(task, Plan.done()));
        tasks.clear();
        if (run.value().isPresent()) {
            run = start();
        }
        return next(tasks);
    }

    private synchronized Optional<PlanParts> enter(PlanParts made, List<PlanRun.Task> tasks) {
        run.enter(made);
        return next(tasks);
    }

    private Optional<PlanParts> next(List<PlanRun.Task> tasks) {
        Optional<PlanParts> parts = run.reserve();
        if (parts.isEmpty()) {
            run.handOut(ready::add);
            while (!ready.isEmpty() && tasks.size() < PORTION) {
                tasks.add(ready.remove());
            }
        }
        return parts;
    }
}
