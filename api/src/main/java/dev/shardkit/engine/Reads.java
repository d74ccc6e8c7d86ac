package dev.shardkit.engine;

import dev.shardkit.spi.plan.PlanRun.ReadTask;
import java.util.Deque;
import java.util.List;

/** How one run reads from its store. All methods are called under the run's monitor. */
interface Reads {
  /**
   * Takes reads that can be made now. Work goes to {@code units}.
   *
   * @return requests to be sent outside the monitor
   */
  List<Runnable> submit(List<ReadTask> batch, Deque<Execution.Work> units);

  /** Requests that are still due when the plan has its value: checks that what was kept is still true. */
  List<Runnable> lastChecks();

  /** How many requests are out. */
  int underWay();

  /** Sends nothing more, and gives back what ends the requests that are out; it is run outside the monitor. */
  Runnable cancel();

  /** Lets go of what is held; nothing is under way any more. */
  void close();
}
