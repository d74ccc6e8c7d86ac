package dev.shardkit.cli.command;

import dev.shardkit.Zarr;
import dev.shardkit.ZarrOptions;
import dev.shardkit.cli.print.NodeFacts;
import dev.shardkit.maintenance.copy.Copy;
import dev.shardkit.maintenance.copy.PartedRechunk;
import dev.shardkit.maintenance.copy.RechunkPlan;
import dev.shardkit.spi.error.UnsupportedException;
import dev.shardkit.store.Store;

/**
 * A copy of an array within a limit of memory: in one pass or, if that would decode chunks of the source too often, in
 * two passes through an intermediate array in the target.
 *
 * @param options the options, with as many threads as the memory allows; each thread runs one task at a time
 * @param plan the passes, and the memory of one task
 */
record BoundedCopy(Copy copy, ZarrOptions options, RechunkPlan plan) {
    /**
     * Plans a copy with as many threads as the limit allows.
     *
     * @param bytes the limit of memory for all threads together
     * @throws UnsupportedException if the limit is too low for one thread, or the source is no array with a regular
     *     grid and elements of one size
     */
    static BoundedCopy plan(Copy copy, ZarrOptions options, long bytes) {
        for (int threads = options.parallelism(); ; threads--) {
            try {
                return new BoundedCopy(
                        copy, options.withParallelism(threads), PartedRechunk.plan(copy, options, bytes / threads));
            } catch (UnsupportedException e) {
                if (threads == 1) {
                    throw e;
                }
            }
        }
    }

    /** Returns the plan as one line of text, with the number of tasks at once. */
    String describe() {
        return plan + "; " + NodeFacts.count(options.parallelism(), "task") + " at once";
    }

    /**
     * Makes the copy, or resumes it.
     *
     * @param target the location of {@code to}
     */
    void run(Store to, String target) {
        if (plan.isDirect()) {
            copy.inParts(to, options).loadingWholeShards().runAlone();
            return;
        }
        try (Store middle = Zarr.openStore(PartedRechunk.between(to, target), options)) {
            PartedRechunk.of(copy, plan, to, middle, options).run();
        }
    }
}
