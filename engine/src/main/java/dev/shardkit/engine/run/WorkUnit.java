package dev.shardkit.engine.run;

import dev.shardkit.spi.plan.Plan;
import dev.shardkit.spi.plan.PlanRun;
import dev.shardkit.spi.plan.Scratch;
import java.util.List;
import java.util.function.Supplier;

/**
 * Tasks of a run that one worker executes together, such as all reads of one request or a calculation without a read.
 */
interface WorkUnit {
    /** The maximum number of open tasks of a run, which also limits how far merging looks ahead. */
    int WINDOW = 4096;

    /** Runs the unit, outside the run's monitor. */
    List<Step> run(Scratch scratch);

    /** A finished task, and the plan that follows it. */
    record Step(PlanRun.Task task, Plan<?> following) {}

    /** Carries a failure out of a unit of work, with the tasks of the unit. The cause names its location already. */
    final class Failed extends RuntimeException {
        private static final long serialVersionUID = 1L;

        private final transient List<? extends PlanRun.Task> tasks;

        Failed(Throwable cause, List<? extends PlanRun.Task> tasks) {
            super(null, cause, false, false);
            this.tasks = tasks;
        }

        /**
         * Runs a unit of several tasks. If one of them fails, the failure names all tasks, because the results of the
         * others are lost.
         */
        static <V> V together(List<? extends PlanRun.Task> tasks, Supplier<V> unit) {
            try {
                return unit.get();
            } catch (Failed e) {
                throw new Failed(e.getCause(), tasks);
            }
        }

        /** Returns the tasks of the unit. */
        List<? extends PlanRun.Task> tasks() {
            return tasks;
        }
    }
}
