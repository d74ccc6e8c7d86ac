package dev.shardkit.ome;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.shardkit.NdArray;
import dev.shardkit.Zarr;
import dev.shardkit.ZarrOptions;
import dev.shardkit.ome.metadata.Axis;
import dev.shardkit.ome.metadata.ImageLabel;
import dev.shardkit.ome.metadata.OmeMetadata;
import dev.shardkit.ome.metadata.OmeMetadataTest;
import dev.shardkit.ome.pyramid.Pyramid;
import dev.shardkit.store.Store;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipInputStream;
import java.util.zip.ZipOutputStream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Images and plates that ome-zarr-py and ngff-zarr wrote ({@code conformance-tests/tools/make_ome.py}). */
class OmeSamplesTest {
    @TempDir
    static Path folder;

    @BeforeAll
    static void unpack() throws IOException {
        try (InputStream in = OmeSamplesTest.class.getResourceAsStream("samples.zip");
                ZipInputStream zip = new ZipInputStream(in)) {
            for (ZipEntry entry = zip.getNextEntry(); entry != null; entry = zip.getNextEntry()) {
                Path file = folder.resolve(entry.getName());
                Files.createDirectories(file.getParent());
                Files.write(file, zip.readAllBytes());
            }
        }
    }

    private static void checkElements(OmeImage image) {
        NdArray all = image.level(0).array().read();
        long[] shape = all.shape();
        for (int c = 0; c < shape[0]; c++) {
            for (int z = 0; z < shape[1]; z++) {
                for (int y = 0; y < shape[2]; y++) {
                    for (int x = 0; x < shape[3]; x++) {
                        assertEquals(1000 * c + 100 * z + 10 * y + x, all.longAt(c, z, y, x));
                    }
                }
            }
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"ome-zarr-0.4", "ome-zarr-0.5", "ngff-zarr-0.5"})
    void images_areRead(String name) {
        try (OmeImage image = OmeImage.open(folder.resolve(name + ".ome.zarr").toString())) {
            assertEquals(
                    List.of("c", "z", "y", "x"),
                    image.axes().stream().map(Axis::name).toList());
            assertArrayEquals(new long[] {2, 4, 24, 32}, image.level(0).array().shape());
            checkElements(image);
            // Arrays of Zarr v2 have no names of dimensions; those of the axes work.
            assertEquals(
                    1203,
                    image.level(0)
                            .view()
                            .isel("c", 1)
                            .isel("z", 2)
                            .isel("y", 0)
                            .isel("x", 3)
                            .read()
                            .longAt());
            int last = image.levels().size() - 1;
            double factor = name.startsWith("ngff") ? 0.4 : 4;
            assertEquals(factor, image.level(last).pixelSize("x"), 1e-12);
            assertEquals(last, image.levelFor(factor).index());
            assertEquals(24 / (last == 1 ? 2 : 4), image.level(last).array().shape()[2]);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"0.4", "0.5"})
    void labels_areRead(String version) {
        try (OmeImage image = OmeImage.open(
                folder.resolve("ome-zarr-" + version + ".ome.zarr").toString())) {
            assertEquals(List.of("cells"), image.labelNames());
            OmeImage cells = image.label("cells");
            ImageLabel meaning = cells.imageLabel().orElseThrow();
            assertEquals(
                    Optional.of(List.of(255, 0, 0, 255)),
                    meaning.colors().get(0).rgba());
            assertEquals(1, meaning.properties().get(0).value());
            assertEquals(
                    2,
                    cells.level(0)
                            .view()
                            .isel("z", 0)
                            .isel("y", 23)
                            .isel("x", 5)
                            .read()
                            .longAt());
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"0.4", "0.5"})
    void plates_areRead(String version) {
        try (OmePlate plate =
                OmePlate.open(folder.resolve("plate-" + version + ".ome.zarr").toString())) {
            assertEquals(Optional.of("screen"), plate.plate().name());
            assertEquals(List.of("A/1", "B/2"), plate.wellPaths());
            OmeImage field = plate.well("B/2").field(0);
            checkElements(field);
            assertEquals(2, field.levels().size());
        }
    }

    /** A ZIP archive of an image ({@code .ozx}) opens like a folder. */
    @Test
    void archive_isReadAndWritten() throws IOException {
        Path archive = folder.resolve("image.ozx");
        Path root = folder.resolve("ngff-zarr-0.5.ome.zarr");
        try (ZipOutputStream zip = new ZipOutputStream(Files.newOutputStream(archive));
                Stream<Path> files = Files.walk(root)) {
            for (Path file : files.filter(Files::isRegularFile).toList()) {
                zip.putNextEntry(new ZipEntry(root.relativize(file).toString().replace('\\', '/')));
                zip.write(Files.readAllBytes(file));
            }
        }
        String made = folder.resolve("made.ozx").toString();
        try (OmeImage image = OmeImage.open(archive.toString());
                Store target = Zarr.openStore(made, ZarrOptions.defaults())) {
            checkElements(image);
            Pyramid.of(image.level(0).array()).withLevels(2).to(target, ZarrOptions.defaults());
        }
        try (OmeImage image = OmeImage.open(made)) {
            checkElements(image);
            assertArrayEquals(new long[] {2, 2, 12, 16}, image.level(1).array().shape());
        }
    }

    @Test
    void metadata_surviveARewrite() {
        for (String name : List.of("ome-zarr-0.4", "ome-zarr-0.5", "ngff-zarr-0.5")) {
            try (OmeImage image =
                    OmeImage.open(folder.resolve(name + ".ome.zarr").toString())) {
                OmeMetadata metadata = image.metadata();
                assertTrue(metadata.attributes().members().size() > 0);
                assertEquals(
                        OmeMetadataTest.normal(metadata.attributes()),
                        OmeMetadataTest.normal(
                                metadata.withMultiscales(metadata.multiscales()).attributes()));
            }
        }
    }
}
