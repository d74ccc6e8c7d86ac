package dev.shardkit.conformance;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** {@code run.py} that is ended from outside while its tool hangs. */
@EnabledOnOs(value = OS.LINUX, disabledReason = "processes are ended by signals")
@Tag("one-jdk")
class SignalsTest {
    /** A tool that writes its process number and answers nothing. */
    private static final String HANGING = String.join(
            "\n",
            "import os, sys, time",
            "print('{\"protocol\": 1}', flush=True)",
            "sys.stdin.readline()",
            "with open(sys.argv[1], 'w') as file:",
            "    file.write(str(os.getpid()) + '.')",
            "time.sleep(600)");

    @TempDir
    private Path work;

    @Test
    void aTerminatedRun_leavesNoToolAndNoFolder() throws Exception {
        PythonRunner.need();
        Path tool = Files.writeString(work.resolve("tool.py"), HANGING);
        Path number = work.resolve("number");
        Path temporary = Files.createDirectory(work.resolve("tmp"));
        Path said = work.resolve("said");
        ProcessBuilder start = new ProcessBuilder(List.of(
                        "python3",
                        Path.of("../run.py").toAbsolutePath().normalize().toString(),
                        "--fixtures",
                        Path.of("../../conformance-tests/fixtures").toString(),
                        "--tags",
                        "unsharded",
                        "--jobs",
                        "1",
                        "--batch",
                        "python3 " + tool + " " + number))
                .redirectErrorStream(true)
                .redirectOutput(said.toFile())
                .redirectInput(ProcessBuilder.Redirect.from(Path.of("/dev/null").toFile()));
        start.environment().put("TMPDIR", temporary.toString());
        Process run = start.start();
        try {
            long pid = pid(number, run);
            ProcessHandle hanging = ProcessHandle.of(pid).orElseThrow();
            run.destroy(); // SIGTERM
            assertTrue(run.waitFor(2, TimeUnit.MINUTES), "the run goes on");
            assertEquals(143, run.exitValue(), () -> read(said));
            assertEquals("run.py: stopped by signal 15; no report was written\n", read(said));
            hanging.onExit().get(2, TimeUnit.MINUTES);
            assertFalse(hanging.isAlive());
            try (Stream<Path> left = Files.list(temporary)) {
                assertEquals(List.of(), left.toList());
            }
        } finally {
            run.destroyForcibly();
        }
    }

    /** Waits until the tool has been asked. */
    private static long pid(Path number, Process run) throws IOException {
        while (true) {
            assertTrue(run.isAlive(), "the run ended by itself");
            if (Files.exists(number)) {
                try (RandomAccessFile file = new RandomAccessFile(number.toFile(), "r")) {
                    String text = file.readLine();
                    if (text != null && text.endsWith(".")) {
                        return Long.parseLong(text.substring(0, text.length() - 1));
                    }
                }
            }
            Thread.onSpinWait();
        }
    }

    private static String read(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            return e.toString();
        }
    }
}
