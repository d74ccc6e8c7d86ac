package dev.shardkit.cli;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.shardkit.Zarr;
import dev.shardkit.ZarrArray;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Short forms of options: codecs, {@code none}, names of dimensions, plain text for attributes. */
class ShortFormsTest {
    @TempDir
    Path dir;

    private String path(String name) {
        return dir.resolve(name).toString();
    }

    private String codecs(String name, String codecs) {
        Cli.good("create", path(name), "--shape", "8", "--data-type", "int32", "--codecs", codecs);
        try (ZarrArray array = Zarr.openArray(path(name))) {
            return array.metadata().codecs().json().toString();
        }
    }

    @Test
    void codecs_haveShortForms() {
        String blosc = codecs("a", "blosc:zstd:7,crc32c");
        assertTrue(blosc.contains("\"cname\":\"zstd\"") && blosc.contains("\"clevel\":7"), blosc);
        assertTrue(blosc.contains("\"typesize\":4") && blosc.contains("crc32c"), blosc);
        assertTrue(codecs("b", "blosc").contains("\"cname\":\"lz4\""));
        assertFalse(codecs("c", "none").contains("zstd"));
        assertEquals(codecs("e", "zstd,crc32c"), codecs("f", "[\"zstd\",{\"name\":\"crc32c\"}]"));
        for (String wrong : new String[] {"zst:3", "zst"}) {
            Cli.bad(2, "zstd", "create", path("d"), "--shape", "8", "--data-type", "int8", "--codecs", wrong);
        }
        String bad = "expected blosc:COMPRESSOR:LEVEL";
        Cli.bad(2, bad, "create", path("d"), "--shape", "8", "--data-type", "int8", "--codecs", "blosc:lz5:3");
        Cli.bad(
                2,
                "none cannot be combined with other codecs",
                "create",
                path("d"),
                "--shape",
                "8",
                "--data-type",
                "u1",
                "--codecs",
                "none,zstd");
    }

    @Test
    void shardsNone_leavesInnerChunksAsChunks() {
        String array = Nodes.numbers(dir.resolve("a"));
        Cli.good("create", path("b"), "--like", array, "--shard-shape", "none");
        Cli.good("copy", array, path("c"), "--shard-shape", "none");
        for (String name : new String[] {"b", "c"}) {
            try (ZarrArray made = Zarr.openArray(path(name))) {
                assertFalse(made.isSharded());
                assertArrayEquals(new long[] {2, 2}, made.chunkShape());
                assertTrue(made.metadata().codecs().json().toString().contains("zstd"));
            }
        }
        assertEquals(Cli.good("read", array).out(), Cli.good("read", path("c")).out());
        Cli.bad(2, "--shard-shape: expected lengths", "copy", array, path("d"), "--shard-shape", "non");
        Cli.good("copy", array, path("e"), "--codecs", "blosc:lz4");
        assertEquals(Cli.good("read", array).out(), Cli.good("read", path("e")).out());
    }

    @Test
    void append_takesTheNameOfADimension() throws Exception {
        String array = Nodes.numbers(dir.resolve("a"));
        Path raw = Files.write(dir.resolve("raw"), new byte[6 * 4]);
        Cli.good("append", array, "--from", raw.toString(), "--axis", "x");
        try (ZarrArray now = Zarr.openArray(array)) {
            assertArrayEquals(new long[] {6, 9}, now.shape());
        }
        Cli.bad(2, "from 0 to 1 or one of y, x, found z", "append", array, "--from", raw.toString(), "--axis", "z");
    }

    @Test
    void attributes_takePlainText() {
        String array = Nodes.numbers(dir.resolve("a"));
        Cli.good("attrs", array, "--set", "a=hello", "--set", "b=2024-01-01", "--set", "c=3", "--set", "d=\"3\"");
        assertEquals(
                "{\"unit\":\"m\",\"a\":\"hello\",\"b\":\"2024-01-01\",\"c\":3,\"d\":\"3\"}",
                Cli.good("attrs", array).out().replaceAll("\\s", ""));
        Cli.bad(2, "--set e={x", "attrs", array, "--set", "e={x");
    }

    @Test
    void csv_takesPlanes_andAMissingFolderIsNamed() {
        Cli.good("create", path("v"), "--shape", "1,2,3", "--data-type", "int8", "--fill-value", "7");
        assertEquals(
                "7,7,7\n7,7,7\n",
                Cli.good("export", path("v"), "--format", "csv", "-o", "-").out());
        assertEquals(
                "7\n7\n",
                Cli.good("export", path("v"), "--region", "0,:,1", "--format", "csv", "-o", "-")
                        .out());
        Cli.bad(1, "the folder " + path("x") + " does not exist", "read", path("v"), "-o", path("x/y.txt"));
    }
}
