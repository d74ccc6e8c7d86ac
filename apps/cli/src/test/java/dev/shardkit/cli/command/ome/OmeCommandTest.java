package dev.shardkit.cli.command.ome;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.shardkit.ArraySpec;
import dev.shardkit.Zarr;
import dev.shardkit.ZarrArray;
import dev.shardkit.cli.Cli;
import dev.shardkit.cli.option.ChildLocation;
import dev.shardkit.cli.print.UsageException;
import dev.shardkit.ome.OmeImage;
import dev.shardkit.spi.json.Json;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code pyramid} and {@code ome}. */
@Tag("one-jdk")
class OmeCommandTest {
    @TempDir
    Path dir;

    private String source = "";
    private String target = "";

    @BeforeEach
    void array() {
        source = dir.resolve("a.zarr").toString();
        target = dir.resolve("a.ome.zarr").toString();
        try (ZarrArray array =
                Zarr.createArray(source, ArraySpec.of("uint8", 2, 16, 16).withChunkShape(1, 4, 4))) {
            byte[] values = new byte[512];
            for (int i = 0; i < values.length; i++) {
                values[i] = (byte) (i % 16 / 8);
            }
            array.write(array.domain(), values, 0);
        }
    }

    @Test
    void labelsOfAnImage_areListedAndValid() throws IOException {
        for (String version : List.of("0.5", "0.4")) {
            String image = dir.resolve("image-" + version).toString();
            Cli.good("pyramid", source, image, "--axes", "c,y,x", "--levels", "2", "--ome-version", version);
            for (String name : List.of("cells", "nuclei", "cells")) {
                Cli.good(
                        "pyramid",
                        source,
                        image + "/labels/" + name,
                        "--axes",
                        "c,y,x",
                        "--ome-version",
                        version,
                        "--overwrite");
            }
            assertEquals(
                    "0 errors, 0 warnings",
                    Cli.good("ome", "validate", image).out().strip());
            try (OmeImage opened = OmeImage.open(image);
                    OmeImage cells = opened.label("cells")) {
                assertEquals(List.of("cells", "nuclei"), opened.labelNames());
                assertEquals(2, cells.levels().size());
                assertEquals("mode", cells.multiscale().type().orElseThrow());
                assertEquals("../../", cells.imageLabel().orElseThrow().source().orElseThrow());
            }
        }
    }

    /** The mean of two codes is the code of something else. */
    @Test
    void codes_keepTheMostFrequent() {
        String codes = target + "-codes";
        ArraySpec spec = ArraySpec.of("uint8", 2, 4)
                .withAttributes(Json.object()
                        .with("flag_values", Json.of(List.of(0, 5, 10)))
                        .with("valid_max", Json.of(10)));
        try (ZarrArray array = Zarr.createArray(codes, spec)) {
            array.write(array.domain(), new byte[] {0, 0, 10, 10, 0, 10, 10, 10}, 0);
        }
        Cli.Result made = Cli.run("pyramid", codes, target, "--axes", "y,x", "--levels", "2");
        assertTrue(made.err().contains("are codes (flag_values)"), made.err());
        assertArrayEquals(
                new byte[] {0, 10}, Zarr.openArray(target + "/1").read().bytes());
        Cli.Result mean =
                Cli.run("pyramid", codes, target + "-mean", "--axes", "y,x", "--levels", "2", "--reducer", "mean");
        assertTrue(mean.err().contains("valid_max"), mean.err());
        assertFalse(mean.err().contains("are codes"), mean.err());
    }

    /** Floating-point numbers cannot be counted, so codes in them keep the element in the middle. */
    @Test
    void codesInFloats_keepTheMiddle() {
        String codes = target + "-codes";
        ArraySpec spec = ArraySpec.of("float32", 2, 4)
                .withAttributes(Json.object().with("flag_values", Json.of(List.of(0, 5, 10))));
        try (ZarrArray array = Zarr.createArray(codes, spec)) {
            array.write(array.domain(), new float[] {0, 0, 10, 10, 5, 10, 10, 10}, 0);
        }
        Cli.Result made = Cli.run("pyramid", codes, target, "--axes", "y,x", "--levels", "2");
        assertTrue(made.err().contains("the middle one stays"), made.err());
        assertArrayEquals(
                new float[] {0, 10}, Zarr.openArray(target + "/1").read().floats());
    }

    @Test
    void unitsOfAllAxes_areSet() {
        Cli.good("pyramid", source, target, "--axes", "t,y,x", "--unit", "micrometer,t=second");
        assertEquals(List.of("second", "micrometer", "micrometer"), units(target));
        Cli.bad(2, "AXIS=UNIT", "pyramid", source, target + "2", "--axes", "t,y,x", "--unit", "q=second");
    }

    @Test
    void levelOfAnImage_givesTheNewImageItsAxesPixelSizesAndChannels() throws IOException {
        for (String version : List.of("0.4", "0.5")) {
            String image = dir.resolve("image-" + version).toString();
            Cli.good(
                    "pyramid",
                    source,
                    image,
                    "--axes",
                    "c,y,x",
                    "--unit",
                    "micrometer",
                    "--pixel-size",
                    "1,0.5,0.25",
                    "--levels",
                    "2",
                    "--ome-version",
                    version);
            Path attributes = Path.of(image, version.equals("0.4") ? ".zattrs" : "zarr.json");
            String omero = "\"omero\":{\"version\":\"0.4\",\"id\":7,\"channels\":["
                    + "{\"label\":\"DAPI\",\"color\":\"0000FF\",\"window\":{\"start\":0,\"end\":9,\"min\":0,\"max\":255}},"
                    + "{\"label\":\"GFP\",\"color\":\"00FF00\",\"window\":{\"start\":0,\"end\":9,\"min\":0,\"max\":255}}]},";
            Files.writeString(
                    attributes,
                    Files.readString(attributes).replaceFirst("\"multiscales\"", omero + "\"multiscales\""));
            String made = dir.resolve("made-" + version).toString();
            Cli.Result result = Cli.run("pyramid", image + "/1", made, "--levels", "2");
            assertEquals(0, result.status(), result.err());
            assertTrue(result.err().contains("is level 1 of the image " + image), result.err());
            assertTrue(result.err().contains("axes, units and pixel sizes, channels (omero)"), result.err());
            try (OmeImage opened = OmeImage.open(made);
                    OmeImage from = OmeImage.open(image)) {
                assertEquals(from.axes(), opened.axes());
                assertArrayEquals(new double[] {1, 1, 0.5}, opened.level(0).scale());
                assertArrayEquals(new double[] {0, 0.25, 0.125}, opened.level(0).translation());
                assertArrayEquals(new double[] {0, 0.75, 0.375}, opened.level(1).translation());
                assertEquals(
                        List.of("DAPI", "GFP"),
                        opened.metadata().omero().orElseThrow().channels().stream()
                                .map(channel -> channel.label().orElseThrow())
                                .toList());
            }
            assertEquals(
                    "0 errors, 0 warnings",
                    Cli.good("ome", "validate", made).out().strip());

            result = Cli.run("pyramid", image + "/1", made + "-other", "--unit", "nanometer", "--pixel-size", "1,2,3");
            assertEquals(0, result.status(), result.err());
            try (OmeImage opened = OmeImage.open(made + "-other")) {
                assertArrayEquals(new double[] {1, 2, 3}, opened.level(0).scale());
                assertArrayEquals(new double[3], opened.level(0).translation());
                assertTrue(opened.metadata().omero().isPresent());
            }
            assertEquals(List.of("", "nanometer", "nanometer"), units(made + "-other"));

            Cli.bad(2, "give " + image + "/0", "pyramid", image, made + "-group");
        }
        Cli.Result plain = Cli.good("pyramid", source, target, "--axes", "c,y,x");
        assertFalse(plain.err().contains("taken over"), plain.err());
    }

    @Test
    void imageOfZarrV2_inZarrV3_isUpgraded() {
        String image = dir.resolve("image").toString();
        Cli.good("pyramid", source, image, "--axes", "c,y,x", "--levels", "2", "--ome-version", "0.4");
        Cli.good("pyramid", source, image + "/labels/cells", "--axes", "c,y,x");
        Cli.bad(1, "stored in Zarr v2", "ome", "upgrade", image);
        String made = dir.resolve("made").toString();
        for (List<String> convert : List.of(
                List.of("copy", image, made + "0"),
                List.of("convert", image, made + "1"),
                List.of("convert", image, "--to", made + "2"),
                List.of("convert", image))) {
            String target = convert.get(convert.size() - 1);
            Cli.Result result = Cli.run(convert.toArray(String[]::new));
            assertEquals(0, result.status(), result.err());
            String advice = "shardkit ome upgrade " + target;
            assertEquals(result.err().indexOf(advice), result.err().lastIndexOf(advice), result.err());
            assertTrue(result.err().contains(advice), result.err());
            assertEquals(1, Cli.run("ome", "validate", target).status());
            assertEquals(
                    "3 groups upgraded to OME-Zarr 0.5",
                    Cli.good("ome", "upgrade", target).out().strip());
            assertEquals(
                    "0 errors, 0 warnings",
                    Cli.good("ome", "validate", target).out().strip());
            assertEquals(
                    "{\"groups\":0}",
                    Cli.good("ome", "upgrade", target, "--json").out().replaceAll("\\s", ""));
        }
        Cli.good("copy", made + "0", made + "3"); // has no metadata of 0.4 any more
    }

    private static List<String> units(String image) {
        try (OmeImage opened = OmeImage.open(image)) {
            return opened.axes().stream().map(axis -> axis.unit().orElse("")).toList();
        }
    }

    @Test
    void pyramid_isMadeAndShown() {
        String axes = "c,y,x";
        String made = Cli.good(
                        "pyramid",
                        source,
                        target,
                        "--axes",
                        axes,
                        "--pixel-size",
                        "1,0.5,0.5",
                        "--unit",
                        "micrometer",
                        "--name",
                        "n",
                        "--json")
                .out();
        assertEquals("{\"levels\":3,\"made\":3}", made.replaceAll("\\s", ""));
        String info = Cli.good("ome", "info", target).out();
        assertTrue(info.contains("levels: path 2, shape [2, 4, 4], data_type uint8, pixel_size [1.0, 2.0, 2.0]"), info);
        assertTrue(info.contains("axes: name y, type space, unit micrometer"), info);
        assertEquals(
                "0 errors, 0 warnings\n",
                Cli.good("ome", "validate", target, "--strict").out());
        Cli.bad(1, "already holds", "pyramid", source, target, "--axes", axes);
        Cli.good(
                "pyramid",
                source,
                target,
                "--axes",
                axes,
                "--overwrite",
                "--labels",
                "--levels",
                "2",
                "--factors",
                "1,2,4",
                "--chunk-shape",
                "1,8,8",
                "--shard-shape",
                "2,16,16",
                "--codecs",
                "gzip:1");
        try (OmeImage image = OmeImage.open(target)) {
            assertTrue(image.imageLabel().isPresent());
            assertEquals("mode", image.multiscale().type().orElseThrow());
            assertEquals(1, image.level(1).array().read().longAt(1, 7, 3));
        }
    }

    @Test
    void wrongUse_isNamed() {
        Cli.bad(2, "expected 3 axes, one for each dimension, found 2", "pyramid", source, target, "--axes", "y,x");
        Cli.bad(
                2,
                "name the axes of the array, such as t,c,z,y,x (--axes",
                "pyramid",
                source,
                target,
                "--axes",
                "a,b,c");
        Cli.bad(2, "--reducer", "pyramid", source, target, "--reducer", "average");
        Cli.bad(2, "overlap", "pyramid", source, source + "/x");
        Cli.bad(2, "--strict", "ome", "info", source, "--strict");
    }

    @Test
    void zarrV2_isWritten() {
        Cli.good("pyramid", source, target, "--axes", "c,y,x", "--ome-version", "0.4");
        assertTrue(Files.exists(Path.of(target, "2/.zarray")));
        Cli.good("ome", "validate", target);
        Cli.bad(2, "0.4 or 0.5", "pyramid", source, target, "--ome-version", "1");
        Cli.bad(2, "no shards", "pyramid", source, target, "--ome-version", "0.4", "--shard-shape", "1,16,16");
    }

    @Test
    void withoutTarget_levelsAreWrittenBeside() throws IOException {
        Cli.bad(2, "there is no group at " + dir, "pyramid", source, "--axes", "c,y,x");
        assertFalse(Files.exists(dir.resolve("zarr.json")));
        String group = dir.resolve("g").toString();
        Cli.good("group", group);
        Cli.good("copy", source, group + "/0");
        Cli.bad(2, "never replace", "pyramid", group + "/0", "--overwrite");
        assertEquals(
                "3 levels, 2 of them made now\n",
                Cli.good("pyramid", group + "/0", "--axes", "c,y,x").out());
        assertEquals(
                "0 errors, 0 warnings\n", Cli.good("ome", "validate", group).out());
        Cli.bad(1, "has OME-Zarr metadata already", "pyramid", group + "/0", "--axes", "c,y,x");
    }

    @Test
    void childNodes_areSplit() {
        for (List<String> split : List.of(
                List.of("a/b/0/", "a/b", "0"),
                List.of("0", ".", "0"),
                List.of("/0", "/", "0"),
                List.of("s3://bucket/a%20b", "s3://bucket", "a b"),
                List.of("zip:a.zip!0", "zip:a.zip!", "0"),
                List.of("a%20b/c%20d", "a%20b", "c%20d"))) {
            assertEquals(new ChildLocation(split.get(1), split.get(2)), ChildLocation.split(split.get(0)));
        }
        for (String root : List.of("s3://bucket", ".", "a/..", "/", "https://h/a?b=/c", "memory:x")) {
            assertThrows(UsageException.class, () -> ChildLocation.split(root), root);
        }
    }

    @Test
    void findings_areShown() throws IOException {
        Cli.good("pyramid", source, target, "--axes", "c,y,x");
        Path document = Path.of(target, "zarr.json");
        Files.writeString(document, Files.readString(document).replace("\"path\": \"1\"", "\"path\": \"7\""));
        assertTrue(Files.readString(document).contains("\"path\": \"7\""));
        String out = Cli.run("ome", "validate", target).out();
        assertTrue(out.contains("error: ") && out.contains("datasets[1].path: expected the path of a node"), out);
        assertEquals(1, Cli.run("ome", "validate", target).status());
        Cli.good("ome", "validate", target, "--metadata-only");
        Path attributes = Files.writeString(dir.resolve("a.json"), "{\"ome\": {\"version\": \"0.5\", \"well\": {}}}");
        String json =
                Cli.run("ome", "validate", attributes.toString(), "--json").out();
        assertEquals(
                "{\"valid\":false,\"findings\":[{\"severity\":\"error\",\"node\":\""
                        + attributes.toString().replace("\\", "\\\\")
                        + "\",\"member\":\"well.images\",\"expected\":\"anarray\",\"found\":\"nothing\"}]}",
                json.replaceAll("\\s", ""));
        assertEquals(1, Cli.run("ome", "validate", source).status());
    }

    @Test
    void labels_areIntegers_ofAnImageThatExists() throws IOException {
        String image = dir.resolve("i").toString();
        for (String type : List.of("uint8", "float32")) {
            Cli.good("create", dir.resolve(type).toString(), "--shape", "64,64", "--data-type", type);
        }
        Cli.good("pyramid", dir.resolve("uint8").toString(), image, "--axes", "y,x", "--levels", "1");
        Cli.good("group", image + "/labels", "--attributes", "{\"ome\":{\"version\":\"0.5\",\"labels\":[\"l\"]}}");
        String label = image + "/labels/l";
        Cli.good("pyramid", dir.resolve("float32").toString(), label, "--axes", "y,x", "--levels", "1");
        Cli.Result floats = Cli.run("ome", "validate", image);
        assertEquals(1, floats.status());
        assertTrue(floats.out().contains("expected an integer type, because these are labels"), floats.out());

        for (List<String> source : List.of(
                List.of("../../", "0"),
                List.of("../../../other", "0"),
                List.of("../../nope", "1"),
                List.of("/i", "1"))) {
            Cli.good(
                    "pyramid",
                    dir.resolve("uint8").toString(),
                    label,
                    "--axes",
                    "y,x",
                    "--levels",
                    "1",
                    "--labels",
                    "--overwrite");
            Path document = dir.resolve("i/labels/l/zarr.json");
            String stated = "\"image\":\"../../\"";
            String text = Files.readString(document).replaceAll("\\s", "");
            assertTrue(text.contains(stated), text);
            Files.writeString(document, text.replace(stated, "\"image\":\"" + source.get(0) + "\""));
            Cli.Result result = Cli.run("ome", "validate", image);
            assertEquals(source.get(1), String.valueOf(result.status()), result.out());
            assertEquals(result.status() == 1, result.out().contains("image-label.source.image"), result.out());
        }
    }
}
