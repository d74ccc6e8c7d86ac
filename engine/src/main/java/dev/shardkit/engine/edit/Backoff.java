package dev.shardkit.engine.edit;

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.ThreadLocalRandom;

/**
 * Limits the retries of a writer that lost a race: random growing pauses, until the patience for locks expires. Used by
 * one thread at a time.
 */
final class Backoff {
    private static final long FIRST_PAUSE = 500_000;
    private static final long LONGEST_PAUSE = 200_000_000;

    private final Duration limit;
    private final long start = System.nanoTime();
    private long pause = FIRST_PAUSE;
    private int attempts;

    Backoff(Duration limit) {
        this.limit = limit;
    }

    /** Records a lost attempt. Returns the pause before the next one, in nanoseconds; empty if there is none. */
    Optional<Long> pause() {
        attempts++;
        long remaining = nanos(limit) - (System.nanoTime() - start);
        if (remaining <= 0) {
            return Optional.empty();
        }
        long next = Math.min(remaining, ThreadLocalRandom.current().nextLong(pause));
        pause = Math.min(LONGEST_PAUSE, pause * 2);
        return Optional.of(next);
    }

    /** Returns the number of lost attempts. */
    int attempts() {
        return attempts;
    }

    /** Returns the reason why there is no further attempt after others were first. */
    String exhausted() {
        return "other writers changed it first, " + attempts + " times in " + limit.toMillis() / 1000.0 + " s";
    }

    /** Returns a duration in nanoseconds, limited to about a century. */
    private static long nanos(Duration duration) {
        Duration longest = Duration.ofDays(36_500);
        return duration.compareTo(longest) > 0 ? longest.toNanos() : duration.toNanos();
    }
}
