package dev.shardkit.cli.command.copy;

import dev.shardkit.Zarr;
import dev.shardkit.ZarrOptions;
import dev.shardkit.cli.print.NodeText;
import dev.shardkit.maintenance.copy.Copy;
import dev.shardkit.maintenance.copy.PartedRechunk;
import dev.shardkit.maintenance.copy.RechunkPlan;
import dev.shardkit.spi.error.UnsupportedException;
import dev.shardkit.store.Store;

/**
 * A copy of an array within a memory limit. It takes one pass, or two passes through an intermediate array in the
 * target if one pass would decode chunks of the source too often.
 *
 * @param copy the source and the layout of the copy
 * @param options the options, with as many threads as the limit allows; each thread runs one task at a time
 * @param plan the passes, and the memory of one task
 */
record BoundedCopy(Copy copy, ZarrOptions options, RechunkPlan plan) {
    /**
     * Plans a copy with as many threads as the limit allows.
     *
     * @param maxBytes the limit of memory for all threads together
     * @throws UnsupportedException if the limit is too low for one thread, or the source is not an array with a regular
     *     grid and elements of fixed size
     */
    static BoundedCopy plan(Copy copy, ZarrOptions options, long maxBytes) {
        for (int threads = options.parallelism(); ; threads--) {
            try {
                return new BoundedCopy(
                        copy, options.withParallelism(threads), PartedRechunk.plan(copy, options, maxBytes / threads));
            } catch (UnsupportedException e) {
                if (threads == 1) {
                    throw e;
                }
            }
        }
    }

    /** Returns the plan and the number of parallel tasks as one line of text. */
    String describe() {
        return plan + "; " + NodeText.count(options.parallelism(), "task") + " at once";
    }

    /**
     * Runs the copy, or resumes it.
     *
     * @param target the location of {@code targetStore}
     */
    void run(Store targetStore, String target) {
        if (plan.isDirect()) {
            copy.inParts(targetStore, options).loadingWholeShards().runAlone();
            return;
        }
        try (Store intermediate = Zarr.openStore(PartedRechunk.between(targetStore, target), options)) {
            PartedRechunk.of(copy, plan, targetStore, intermediate, options).run();
        }
    }
}
