package dev.shardkit.ome.pyramid;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.shardkit.ArraySpec;
import dev.shardkit.IfExists;
import dev.shardkit.Zarr;
import dev.shardkit.ZarrArray;
import dev.shardkit.ZarrOptions;
import dev.shardkit.maintenance.SkippedElements;
import dev.shardkit.ome.OmeImage;
import dev.shardkit.ome.OmeLevel;
import dev.shardkit.ome.metadata.Axis;
import dev.shardkit.ome.metadata.AxisType;
import dev.shardkit.ome.metadata.ImageLabel;
import dev.shardkit.ome.metadata.OmeMetadata;
import dev.shardkit.ome.metadata.OmeVersion;
import dev.shardkit.ome.validation.OmeFinding;
import dev.shardkit.ome.validation.OmeValidation;
import dev.shardkit.spi.array.Box;
import dev.shardkit.spi.error.StoreException;
import dev.shardkit.spi.json.Json;
import dev.shardkit.store.Store;
import dev.shardkit.store.file.FileStore;
import dev.shardkit.store.memory.MemoryStore;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** Pyramids: elements, metadata, layouts, resuming, and what is refused. */
class PyramidTest {
    private static final ZarrOptions OPTIONS = ZarrOptions.defaults();

    private final Store target = MemoryStore.create();

    private static ZarrArray array(ArraySpec spec) {
        return Zarr.createArray(MemoryStore.create(), "", spec, IfExists.REFUSE, OPTIONS);
    }

    /** Element (c, z, y, x) is 1000 c + 100 z + 10 y + x. */
    private static ZarrArray image(long... shape) {
        ZarrArray array = array(ArraySpec.of("uint16", shape)
                .withChunkShape(1, 2, 4, 4)
                .withShardShape(1, 4, 8, 8)
                .withDimensionNames("c", "z", "y", "x"));
        short[] values = new short[(int) Box.of(shape).count()];
        for (int i = 0; i < values.length; i++) {
            long[] at = Box.of(shape).at(i);
            values[i] = (short) (1000 * at[0] + 100 * at[1] + 10 * at[2] + at[3]);
        }
        array.write(array.domain(), values, 0);
        return array;
    }

    private OmeImage open() {
        return OmeImage.open(Zarr.openGroup(target, "", OPTIONS));
    }

    @Test
    void levels_areMeansAlongSpace() {
        Pyramid.Summary summary = Pyramid.of(image(2, 4, 16, 12))
                .withPixelSize(1, 2, 0.5, 0.5)
                .withName("cells")
                .to(target, OPTIONS);
        assertEquals(new Pyramid.Summary(3, 3), summary);
        OmeImage image = open();
        assertEquals(List.of(), OmeValidation.of(image.group()).strict().run());
        assertEquals(Optional.of("cells"), image.multiscale().name());
        assertArrayEquals(new long[] {2, 2, 8, 6}, image.level(1).array().shape());
        assertArrayEquals(new long[] {2, 1, 4, 3}, image.level(2).array().shape());
        assertArrayEquals(new double[] {1, 8, 2, 2}, image.level(2).scale());
        // Blocks of 4 elements: their middle is 1.5 elements from the first.
        assertArrayEquals(new double[] {0, 3, 0.75, 0.75}, image.level(2).translation());
        assertEquals(
                1302,
                image.level(0)
                        .view()
                        .isel("c", 1)
                        .isel("z", 3)
                        .isel("y", 0)
                        .isel("x", 2)
                        .read()
                        .longAt());
        // mean of 1000 + 100 {2, 3} + 10 {4, 5} + {6, 7} = 1301.5, halves to the even one
        assertEquals(
                1302,
                image.level(1)
                        .view()
                        .isel("c", 1)
                        .isel("z", 1)
                        .isel("y", 2)
                        .isel("x", 3)
                        .read()
                        .longAt());
        assertTrue(image.level(1).array().isSharded());
        assertArrayEquals(new long[] {1, 2, 4, 4}, image.level(1).array().chunkShape());
    }

    /** Lengths that the factors do not divide: the last blocks are cut. */
    @Test
    void attributesOfTheArray_areThoseOfEachLevel() {
        for (OmeVersion version : List.of(OmeVersion.V0_5, OmeVersion.V0_4)) {
            Store store = MemoryStore.create();
            Json.Obj attributes =
                    Json.object().with("gain", new Json.Num("0.10")).with("stain", Json.of("DAPI"));
            ZarrArray source = image(1, 2, 16, 16)
                    .replaceAttributes(attributes.with("nonempty_chunks", Json.of(List.of("0/0/0/0"))));
            Pyramid.of(source).withVersion(version).withName("n").to(store, OPTIONS);
            OmeImage image = OmeImage.open(Zarr.openGroup(store, "", OPTIONS));
            assertEquals(List.of(), OmeValidation.of(image.group()).run());
            for (OmeLevel level : image.levels()) {
                assertEquals(attributes, level.array().attributes());
            }
            assertEquals(
                    List.of("c", "z", "y", "x"),
                    image.axes().stream().map(Axis::name).toList());
            assertEquals(3, image.levels().size());
        }
    }

    @Test
    void unitsOfAllAxes_areStated() {
        List<Axis> axes = List.of(Axis.time("t", "second"), Axis.channel("c"), Axis.space("y"), Axis.space("x"));
        Pyramid.of(image(1, 2, 16, 16))
                .withName("n")
                .withAxes(Axis.withUnits(axes, List.of("micrometer", "t=minute")))
                .to(target, OPTIONS);
        assertEquals(
                List.of(
                        Axis.time("t", "minute"),
                        Axis.channel("c"),
                        Axis.space("y", "micrometer"),
                        Axis.space("x", "micrometer")),
                open().axes());
        assertEquals(List.of(), OmeValidation.of(open().group()).run());
        for (String wrong : List.of("q=second", "t=", "")) {
            assertThrows(IllegalArgumentException.class, () -> Axis.withUnits(axes, List.of(wrong)));
        }
    }

    @Test
    void labelsAreListed_onceAndBesideOtherAttributes() {
        for (OmeVersion version : List.of(OmeVersion.V0_5, OmeVersion.V0_4)) {
            Store labels = MemoryStore.create();
            OmeLabels.add(labels, "cells", version, OPTIONS);
            OmeLabels.add(labels, "nuclei", version, OPTIONS);
            OmeLabels.add(labels, "cells", version, OPTIONS);
            assertEquals(
                    List.of("cells", "nuclei"),
                    OmeMetadata.of(Zarr.openGroup(labels, "", OPTIONS)).labels());
            assertEquals(
                    version, OmeMetadata.of(Zarr.openGroup(labels, "", OPTIONS)).version());
            OmeVersion other = version == OmeVersion.V0_4 ? OmeVersion.V0_5 : OmeVersion.V0_4;
            assertThrows(StoreException.class, () -> OmeLabels.add(labels, "x", other, OPTIONS));
        }
    }

    @ParameterizedTest
    @CsvSource({"'a b % ü', V0_5", "plain, V0_4"})
    void aLabelImageInAnImage_isListed(String folder, OmeVersion version, @TempDir Path dir) {
        ZarrArray source = array(ArraySpec.of("uint8", 8, 8).withChunkShape(4, 4));
        Pyramid pyramid = Pyramid.of(source)
                .withName("n")
                .withVersion(version)
                .withAxes(List.of(Axis.named("y"), Axis.named("x")))
                .withLevels(2);
        Path image = dir.resolve(folder);
        for (String path : List.of("", "labels/cells", "labels/nuclei", "other/cells")) {
            try (Store store = Zarr.openStore(image.resolve(path).toString(), OPTIONS)) {
                (path.isEmpty() ? pyramid.overwriting() : pyramid.withImageLabel(ImageLabel.ofImage("../../")))
                        .to(store, OPTIONS);
            }
        }
        try (OmeImage opened = OmeImage.open(image.toString())) {
            assertEquals(List.of("cells", "nuclei"), opened.labelNames());
        }
        assertFalse(Files.exists(image.resolve("other/zarr.json")));
        assertEquals(
                new LabelLocation(image + "/labels", "cells", 2, version),
                LabelLocation.find(image + "/labels/cells", OPTIONS).orElseThrow());
        assertEquals(Optional.empty(), LabelLocation.find(image + "/other/cells", OPTIONS));
        assertEquals(Optional.empty(), LabelLocation.find(dir + "/nix/labels/cells", OPTIONS));
    }

    @Test
    void aLabelImageMadeInParts_isListed(@TempDir Path dir) {
        ZarrArray source = array(ArraySpec.of("uint8", 8, 8).withChunkShape(4, 4));
        Pyramid pyramid = Pyramid.of(source)
                .withAxes(List.of(Axis.named("y"), Axis.named("x")))
                .withLevels(1);
        try (Store store = Zarr.openStore(dir.resolve("image").toString(), OPTIONS)) {
            pyramid.to(store, OPTIONS);
        }
        try (Store store = Zarr.openStore(dir.resolve("image/labels/cells").toString(), OPTIONS)) {
            PartedPyramid parts = pyramid.withImageLabel(ImageLabel.of()).inParts(store, OPTIONS);
            parts.begin();
            parts.write(0, 0, parts.shards(0));
            parts.publish(0);
            parts.publish();
        }
        try (OmeImage opened = OmeImage.open(dir.resolve("image").toString())) {
            assertEquals(List.of("cells"), opened.labelNames());
        }
    }

    @Test
    void oddShapes_keepTheirEnds() {
        ZarrArray source = array(ArraySpec.of("int32", 1, 5, 7).withChunkShape(1, 2, 2));
        int[] values = new int[35];
        for (int i = 0; i < 35; i++) {
            values[i] = i;
        }
        source.write(source.domain(), values, 0);
        Pyramid.of(source).withReducer(Reducer.MAX).withLevels(2).to(target, OPTIONS);
        OmeImage image = open();
        assertEquals(
                List.of("z", "y", "x"), image.axes().stream().map(Axis::name).toList());
        assertArrayEquals(
                new int[] {8, 10, 12, 13, 22, 24, 26, 27, 29, 31, 33, 34},
                image.level(1).array().read().ints());
        assertEquals(1, image.level(1).scale()[0], "an axis of one element stays");
    }

    @Test
    void labels_keepTheirValues() {
        ZarrArray source = array(ArraySpec.of("uint64", 4, 4).withChunkShape(2, 2));
        source.write(source.domain(), new long[] {7, 7, -1, -1, 0, 7, -1, 3, 5, 4, 0, 0, 4, 5, 0, 9}, 0);
        Pyramid.of(source)
                .withReducer(Reducer.MODE)
                .withImageLabel(ImageLabel.of())
                .to(target, OPTIONS);
        assertArrayEquals(
                new long[] {7, -1, 4, 0}, open().level(1).array().read().longs());
        assertTrue(open().imageLabel().isPresent());
    }

    @Test
    void factorsAndLayout_areAsAsked() {
        Pyramid.of(image(2, 4, 16, 12))
                .withFactors(2, 1, 4, 3)
                .withLevels(2)
                .withChunkShape(1, 1, 4, 4)
                .withShardShape(2, 2, 8, 8)
                .withReducer(Reducer.NEAREST)
                .to(target, OPTIONS);
        OmeLevel level = open().level(1);
        assertArrayEquals(new long[] {1, 4, 4, 4}, level.array().shape());
        assertArrayEquals(new long[] {1, 1, 4, 4}, level.array().chunkShape());
        assertEquals(
                11,
                level.view()
                        .isel("c", 0)
                        .isel("z", 0)
                        .isel("y", 0)
                        .isel("x", 0)
                        .read()
                        .longAt());
        assertArrayEquals(new double[] {0, 0, 1, 1}, level.translation());
        assertArrayEquals(new long[] {2, 2, 8, 8}, open().level(0).array().storedChunkShape());
    }

    /** Numbers of the other signedness have another order and another mean. */
    @Test
    void elementsOfTheOtherSignedness_areOnlyCopied() {
        Pyramid pyramid = Pyramid.of(array(ArraySpec.of("int8", 4, 4)
                .withChunkShape(4, 4)
                .withDimensionNames("y", "x")
                .withAttributes(Json.object().with("_Unsigned", Json.of("true")))));
        for (Reducer reducer : Reducer.values()) {
            boolean copies = reducer == Reducer.NEAREST || reducer == Reducer.MODE;
            Pyramid reduced = pyramid.withReducer(reducer);
            if (copies) {
                reduced.to(MemoryStore.create(), OPTIONS);
            } else {
                assertThrows(IllegalArgumentException.class, () -> reduced.to(target, OPTIONS));
            }
        }
    }

    /** What is complete stays, and readers find no image before it is. */
    @Test
    void interruptedRun_isResumed() {
        Pyramid pyramid = Pyramid.of(image(1, 4, 32, 32));
        assertThrows(OutOfMemoryError.class, () -> pyramid.withProgress((level, done, total) -> {
                    if (level.equals("1")) {
                        throw new OutOfMemoryError("made by the test");
                    }
                })
                .to(target, OPTIONS));
        assertTrue(Zarr.find(target, "", OPTIONS).isEmpty());
        assertTrue(Zarr.find(target, "0", OPTIONS).isPresent());
        assertFalse(Zarr.find(target, "1", OPTIONS).isPresent());
        assertThrows(StoreException.class, () -> pyramid.withLevels(2).to(target, OPTIONS), "another pyramid");
        List<String> levels = new ArrayList<>();
        Pyramid.Summary summary =
                pyramid.withProgress((level, done, total) -> levels.add(level)).to(target, OPTIONS);
        assertEquals(new Pyramid.Summary(4, 3), summary);
        assertFalse(levels.contains("0"));
        assertEquals(
                List.of(),
                OmeValidation.of(open().group()).run().stream()
                        .filter(f -> f.severity() == OmeFinding.Severity.ERROR)
                        .toList());
        assertThrows(StoreException.class, () -> pyramid.to(target, OPTIONS));
        pyramid.overwriting().withLevels(1).to(target, OPTIONS);
        assertEquals(1, open().levels().size());
    }

    /** The state of a run that is killed after the image's document, the last but one of its changes. */
    @ParameterizedTest
    @EnumSource(names = {"V0_4", "V0_5"})
    void runKilledBeforeItDeletesItsRecord_isCompleted(OmeVersion version, @TempDir Path dir) throws Exception {
        Pyramid pyramid = Pyramid.of(image(1, 4, 16, 16)).withVersion(version);
        FileStore files = FileStore.at(dir);
        byte[] record = buildRecording(pyramid, files, dir);
        Files.write(dir.resolve("__unfinished"), record);
        Pyramid.Summary summary = pyramid.to(files, OPTIONS);
        assertEquals(0, summary.newLevels());
        assertFalse(Files.exists(dir.resolve("__unfinished")));
        assertEquals(
                summary.levels(),
                OmeImage.open(Zarr.openGroup(dir.toString(), OPTIONS)).levels().size());
    }

    /** One process of several, and a single one: a group of another program is not the image. */
    @Test
    void groupOfAnotherProgram_isNotTakenForTheImage(@TempDir Path dir) throws Exception {
        Pyramid pyramid = Pyramid.of(image(1, 4, 16, 16));
        FileStore files = FileStore.at(dir);
        byte[] record = buildRecording(pyramid, files, dir);
        Path document = dir.resolve("zarr.json");
        byte[] image = Files.readAllBytes(document);
        byte[] group = "{\"zarr_format\": 3, \"node_type\": \"group\"}".getBytes(StandardCharsets.UTF_8);
        Files.write(dir.resolve("__unfinished"), record);
        Files.write(document, group);
        PartedPyramid parted = pyramid.inParts(files, OPTIONS);
        for (Executable publish : List.<Executable>of(parted::publish, () -> pyramid.to(files, OPTIONS))) {
            StoreException e = assertThrows(StoreException.class, publish);
            assertTrue(e.getMessage().contains("that this run would not write"), e.getMessage());
            assertArrayEquals(group, Files.readAllBytes(document));
            assertArrayEquals(record, Files.readAllBytes(dir.resolve("__unfinished")));
        }
        Files.delete(document);
        parted.publish();
        assertArrayEquals(image, Files.readAllBytes(document));
    }

    /** Builds the pyramid and returns the record that it had meanwhile. */
    private static byte[] buildRecording(Pyramid pyramid, FileStore files, Path dir) {
        byte[][] record = {{}};
        pyramid.withProgress((level, done, total) -> {
                    try {
                        record[0] = Files.readAllBytes(dir.resolve("__unfinished"));
                    } catch (IOException e) {
                        throw new UncheckedIOException(e);
                    }
                })
                .to(files, OPTIONS);
        return record[0];
    }

    @Test
    void wrongSettings_areRefused() {
        Pyramid pyramid = Pyramid.of(image(2, 4, 16, 12));
        assertThrows(IllegalArgumentException.class, () -> pyramid.withPixelSize(1, 1, 0, 1));
        assertThrows(IllegalArgumentException.class, () -> pyramid.withPixelSize(1, 1, Double.NaN, 1));
        assertThrows(IllegalArgumentException.class, () -> pyramid.withPixelSize(1));
        assertThrows(IllegalArgumentException.class, () -> pyramid.withFactors(1, 1, 1, 1));
        assertThrows(IllegalArgumentException.class, () -> pyramid.withFactors(0, 1, 1, 2));
        assertThrows(IllegalArgumentException.class, () -> pyramid.withLevels(0));
        List<Axis> wrong = List.of(
                Axis.space("z", "meter"),
                Axis.of("c", AxisType.Standard.CHANNEL),
                Axis.space("y", "meter"),
                Axis.space("x", "meter"));
        IllegalArgumentException e = assertThrows(
                IllegalArgumentException.class, () -> pyramid.withAxes(wrong).to(target, OPTIONS));
        assertTrue(e.getMessage().contains("axes in the order time, channel or other, space"), e.getMessage());
        ZarrArray flat = array(ArraySpec.of("uint8", 4));
        assertThrows(IllegalArgumentException.class, () -> Pyramid.of(flat));
        ZarrArray floats = array(ArraySpec.of("float32", 4, 4));
        assertThrows(
                IllegalArgumentException.class,
                () -> Pyramid.of(floats).withReducer(Reducer.MODE).to(target, OPTIONS));
        ZarrArray named = array(ArraySpec.of("float32", 4, 4).withDimensionNames("a", "b"));
        assertThrows(IllegalArgumentException.class, () -> Pyramid.of(named).to(target, OPTIONS));
        assertTrue(Zarr.find(target, "", OPTIONS).isEmpty());
    }

    /** Missing chunks of the source stay missing. */
    @Test
    void emptyChunks_areNotStored() {
        ZarrArray source =
                array(ArraySpec.of("float32", 64, 64).withChunkShape(16, 16).withFillValue(1.5));
        source.write(Box.of(new long[] {0, 0}, new long[] {1, 1}), new float[] {3}, 0);
        Pyramid.of(source).withShardShape(16, 16).to(target, OPTIONS);
        ZarrArray level = open().level(1).array();
        assertEquals(1, level.presence().count());
        assertEquals(1.875, level.read().doubleAt(0, 0));
        assertEquals(1.5, level.read().doubleAt(5, 5));
    }

    /** The means of xarray's coarsen(y=2, x=2).mean(), which skips NaN, and masks _FillValue. */
    @Test
    void missingElements_doNotCount() {
        float n = Float.NaN;
        float[] values = {1, 3, n, n, -9, 5, n, -9, 8, n, 2, 4, n, n, -9, 6};
        Json.Obj masked = Json.object().with("_FillValue", Json.of("AAAAAAAAIsA=")); // base64 of -9.0
        ArraySpec spec = ArraySpec.of("float32", 4, 4)
                .withChunkShape(4, 4)
                .withFillValue(1)
                .withAttributes(masked);
        MemoryStore store = MemoryStore.create();
        try (ZarrArray source = Zarr.createArray(store, "a", spec, IfExists.REFUSE, OPTIONS)) {
            source.write(source.domain(), values, 0);
            Map<SkippedElements, float[]> expected = Map.of(
                    SkippedElements.NONE, new float[] {0, n, n, 0.75f},
                    SkippedElements.MISSING, new float[] {3, n, 8, 4},
                    SkippedElements.FILL, new float[] {4, n, 8, 4});
            expected.forEach((skipped, means) -> {
                MemoryStore made = MemoryStore.create();
                Pyramid pyramid = Pyramid.of(source).withLevels(2);
                (skipped == SkippedElements.MISSING ? pyramid : pyramid.withSkipped(skipped)).to(made, OPTIONS);
                try (ZarrArray level = Zarr.openArray(made, "1", OPTIONS)) {
                    assertArrayEquals(means, level.read().floats(), skipped.text());
                }
            });
        }
    }

    /** As numpy.nanmin and its like, and those of masked arrays. */
    @Test
    void missingElements_doNotCount_whateverTheReducer() {
        float n = Float.NaN;
        float[] values = {1, 3, n, n, -9, 5, n, -9, 8, n, 2, 4, n, n, -9, 6};
        Json.Obj masked = Json.object().with("missing_value", Json.of(-9));
        ArraySpec spec = ArraySpec.of("float32", 4, 4).withChunkShape(4, 4).withAttributes(masked);
        MemoryStore store = MemoryStore.create();
        try (ZarrArray source = Zarr.createArray(store, "a", spec, IfExists.REFUSE, OPTIONS)) {
            source.write(source.domain(), values, 0);
            Map<Reducer, Map<SkippedElements, float[]>> expected = Map.of(
                    Reducer.MIN,
                    Map.of(
                            SkippedElements.NONE, new float[] {-9, n, n, -9},
                            SkippedElements.MISSING, new float[] {1, n, 8, 2},
                            SkippedElements.FILL, new float[] {1, n, 8, 2}),
                    Reducer.MAX,
                    Map.of(
                            SkippedElements.NONE, new float[] {5, n, n, 6},
                            SkippedElements.MISSING, new float[] {5, n, 8, 6},
                            SkippedElements.FILL, new float[] {5, n, 8, 6}),
                    Reducer.MEDIAN,
                    Map.of(
                            SkippedElements.NONE, new float[] {2, n, n, 3},
                            SkippedElements.MISSING, new float[] {3, n, 8, 4},
                            SkippedElements.FILL, new float[] {3, n, 8, 4}));
            expected.forEach((reducer, bySkipped) -> bySkipped.forEach((skipped, reduced) -> {
                MemoryStore made = MemoryStore.create();
                Pyramid.of(source)
                        .withLevels(2)
                        .withReducer(reducer)
                        .withSkipped(skipped)
                        .to(made, OPTIONS);
                try (ZarrArray level = Zarr.openArray(made, "1", OPTIONS)) {
                    assertArrayEquals(reduced, level.read().floats(), reducer.text() + " " + skipped.text());
                }
            }));
        }
    }
}
