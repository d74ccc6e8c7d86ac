package dev.shardkit.ome;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.shardkit.ArraySpec;
import dev.shardkit.IfExists;
import dev.shardkit.Zarr;
import dev.shardkit.ZarrGroup;
import dev.shardkit.ZarrOptions;
import dev.shardkit.ome.metadata.Axis;
import dev.shardkit.ome.metadata.AxisType;
import dev.shardkit.ome.metadata.CoordinateTransformation;
import dev.shardkit.ome.metadata.Dataset;
import dev.shardkit.ome.metadata.ImageLabel;
import dev.shardkit.ome.metadata.Multiscale;
import dev.shardkit.ome.metadata.OmeMetadata;
import dev.shardkit.ome.metadata.OmeMetadataTest;
import dev.shardkit.ome.metadata.OmeVersion;
import dev.shardkit.ome.metadata.Well;
import dev.shardkit.spi.array.Box;
import dev.shardkit.spi.error.MetadataException;
import dev.shardkit.spi.error.UnsupportedException;
import dev.shardkit.spi.json.Json;
import dev.shardkit.store.memory.MemoryStore;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Images and plates: levels, pixel sizes, names of axes, labels, wells, and groups that are wrong. */
class OmeImageTest {
    private static final List<Axis> AXES = List.of(
            Axis.of("c", AxisType.Standard.CHANNEL), Axis.space("y", "micrometer"), Axis.space("x", "micrometer"));

    private ZarrGroup root;

    @BeforeEach
    void group() {
        root = Zarr.createGroup(MemoryStore.create(), "", Json.object(), IfExists.REFUSE, ZarrOptions.defaults());
    }

    private static OmeMetadata image(Dataset... datasets) {
        return OmeMetadata.empty(OmeVersion.V0_5)
                .withMultiscales(List.of(Multiscale.of(AXES, List.of(datasets)).withName("n")));
    }

    private static Dataset level(int i, double... scale) {
        List<Double> factors = new ArrayList<>();
        for (double s : scale) {
            factors.add(s);
        }
        return Dataset.of(String.valueOf(i), factors, List.of(0.0, 10.0, 0.0));
    }

    private OmeImage open(OmeMetadata metadata) {
        return OmeImage.open(root.replaceAttributes(metadata.attributes()));
    }

    private void array(String path, long... shape) {
        root.createArray(path, ArraySpec.of("uint8", shape), IfExists.REFUSE).close();
    }

    @Test
    void level_isFoundByPixelSize() {
        OmeImage image = open(image(level(0, 1, 0.5, 0.25), level(1, 1, 1, 0.5), level(2, 1, 2, 1)));
        assertEquals(0, image.levelFor(0.1).index());
        assertEquals(0, image.levelFor(0.99).index());
        assertEquals(1, image.levelFor(1).index());
        assertEquals(1, image.levelFor(1.9).index());
        assertEquals(2, image.levelFor(1e300).index());
        assertThrows(IllegalArgumentException.class, () -> image.levelFor(0));
        assertThrows(IllegalArgumentException.class, () -> image.levelFor(Double.NaN));
    }

    @Test
    void elements_areReadByNamesAndByPlace() {
        array("0", 2, 6, 8);
        OmeLevel level = open(image(level(0, 1, 0.5, 0.25))).level(0);
        level.array().write(Box.of(new long[] {1, 2, 3}, new long[] {1, 1, 1}), new byte[] {7}, 0);

        assertEquals(
                7, level.view().isel("c", 1).isel("y", 2).isel("x", 3).read().longAt());
        assertEquals(0.25, level.pixelSize("x"));
        assertArrayEquals(new double[] {0, 10, 0}, level.translation());
        // y = 10 + 0.5 i, x = 0.25 j
        Box box = level.between(new double[] {1, 11, 0.5}, new double[] {1, 11.4, 100});
        assertArrayEquals(new long[] {1, 2, 2}, box.origin());
        assertArrayEquals(new long[] {1, 1, 6}, box.shape());
        Box none = level.between(new double[] {0, 100, 0}, new double[] {1, Double.POSITIVE_INFINITY, 1});
        assertEquals(0, none.shape()[1]);
        assertThrows(IllegalArgumentException.class, () -> level.pixelSize("z"));
        assertThrows(IllegalArgumentException.class, () -> level.view().withDimensionNames("a"));
    }

    /** The transformations of the image apply after those of the level. */
    @Test
    void imageTransformations_applyToAllLevels() {
        Multiscale plain = image(level(0, 1, 2, 4)).multiscales().get(0);
        Multiscale image = new Multiscale(
                plain.name(),
                plain.axes(),
                List.of(),
                plain.datasets(),
                List.of(
                        CoordinateTransformation.scale(List.of(1.0, 3.0, 0.5)),
                        CoordinateTransformation.translation(List.of(0.0, 1.0, 2.0))),
                Optional.empty(),
                Optional.empty(),
                Json.object());
        OmeLevel level = open(OmeMetadata.empty(OmeVersion.V0_5).withMultiscales(List.of(image)))
                .level(0);
        assertArrayEquals(new double[] {1, 6, 2}, level.scale());
        assertArrayEquals(new double[] {0, 31, 2}, level.translation());
    }

    @Test
    void scalesThatAreNoSizes_areRefused() {
        for (double wrong : new double[] {0, -1, -0.0}) {
            OmeImage image = open(image(level(0, 1, wrong, 1)));
            MetadataException e = assertThrows(MetadataException.class, () -> image.levelFor(1));
            assertTrue(
                    e.getMessage()
                            .contains("datasets[0].coordinateTransformations: expected a positive scale for axis y"),
                    e.getMessage());
        }
        OmeImage few = open(image(level(0, 1, 1)));
        assertThrows(MetadataException.class, () -> few.level(0).scale());
        OmeImage huge = open(image(level(0, 1, 1e200, 1e200)));
        assertEquals(1e200, huge.level(0).pixelSize("x"));
        Dataset affine =
                new Dataset("0", List.of(new CoordinateTransformation.Other("affine", Json.object())), Json.object());
        assertThrows(
                UnsupportedException.class, () -> open(image(affine)).level(0).scale());
    }

    @Test
    void levelsThatDoNotExist_areNamed() {
        OmeImage image = open(image(level(0, 1, 1, 1)));
        MetadataException e =
                assertThrows(MetadataException.class, () -> image.level(0).array());
        assertTrue(
                e.getMessage()
                        .endsWith("multiscales[0].datasets[0].path: expected the path of an array, found \"0\", "
                                + "where there is none"),
                e.getMessage());
        array("0", 4, 4);
        MetadataException rank =
                assertThrows(MetadataException.class, () -> image.level(0).array());
        assertTrue(
                rank.getMessage().contains("expected an array with 3 dimensions, one for each axis, found 2"),
                rank.getMessage());
        for (String path : List.of("../0", "/0", "", "a//b", "a/../0", "0/")) {
            OmeImage outside = open(image(Dataset.of(path, List.of(1.0, 1.0, 1.0), List.of(0.0, 0.0, 0.0))));
            assertThrows(MetadataException.class, () -> outside.level(0).array(), path);
        }
    }

    @Test
    void groupsThatAreNoImages_areRefused() {
        assertThrows(MetadataException.class, () -> OmeImage.open(root));
        assertThrows(MetadataException.class, () -> OmePlate.open(root));
        assertThrows(MetadataException.class, () -> open(OmeMetadata.empty(OmeVersion.V0_5)));
        assertThrows(
                MetadataException.class,
                () -> open(
                        OmeMetadata.empty(OmeVersion.V0_5).withMultiscales(List.of(Multiscale.of(AXES, List.of())))));
    }

    @Test
    void labels_areOpened() {
        OmeImage image = open(image(level(0, 1, 1, 1)));
        assertEquals(List.of(), image.labelNames());
        OmeMetadata labels = OmeMetadata.empty(OmeVersion.V0_5).withLabels(List.of("nuclei"));
        image.group().createGroup("labels", labels.attributes(), IfExists.REFUSE);
        image.group()
                .createGroup(
                        "labels/nuclei",
                        image(level(0, 1, 1, 1)).withImageLabel(ImageLabel.of()).attributes(),
                        IfExists.REFUSE);
        assertEquals(List.of("nuclei"), image.labelNames());
        assertTrue(image.label("nuclei").imageLabel().isPresent());
        assertFalse(image.imageLabel().isPresent());
        assertThrows(MetadataException.class, () -> image.label("cells"));
    }

    @Test
    void plate_leadsToImages() {
        OmeMetadata plate = OmeMetadataTest.metadata(OmeMetadataTest.PLATE);
        ZarrGroup group = root.replaceAttributes(plate.attributes());
        Well well = new Well(List.of(new Well.Field("0", Optional.of(3L), Json.object())), Json.object());
        group.createGroup(
                "A/2", OmeMetadata.empty(OmeVersion.V0_5).withWell(well).attributes(), IfExists.REFUSE);
        group.createGroup("A/2/0", image(level(0, 1, 1, 1)).attributes(), IfExists.REFUSE);

        OmePlate opened = OmePlate.open(group);
        assertEquals(List.of("A/2"), opened.wellPaths());
        assertEquals("n", opened.well("A/2").field(0).multiscale().name().orElseThrow());
        assertThrows(MetadataException.class, () -> opened.well("A/1"));
        assertThrows(IndexOutOfBoundsException.class, () -> opened.well("A/2").field(1));
    }
}
