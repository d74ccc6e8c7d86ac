package dev.shardkit.engine;

import dev.shardkit.memory.Completions;
import dev.shardkit.spi.plan.ByteRange;
import dev.shardkit.spi.plan.PlanRun.ReadTask;
import dev.shardkit.spi.plan.Unit;
import dev.shardkit.store.Fetched;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;

/**
 * Shares reads in progress whose decoded value will be cached, so that many readers that miss the same value (a shard's
 * index) send one request. The first run that asks leads a flight; the others wait for its landing like for an answer
 * of their own, so no thread waits. A flight stays registered until its value is cached: the leader of the next one
 * checks the cache again. Thread-safe.
 *
 * <p>A flight waits only for its store and its decoder. Listeners and plans may wait for any run, so they are called
 * before boarding or after landing.
 */
final class Flights {
    /**
     * The requested range.
     *
     * @param version the version that the reader requires, if known
     */
    record Key(String object, ByteRange range, Optional<String> version) {}

    /** The outcome of a flight, for the waiting runs. */
    sealed interface Landing {}

    /**
     * An answer for all.
     *
     * @param nanos the time of the answer ({@link System#nanoTime})
     */
    record Brought(Fetched.Found answer, long nanos) implements Landing {}

    /** A landing without an answer. */
    enum Empty implements Landing {
        /** The value is cached, or its reader gave up: check the cache, and lead the next flight if necessary. */
        AGAIN,
        /** The answer cannot be shared: each run sends its own request. */
        ALONE
    }

    /** One read in progress. */
    static final class Flight {
        private final Key key;
        private final CompletableFuture<Landing> landing = new CompletableFuture<>();

        private Flight(Key key) {
            this.key = key;
        }

        /** Completes when the flight lands, never exceptionally; only the leader may complete it. */
        CompletableFuture<Landing> landing() {
            return landing;
        }
    }

    /** A flight, and whether the caller leads it and must land it in any case. */
    record Boarding(Flight flight, boolean leads) {}

    /** Marks threads in code that a flight, or its dependents, wait for. */
    private static final ThreadLocal<Boolean> APART = new ThreadLocal<>();

    private final Map<Key, Flight> flights = new ConcurrentHashMap<>();
    /** Whether the last answer could be shared; answers of a store without versions cannot. */
    private volatile boolean useful = true;

    /**
     * Runs code that a flight waits for. It may call foreign code (of a store or a decoder). Runs that begin there, on
     * this thread, join no flight, because they could wait for one that waits for them.
     */
    static <V> V apart(Supplier<V> work) {
        if (isApart()) {
            return work.get();
        }
        APART.set(true);
        try {
            return work.get();
        } finally {
            APART.remove();
        }
    }

    /** Runs such code without a value. */
    static void apart(Runnable work) {
        apart(() -> {
            work.run();
            return Unit.UNIT;
        });
    }

    /** Whether the calling thread is in {@link #apart}. */
    static boolean isApart() {
        return APART.get() != null;
    }

    /** Whether all values of a read can be cached. */
    static boolean canCarry(List<ReadTask> tasks) {
        return !tasks.isEmpty()
                && tasks.stream().allMatch(t -> t.request().decoder().identity().isPresent());
    }

    /** Returns the flight for {@code key}, a new one if there is none. */
    Boarding board(Key key) {
        Flight fresh = new Flight(key);
        Boarding leading = new Boarding(fresh, true); // made before the flight is visible: memory may run out
        Flight before;
        try {
            before = flights.putIfAbsent(key, fresh);
        } catch (Throwable e) {
            land(fresh, Empty.AGAIN); // memory ran out, perhaps after others have seen the flight
            throw e;
        }
        return before == null ? leading : new Boarding(before, false);
    }

    /** Ends a flight; one with an answer stays registered until {@link #forget}. */
    void land(Flight flight, Landing landing) {
        try {
            if (landing instanceof Empty) {
                forget(flight);
            }
        } finally {
            Completions.complete(flight.landing, landing);
        }
    }

    /** Removes a flight whose value is cached, or will not be. */
    void forget(Flight flight) {
        flights.remove(flight.key, flight);
    }

    /** Whether sharing pays, judging by the last answer. */
    boolean areUseful() {
        return useful;
    }

    /** Records whether an answer could be shared. */
    void noteUse(boolean served) {
        useful = served;
    }

    /** Returns the number of registered flights. */
    int size() {
        return flights.size();
    }
}
