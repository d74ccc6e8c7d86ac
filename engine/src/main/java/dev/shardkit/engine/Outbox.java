package dev.shardkit.engine;

import dev.shardkit.engine.Merger.Merged;
import dev.shardkit.spi.plan.ByteRange;
import dev.shardkit.spi.plan.PlanRun.ReadTask;
import dev.shardkit.store.MergePolicy;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.Iterator;
import java.util.List;
import java.util.function.Supplier;
import java.util.function.ToIntFunction;

/**
 * The requests of one run that were not sent yet, merged anew whenever the store has learnt how it is best done. Not
 * thread-safe: guarded by its user.
 */
final class Outbox {
    /** Ranges of one object that are further apart are not merged, whatever the store learns. */
    private static final long WIDEST_GAP = 8 << 20;

    private final Supplier<MergePolicy> policies;
    private final ToIntFunction<MergePolicy> most;
    private final Deque<Merged> requests = new ArrayDeque<>();
    private MergePolicy policy;

    Outbox(Supplier<MergePolicy> policies) {
        this(policies, MergePolicy::parallel);
    }

    /** With as many requests under way as {@code most} says, where merging may not make them fewer. */
    Outbox(Supplier<MergePolicy> policies, ToIntFunction<MergePolicy> most) {
        this.policies = policies;
        this.most = most;
        this.policy = policies.get();
    }

    /** Takes in reads, merged among themselves. */
    void add(List<ReadTask> reads) {
        requests.addAll(Merger.merge(reads, policy));
    }

    /** Takes in a request for one byte of an object, whose answer tells its version. */
    void addCheck(String key) {
        requests.add(new Merged(key, new ByteRange.Slice(0, 1), List.of()));
    }

    /** How many requests may be under way, by what is known now. */
    int parallel() {
        MergePolicy now = policies.get();
        if (!now.equals(policy)) {
            policy = now;
            List<ReadTask> reads = new ArrayList<>();
            requests.forEach(request -> reads.addAll(request.tasks()));
            requests.removeIf(request -> !request.tasks().isEmpty());
            add(reads);
        }
        return nextMayBeMerged() ? policy.parallel() : Math.max(policy.parallel(), most.applyAsInt(policy));
    }

    /**
     * Whether the next request and the one behind it may become one, once the store has learnt how that is best done.
     */
    private boolean nextMayBeMerged() {
        Iterator<Merged> all = requests.iterator();
        if (!all.hasNext()) {
            return false;
        }
        Merged next = all.next();
        if (!all.hasNext() || !(next.range() instanceof ByteRange.Slice first)) {
            return false;
        }
        Merged behind = all.next();
        return behind.key().equals(next.key())
                && behind.range() instanceof ByteRange.Slice second
                && second.offset() - first.end() <= WIDEST_GAP;
    }

    boolean isEmpty() {
        return requests.isEmpty();
    }

    int size() {
        return requests.size();
    }

    /** The next request, which stays. There is one. */
    Merged peek() {
        return requests.element();
    }

    /** The next request, taken out. There is one. */
    Merged take() {
        return requests.remove();
    }

    void clear() {
        requests.clear();
    }
}
