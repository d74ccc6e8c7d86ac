package dev.shardkit.engine.run;

import dev.shardkit.outofmemory.Completions;
import dev.shardkit.spi.plan.ByteRange;
import dev.shardkit.spi.plan.NoResult;
import dev.shardkit.spi.plan.PlanRun.ReadTask;
import dev.shardkit.store.FetchResult;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;

/**
 * Shares reads in progress whose decoded value will be cached. So if many runs need the same value, such as a shard's
 * index, and it is not cached, only one of them sends a request. The first run that asks leads the read. The others
 * receive the outcome by a callback, like an answer of their own, so no thread waits. A read stays registered until its
 * value is cached. The leader of a later read of the same value checks the cache again before it sends. Thread-safe.
 *
 * <p>A shared read waits only for its store and its decoder. Listeners and plans may wait for any run, so they are
 * called before a run joins the read, or after its outcome.
 *
 * <p>If the leader is cancelled, another run sends the request again. If the request fails, or its answer has no
 * version, each run sends a request of its own.
 */
public final class InFlightReads {
    /**
     * What a read requests. Reads with equal keys are shared.
     *
     * @param version the version that the reader requires, if known
     */
    record Key(String object, ByteRange range, Optional<String> version) {}

    /** The outcome of a read, for the waiting runs. */
    sealed interface Outcome {}

    /**
     * An answer for all.
     *
     * @param nanos the time of the answer ({@link System#nanoTime})
     */
    record Shared(FetchResult.Found response, long nanos) implements Outcome {}

    /** There is no answer for the waiting runs. */
    enum NoResponse implements Outcome {
        /** The value is cached, or the leader gave up. The run checks the cache, and joins or leads a new read. */
        RETRY,
        /** The answer cannot be shared: each run sends its own request. */
        NOT_SHARED
    }

    /** One read in progress. */
    static final class InFlightRead {
        private final Key key;
        private final CompletableFuture<Outcome> outcome = new CompletableFuture<>();

        private InFlightRead(Key key) {
            this.key = key;
        }

        /** Completes when the read ends, never exceptionally; only the leader may complete it. */
        CompletableFuture<Outcome> outcome() {
            return outcome;
        }
    }

    /** A read in flight, and whether the caller leads it and must complete it in any case. */
    record Joined(InFlightRead read, boolean leads) {}

    /** Set on a thread while it runs code for which a shared read, and so other runs, wait; otherwise null. */
    private static final ThreadLocal<Boolean> UNSHARED = new ThreadLocal<>();

    private final Map<Key, InFlightRead> reads = new ConcurrentHashMap<>();
    /** Whether the last answer could be shared. Answers of a store without versions cannot be shared. */
    private volatile boolean useful = true;

    /**
     * Runs code that a shared read waits for, and that may call foreign code (of a store or a decoder). A run that the
     * code begins on this thread shares no read, because it could wait for a read that waits for the run.
     */
    static <V> V unshared(Supplier<V> work) {
        if (isUnshared()) {
            return work.get();
        }
        UNSHARED.set(true);
        try {
            return work.get();
        } finally {
            UNSHARED.remove();
        }
    }

    /** Runs code without a result, as {@link #unshared(Supplier)} does. */
    static void unshared(Runnable work) {
        unshared(() -> {
            work.run();
            return NoResult.INSTANCE;
        });
    }

    /** Returns whether the calling thread is in {@link #unshared}. */
    public static boolean isUnshared() {
        return UNSHARED.get() != null;
    }

    /** Returns whether all values of a read can be cached. */
    static boolean canShare(List<ReadTask> tasks) {
        for (ReadTask task : tasks) {
            if (task.request().decoder().identity().isEmpty()) {
                return false;
            }
        }
        return !tasks.isEmpty();
    }

    /** Returns the read in flight for {@code key}. If there is none, registers a new one, which the caller leads. */
    Joined join(Key key) {
        InFlightRead created = new InFlightRead(key);
        Joined leading = new Joined(created, true); // made before the read is visible: memory may run out
        InFlightRead existing;
        try {
            existing = reads.putIfAbsent(key, created);
        } catch (Throwable e) {
            complete(created, NoResponse.RETRY); // memory ran out, perhaps after other runs have joined the read
            throw e;
        }
        return existing == null ? leading : new Joined(existing, false);
    }

    /** Completes a read. A read with an answer stays registered until {@link #forget}. */
    void complete(InFlightRead read, Outcome outcome) {
        try {
            if (outcome instanceof NoResponse) {
                forget(read);
            }
        } finally {
            Completions.complete(read.outcome, outcome);
        }
    }

    /** Removes a read whose value is cached, or will not be. */
    void forget(InFlightRead read) {
        reads.remove(read.key, read);
    }

    /** Returns whether sharing is worth its cost, judging by the last answer. */
    boolean areUseful() {
        return useful;
    }

    /** Records whether an answer could be shared. */
    void noteUse(boolean shared) {
        useful = shared;
    }

    /** Returns the number of registered reads. */
    int size() {
        return reads.size();
    }
}
