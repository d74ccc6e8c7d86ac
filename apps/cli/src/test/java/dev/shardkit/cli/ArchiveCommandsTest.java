package dev.shardkit.cli;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.shardkit.ArraySpec;
import dev.shardkit.Codecs;
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

    /** No codec of the array has a checksum. */
    @Test
    void verify_comparesTheChecksumsOfEntries() throws IOException {
        ArraySpec spec = ArraySpec.of("int32", 4, 4).withChunkShape(2, 4).withCodecs(Codecs.bytesLittleEndian());
        try (ZarrArray array = Zarr.createArray(url("a.zip"), spec)) {
            array.write(array.domain(), new int[] {7, 7, 7, 7, 7, 7, 7, 7, 8, 8, 8, 8, 8, 8, 8, 8}, 0);
        }
        Cli.good("verify", url("a.zip"));
        Path file = dir.resolve("a.zip");
        byte[] bytes = Files.readAllBytes(file);
        int at = 0;
        while (bytes[at] != 8 || bytes[at + 4] != 8 || bytes[at + 8] != 8 || bytes[at + 12] != 8) {
            at++;
        }
        bytes[at] = 9;
        Files.write(file, bytes);
        Cli.Result damaged = Cli.run("verify", url("a.zip"));
        assertEquals(1, damaged.status());
        String out = damaged.out();
        assertTrue(out.contains("c/1/0") && out.contains("CRC-32") && out.contains("at offset " + at), out);
        assertTrue(out.contains("1 error, 0 notes"), out);
        Cli.good("verify", url("a.zip"), "--no-decode");
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
