package dev.shardkit.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.shardkit.cli.base.ShardkitCommand;
import dev.shardkit.cli.print.Output;
import dev.shardkit.pictures.ShellWords;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardWatchEventKinds;
import java.nio.file.WatchService;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What a signal leaves of a command, and what the command says about it. */
@Timeout(600)
class InterruptedCopyTest {
    private static final long CHUNK = 1L << 28;
    private static final int CHUNKS = 512;

    @TempDir
    Path dir;

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "TERM | 143 | copy | --codecs gzip:9 --chunk-shape 1,65536",
                "INT | 130 | copy | --codecs gzip:9 --chunk-shape 1,65536",
                "INT | 130 | pyramid | --codecs gzip:9 --chunk-shape 1,65536 --shard-shape 1,1048576 --axes y,x"
            })
    @DisabledOnOs(value = OS.WINDOWS, disabledReason = "there are no signals")
    void signal_endsTheCommand_andSaysHowToResumeIt(String signal, int status, String command, String options)
            throws Exception {
        Path source = dir.resolve("a b.zarr");
        create(source);
        Path target = dir.resolve("out/c.zarr");
        List<String> words = new ArrayList<>(List.of(command, source.toString(), target.toString()));
        words.addAll(List.of(options.split(" ")));
        Files.createDirectory(dir.resolve("out"));
        try (WatchService watch = dir.getFileSystem().newWatchService()) {
            dir.resolve("out").register(watch, StandardWatchEventKinds.ENTRY_CREATE);
            Process process = start(words);
            try {
                while (watch.poll(1, TimeUnit.SECONDS) == null) {
                    assertTrue(process.isAlive(), this::log);
                }
                new ProcessBuilder("kill", "-" + signal, process.pid() + "")
                        .start()
                        .waitFor();
                assertEquals(status, process.waitFor(), () -> log());
            } finally {
                process.destroyForcibly();
            }
        }
        assertEquals(
                "shardkit: interrupted; to resume, rerun: shardkit " + command + " '" + source + "' " + target + " "
                        + options + "\n",
                log());
        try (Stream<Path> left = Files.walk(dir.resolve("out"))) {
            left.forEach(
                    path -> assertTrue(!path.getFileName().toString().startsWith("__shardkit-tmp"), "left: " + path));
        }
    }

    /** Makes an array whose chunks are large and have holes: no command comes to its end. */
    private static void create(Path array) throws IOException {
        Cli.good(
                "create",
                array.toString(),
                "--shape",
                CHUNKS + "," + CHUNK,
                "--chunk-shape",
                "1," + CHUNK,
                "--data-type",
                "uint8",
                "--codecs",
                "none",
                "--fill-value",
                "1");
        for (int i = 0; i < CHUNKS; i++) {
            Path chunk = array.resolve("c/" + i + "/0");
            Files.createDirectories(chunk.getParent());
            try (RandomAccessFile file = new RandomAccessFile(chunk.toFile(), "rw")) {
                file.setLength(CHUNK);
            }
        }
    }

    /** Starts the command with SIGINT as it is in a terminal: programs in the background of a shell ignore it. */
    private Process start(List<String> command) throws IOException, InterruptedException {
        boolean resets = new ProcessBuilder("env", "--default-signal=INT", "true")
                        .start()
                        .waitFor()
                == 0;
        List<String> words = new ArrayList<>(resets ? List.of("env", "--default-signal=INT") : List.of());
        words.addAll(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "-cp",
                System.getProperty("java.class.path"),
                Main.class.getName()));
        words.addAll(command);
        return new ProcessBuilder(words)
                .redirectErrorStream(true)
                .redirectOutput(dir.resolve("log").toFile())
                .start();
    }

    private String log() {
        try {
            return Files.readString(dir.resolve("log"));
        } catch (IOException e) {
            return e.toString();
        }
    }

    private static Optional<String> said(String... words) {
        return command(words).adviceAfterSignal("shardkit X");
    }

    /** What a command says that has begun to change something. */
    private static String saidLater(String... words) {
        ShardkitCommand command = command(words);
        command.markChanging();
        assertEquals(
                command.adviceAfterSignal("shardkit X").orElseThrow().replace("the signal", "the failure"),
                command.adviceAfterFailure("shardkit X").orElseThrow());
        return command.adviceAfterSignal("shardkit X").orElseThrow();
    }

    private static ShardkitCommand command(String... words) {
        Output output = new Output(
                InputStream.nullInputStream(), OutputStream.nullOutputStream(), OutputStream.nullOutputStream());
        return (ShardkitCommand) Main.commands(output)
                .parseArgs(words)
                .subcommand()
                .commandSpec()
                .userObject();
    }

    @Test
    void everyLongCommand_saysHowToGoOn() {
        Optional<String> resume = Optional.of("to resume, rerun: shardkit X");
        Optional<String> again = Optional.of("nothing was changed; to begin again, rerun: shardkit X");
        assertEquals(resume, said("copy", "a", "b"));
        assertEquals(resume, said("copy", "s3://b/a", "b", "--part", "1/2"));
        assertEquals(resume, said("copy", "s3://b/a", "b", "--missing-only"));
        assertEquals(again, said("copy", "a", "b.zip"));
        assertEquals(again, said("copy", "a", "zip:b.bin!c"));
        assertEquals(resume, said("convert", "a"));
        assertEquals(resume, said("convert", "a", "b"));
        assertEquals(again, said("convert", "a", "--dry-run"));
        assertEquals(resume, said("mv", "a", "b"));
        assertEquals(resume, said("concat", "a", "b", "--axis", "0", "--to", "c"));
        assertEquals(again, said("concat", "a", "b", "--axis", "0", "--virtual", "-o", "c"));
        assertEquals(resume, said("pyramid", "a"));
        assertEquals(resume, said("pyramid", "a", "b"));
        assertEquals(resume, said("shard", "a"));
        assertEquals(resume, said("unshard", "a"));
        assertEquals(resume, said("reshard", "a", "--part", "1/2"));
        assertEquals(resume, said("aggregate", "a", "--chunk-shape", "1", "--shard-shape", "none"));
        assertEquals(again, said("shard", "a", "--dry-run"));
        assertEquals(resume, said("compact", "a"));
        assertEquals(resume, said("repair", "a", "--apply"));
        assertEquals(again, said("repair", "a"));
        assertEquals(resume, said("rm", "a"));
        assertEquals(resume, said("resize", "a", "--shape", "1"));
        assertEquals(resume, said("erase", "a", "--region", "0:1"));
        assertEquals(again, said("import", "a.npy", "b"));
        assertEquals(again, said("export", "a", "-o", "b.npy"));
        assertEquals(again, said("verify", "a"));
        assertEquals(again, said("stats", "a"));
        assertEquals(again, said("diff", "a", "b"));
        assertEquals(again, said("report", "a", "-o", "b"));
        assertEquals(again, said("references", "a", "-o", "b"));
        assertEquals(again, said("consolidate", "a"));
    }

    @Test
    void commandsThatDoNotResume_saySo() {
        assertEquals(
                "a copy of a remote source does not resume without --part or --missing-only; to begin again, add "
                        + "--overwrite to: shardkit X",
                said("copy", "https://host/a", "b").orElseThrow());
        assertEquals(
                "a copy of a remote source does not resume without --part or --missing-only; to begin again, rerun: "
                        + "shardkit X",
                said("copy", "https://host/a", "b", "--overwrite").orElseThrow());
        assertEquals(
                "a copy in this format does not resume; run shardkit rm n5:b, then: shardkit X",
                said("copy", "a", "n5:b").orElseThrow());
        assertEquals(
                "if the source was being removed, rerun the command to finish the move; otherwise it says so: then remove the "
                        + "copy by shardkit rm --recursive " + ShellWords.quoted("b c")
                        + ", and begin again: shardkit X",
                said("mv", "gs://b/a", "b c").orElseThrow());
        assertEquals(
                "the region may hold old and new elements; to write it whole, rerun: shardkit X",
                saidLater("write", "a", "--from", "b"));
        assertTrue(
                saidLater("append", "a", "--from", "-")
                        .startsWith("no slice of the input was stored before the signal"),
                "also of standard input");
        assertTrue(saidLater("append", "a", "--from", "b").contains("no slice of the input was stored"));
    }

    @Test
    void commandsThatReadAStream_sayToSendItAgain() {
        Optional<String> again =
                Optional.of("nothing was changed; to begin again, send the same input again to: shardkit X");
        assertEquals(again, said("append", "a", "--from", "-"));
        assertEquals(again, said("write", "a", "--from", "-"));
        assertEquals(again, said("import", "-", "b"));
        assertEquals(again, said("import", "/dev/stdin", "b"));
        assertEquals(again, said("import", "/dev/fd/63", "b"));
        assertEquals(
                Optional.of("nothing was changed; to begin again, rerun: shardkit X"),
                said("write", "a", "--from", "b"));
    }

    @Test
    void shortCommands_sayNothing() {
        assertEquals(Optional.empty(), said("serve", "a"));
        assertEquals(Optional.empty(), said("head", "a"));
    }
}
