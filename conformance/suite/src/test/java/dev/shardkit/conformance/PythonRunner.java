package dev.shardkit.conformance;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Assumptions;

/** Runs {@code conformance/run.py}. */
final class PythonRunner {
    private static final String RUN =
            Path.of("../run.py").toAbsolutePath().normalize().toString();

    private PythonRunner() {}

    /** Skips the test where there is no Python. */
    static void need() throws InterruptedException {
        try {
            Process python = new ProcessBuilder("python3", "-c", "import sys; sys.exit(sys.version_info < (3, 9))")
                    .redirectErrorStream(true)
                    .start();
            Assumptions.assumeTrue(python.waitFor() == 0);
        } catch (IOException e) {
            Assumptions.abort("no Python");
        }
    }

    /** Returns the exit status and the printed text. */
    static String run(Path work, String... options) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of("python3", RUN));
        command.addAll(List.of(options));
        Path output = work.resolve("printed");
        Process process = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(output.toFile())
                .start();
        int status = process.waitFor();
        return status + " " + Files.readString(output, StandardCharsets.UTF_8);
    }
}
