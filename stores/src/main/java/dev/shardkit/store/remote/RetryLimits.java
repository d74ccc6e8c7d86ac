package dev.shardkit.store.remote;

import java.time.Duration;

/**
 * Computes how often a request is retried, and after which pauses: the internal form of {@code RetryPolicy}, which
 * callers set. Immutable.
 *
 * @param maxAttempts the maximum number of attempts
 * @param firstPause the pause before the second attempt
 * @param longestPause the maximum pause
 */
public record RetryLimits(int maxAttempts, Duration firstPause, Duration longestPause) {
    /**
     * Returns the pause after a failed attempt.
     *
     * @param failed the number of failed attempts
     * @param luck a random number from 0 to 1
     */
    public Duration pause(int failed, double luck) {
        double nanos = firstPause.toNanos() * Math.pow(2, Math.min(failed - 1, 40));
        return Duration.ofNanos((long) (Math.min(nanos, longestPause.toNanos()) * (1 - luck / 2)));
    }
}
