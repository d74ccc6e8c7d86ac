package dev.shardkit.spi.plan;

import org.jspecify.annotations.Nullable;

/** A join in progress. The lock of its {@link PlanRun} guards it, except for {@link #part}. */
final class RunningJoin {
    /**
     * A part of the first join, which {@link PlanRun#drop} can drop with everything below it. If the plan does not
     * start with a join, the whole plan is one branch.
     */
    static final class Branch {
        final long index;
        boolean dropped;

        Branch(long index) {
            this.index = index;
        }
    }

    /**
     * A position in the tree of running plans. When the plan at this position ends, its value goes to the parent.
     *
     * @param parent the join of which this plan is a part; null for the plan of the whole run
     * @param index the index of this plan among the parts of the parent
     * @param branch the part of the first join to which this plan belongs
     */
    record Node(@Nullable RunningJoin parent, long index, Branch branch) {}

    /** The position of this join in the tree. */
    final Node owner;

    final JoinCollector<Object, Object> collector;
    private final Plan.Join<Object, Object> join;
    /** The number of parts that were handed out for creation. */
    private long reserved;

    /** The number of parts that have ended. */
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
