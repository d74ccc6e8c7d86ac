package dev.shardkit.conformance;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** The script of the GitHub Action, run as a composite step runs it. */
@EnabledOnOs(value = OS.LINUX, disabledReason = "the step runs in bash")
@Tag("one-jdk")
class ActionTest {
    private static final Path KIT = Path.of("..").toAbsolutePath().normalize();

    /** Answers nothing but an error. */
    private static final String REFUSES = String.join(
            "\n",
            "import json, sys",
            "print('{\"protocol\": 1}', flush=True)",
            "for line in sys.stdin:",
            "    error = {'kind': 'other', 'message': 'not today'}",
            "    print(json.dumps({'id': json.loads(line)['id'], 'error': error}), flush=True)",
            "");

    @TempDir
    private Path dir;

    @BeforeEach
    void needsPython() throws Exception {
        PythonRunner.need();
    }

    /** The lines below {@code run: |}, without their indentation. */
    private static String script() throws IOException {
        String text = Files.readString(KIT.resolve("action.yml"));
        return text.substring(text.indexOf("run: |\n") + "run: |\n".length())
                .lines()
                .map(line -> line.isBlank() ? "" : line.substring("        ".length()))
                .reduce("", (a, b) -> a + b + "\n");
    }

    private String run(Map<String, String> inputs) throws Exception {
        Files.writeString(dir.resolve("step.sh"), script());
        Path output = dir.resolve("output");
        ProcessBuilder bash = new ProcessBuilder("bash", "--noprofile", "--norc", "-eo", "pipefail", "step.sh")
                .directory(dir.toFile())
                .redirectErrorStream(true)
                .redirectOutput(output.toFile());
        Map<String, String> environment = bash.environment();
        for (String input : new String[] {"BATCH", "TAGS", "WITHOUT_TAGS", "STRICT", "READERS", "PARTIAL"}) {
            environment.put(input, inputs.getOrDefault(input, ""));
        }
        environment.put("REPORT", "report.json");
        environment.put("GITHUB_ACTION_PATH", KIT.toString());
        return bash.start().waitFor() + " " + Files.readString(output);
    }

    @Test
    void malformedRowsThatAreRefused_areNoFailure() throws Exception {
        Files.writeString(dir.resolve("tool.py"), REFUSES);
        String said = run(Map.of("BATCH", "python3 tool.py", "TAGS", "hostile"));
        assertTrue(said.startsWith("0 run.py sound {"), said);
        assertTrue(Files.exists(dir.resolve("report.json")));
        assertFalse(Files.exists(dir.resolve("report-partial.json")));
    }

    @Test
    @Tag("long")
    void refusedArrays_areShownAndFailTheStep() throws Exception {
        Files.writeString(dir.resolve("tool.py"), REFUSES);
        String tool = "python3 tool.py";
        String said = run(Map.of("BATCH", tool, "TAGS", "nan", "READERS", tool + "\n", "PARTIAL", "true"));
        assertTrue(said.startsWith("1 refused    nan/float16  not today\n"), said);
        assertTrue(said.contains("\nwriting.py sound {") && said.contains("\npartial.py sound {"), said);
        assertTrue(Files.exists(dir.resolve("report-writing.json")));
    }

    @Test
    void wrongUse_isOneLineAndStatusTwo() throws Exception {
        String said = run(Map.of("BATCH", "/no/such/tool", "TAGS", "nan"));
        assertTrue(said.startsWith("2 run.py: the tool cannot be started: "), said);
        assertEquals(1, said.lines().count(), said);
    }
}
