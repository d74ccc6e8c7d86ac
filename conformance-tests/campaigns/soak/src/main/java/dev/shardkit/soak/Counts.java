package dev.shardkit.soak;

import dev.shardkit.store.UnfinishedChangeException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Counts the outcomes of the soak test's work by kind, and keeps the first unexpected failure. Thread-safe. */
final class Counts {
    /** The number of wrong reads that are printed; later ones are only counted. */
    private static final int MAX_PRINTED = 20;
    /** The kind that counts reads which gave up on a change in place. */
    static final String STALLED = "reads that gave up on a stalled change";

    private final Map<String, Long> counts = new TreeMap<>();
    private @Nullable Throwable unexpected;
    private int printed;

    synchronized void add(String kind, long count) {
        counts.merge(kind, count, Long::sum);
    }

    /**
     * Records the failure of a call. A read that gave up on a change in place is counted separately. Reads give up
     * after looking 500 times without seeing progress, which is legal: on an overloaded machine, the writer may have
     * had no core for so long.
     */
    synchronized void unexpected(Throwable failure) {
        if (isStalled(failure)) {
            add(STALLED, 1);
            return;
        }
        add("unexpected failures", 1);
        if (unexpected == null) {
            unexpected = failure;
        }
    }

    private static boolean isStalled(Throwable failure) {
        for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
            if (cause instanceof UnfinishedChangeException) {
                return true;
            }
        }
        return false;
    }

    /** Counts the wrong elements that a read found, and prints the first one. */
    synchronized void wrong(String kind, List<String> found) {
        add("wrong values", found.size());
        if (!found.isEmpty() && printed < MAX_PRINTED) {
            printed++;
            System.out.printf("soak: %s: %d wrong elements, the first: %s%n", kind, found.size(), found.get(0));
        }
    }

    synchronized long of(String kind) {
        return counts.getOrDefault(kind, 0L);
    }

    synchronized Optional<Throwable> unexpected() {
        return Optional.ofNullable(unexpected);
    }

    @Override
    public synchronized String toString() {
        return counts.toString();
    }
}
