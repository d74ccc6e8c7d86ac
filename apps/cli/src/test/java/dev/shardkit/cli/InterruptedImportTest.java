package dev.shardkit.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardWatchEventKinds;
import java.nio.file.WatchService;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What an interrupted import leaves, and what can be done with it. */
@Timeout(600)
class InterruptedImportTest {
    @TempDir
    Path dir;

    private String path(String name) {
        return dir.resolve(name).toString();
    }

    @ParameterizedTest
    @ValueSource(strings = {"out/a.zarr", "out/a.zip"})
    @DisabledOnOs(value = OS.WINDOWS, disabledReason = "a process cannot be ended by SIGTERM")
    void signal_endsTheImport_andNothingIsLeft(String target) throws Exception {
        Path zeros = dir.resolve("zeros.bin");
        try (RandomAccessFile file = new RandomAccessFile(zeros.toFile(), "rw")) {
            file.setLength(1L << 38); // has holes: no import comes to its end
        }
        Files.createDirectory(dir.resolve("out"));
        try (WatchService watch = dir.getFileSystem().newWatchService()) {
            dir.resolve("out").register(watch, StandardWatchEventKinds.ENTRY_CREATE);
            Process process = new ProcessBuilder(
                            Path.of(System.getProperty("java.home"), "bin", "java")
                                    .toString(),
                            "-XX:TieredStopAtLevel=1",
                            "-cp",
                            System.getProperty("java.class.path"),
                            Main.class.getName(),
                            "import",
                            zeros.toString(),
                            path(target),
                            "--shape",
                            "524288,524288",
                            "--data-type",
                            "uint8",
                            "--chunk-shape",
                            "64,64",
                            "--fill-value",
                            "1")
                    .redirectErrorStream(true)
                    .redirectOutput(dir.resolve("log").toFile())
                    .start();
            try {
                assertTrue(watch.poll(300, TimeUnit.SECONDS) != null, "the import begins");
                process.destroy();
                assertEquals(143, process.waitFor(), () -> log());
            } finally {
                process.destroyForcibly();
            }
        }
        assertTrue(
                log().matches("shardkit: interrupted; nothing was changed; to begin again, rerun: .*\\R"), this::log);
        try (DirectoryStream<Path> left = Files.newDirectoryStream(dir.resolve("out"))) {
            left.forEach(path -> assertEquals("", path.toString(), "nothing is left"));
        }
    }

    private String log() {
        try {
            return Files.readString(dir.resolve("log"));
        } catch (IOException e) {
            return e.toString();
        }
    }

    /** Makes what a killed import leaves. */
    private String killed(String name) throws IOException {
        Files.createDirectories(dir.resolve(name + "/c/0"));
        Files.writeString(dir.resolve(name + "/c/0/1"), "a chunk");
        Files.writeString(dir.resolve(name + "/__unfinished"), record("import"));
        return path(name);
    }

    @Test
    void killedImport_canBeReplacedAndRemoved() throws IOException {
        Files.write(dir.resolve("r.bin"), new byte[6]);
        String url = killed("a");
        String[] again = {"import", path("r.bin"), url, "--shape", "6", "--data-type", "uint8"};
        Cli.bad(
                1,
                "already holds an unfinished import; to replace it, with all that it contains, use --overwrite",
                again);
        Cli.bad(1, "holds an unfinished import; import it again with --overwrite", "info", url);
        Cli.bad(3, "holds an unfinished import", "repair", url);
        Cli.good(Stream.concat(Stream.of(again), Stream.of("--overwrite")).toArray(String[]::new));
        assertFalse(Files.exists(dir.resolve("a/c/0/1")));
        assertFalse(Files.exists(dir.resolve("a/__unfinished")), "it is complete");
        Cli.good("rm", url);

        Cli.Result removed = Cli.run("rm", killed("b"));
        assertEquals("shardkit: removed an unfinished import\n", removed.err());
        assertFalse(Files.exists(dir.resolve("b")));
    }

    @Test
    void strangersFiles_areKept() throws IOException {
        String url = killed("a");
        Files.writeString(dir.resolve("a/note.txt"), "mine");
        Cli.bad(1, "belong to no array or group: note.txt", "rm", url);
        Files.delete(dir.resolve("a/__unfinished"));
        Cli.bad(1, "there is no Zarr v3 array or group", "rm", url, "--force", "--recursive");
        Cli.bad(1, "is not empty and does not hold", "group", url, "--overwrite");
        assertEquals("mine", Files.readString(dir.resolve("a/note.txt")));
    }

    @Test
    void otherUnfinishedNodes_areNamed() throws IOException {
        for (String work : List.of("copy", "pyramid", "conversion", "concatenation")) {
            Path place = Files.createDirectories(dir.resolve("n/a/c"));
            Files.writeString(place.resolve("0"), "a chunk");
            Files.writeString(dir.resolve("n/__unfinished"), record(work));
            assertEquals(
                    "shardkit: removed an unfinished " + work + "\n",
                    Cli.run("rm", path("n")).err());
            assertFalse(Files.exists(dir.resolve("n")));
        }
        Files.createDirectories(dir.resolve("n"));
        Files.writeString(dir.resolve("n/__unfinished"), record("moving_concatenation"));
        Cli.bad(1, "which may be stored nowhere else: rerun the command", "rm", path("n"), "--force");
        Cli.bad(1, "which may be stored nowhere else", "group", path("n"), "--overwrite");
        assertTrue(Files.exists(dir.resolve("n/__unfinished")));
    }

    private static String record(String work) {
        return "{\"work\":\"" + work + "\",\"step\":\"staging\",\"source\":\"\"}";
    }

    /** A torn or newer record may be that of a move: nothing is removed, and the message says what to look at. */
    @Test
    void recordThatCannotBeRead_isNeverRemoved() throws IOException {
        for (String record : List.of("", "import", "{\"work\":\"teleport\",\"step\":\"staging\",\"source\":\"\"}")) {
            Files.createDirectories(dir.resolve("u"));
            Files.writeString(dir.resolve("u/__unfinished"), record);
            Cli.bad(1, "whose record cannot be read", "rm", path("u"), "--force");
            Cli.bad(1, "delete the object __unfinished there", "group", path("u"), "--overwrite");
            Cli.bad(1, "whose record cannot be read", "info", path("u"));
            assertEquals(record, Files.readString(dir.resolve("u/__unfinished")));
        }
    }
}
