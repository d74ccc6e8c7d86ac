package dev.shardkit.spi.plan;

import org.jspecify.annotations.Nullable;

/** A join in progress. The lock of its {@link PlanRun} guards it, except for {@link #part}. */
final class RunningJoin {
    /** A part of the join that the plan starts with, and all its branches; for other plans, the whole plan. */
    static final class Branch {
        final long index;
        boolean dropped;

        Branch(long index) {
            this.index = index;
        }
    }

    /**
     * A branch of the plan in progress. When it ends, the join that it belongs to, if any, continues.
     *
     * @param index the index of the part of that join
     */
    record Node(@Nullable RunningJoin parent, long index, Branch branch) {}

    final Node owner;
    final JoinCollector<Object, Object> collector;
    private final Plan.Join<Object, Object> join;
    private long reserved;
    private long ended;

    RunningJoin(Node owner, Plan.Join<Object, Object> join) {
        this.owner = owner;
        this.join = join;
        this.collector = join.gather().get();
    }

    long count() {
        return join.count();
    }

    /** Creates a part. Called without the lock. */
    Plan<Object> part(long index) {
        return join.part().apply(index);
    }

    /** Returns the index of the next part to create. */
    long next() {
        return reserved;
    }

    /** Counts parts that a thread creates or will create. Returns whether no part remains. */
    boolean reserve(int parts) {
        reserved += parts;
        return reserved == join.count();
    }

    /** Counts a part that has ended. Returns whether all have. */
    boolean end() {
        return ++ended == join.count();
    }
}
