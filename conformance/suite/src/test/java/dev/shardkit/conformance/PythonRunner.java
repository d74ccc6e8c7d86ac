package dev.shardkit.conformance;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.condition.OS;

/** Runs {@code conformance/run.py}. */
final class PythonRunner {
    private static final String RUN =
            Path.of("../run.py").toAbsolutePath().normalize().toString();

    /** Calls the program with {@code --list} for each folder; a message of several lines would be several. */
    private static final String REFUSALS = String.join(
            "\n",
            "import os, sys",
            "sys.path.insert(0, os.path.dirname(sys.argv[1]))",
            "import run",
            "sys.stderr = sys.stdout",
            "for folder in sys.argv[2:]:",
            "    sys.argv = [run.__file__, '--fixtures', folder, '--list']",
            "    try:",
            "        run.guard(run.main)",
            "    except SystemExit as end:",
            "        assert end.code == 2, end.code");

    /** The verdicts of rows after which a batch tool still runs, so that Linux tells its memory. */
    private static final Set<String> MEASURED = Set.of("equal", "refused", "misnamed", "accepted");

    /** In long runs. Otherwise {@link TasksTest} and {@link TwoRunnersTest} compare the two runners. */
    private static final boolean IS_ALWAYS_COMPARED = Integer.getInteger("shardkit.rounds", 1) > 1;

    private PythonRunner() {}

    /** Skips the test where there is no Python. */
    static void need() throws InterruptedException {
        Assumptions.assumeTrue(isThere());
    }

    /** Whether there is a Python that can run it. */
    static boolean isThere() throws InterruptedException {
        try {
            Process python = new ProcessBuilder("python3", "-c", "import sys; sys.exit(sys.version_info < (3, 9))")
                    .redirectErrorStream(true)
                    .start();
            return python.waitFor() == 0;
        } catch (IOException e) {
            return false;
        }
    }

    /** Returns whether a test of this runner compares it with that program too. */
    static boolean isComparedToo() throws InterruptedException {
        return IS_ALWAYS_COMPARED && OS.LINUX.isCurrentOs() && isThere();
    }

    /** Returns the exit status and the printed text. */
    static String run(Path work, String... options) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of("python3", RUN));
        command.addAll(List.of(options));
        return printed(work, command);
    }

    /** What {@code --list} says of each folder that it refuses, from one process. */
    static List<String> refusals(Path work, List<String> folders) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of("python3", "-c", REFUSALS, RUN));
        command.addAll(folders);
        return printed(work, command).substring("0 ".length()).lines().toList();
    }

    private static String printed(Path work, List<String> command) throws IOException, InterruptedException {
        Path output = work.resolve("printed");
        Process process = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(output.toFile())
                .start();
        int status = process.waitFor();
        return status + " " + Files.readString(output, StandardCharsets.UTF_8);
    }

    /** A run of {@code run.py} whose report is compared later, so that both runners may run at the same time. */
    record Report(Path file, String said, boolean measures) {}

    /** Runs {@code run.py} over these fixtures. */
    static Report report(Path work, Path fixtures, String... options) throws IOException, InterruptedException {
        Path file = work.resolve("run.py.json");
        List<String> all =
                new ArrayList<>(List.of("--fixtures", fixtures.toString(), "--report", "json", "-o", file.toString()));
        all.addAll(List.of(options));
        String said = run(work, all.toArray(String[]::new));
        assertTrue(Files.exists(file), said);
        return new Report(file, said, List.of(options).contains("--batch"));
    }

    /** Checks that {@code run.py} with these options finds the verdicts, details, times and memory of this run. */
    static void findsTheSame(Path work, ConformanceResult ours, String... options)
            throws IOException, InterruptedException {
        isTheSame(ours, report(work, ours.fixtures(), options));
    }

    /** Checks that the report holds the verdicts, details, times and memory of this run. */
    static void isTheSame(ConformanceResult ours, Report theirs) throws IOException {
        Map<String, String> expected = new TreeMap<>();
        ours.outcomes().forEach(o -> expected.put(o.row().id(), o.verdict().word() + ": " + line(o.detail())));
        Map<String, String> found = new TreeMap<>();
        for (JsonNode row : new ObjectMapper().readTree(theirs.file().toFile()).get("rows")) {
            String verdict = row.get("verdict").asText();
            found.put(
                    row.get("id").asText(),
                    verdict + ": " + line(row.get("detail").asText()));
            assertTrue(row.get("seconds").isNumber(), row.toString());
            boolean measured = theirs.measures() && MEASURED.contains(verdict);
            assertTrue(!measured || row.get("bytes").isNumber(), row.toString());
        }
        assertEquals(expected, found);
        assertEquals(ours.isGood() ? "0 " : "1 ", theirs.said());
    }

    /** Without what a JSON parser says, and without the folders of a run. */
    private static String line(String detail) {
        String plain = detail.replaceAll("expected JSON: .*", "expected JSON").replaceAll("\"/[^\"]*/out\"", "OUT");
        return String.join(" ", plain.split("\\s+"));
    }
}
