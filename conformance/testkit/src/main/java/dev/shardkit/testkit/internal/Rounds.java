package dev.shardkit.testkit.internal;

/**
 * Computes the number of rounds of random tests: the default number times the system property {@code shardkit.rounds}.
 * The property is 1 by default and 10 in the Maven profile {@code long}.
 */
public final class Rounds {
    private static final int FACTOR = Integer.getInteger("shardkit.rounds", 1);

    private Rounds() {}

    /** Returns the number of rounds of a test that has {@code defaultRounds} by default. */
    public static int of(int defaultRounds) {
        return defaultRounds * FACTOR;
    }

    /** Returns the distance between the samples of a test whose distance is {@code defaultStride} by default. */
    public static int stride(int defaultStride) {
        return Math.max(1, defaultStride / FACTOR);
    }

    /** Returns whether tests have more rounds than by default. */
    public static boolean areMany() {
        return FACTOR > 1;
    }
}
