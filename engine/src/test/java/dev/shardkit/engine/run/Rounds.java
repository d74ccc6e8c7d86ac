package dev.shardkit.engine.run;

/** The same as {@code Rounds} of the test kit, which is built after the engine. */
final class Rounds {
    private static final int FACTOR = Integer.getInteger("shardkit.rounds", 1);

    private Rounds() {}

    /** Returns how many rounds to run of a test that has so many by default. */
    static int of(int defaultRounds) {
        return defaultRounds * FACTOR;
    }
}
