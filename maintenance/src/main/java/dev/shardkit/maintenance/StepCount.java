package dev.shardkit.maintenance;

import dev.shardkit.maintenance.RepairStep.Kind;
import java.util.function.Consumer;

/** Reports and counts the steps of a repair. Used by one thread. */
final class StepCount {
    private final Consumer<? super RepairStep> steps;
    private long done;
    private long lostChunks;
    private long lostShards;
    private long left;

    StepCount(Consumer<? super RepairStep> steps) {
        this.steps = steps;
    }

    void tell(RepairStep step) {
        done += step.kind() == Kind.LEFT || step.kind() == Kind.STRAY ? 0 : 1;
        left += step.kind() == Kind.LEFT ? 1 : 0;
        lostChunks += step.kind() == Kind.DROP_CHUNK || step.kind() == Kind.DROP_INNER_CHUNK ? 1 : 0;
        lostShards += step.kind() == Kind.DROP_SHARD ? 1 : 0;
        steps.accept(step);
    }

    long done() {
        return done;
    }

    /** Returns the number of chunks and innermost chunks that are removed one by one. */
    long lostChunks() {
        return lostChunks;
    }

    /** Returns the number of shards that are removed with all their inner chunks. */
    long lostShards() {
        return lostShards;
    }

    long left() {
        return left;
    }
}
