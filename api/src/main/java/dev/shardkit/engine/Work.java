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

    Failed(Throwable cause) {
      super(null, cause, false, false);
    }
  }
}
