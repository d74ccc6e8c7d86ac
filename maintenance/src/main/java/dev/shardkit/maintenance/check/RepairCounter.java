package dev.shardkit.maintenance.check;

import dev.shardkit.maintenance.RepairStep;
import dev.shardkit.maintenance.RepairStep.Kind;
import java.util.function.Consumer;

/** Passes the steps of a repair to the caller, and counts them. Used by one thread. */
final class RepairCounter {
    private final Consumer<? super RepairStep> steps;
    private long done;
    private long lostChunks;
    private long lostShards;
    private long left;

    /** Creates a counter that passes each step to {@code steps}. */
    public RepairCounter(Consumer<? super RepairStep> steps) {
        this.steps = steps;
    }

    public void report(RepairStep step) {
        done += step.kind() == Kind.LEFT || step.kind() == Kind.STRAY ? 0 : 1;
        left += step.kind() == Kind.LEFT ? 1 : 0;
        lostChunks += step.kind() == Kind.DROP_CHUNK || step.kind() == Kind.DROP_INNER_CHUNK ? 1 : 0;
        lostShards += step.kind() == Kind.DROP_SHARD ? 1 : 0;
        steps.accept(step);
    }

    public long done() {
        return done;
    }

    /** Returns the number of chunks and innermost chunks that are removed one by one. */
    public long lostChunks() {
        return lostChunks;
    }

    /** Returns the number of shards that are removed with all their inner chunks. */
    public long lostShards() {
        return lostShards;
    }

    public long left() {
        return left;
    }
}
