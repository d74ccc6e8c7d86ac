package dev.shardkit.cli.base;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.shardkit.cli.Cli;
import dev.shardkit.testkit.server.RangeServer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code --node-format}, and its other name {@code --format}. */
class NodeFormatOptionTest {
    private static final byte[] VALUES = {1, 2, 3, 4};

    @TempDir
    Path dir;

    private String array;

    @BeforeEach
    void n5() throws IOException {
        Path folder = Files.createDirectories(dir.resolve("a.n5"));
        Files.writeString(
                folder.resolve("attributes.json"),
                "{\"dimensions\": [4], \"blockSize\": [4], \"dataType\": \"uint8\", \"compression\": {\"type\": \"raw\"}}");
        Files.write(folder.resolve("0"), new byte[] {0, 0, 0, 1, 0, 0, 0, 4, 1, 2, 3, 4});
        array = folder.toString();
    }

    @Test
    void remoteData_isReadByTheName() throws IOException {
        try (RangeServer server = RangeServer.start()) {
            for (String file : new String[] {"attributes.json", "0"}) {
                server.put("a/" + file, Files.readAllBytes(Path.of(array, file)));
            }
            String url = server.uri() + "/a";
            assertTrue(Cli.run("info", url).err().contains("put the name before the location"));
            for (String option : new String[] {"--format", "--node-format"}) {
                for (String name : new String[] {"n5", "any"}) {
                    assertTrue(Cli.good("info", url, option, name).out().contains("n5"));
                }
            }
            byte[] read = Cli.good("read", url, "--node-format", "n5", "--format", "raw")
                    .bytes();
            assertArrayEquals(VALUES, read);
            assertEquals(
                    "1\n2\n3\n4\n", Cli.good("--node-format", "n5", "read", url).out());
        }
    }

    @Test
    void theFirstLocation_hasTheFormat() throws IOException {
        String copy = dir.resolve("copy.zarr").toString();
        assertEquals(
                0,
                Cli.run("copy", array, copy, "--format", "n5", "--codecs", "zstd")
                        .status());
        assertTrue(Files.exists(Path.of(copy, "zarr.json")));
        assertEquals(
                0,
                Cli.run("diff", array, copy, "--ignore-layout", "--format", "n5")
                        .status());
        Cli.bad(
                1,
                "only nodes of n5 are looked for",
                "copy",
                copy,
                dir.resolve("b").toString(),
                "--format",
                "n5");
        Cli.run(
                "convert",
                array,
                "--format",
                "n5",
                "--to",
                dir.resolve("c.zarr").toString());
        assertTrue(Files.exists(dir.resolve("c.zarr/zarr.json")));
        Cli.run("convert", array, "--format", "n5");
        assertTrue(Files.exists(Path.of(array, "zarr.json")));
        assertFalse(Cli.good("info", array).out().contains("node format"));
        assertTrue(Cli.good("info", array, "--format", "n5").out().contains("node format          n5"));
    }

    @Test
    void newArrays_haveTheFormat() {
        String cubes = dir.resolve("cubes").toString();
        Cli.good("create", cubes, "--format", "wkw", "--shape", "4,4,4", "--data-type", "uint8");
        assertTrue(Files.exists(Path.of(cubes, "header.wkw")));
    }

    @Test
    void ofZarr_noOtherFormatIsSeen() throws IOException {
        for (String name : new String[] {"zarr", "zarr_v3", "zarr-v3"}) {
            Cli.bad(1, "zarr.json is not found", "info", array, "--format", name);
            Cli.bad(2, "leave one of them out", "info", "n5:" + array, "--format", name);
        }
        Path v2 = Files.createDirectories(dir.resolve("v2"));
        Files.writeString(v2.resolve(".zgroup"), "{\"zarr_format\":2}");
        assertTrue(Cli.good("info", v2.toString(), "--format", "zarr").out().contains("zarr_v2"));
        Cli.bad(1, "zarr.json is not found", "info", v2.toString(), "--format", "zarr_v3");
        Cli.good("convert", array);
        assertFalse(Cli.good("info", array, "--format", "zarr_v3").out().contains("node format"));
    }

    @Test
    void wrongNames_areWrongUse() {
        String known =
                "expected one of any, n5, neuroglancer, wkw, zarr, zarr_v2, zarr_v3, zarr_v3_draft, found 'tiff'";
        Cli.bad(2, known, "info", array, "--format", "tiff");
        Cli.bad(2, known, "ls", array, "--node-format", "tiff");
        Cli.bad(2, "leave one of them out", "info", "n5:" + array, "--format", "wkw");
        Cli.good("info", "n5:" + array, "--format", "n5");
        Cli.bad(2, "expected text, json or raw", "read", array, "--format", "n5");
    }
}
