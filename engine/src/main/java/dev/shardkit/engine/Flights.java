package dev.shardkit.engine;

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
 * Reads under way of bytes whose decoded value will be kept, so that many readers who miss the same value (a shard's
 * index) make one request. The first run to ask leads a flight; the others wait for its landing as they would for an
 * answer of their own, so no thread waits. A flight is found until somebody has kept the value: whoever leads the next
 * one looks into the cache once more. Thread-safe.
 *
 * <p>A flight waits for its store and its decoder alone: listeners and plans, which may wait for any run, are called
 * before boarding or after landing.
 */
final class Flights {
    /**
     * What is asked for.
     *
     * @param version the version that the reader knows it wants, if it does
     */
    record Key(String object, ByteRange range, Optional<String> version) {}

    /** What became of a flight, for those who wait. */
    sealed interface Landing {}

    /**
     * An answer for all.
     *
     * @param nanos when it came ({@link System#nanoTime})
     */
    record Brought(Fetched.Found answer, long nanos) implements Landing {}

    /** Landings without an answer. */
    enum Empty implements Landing {
        /** The value is kept now, or its reader gave up: look again, and lead the next flight if need be. */
        AGAIN,
        /** There is nothing to share: everybody asks for himself. */
        ALONE
    }

    /** One read under way. */
    static final class Flight {
        private final Key key;
        private final CompletableFuture<Landing> landing = new CompletableFuture<>();

        private Flight(Key key) {
            this.key = key;
        }

        /** Ends when it lands, never by an exception; nobody else may complete it. */
        CompletableFuture<Landing> landing() {
            return landing;
        }
    }

    /** A flight, and whether the caller has to make it, and to land it whatever happens. */
    record Boarding(Flight flight, boolean leads) {}

    /** Threads in code that a flight, or what depends on one, is waiting for. */
    private static final ThreadLocal<Boolean> APART = new ThreadLocal<>();

    private final Map<Key, Flight> flights = new ConcurrentHashMap<>();
    /** Whether the last answer could be shared: those of a store without versions never can. */
    private volatile boolean useful = true;

    /**
     * Does what a flight waits for. It may call foreign code (a store's, a decoder's), and runs that begin there, on
     * this thread, take part in no flight: they could wait for one that waits for them.
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

    /** Does the same without a value. */
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

    /** Whether all that a read serves is kept afterwards. */
    static boolean canCarry(List<ReadTask> tasks, ReadContext context) {
        return context.cache().isKeeping()
                && !tasks.isEmpty()
                && tasks.stream().allMatch(t -> t.request().decoder().identity().isPresent());
    }

    /** The flight for {@code key}, a new one if there is none. */
    Boarding board(Key key) {
        Flight fresh = new Flight(key);
        Flight before = flights.putIfAbsent(key, fresh);
        return before == null ? new Boarding(fresh, true) : new Boarding(before, false);
    }

    /** Ends a flight; one that brought something is found until {@link #forget}. */
    void land(Flight flight, Landing landing) {
        if (landing instanceof Empty) {
            forget(flight);
        }
        flight.landing.complete(landing);
    }

    /** The value is kept, or will not be: later readers do not find the flight. */
    void forget(Flight flight) {
        flights.remove(flight.key, flight);
    }

    /** Whether it is worth waiting for others, by what the last answer told of the store. */
    boolean areUseful() {
        return useful;
    }

    /** Takes note that an answer could, or could not, serve others. */
    void noteUse(boolean served) {
        useful = served;
    }

    /** How many flights can be found. */
    int size() {
        return flights.size();
    }
}
