package dev.shardkit.engine.edit;

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.ThreadLocalRandom;

/**
 * Limits the retries of a writer that lost a race: random growing pauses, until the patience for locks expires. Used by
 * one thread at a time.
 */
final class Backoff {
    /** The limit of the first random pause. The limit doubles with each attempt. */
    private static final long FIRST_LIMIT_NANOS = 500_000;
    /** The limit of long pauses. */
    private static final long MAX_LIMIT_NANOS = 200_000_000;

    private final Duration patience;
    private final long start = System.nanoTime();
    private long pauseLimit = FIRST_LIMIT_NANOS;
    private int attempts;

    Backoff(Duration patience) {
        this.patience = patience;
    }

    /** Records a lost attempt. Returns the pause before the next one, in nanoseconds; empty if patience has expired. */
    Optional<Long> pause() {
        attempts++;
        long remaining = nanos(patience) - (System.nanoTime() - start);
        if (remaining <= 0) {
            return Optional.empty();
        }
        long next = Math.min(remaining, ThreadLocalRandom.current().nextLong(pauseLimit));
        pauseLimit = Math.min(MAX_LIMIT_NANOS, pauseLimit * 2);
        return Optional.of(next);
    }

    /** Returns the number of lost attempts. */
    int attempts() {
        return attempts;
    }

    /** Returns the reason for an error after the last attempt. */
    String exhausted() {
        return "other writers changed it first, " + attempts + " times in " + patience.toMillis() / 1000.0 + " s";
    }

    /** Returns a duration in nanoseconds, limited to about a century. */
    private static long nanos(Duration duration) {
        Duration longest = Duration.ofDays(36_500);
        return duration.compareTo(longest) > 0 ? longest.toNanos() : duration.toNanos();
    }
}
