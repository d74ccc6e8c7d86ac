package dev.shardkit.spi.plan;

/**
 * Neighbouring parts of a join that a run expands into next. A driver with several workers makes them outside the lock:
 * for small chunks, that takes longer than all else that happens under it.
 */
public final class PlanParts {
    private final RunningJoin join;
    private final long from;
    private final Plan<?>[] plans;

    /** The first part exists already. */
    PlanParts(RunningJoin join, long from, int count, Plan<?> first) {
        this.join = join;
        this.from = from;
        this.plans = new Plan<?>[count];
        plans[0] = first;
    }

    /** Creates the parts. The caller must not hold the lock, and passes the parts to {@link PlanRun#enter}. */
    public void make() {
        for (int i = 1; i < plans.length; i++) {
            plans[i] = join.part(from + i);
        }
    }

    RunningJoin join() {
        return join;
    }

    /** Returns the index of the first part. */
    long from() {
        return from;
    }

    int count() {
        return plans.length;
    }

    Plan<?> plan(int i) {
        return plans[i];
    }
}
