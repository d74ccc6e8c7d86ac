package dev.shardkit.spi.plan;

/**
 * A range of parts of a {@link Plan.Join} that a run creates next. A driver with several workers creates the parts
 * outside the lock, because for small chunks this takes longer than all work under the lock.
 */
public final class JoinParts {
    private final RunningJoin join;
    private final long begin;
    private final Plan<?>[] plans;

    /** Creates a range of parts, whose first part exists already. */
    JoinParts(RunningJoin join, long begin, int count, Plan<?> first) {
        this.join = join;
        this.begin = begin;
        this.plans = new Plan<?>[count];
        plans[0] = first;
    }

    /** Creates the parts. The caller must not hold the lock, and passes the parts to {@link PlanRun#enter}. */
    public void make() {
        for (int i = 1; i < plans.length; i++) {
            plans[i] = join.part(begin + i);
        }
    }

    RunningJoin join() {
        return join;
    }

    /** Returns the index of the first part. */
    long from() {
        return begin;
    }

    int count() {
        return plans.length;
    }

    Plan<?> plan(int i) {
        return plans[i];
    }
}
