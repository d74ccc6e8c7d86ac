package dev.shardkit.fuzz;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/**
 * The entry point that Jazzer, a fuzzer for the JVM, calls. The system property {@code shardkit.fuzz.target} names the
 * target. The system property {@code shardkit.fuzz.corpus} names a folder of inputs for it.
 */
public final class FuzzMain {
    private static final FuzzTarget TARGET = FuzzTarget.named(System.getProperty("shardkit.fuzz.target"));

    private static final int WARM_UP_INPUTS = 16;

    private FuzzMain() {}

    /**
     * Runs the target on some inputs of its corpus. The first run loads classes; on a busy machine it can take so long
     * that the fuzzer would report a timeout.
     */
    public static void fuzzerInitialize() throws IOException {
        List<Path> inputs;
        try (Stream<Path> corpus = Files.list(Path.of(System.getProperty("shardkit.fuzz.corpus")))) {
            inputs = corpus.limit(WARM_UP_INPUTS).toList();
        }
        for (Path input : inputs) {
            try {
                TARGET.run(Files.readAllBytes(input));
            } catch (RuntimeException | Error e) {
                System.err.println("a finding: " + input); // the fuzzer runs this input again, and reports it
            }
        }
    }

    /** Runs the target once. */
    public static void fuzzerTestOneInput(byte[] input) {
        TARGET.run(input);
    }
}
