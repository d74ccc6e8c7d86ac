package dev.shardkit.cli.print;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.shardkit.ArraySpec;
import dev.shardkit.Zarr;
import dev.shardkit.cli.Cli;
import dev.shardkit.cli.Nodes;
import dev.shardkit.testkit.internal.LinksAndPipes;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardWatchEventKinds;
import java.nio.file.WatchKey;
import java.nio.file.WatchService;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** Output files that may not be written, and those of commands that end early. */
@Timeout(300)
class OutputLocationCheckTest {
    @TempDir
    Path dir;

    private List<String> names() throws IOException {
        try (Stream<Path> all = Files.list(dir)) {
            return all.map(p -> p.getFileName().toString()).sorted().toList();
        }
    }

    /** An array whose elements as text take some minutes. */
    private String large() {
        String path = dir.resolve("large").toString();
        Zarr.createArray(path, ArraySpec.of("int64", 1 << 20, 1 << 10).withChunkShape(1 << 10, 1 << 10))
                .close();
        return path;
    }

    @Test
    void files_ofTheNodeThatIsRead_areRefused_andKept() throws IOException {
        String array = Nodes.numbers(dir.resolve("a"));
        Path document = Path.of(array, "zarr.json");
        byte[] before = Files.readAllBytes(document);
        LinksAndPipes.link(dir.resolve("link"), Path.of(array));
        LinksAndPipes.link(dir.resolve("file"), document);
        String relative =
                Path.of("").toAbsolutePath().relativize(document).toString().replace('\\', '/');
        String lies = "lies in the folder of file:" + array;
        for (String out : List.of(document.toString(), relative, dir.resolve("link/new.txt") + "", dir + "/file")) {
            Cli.bad(2, lies, "read", array, "-o", out);
        }
        Cli.bad(2, "lies in the folder of file:", "read", dir.resolve("link").toString(), "-o", array + "/c/0/0");
        Cli.bad(2, lies, "export", array, "--format", "npy", "-o", document.toString());
        Cli.bad(2, lies, "preview", array, "-o", array + "/a.png");
        Cli.bad(2, lies, "report", array, "-o", array + "/a.html");
        Cli.bad(2, lies, "map", array, "--html", array + "/a.html");
        assertArrayEquals(before, Files.readAllBytes(document));
        assertFalse(Files.exists(dir.resolve("a/new.txt")));
        Cli.good("read", array, "-o", dir.resolve("a.txt").toString());
    }

    @Test
    void files_ofAHierarchy_andAnArchive_areRefused() throws IOException {
        String tree = Nodes.tree(dir.resolve("t"));
        Cli.bad(2, "lies in the folder", "export", tree, "-o", tree + "/deep/all.npz");
        Cli.bad(2, "metadata document", "read", tree + "/top", "-o", tree + "/zarr.json");
        String archive = dir.resolve("a.ozx").toString();
        Cli.good("copy", tree + "/top", archive);
        byte[] before = Files.readAllBytes(Path.of(archive));
        Cli.bad(2, "itself, which is read", "read", archive, "-o", archive);
        assertArrayEquals(before, Files.readAllBytes(Path.of(archive)));
        Cli.good("read", archive, "-o", dir.resolve("a.txt").toString());
    }

    @Test
    @DisabledOnOs(
            value = OS.WINDOWS,
            disabledReason = "a process is ended, not told to end: its exit status is 1, and nothing runs at its end")
    void signal_thatEndsACommand_removesItsTemporaryFile() throws Exception {
        String large = large();
        Path out = Files.createDirectory(dir.resolve("out"));
        try (WatchService watch = dir.getFileSystem().newWatchService()) {
            out.register(watch, StandardWatchEventKinds.ENTRY_CREATE);
            Process process = new ProcessBuilder(
                            Path.of(System.getProperty("java.home"), "bin", "java")
                                    .toString(),
                            "-XX:TieredStopAtLevel=1",
                            "-cp",
                            System.getProperty("java.class.path"),
                            "dev.shardkit.cli.Main",
                            "read",
                            large,
                            "-o",
                            out.resolve("a.txt").toString())
                    .redirectErrorStream(true)
                    .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                    .start();
            try {
                WatchKey made = watch.poll(120, TimeUnit.SECONDS);
                assertTrue(made != null, "no temporary file");
                process.destroy(); // SIGTERM
                assertEquals(143, process.waitFor());
            } finally {
                process.destroyForcibly();
            }
        }
        try (Stream<Path> left = Files.list(out)) {
            assertEquals(List.of(), left.toList());
        }
    }

    @Test
    void reader_thatClosesANamedPipe_endsTheCommandQuietly() throws Exception {
        String large = large();
        Path pipe = dir.resolve("pipe");
        LinksAndPipes.pipe(pipe);
        List<String> before = names();
        CompletableFuture<Integer> first = CompletableFuture.supplyAsync(() -> {
            try (InputStream in = Files.newInputStream(pipe)) {
                return in.read();
            } catch (IOException e) {
                throw new AssertionError(e);
            }
        });
        Cli.Result result = Cli.run("read", large, "-o", pipe.toString());
        assertEquals('0', first.get());
        assertEquals("", result.err());
        assertEquals(141, result.status());
        assertEquals(before, names());
    }
}
