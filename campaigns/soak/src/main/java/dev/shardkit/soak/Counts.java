package dev.shardkit.soak;

import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** What happened, by kind, and the first failure that should not be. Thread-safe. */
final class Counts {
    private final Map<String, Long> counts = new TreeMap<>();
    private Optional<Throwable> unexpected = Optional.empty();

    synchronized void add(String kind, long n) {
        counts.merge(kind, n, Long::sum);
    }

    synchronized void unexpected(Throwable failure) {
        add("unexpected failures", 1);
        if (unexpected.isEmpty()) {
            unexpected = Optional.of(failure);
        }
    }

    synchronized long of(String kind) {
        return counts.getOrDefault(kind, 0L);
    }

    synchronized Optional<Throwable> unexpected() {
        return unexpected;
    }

    @Override
    public synchronized String toString() {
        return counts.toString();
    }
}
