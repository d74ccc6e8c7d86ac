package dev.shardkit.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.RandomAccessFile;
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

/** What a signal leaves of a command that can be resumed, and what it says. */
@Timeout(600)
class InterruptedCopyTest {
    private static final long CHUNK = 1L << 28;
    private static final int CHUNKS = 512;

    @TempDir
    Path dir;

    @Test
    @DisabledOnOs(OS.WINDOWS)
    void signal_endsTheCopy_andSaysHowToResumeIt() throws Exception {
        Path source = dir.resolve("a b.zarr");
        Cli.good(
                "create",
                source.toString(),
                "--shape",
                String.valueOf(CHUNKS * CHUNK),
                "--chunk-shape",
                String.valueOf(CHUNK),
                "--data-type",
                "uint8",
                "--codecs",
                "none",
                "--fill-value",
                "1");
        Files.createDirectory(source.resolve("c"));
        for (int i = 0; i < CHUNKS; i++) {
            try (RandomAccessFile file =
                    new RandomAccessFile(source.resolve("c/" + i).toFile(), "rw")) {
                file.setLength(CHUNK); // has holes: the copy does not come to its end
            }
        }
        Files.createDirectory(dir.resolve("out"));
        List<String> copy = List.of(
                "copy",
                source.toString(),
                dir.resolve("out/c.zarr") + "",
                "--codecs",
                "gzip:9",
                "--chunk-shape",
                "65536");
        try (WatchService watch = dir.getFileSystem().newWatchService()) {
            dir.resolve("out").register(watch, StandardWatchEventKinds.ENTRY_CREATE);
            Process process = new ProcessBuilder(Stream.concat(
                                    Stream.of(
                                            Path.of(System.getProperty("java.home"), "bin", "java")
                                                    .toString(),
                                            "-cp",
                                            System.getProperty("java.class.path"),
                                            Main.class.getName()),
                                    copy.stream())
                            .toList())
                    .redirectErrorStream(true)
                    .redirectOutput(dir.resolve("log").toFile())
                    .start();
            try {
                assertTrue(watch.poll(300, TimeUnit.SECONDS) != null, "the copy begins");
                process.destroy();
                assertEquals(143, process.waitFor(), () -> log());
            } finally {
                process.destroyForcibly();
            }
        }
        assertEquals(
                "shardkit: interrupted; to resume, rerun: shardkit copy '" + source + "' " + dir.resolve("out/c.zarr")
                        + " --codecs gzip:9 --chunk-shape 65536\n",
                log());
        try (Stream<Path> left = Files.walk(dir.resolve("out"))) {
            left.forEach(
                    path -> assertTrue(!path.getFileName().toString().startsWith("__shardkit-tmp"), "left: " + path));
        }
    }

    private String log() {
        try {
            return Files.readString(dir.resolve("log"));
        } catch (IOException e) {
            return e.toString();
        }
    }
}
