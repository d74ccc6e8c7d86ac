package dev.shardkit.store.remote;

import java.time.Duration;

/**
 * How often a request is retried, and after which pauses; the internal form of {@code RetryPolicy}, which callers set.
 * Immutable.
 *
 * @param maxAttempts the maximum number of attempts
 * @param firstPause the pause before the second attempt
 * @param longestPause the maximum pause
 */
public record RetryLimits(int maxAttempts, Duration firstPause, Duration longestPause) {
    /**
     * Returns the pause after a failed attempt. It doubles with each attempt, and is shortened randomly by up to a
     * half.
     *
     * @param failed the number of failed attempts
     * @param random a random number from 0 to 1
     */
    public Duration pause(int failed, double random) {
        double nanos = firstPause.toNanos() * Math.pow(2, Math.min(failed - 1, 40));
        return Duration.ofNanos((long) (Math.min(nanos, longestPause.toNanos()) * (1 - random / 2)));
    }
}
