package dev.shardkit.engine.run;

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
 * The unsent requests of one run. They are merged again whenever the merge policy changes, because the store has
 * measured the network again. Not thread-safe: guarded by its user.
 */
final class RequestQueue {
    /** Ranges of one object with wider gaps are never merged, under any policy. */
    private static final long WIDEST_GAP = 8 << 20;

    private final Supplier<MergePolicy> currentPolicy;
    /** The limit on concurrent requests under a policy, if merging cannot reduce their number. */
    private final ToIntFunction<MergePolicy> maxRequests;

    private final Deque<MergedRead> requests = new ArrayDeque<>();
    /** The policy with which the requests were merged. */
    private MergePolicy policy;

    RequestQueue(Supplier<MergePolicy> currentPolicy) {
        this(currentPolicy, MergePolicy::parallel);
    }

    /** Uses the limit {@code maxRequests} on concurrent requests if merging cannot reduce their number. */
    RequestQueue(Supplier<MergePolicy> currentPolicy, ToIntFunction<MergePolicy> maxRequests) {
        this.currentPolicy = currentPolicy;
        this.maxRequests = maxRequests;
        this.policy = currentPolicy.get();
    }

    /** Adds reads, merged with each other. */
    void add(List<ReadTask> reads) {
        requests.addAll(RequestMerger.merge(reads, policy));
    }

    /** Adds a request for one byte of an object, whose answer shows its version. */
    void addCheck(String key) {
        requests.add(new MergedRead(key, new ByteRange.Slice(0, 1), List.of()));
    }

    /** Adds a request for a whole object. If the object is larger than {@code maxBytes}, its answer has no bytes. */
    void addDownload(String key, long maxBytes) {
        requests.add(new MergedRead(key, ByteRange.wholeUnlessLarger(maxBytes), List.of()));
    }

    /**
     * Returns the current limit on concurrent requests. Merges the requests again if the policy has changed. While the
     * next request may still merge with others, the limit is that of the policy: a request that waits may be saved.
     */
    int parallel() {
        MergePolicy current = currentPolicy.get();
        if (!current.equals(policy)) {
            policy = current;
            List<ReadTask> reads = new ArrayList<>();
            requests.forEach(request -> reads.addAll(request.tasks()));
            requests.removeIf(request -> !request.tasks().isEmpty());
            add(reads);
        }
        return nextMayBeMerged() ? policy.parallel() : Math.max(policy.parallel(), maxRequests.applyAsInt(policy));
    }

    /** Returns whether the next request may still merge with the one after it under a later policy. */
    private boolean nextMayBeMerged() {
        Iterator<MergedRead> iterator = requests.iterator();
        if (!iterator.hasNext()) {
            return false;
        }
        MergedRead next = iterator.next();
        if (!iterator.hasNext() || !(next.range() instanceof ByteRange.Slice first)) {
            return false;
        }
        MergedRead following = iterator.next();
        return following.key().equals(next.key())
                && following.range() instanceof ByteRange.Slice second
                && second.offset() - first.end() <= WIDEST_GAP;
    }

    boolean isEmpty() {
        return requests.isEmpty();
    }

    int size() {
        return requests.size();
    }

    /** Returns the next request without removing it. There must be one. */
    MergedRead peek() {
        return requests.element();
    }

    /** Removes and returns the next request. There must be one. */
    MergedRead take() {
        return requests.remove();
    }

    /** Removes the requests for an object and returns their reads. */
    List<ReadTask> remove(String key) {
        List<ReadTask> reads = new ArrayList<>();
        requests.stream()
                .filter(request -> request.key().equals(key))
                .forEach(request -> reads.addAll(request.tasks()));
        requests.removeIf(request -> request.key().equals(key));
        return reads;
    }

    void clear() {
        requests.clear();
    }
}
