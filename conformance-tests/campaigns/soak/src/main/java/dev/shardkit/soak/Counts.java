package dev.shardkit.soak;

import dev.shardkit.store.UnfinishedChangeException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Counts the outcomes of the work by kind, and keeps the first unexpected failure. Thread-safe. */
final class Counts {
    private static final int MAX_TOLD = 20;
    /** The kind of reads that gave up on a change in place. */
    static final String STALLED = "reads that gave up on a stalled change";

    private final Map<String, Long> counts = new TreeMap<>();
    private @Nullable Throwable unexpected;
    private int told;

    synchronized void add(String kind, long n) {
        counts.merge(kind, n, Long::sum);
    }

    /**
     * Records the failure of a piece of work. A read gives up on a change in place without progress in 500 looks: on a
     * starved machine, its writer may have been without a core for so long.
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
        for (Throwable t = failure; t != null; t = t.getCause()) {
            if (t instanceof UnfinishedChangeException) {
                return true;
            }
        }
        return false;
    }

    /** Adds wrong elements, and says what the first of them are. */
    synchronized void wrong(String kind, List<String> found) {
        add("wrong values", found.size());
        if (!found.isEmpty() && told < MAX_TOLD) {
            told++;
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
