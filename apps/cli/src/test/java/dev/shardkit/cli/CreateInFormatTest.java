package dev.shardkit.cli;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code create} in the formats of neuroglancer and webknossos-wrap. */
class CreateInFormatTest {
    @TempDir
    Path dir;

    private static byte[] random(int n) {
        byte[] bytes = new byte[n];
        new Random(n).nextBytes(bytes);
        return bytes;
    }

    private static void holds(String url, byte[] bytes) {
        assertEquals(0, Cli.run(bytes, "write", url, "--from", "-").status());
        assertArrayEquals(bytes, Cli.good("read", url, "--format", "raw").bytes());
    }

    @Test
    void volumes_getScales() throws IOException {
        String volume = "neuroglancer:" + dir.resolve("volume");
        Cli.good(
                "create",
                volume,
                "--shape",
                "20,10,5",
                "--data-type",
                "uint8",
                "--chunk-shape",
                "8,8,8",
                "--attributes",
                "{\"resolution\":[8,8,40],\"voxel_offset\":[5,6,7]}");
        Cli.good(
                "create",
                volume,
                "--shape",
                "10,5,5",
                "--data-type",
                "uint8",
                "--chunk-shape",
                "4,4,4",
                "--shard-shape",
                "8,8,8",
                "--codecs",
                "raw",
                "--attributes",
                "{\"resolution\":[16,16,40]}");
        holds(volume + "/8_8_40", random(1000));
        holds(volume + "/16_16_40", random(250));
        String info = Files.readString(dir.resolve("volume/info"));
        assertTrue(info.contains("\"voxel_offset\":[5,6,7]"), info);
        assertEquals(
                2,
                Cli.run("create", volume, "--shape", "8,8,8", "--data-type", "uint8", "--overwrite")
                        .status());
        assertEquals(info, Files.readString(dir.resolve("volume/info")));
    }

    @Test
    void cubes_areWrittenWithTheShapeInTheLocation() {
        String cubes = "wkw:" + dir.resolve("cubes");
        Cli.good("create", cubes, "--shape", "20,10,5", "--data-type", "uint8", "--chunk-shape", "8,8,8");
        holds(cubes + "#shape=1,20,10,5", random(1000));
        assertEquals(
                1,
                Cli.run("create", cubes, "--shape", "20,10,5", "--data-type", "uint8")
                        .status());
        assertEquals(
                2,
                Cli.run("create", "wkw:" + dir.resolve("flat"), "--shape", "20,10", "--data-type", "uint8")
                        .status());
        assertFalse(Files.exists(dir.resolve("flat")));
    }

    @Test
    void formatsWithoutNewNodes_areNoZarr() throws IOException {
        String zarr = dir.resolve("a.zarr").toString();
        Cli.good("create", zarr, "--shape", "10", "--data-type", "uint8");
        Path raw = Files.write(dir.resolve("raw"), random(10));
        String n5 = "n5:" + dir.resolve("new.n5");
        for (String[] command : new String[][] {
            {"create", n5, "--shape", "10", "--data-type", "uint8"},
            {"copy", zarr, n5},
            {"import", raw.toString(), n5, "--shape", "10", "--data-type", "uint8"},
            {"group", n5},
            {"group", "neuroglancer:" + dir.resolve("volume")}
        }) {
            Cli.Result refused = Cli.run(command);
            assertTrue(refused.status() != 0, String.join(" ", command));
            assertTrue(refused.err().contains("creates no such nodes of the format"), refused.err());
        }
        assertFalse(Files.exists(dir.resolve("new.n5/zarr.json")));
        assertFalse(Files.exists(dir.resolve("volume/zarr.json")));
        String missing = Cli.run("info", "n5:" + zarr).err();
        assertTrue(
                missing.contains("no n5 array or group: found zarr.json, but only nodes of n5 are looked for"),
                missing);
        assertTrue(Cli.run("create", "wkw:" + zarr, "--shape", "64,64,64,1", "--data-type", "uint8")
                .err()
                .contains("already exists here"));
    }

    @Test
    void convertedArrays_areStillReadInZarrV2() throws IOException {
        Path array = dir.resolve("v2.zarr");
        Files.createDirectories(array);
        Files.writeString(
                array.resolve(".zarray"),
                "{\"zarr_format\": 2, \"shape\": [4], \"chunks\": [4], \"dtype\": \"|u1\", \"order\": \"C\", "
                        + "\"compressor\": null, \"filters\": null, \"fill_value\": 0}");
        Files.write(array.resolve("0"), new byte[] {1, 2, 3, 4});
        Cli.good("convert", array.toString());
        assertFalse(Cli.good("info", array.toString()).out().contains("zarr_v2"));
        for (String location : new String[] {"zarr_v2:" + array, "zarr_v2:" + array.toUri(), "zarr-v2:" + array}) {
            assertTrue(Cli.good("info", location).out().contains("zarr_v2"), location);
            assertArrayEquals(
                    new byte[] {1, 2, 3, 4},
                    Cli.good("read", location, "--format", "raw").bytes());
        }
        assertTrue(Cli.run("create", "zarr_v2:" + dir.resolve("b"), "--shape", "4", "--data-type", "uint8")
                        .status()
                != 0);
    }
}
