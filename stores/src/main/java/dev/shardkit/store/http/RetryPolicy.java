package dev.shardkit.store.http;

import java.time.Duration;

/**
 * How often a remote store retries a failed request, and after which pauses; a setting for the store's builder. Each
 * pause is twice as long as the previous one, and then shortened randomly by up to a half, so that clients do not retry
 * at the same time. A server's {@code Retry-After} replaces the pause. All attempts of one call share its deadline.
 * Immutable.
 *
 * @param maxAttempts the maximum number of attempts, 1 or more
 * @param firstPause the pause before the second attempt
 * @param longestPause the maximum pause, except for {@code Retry-After}
 */
public record RetryPolicy(int maxAttempts, Duration firstPause, Duration longestPause) {
    /** Validates the numbers. */
    public RetryPolicy {
        if (maxAttempts < 1 || firstPause.isNegative() || longestPause.compareTo(firstPause) < 0) {
            throw new IllegalArgumentException("expected maxAttempts >= 1, 0 <= firstPause <= longestPause; found "
                    + maxAttempts + ", " + firstPause + ", " + longestPause);
        }
    }

    /** Returns four attempts, with pauses from 200 ms to 10 s. */
    public static RetryPolicy standard() {
        return new RetryPolicy(4, Duration.ofMillis(200), Duration.ofSeconds(10));
    }

    /** Returns the policy without retries. */
    public static RetryPolicy none() {
        return new RetryPolicy(1, Duration.ZERO, Duration.ZERO);
    }
}
