package dev.shardkit.cli;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.shardkit.ArraySpec;
import dev.shardkit.IfExists;
import dev.shardkit.Zarr;
import dev.shardkit.ZarrOptions;
import dev.shardkit.spi.error.StoreException;
import dev.shardkit.spi.json.Json;
import dev.shardkit.store.Store;
import dev.shardkit.testkit.internal.LinksAndPipes;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code create}, {@code copy} and {@code import} in the formats of N5, neuroglancer and webknossos-wrap. */
@Tag("one-jdk")
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

    /** Nothing else says that a volume of z, y, x is taken as one of x, y, z. */
    @Test
    void copyOfUnnamedDimensions_saysInWhichOrderItTakesThem() {
        String unnamed = dir.resolve("unnamed.zarr").toString();
        String named = dir.resolve("named.zarr").toString();
        Cli.good("create", unnamed, "--shape", "5,10,20", "--data-type", "uint8");
        Cli.good("create", named, "--like", unnamed, "--dimension-names", "z,y,x");
        String told =
                Cli.run("copy", unnamed, "neuroglancer:" + dir.resolve("a")).err();
        assertTrue(told.contains("note: " + unnamed + " has no dimension names") && told.contains("x, y, z in"), told);
        String cubes = Cli.run("copy", unnamed, "wkw:" + dir.resolve("b")).err();
        assertTrue(cubes.contains("as x, y, z in"), cubes);
        // These print no message.
        Cli.good("copy", unnamed, "n5:" + dir.resolve("c"));
        Cli.good("copy", unnamed, dir.resolve("d").toString());
        Cli.good("copy", named, "neuroglancer:" + dir.resolve("e"));
        String info = Cli.good("info", "neuroglancer:" + dir.resolve("e/1_1_1")).out();
        assertTrue(info.contains("[20,10,5,1]"), info);
    }

    /** A stated shape that is too small hides cubes; they are the data of others, not strays. */
    @Test
    void cubesOutsideAStatedShape_areKept() {
        String cubes = "wkw:" + dir.resolve("cubes");
        Cli.good("create", cubes, "--shape", "20,10,5", "--data-type", "uint8", "--chunk-shape", "8,8,8");
        holds(cubes + "#shape=1,20,10,5", random(1000));
        String repaired = Cli.good("repair", cubes + "#shape=1,8,8,5", "--apply", "--drop-strays")
                .out();
        assertTrue(repaired.contains("nothing to repair"), repaired);
        assertArrayEquals(
                random(1000),
                Cli.good("read", cubes + "#shape=1,20,10,5", "--format", "raw").bytes());
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
    void blocksOfN5_areCreated_copiedAndImported() throws IOException {
        String n5 = "n5:" + dir.resolve("a.n5");
        Cli.good("create", n5, "--shape", "20,10,5", "--data-type", "uint8", "--chunk-shape", "8,8,5");
        holds(n5, random(1000));
        String zarr = dir.resolve("a.zarr").toString();
        Cli.good("copy", n5, zarr, "--codecs", "zstd", "--shard-shape", "16,8,5");
        for (String codec : "raw,gzip:3,zlib,bzip2:1,xz,zstd:5,blosc:zstd:4,lz4".split(",")) {
            String copy = "n5:" + dir.resolve("copy-" + codec.replace(':', '-'));
            Cli.good("copy", zarr, copy, "--codecs", codec);
            assertArrayEquals(
                    random(1000), Cli.good("read", copy, "--format", "raw").bytes());
        }
        Path raw = Files.write(dir.resolve("raw"), random(1000));
        String imported = "n5:" + dir.resolve("imported");
        String[] shape = {"--shape", "20,10,5", "--data-type", "uint8", "--codecs", "blosc"};
        Cli.good(with(shape, "import", raw.toString(), imported));
        assertArrayEquals(
                random(1000), Cli.good("read", imported, "--format", "raw").bytes());
        assertFalse(Files.exists(dir.resolve("imported/__copy")) || Files.exists(dir.resolve("imported/zarr.json")));
        Cli.bad(1, "is not empty", with(shape, "import", raw.toString(), imported));
        Cli.bad(2, "replaces no array", with(shape, "import", raw.toString(), imported, "--overwrite"));
        Cli.bad(2, "then use shardkit copy", with(shape, "import", raw.toString(), "wkw:" + dir.resolve("w")));
        Path short1 = Files.write(dir.resolve("short"), random(10));
        assertTrue(Cli.run(with(shape, "import", short1.toString(), "n5:" + dir.resolve("b")))
                        .status()
                != 0);
        assertFalse(Files.exists(dir.resolve("b")) || Files.exists(dir.resolve("w")));
        Cli.bad(2, "found complex64", "create", "n5:" + dir.resolve("c"), "--shape", "4", "--data-type", "complex64");
        Cli.bad(1, "found brotli", "copy", zarr, "n5:" + dir.resolve("c"), "--codecs", "brotli");
        Cli.bad(1, "no shards", "copy", zarr, "n5:" + dir.resolve("c"), "--shard-shape", "16,8,5");
        assertFalse(Files.exists(dir.resolve("c")));
    }

    @Test
    void groupsOfN5_areContainers_ofArraysBelow() throws IOException {
        String version = "{\"n5\":\"4.0.0\"";
        Path root = dir.resolve("group.n5");
        Cli.good("group", "n5:" + root, "--attributes", "{\"a\":1}");
        assertEquals(version + ",\"a\":1}", Files.readString(root.resolve("attributes.json")));
        Cli.good("group", "n5:" + root + "/inner", "--attributes", "{\"b\":2}");
        assertEquals("{\"b\":2}", Files.readString(root.resolve("inner/attributes.json")));
        Cli.bad(1, "already exists here", "group", "n5:" + root);
        Cli.bad(2, "replaces nothing", "group", "n5:" + root, "--overwrite");
        Cli.bad(2, "a name that N5 itself uses", "group", "n5:" + dir.resolve("x"), "--attributes", "{\"n5\":1}");
        assertFalse(Files.exists(dir.resolve("x")));
        String[] array = {"--shape", "4", "--data-type", "uint8"};
        Cli.good(with(array, "create", "n5:" + root + "/inner/array"));
        Cli.bad(1, "array", "group", "n5:" + root + "/inner/array");
        String tree = Cli.good("tree", root.toString()).out();
        assertTrue(tree.contains("inner") && tree.contains("uint8 [4]"), tree);
        Path other = dir.resolve("other.n5");
        Cli.good(with(array, "create", "n5:" + other + "/deep/array"));
        assertEquals(version + "}", Files.readString(other.resolve("attributes.json")));
        assertFalse(Files.exists(other.resolve("deep/attributes.json")));
        Cli.good("copy", other + "/deep/array", "n5:" + dir.resolve("copy.n5/array"));
        assertEquals(version + "}", Files.readString(dir.resolve("copy.n5/attributes.json")));
        Cli.good(with(array, "create", "n5:" + dir.resolve("plain/array")));
        assertFalse(Files.exists(dir.resolve("plain/attributes.json")));
    }

    private static String[] with(String[] options, String... command) {
        return Stream.concat(Stream.of(command), Stream.of(options)).toArray(String[]::new);
    }

    @Test
    void formatsWithoutNewNodes_areNoZarr() throws IOException {
        String zarr = dir.resolve("a.zarr").toString();
        Cli.good("create", zarr, "--shape", "10", "--data-type", "uint8");
        Path raw = Files.write(dir.resolve("raw"), random(10));
        String v2 = "zarr_v2:" + dir.resolve("new.v2");
        for (String[] command : new String[][] {
            {"create", v2, "--shape", "10", "--data-type", "uint8"},
            {"copy", zarr, v2},
            {"import", raw.toString(), v2, "--shape", "10", "--data-type", "uint8"},
            {"group", v2},
            {"group", "neuroglancer:" + dir.resolve("volume")}
        }) {
            Cli.Result refused = Cli.run(command);
            assertTrue(refused.status() != 0, String.join(" ", command));
            assertTrue(refused.err().contains("creates no such nodes of the format"), refused.err());
        }
        assertFalse(Files.exists(dir.resolve("new.v2/zarr.json")));
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
        String info = Cli.good("info", array.toString()).out();
        assertFalse(info.contains("node format"), info);
        assertTrue(info.contains("other formats        zarr_v2 (to open it: zarr_v2:" + array + ")"), info);
        assertEquals(
                Json.of(List.of("zarr_v2")),
                Cli.good("info", array.toString(), "--json")
                        .object()
                        .get("other_formats")
                        .orElseThrow());
        String tree = Cli.good("tree", array.toString()).out();
        assertTrue(tree.contains("also holds zarr_v2"), tree);
        assertTrue(Cli.good("tree", array.toString(), "--json").out().contains("other_formats"));
        assertFalse(Cli.good("info", "zarr_v2:" + array).out().contains("other formats"));
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

    @Test
    void arrays_haveNoNodesInside_inAnyFormat() throws IOException {
        String[] array = {"--shape", "1,32,32,32", "--data-type", "uint8"};
        Path n5 = dir.resolve("a.n5/g/arr");
        Path wkw = dir.resolve("k/color/1");
        String source = dir.resolve("source").toString();
        Cli.good(with(array, "create", source));
        Cli.good(with(array, "create", "n5:" + n5));
        Cli.good(with(array, "create", "wkw:" + wkw));
        for (Path outer : List.of(n5, wkw)) {
            String said = "in the folder of the array file:" + outer + ", and an array has no children";
            for (String inner : List.of("/sub", "/0/0", "/z0/y0")) {
                Cli.bad(1, said, with(array, "create", outer + inner));
                Cli.bad(1, said, with(array, "create", "n5:" + outer + inner));
                Cli.bad(1, said, "group", outer + inner);
                Cli.bad(1, said, "group", "n5:" + outer + inner);
                Cli.Result copied = Cli.run("copy", source, outer + inner); // a note may precede the failure
                assertEquals(1, copied.status(), copied.err());
                assertTrue(copied.err().contains(said), copied.err());
            }
        }
        for (Path file : List.of(n5.resolve("sub"), n5.resolve("0"), wkw.resolve("z0"))) {
            assertFalse(Files.exists(file), file.toString());
        }
        try (Store store = Zarr.openStore(dir.toString(), ZarrOptions.defaults())) {
            ArraySpec spec = ArraySpec.of("uint8", 4);
            StoreException e = assertThrows(
                    StoreException.class,
                    () -> Zarr.createArray(store, "a.n5/g/arr/sub", spec, IfExists.REFUSE, ZarrOptions.defaults()));
            assertTrue(e.getMessage().contains("it lies in the folder of the array"), e.getMessage());
            Zarr.createArray(store, "a.n5/g/beside", spec, IfExists.REFUSE, ZarrOptions.defaults());
        }
        Cli.good(with(array, "create", "wkw:" + dir.resolve("k/color/2")));
        Path other = Files.createDirectories(dir.resolve("other"));
        Files.writeString(other.resolve("attributes.json"), "no JSON");
        Files.writeString(other.resolve("header.wkw"), "something else");
        Cli.good(with(array, "create", other + "/array"));
    }

    /** The array is complete. */
    @Test
    void rootDocument_thatCannotBeMade_isANote() throws IOException {
        String[] array = {"--shape", "4,4", "--data-type", "uint8"};
        Files.createDirectories(dir.resolve("a.n5/attributes.json"));
        Files.createDirectories(dir.resolve("b.n5"));
        LinksAndPipes.link(dir.resolve("b.n5/attributes.json"), dir.resolve("nowhere/x"));
        Files.createDirectories(dir.resolve("c.n5"));
        Files.writeString(dir.resolve("c.n5/attributes.json"), "[]");
        Files.createDirectories(dir.resolve("d.n5"));
        Files.writeString(dir.resolve("d.n5/attributes.json"), "{\"a\":1}");
        Cli.good(with(array, "create", dir.resolve("zarr").toString()));
        for (String tree : List.of("a.n5", "b.n5", "c.n5", "d.n5")) {
            String root = dir.resolve(tree).toString();
            for (Cli.Result result : List.of(
                    Cli.run(with(array, "create", "n5:" + root + "/array")),
                    Cli.run("copy", dir.resolve("zarr").toString(), "n5:" + root + "/copy"),
                    Cli.run("group", "n5:" + root + "/group"))) {
                assertEquals(0, result.status(), result.err());
                assertTrue(
                        result.err().startsWith("shardkit: note: the ")
                                && result.err().contains(root),
                        result.err());
                assertEquals(result.err().trim().lines().count(), 1, result.err());
            }
            Cli.good("info", "n5:" + root + "/array");
            Cli.good("info", "n5:" + root + "/copy");
        }
    }
}
