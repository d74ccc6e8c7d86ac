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
    /** Creates the requests of a run. A local store and a remote store have different ones. */
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

    /**
     * Requests the versions of objects of which the run has used only cached values. Called under the monitor, when the
     * plan has its value.
     */
    default void lastChecks() {}

    /** Returns the number of requests that are running or waiting. Called under the monitor. */
    default int underWay() {
        return 0;
    }

    /** Sends the requests that may be sent now. Called outside the monitor. */
    default void send() {}

    /**
     * Sends no further request and cancels the running ones. Called outside the monitor, because a cancellation calls
     * back.
     */
    default void cancel() {}

    /**
     * Throws if the run's value may come from several versions of one object. Called when the run has its value and no
     * request is running any more.
     */
    default void confirm() {}

    /**
     * Returns whether a local store did not have an object that the run looked for. Called when no request is running
     * any more.
     */
    default boolean hasMetAbsence() {
        return false;
    }

    /**
     * Returns the state in which the run has seen an object; empty if it has not requested the object. Called when no
     * request is running any more.
     */
    default Optional<PinnedVersions.Seen> seen(String key) {
        return Optional.empty();
    }

    /**
     * Returns whether an answer has shown the state of an object; not if the run has used only cached values. Called
     * when no request is running any more.
     */
    default boolean isConfirmed(String key) {
        return false;
    }

    /** Releases all resources. Called when no request is running any more. */
    default void close() {}

    /**
     * Returns whether the parts of these tasks failed because an object changed. If so, records that they must run
     * again after the other parts have ended. Called outside the monitor.
     */
    default boolean mustRunAgain(List<? extends Task> tasks, Throwable failure) {
        return false;
    }

    /**
     * Returns the failure of a run in place of {@code failure}: its cause may be a cached value that is out of date, or
     * an object that has changed. Called before the run ends.
     */
    default Throwable judge(Throwable failure) {
        return failure;
    }
}
