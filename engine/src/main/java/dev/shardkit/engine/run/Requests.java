package dev.shardkit.engine.run;

import dev.shardkit.spi.plan.PlanRun.ReadTask;
import dev.shardkit.spi.plan.PlanRun.Task;
import dev.shardkit.store.LocalReads;
import dev.shardkit.store.RemoteReads;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Sends the reads of one run to its store. */
interface Requests {
    /** Returns the reads of a run. */
    static Requests of(
            ReadContext context, TaskRunner runner, PlanExecution<?> run, @Nullable ReadDependencies tracker) {
        return context.reads() instanceof LocalReads local
                ? new LocalRequests(local, context, runner, run, tracker)
                : new RemoteRequests((RemoteReads) context.reads(), context, runner, run, tracker);
    }

    /**
     * Accepts reads that are ready to run. Work that needs no request goes to {@code units}. Called under the run's
     * monitor.
     */
    void submit(List<ReadTask> batch, Deque<WorkUnit> units);

    /** The plan has its value: requests what remains to confirm the cached values. Under the monitor. */
    default void lastChecks() {}

    /** Returns the number of requests that are running or waiting. Under the monitor. */
    default int underWay() {
        return 0;
    }

    /** Sends the requests that may be sent now. Outside the monitor. */
    default void send() {}

    /**
     * Sends no further request and cancels the running ones. Outside the monitor, because a cancellation calls back.
     */
    default void cancel() {}

    /** The run has its value: throws if it may be of several versions of one object. No request is running any more. */
    default void confirm() {}

    /** Returns whether a local store did not have an object that the run looked for. No request is running any more. */
    default boolean hasMetAbsence() {
        return false;
    }

    /**
     * Returns the state in which the run has seen an object; empty if it has not requested it. No request is running
     * any more.
     */
    default Optional<PinnedVersions.Seen> seen(String key) {
        return Optional.empty();
    }

    /** Releases all resources; no request is running any more. */
    default void close() {}

    /**
     * Returns whether the parts of these tasks failed because an object changed, and must run again after the others
     * have ended; records that. Outside the monitor.
     */
    default boolean mustRunAgain(List<? extends Task> tasks, Throwable failure) {
        return false;
    }

    /**
     * Returns the cause of a run's failure: a cached value may be out of date, or an object may have changed. Before
     * the end.
     */
    default Throwable judge(Throwable failure) {
        return failure;
    }
}
