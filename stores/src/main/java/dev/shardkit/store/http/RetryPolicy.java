package dev.shardkit.store.http;

import java.time.Duration;

/**
 * How often a failed request is repeated, and after which pause: doubled each time, and shortened at random by up to a
 * half, so that clients do not come in step. A server's {@code Retry-After} takes the place of the pause. All tries of
 * one call share its deadline. Immutable.
 *
 * @param tries how often a request is sent at most, 1 or more
 * @param firstPause the pause before the second try
 * @param longestPause no pause of our own is longer
 */
public record RetryPolicy(int tries, Duration firstPause, Duration longestPause) {
    /** Checks the numbers. */
    public RetryPolicy {
        if (tries < 1 || firstPause.isNegative() || longestPause.compareTo(firstPause) < 0) {
            throw new IllegalArgumentException("tries >= 1, 0 <= firstPause <= longestPause; found " + tries + ", "
                    + firstPause + ", " + longestPause);
        }
    }

    /** Four tries, with pauses from 200 ms to 10 s. */
    public static RetryPolicy standard() {
        return new RetryPolicy(4, Duration.ofMillis(200), Duration.ofSeconds(10));
    }

    /** A failure is final. */
    public static RetryPolicy none() {
        return new RetryPolicy(1, Duration.ZERO, Duration.ZERO);
    }

    /**
     * The pause behind a failed try.
     *
     * @param failed how many tries have failed
     * @param luck from 0 to 1
     */
    Duration pause(int failed, double luck) {
        double nanos = firstPause.toNanos() * Math.pow(2, Math.min(failed - 1, 40));
        return Duration.ofNanos((long) (Math.min(nanos, longestPause.toNanos()) * (1 - luck / 2)));
    }
}
