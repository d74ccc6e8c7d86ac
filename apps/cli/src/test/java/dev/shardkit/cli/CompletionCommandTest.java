package dev.shardkit.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The completion scripts, asked in the shells themselves. Shells that are not installed are skipped. */
class CompletionCommandTest {
    @TempDir
    Path folder;

    private String ask(String shell, String question) throws IOException, InterruptedException {
        assumeTrue(
                Arrays.stream(System.getenv().getOrDefault("PATH", "").split(File.pathSeparator))
                        .anyMatch(path -> Files.isExecutable(Path.of(path, shell))),
                () -> shell + " is not installed");
        Path script = Files.write(
                folder.resolve("script"), Cli.good("completion", shell).bytes());
        Files.createFile(folder.resolve("image.zarr"));
        ProcessBuilder builder = new ProcessBuilder(shell, "-c", question).directory(folder.toFile());
        builder.environment().put("SCRIPT", script.toString());
        builder.environment().put("HOME", folder.toString());
        Path out = folder.resolve("out");
        Process process =
                builder.redirectErrorStream(true).redirectOutput(out.toFile()).start();
        process.getOutputStream().close();
        assertTrue(process.waitFor(2, TimeUnit.MINUTES));
        return Files.readString(out, StandardCharsets.UTF_8);
    }

    @Test
    void bash_completesCommandsOptionsAndFiles() throws IOException, InterruptedException {
        String complete = "; _complete_shardkit 2>/dev/null; echo \"${COMPREPLY[@]}\"; ";
        String answers = ask(
                "bash",
                "source \"$SCRIPT\"; COMP_WORDS=(shardkit resh); COMP_CWORD=1" + complete
                        + "COMP_WORDS=(shardkit reshard --dry); COMP_CWORD=2" + complete
                        + "COMP_WORDS=(shardkit write --strategy i); COMP_CWORD=3" + complete
                        + "COMP_WORDS=(shardkit info --s3-end); COMP_CWORD=2" + complete
                        + "complete -p shardkit");
        assertEquals(
                List.of(
                        "reshard",
                        "--dry-run",
                        "in-place",
                        "--s3-endpoint",
                        "complete -o default -F _complete_shardkit shardkit"),
                answers.lines().toList());
    }

    @Test
    void zsh_loadsTheScript() throws IOException, InterruptedException {
        assertEquals("_complete_shardkit\n", ask("zsh", "source \"$SCRIPT\" 2>&1; whence _complete_shardkit"));
    }

    @Test
    void fish_completesCommandsOptionsAndFiles() throws IOException, InterruptedException {
        String answers = ask(
                "fish",
                "source $SCRIPT; complete -C 'shardkit resh'; complete -C 'shardkit reshard --dry'; "
                        + "complete -C 'shardkit read imag'; complete -C 'shardkit read x --form'");
        List<String> lines = answers.lines().toList();
        assertEquals(4, lines.size(), answers);
        assertTrue(lines.get(0).startsWith("reshard\t"), answers);
        assertTrue(lines.get(1).startsWith("--dry-run\t"), answers);
        assertTrue(lines.get(2).startsWith("image.zarr"), answers);
        assertTrue(lines.get(3).startsWith("--format\t"), answers);
    }

    @Test
    void values_areInLowerCase() {
        for (String shell : List.of("bash", "zsh", "fish")) {
            String script = Cli.good("completion", shell).out();
            assertTrue(script.contains("as-they-come"), shell);
            assertFalse(script.contains("AS_THEY_COME") || script.contains("TEXT"), shell);
        }
    }

    @Test
    void otherShells_areRefused() {
        Cli.bad(2, "csh", "completion", "csh");
    }
}
