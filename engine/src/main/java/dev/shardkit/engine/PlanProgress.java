package dev.shardkit.engine;

import dev.shardkit.spi.plan.PlanRun;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;

/**
 * The plan of a run: accepts the results of tasks, and passes on the tasks that become ready. The run's monitor guards
 * it.
 */
record PlanProgress<T>(PlanRun<T> run, Requests reads, Answering answering) {
    /** Accepts results. Adds the work that becomes possible to {@code units}, and submits reads. */
    void advance(List<Work.Step> steps, Deque<Work> units) {
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
