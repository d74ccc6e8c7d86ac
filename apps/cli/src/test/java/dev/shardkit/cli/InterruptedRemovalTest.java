package dev.shardkit.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A removal that was killed after it had moved the document aside. */
class InterruptedRemovalTest {
    @TempDir
    Path dir;

    private String killed(String name) throws IOException {
        Path array = dir.resolve(name);
        Nodes.numbers(array);
        Files.move(array.resolve("zarr.json"), array.resolve("__shardkit-deleted-" + UUID.randomUUID()));
        return array.toString();
    }

    @Test
    void rm_completesIt() throws IOException {
        String url = killed("a");
        Cli.Result result = Cli.run("rm", url);
        assertEquals(0, result.status(), result.err());
        assertTrue(result.err().contains("removed what an interrupted removal had left"), result.err());
        assertFalse(Files.exists(dir.resolve("a")));
    }

    @Test
    void rm_keepsFilesOfOthers() throws IOException {
        String url = killed("a");
        Files.writeString(dir.resolve("a/notes.txt"), "theirs");
        Cli.bad(1, "notes.txt", "rm", url);
        assertTrue(Files.exists(dir.resolve("a/notes.txt")));
        Files.delete(dir.resolve("a/notes.txt"));
        assertEquals(0, Cli.run("rm", url).status());
    }

    @Test
    void copy_overwritesIt() throws IOException {
        Nodes.numbers(dir.resolve("source"));
        String url = killed("a");
        String source = dir.resolve("source").toString();
        Cli.bad(1, "an interrupted removal has left", "copy", source, url);
        Cli.good("copy", source, url, "--overwrite");
        Cli.good("diff", source, url);
    }

    @Test
    void rm_ofAFolderWithoutATrace_isRefused() throws IOException {
        Nodes.numbers(dir.resolve("a"));
        Files.delete(dir.resolve("a/zarr.json"));
        Cli.bad(1, "there is no Zarr v3 array", "rm", dir.resolve("a").toString());
        assertTrue(Files.exists(dir.resolve("a/c")));
    }
}
