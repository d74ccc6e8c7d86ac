package dev.shardkit.engine;

import dev.shardkit.spi.plan.PlanParts;
import dev.shardkit.spi.plan.PlanRun;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The plan of a run: accepts the results of tasks, and passes on the tasks that become ready. The run's monitor guards
 * it.
 */
record PlanProgress<T>(PlanRun<T> run, Requests reads, Answering answering) {
    /**
     * Accepts results and parts that have been made. If no parts are to be made next, adds the work that has become
     * possible to {@code units}, and submits reads.
     *
     * @return the parts to make next
     */
    Optional<PlanParts> advance(List<Work.Step> steps, @Nullable PlanParts made, Deque<Work> units) {
        for (Work.Step s : steps) {
            run.advance(s.task(), s.following());
        }
        if (made != null) {
            run.enter(made);
        }
        Optional<PlanParts> parts = run.reserve();
        if (parts.isEmpty()) {
            submit(units);
        }
        return parts;
    }

    private void submit(Deque<Work> units) {
        List<PlanRun.ReadTask> batch = new ArrayList<>();
        run.handOut(task -> {
            if (task instanceof PlanRun.ReadTask r) {
                batch.add(r);
            } else {
                PlanRun.WorkTask w = (PlanRun.WorkTask) task;
                units.add(scratch -> List.of(answering.work(w, scratch)));
            }
        });
        reads.submit(batch, units);
        if (run.value().isPresent()) {
            reads.lastChecks();
        }
    }

    /** Drops the parts of these tasks, which run again later. */
    void drop(List<? extends PlanRun.Task> tasks) {
        tasks.forEach(run::drop);
        if (run.value().isPresent()) {
            reads.lastChecks(); // before anybody sees the run as ended
        }
    }

    /** Returns the value after the plan has ended. */
    Optional<T> value() {
        return run.value();
    }
}
