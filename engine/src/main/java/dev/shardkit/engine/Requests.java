package dev.shardkit.engine;

import dev.shardkit.spi.plan.PlanRun.ReadTask;
import dev.shardkit.spi.plan.PlanRun.Task;
import java.util.Deque;
import java.util.List;
import java.util.Optional;

/** How one run reads from its store. */
interface Requests {
    /** Takes reads that can be made now; work that needs no request goes to {@code units}. Under the run's monitor. */
    void submit(List<ReadTask> batch, Deque<Work> units);

    /**
     * The plan has its value: asks for what is still due, to check that what was kept is still true. Under the monitor.
     */
    default void lastChecks() {}

    /** How many requests are out or waiting to go out. Under the monitor. */
    default int underWay() {
        return 0;
    }

    /** Sends the requests that may go out now. Outside the monitor. */
    default void send() {}

    /**
     * Sends nothing more and ends the requests that are out. Outside the monitor, since ending a request calls back.
     */
    default void cancel() {}

    /** The run has its value: fails if it may be of several versions of one object. Nothing is under way any more. */
    default void confirm() {}

    /** What the run has seen of an object; empty if it has not asked for it. Nothing is under way any more. */
    default Optional<Pins.Seen> seen(String key) {
        return Optional.empty();
    }

    /** Lets go of what is held; nothing is under way any more. */
    default void close() {}

    /**
     * Whether the parts of the plan that some tasks belong to have failed because an object changed underneath, and are
     * to be run again when the others have ended: takes note of that. Outside the monitor.
     */
    default boolean areToRunAgain(List<? extends Task> tasks, Throwable failure) {
        return false;
    }

    /**
     * What a run that failed like this has failed of: it may be that what was kept is no longer true, or that an object
     * has changed. Before the end.
     */
    default Throwable judge(Throwable failure) {
        return failure;
    }
}
