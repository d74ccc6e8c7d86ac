package dev.shardkit.fuzz;

/** The entry point that Jazzer calls: the system property {@code shardkit.fuzz.target} names the target. */
public final class FuzzMain {
    private static final Target TARGET = Target.named(System.getProperty("shardkit.fuzz.target"));

    private FuzzMain() {}

    /** Runs the target once. */
    public static void fuzzerTestOneInput(byte[] input) {
        TARGET.run(input);
    }
}
