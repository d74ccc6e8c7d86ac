package dev.shardkit.testkit.internal;

/**
 * How many rounds a random test has: the system property {@code shardkit.rounds} multiplies them. It is 1 by default
 * and 10 in the profile {@code long}.
 */
public final class Rounds {
    private static final int FACTOR = Integer.getInteger("shardkit.rounds", 1);

    private Rounds() {}

    /** Returns how many rounds to run of a test that has so many by default. */
    public static int of(int defaultRounds) {
        return defaultRounds * FACTOR;
    }

    /** Returns the distance between the samples of a test that has this distance by default. */
    public static int stride(int defaultStride) {
        return Math.max(1, defaultStride / FACTOR);
    }

    /** Returns whether tests have more rounds than by default. */
    public static boolean areMany() {
        return FACTOR > 1;
    }
}
