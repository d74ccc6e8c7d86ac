package dev.shardkit.cli;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.shardkit.Zarr;
import dev.shardkit.ZarrArray;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Comparator;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The commands on arrays in ZIP archives. */
class ArchiveCommandsTest {
    @TempDir
    private Path dir;

    private String url(String name) {
        return dir.resolve(name).toString();
    }

    @ParameterizedTest
    @ValueSource(strings = {"b.zip", "b.ozx", "new/b.ozx"})
    void array_isCopiedIntoAnArchive_andLookedAt(String name) {
        Nodes.numbers(dir.resolve("a"));
        Cli.good("copy", url("a"), url(name));
        assertTrue(Files.isRegularFile(dir.resolve(name)));
        for (String location : new String[] {url(name), "zip:" + url(name), url(name) + "|zip:|zarr3:"}) {
            assertEquals(
                    Cli.good("info", url("a"), "--json").object().members().get("metadata"),
                    Cli.good("info", location, "--json").object().members().get("metadata"));
            Cli.good("verify", location);
            Cli.good("ls", location);
            assertEquals(
                    Cli.good("read", url("a"), "--region", "1:3,:").out(),
                    Cli.good("read", location, "--region", "1:3,:").out());
        }
        Cli.good("copy", "zip:" + url(name), url("c"));
        try (ZarrArray array = Zarr.openArray(url("c"))) {
            assertArrayEquals(Nodes.numbers(), array.read().ints());
        }
    }

    @Test
    void failedCopy_keepsTheOldArchive() throws IOException {
        Nodes.numbers(dir.resolve("a"));
        Cli.good("copy", url("a"), url("old.zip"));
        byte[] before = Files.readAllBytes(dir.resolve("old.zip"));
        Path shard = largest(dir.resolve("a/c"));
        Files.write(shard, Arrays.copyOf(Files.readAllBytes(shard), 10));
        String[] shape = {"--chunk-shape", "1,1"};
        Cli.bad(1, "", "copy", url("a"), url("old.zip"), "--overwrite", shape[0], shape[1]);
        assertArrayEquals(before, Files.readAllBytes(dir.resolve("old.zip")));
        Cli.bad(1, "", "copy", url("a"), url("new.zip"), shape[0], shape[1]);
        assertTrue(Files.notExists(dir.resolve("new.zip")));
    }

    private static Path largest(Path folder) throws IOException {
        try (Stream<Path> all = Files.walk(folder)) {
            return all.filter(Files::isRegularFile)
                    .max(Comparator.comparingLong(file -> file.toFile().length()))
                    .orElseThrow();
        }
    }

    @Test
    void wrongLocation_isWrongUse() {
        assertTrue(Cli.run("info", "zip:https://host").err().contains("expected zip:URL!PATH"));
    }
}
