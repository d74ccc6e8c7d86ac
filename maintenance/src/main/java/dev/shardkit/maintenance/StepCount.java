package dev.shardkit.maintenance;

import dev.shardkit.maintenance.RepairStep.Kind;
import java.util.function.Consumer;

/** Reports and counts the steps of a repair. Used by one thread. */
final class StepCount {
    private final Consumer<? super RepairStep> steps;
    private long done;
    private long lost;
    private long left;

    StepCount(Consumer<? super RepairStep> steps) {
        this.steps = steps;
    }

    void tell(RepairStep step) {
        done += step.kind() == Kind.LEFT ? 0 : 1;
        left += step.kind() == Kind.LEFT ? 1 : 0;
        lost += step.kind() == Kind.DROP_CHUNK || step.kind() == Kind.DROP_INNER_CHUNK || step.kind() == Kind.DROP_SHARD
                ? 1
                : 0;
        steps.accept(step);
    }

    long done() {
        return done;
    }

    long lost() {
        return lost;
    }

    long left() {
        return left;
    }
}
