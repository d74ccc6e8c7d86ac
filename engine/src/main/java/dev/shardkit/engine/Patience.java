package dev.shardkit.engine;

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.ThreadLocalRandom;

/**
 * How long a writer who lost a race tries again: random pauses that grow, as long as the patience for locks lasts. Used
 * by one thread at a time.
 */
final class Patience {
    private static final long FIRST_PAUSE = 500_000;
    private static final long LONGEST_PAUSE = 200_000_000;

    private final Duration limit;
    private final long start = System.nanoTime();
    private long pause = FIRST_PAUSE;
    private int attempts;

    Patience(Duration limit) {
        this.limit = limit;
    }

    /** An attempt was lost: how long to wait before the next one, in nanoseconds; empty if there is none. */
    Optional<Long> pause() {
        attempts++;
        long left = nanos(limit) - (System.nanoTime() - start);
        if (left <= 0) {
            return Optional.empty();
        }
        long next = Math.min(left, ThreadLocalRandom.current().nextLong(pause));
        pause = Math.min(LONGEST_PAUSE, pause * 2);
        return Optional.of(next);
    }

    /** How many attempts were lost. */
    int attempts() {
        return attempts;
    }

    /** Why there is no further attempt. */
    String lost() {
        return "others changed it first, " + attempts + " times in " + limit;
    }

    /** A duration in nanoseconds, at most about a century. */
    private static long nanos(Duration duration) {
        Duration most = Duration.ofDays(36_500);
        return duration.compareTo(most) > 0 ? most.toNanos() : duration.toNanos();
    }
}
