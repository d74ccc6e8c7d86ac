package dev.shardkit.engine;

import dev.shardkit.spi.plan.Plan;
import dev.shardkit.spi.plan.PlanRun;
import dev.shardkit.spi.plan.Scratch;
import java.util.List;

/** A unit of work for one worker. */
interface Work {
    /** Does it, outside the run's monitor. */
    List<Step> run(Scratch scratch);

    /** What follows a task. */
    record Step(PlanRun.Task task, Plan<?> following) {}

    /** Carries a located failure out of a unit of work. */
    final class Failed extends RuntimeException {
        private static final long serialVersionUID = 1L;

        private final transient List<? extends PlanRun.Task> tasks;

        Failed(Throwable cause, List<? extends PlanRun.Task> tasks) {
            super(null, cause, false, false);
            this.tasks = tasks;
        }

        /** The tasks that the unit was to do. */
        List<? extends PlanRun.Task> tasks() {
            return tasks;
        }
    }
}
