package dev.shardkit.testkit;

/** How many rounds a test has: the system property {@code shardkit.rounds} multiplies them. */
final class Rounds {
    private static final int FACTOR = Integer.getInteger("shardkit.rounds", 1);

    private Rounds() {}

    static int of(int defaultRounds) {
        return defaultRounds * FACTOR;
    }
}
