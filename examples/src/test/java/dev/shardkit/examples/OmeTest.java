package dev.shardkit.examples;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.shardkit.ArraySpec;
import dev.shardkit.NdArray;
import dev.shardkit.Zarr;
import dev.shardkit.ZarrArray;
import dev.shardkit.ZarrGroup;
import dev.shardkit.ZarrOptions;
import dev.shardkit.ome.OmeImage;
import dev.shardkit.ome.OmeLevel;
import dev.shardkit.ome.metadata.Axis;
import dev.shardkit.ome.metadata.OmeMetadata;
import dev.shardkit.ome.pyramid.Pyramid;
import dev.shardkit.ome.pyramid.Reducer;
import dev.shardkit.ome.validation.OmeValidation;
import dev.shardkit.spi.array.Box;
import dev.shardkit.store.Store;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The Java snippets of docs/guide/ome.md. */
class OmeTest {
    @TempDir
    Path folder;

    @Test
    void ome() {
        String volume = folder.resolve("volume.zarr").toString();
        String location = folder.resolve("image.ome.zarr").toString();
        Zarr.createArray(volume, ArraySpec.of("uint16", 16, 256, 256).withChunkShape(16, 64, 64))
                .close();
        // example: pyramid
        try (ZarrArray array = Zarr.openArray(volume);
                Store target = Zarr.openStore(location, ZarrOptions.defaults())) {
            Pyramid.of(array)
                    .withAxes(List.of(
                            Axis.space("z", "micrometer"),
                            Axis.space("y", "micrometer"),
                            Axis.space("x", "micrometer")))
                    .withPixelSize(2, 0.5, 0.5)
                    .withReducer(Reducer.MEAN)
                    .to(target, ZarrOptions.defaults());
        }
        // end
        // example: read
        try (OmeImage image = OmeImage.open(location)) {
            OmeLevel level = image.levelFor(1.0); // pixels of 1 µm, or finer
            NdArray plane = level.view().isel("z", 3).read();
            Box box = level.between(new double[] {0, 10, 10}, new double[] {8, 20, 20}); // in µm
            NdArray part = level.array().read(box);
            System.out.println(level.pixelSize("x") + " µm, mean " + plane.mean() + " and " + part.mean());
        }
        // end
        // example: metadata
        try (ZarrGroup group = Zarr.openGroup(location)) {
            OmeMetadata metadata = OmeMetadata.of(group);
            OmeMetadata named = metadata.withMultiscales(
                    List.of(metadata.multiscales().get(0).withName("embryo")));
            group.replaceAttributes(named.attributes());
        }
        // end
        try (OmeImage image = OmeImage.open(location)) {
            assertEquals("embryo", image.multiscale().name().orElseThrow());
            assertArrayEquals(
                    new long[] {8, 128, 128}, image.levelFor(1.0).array().shape());
            assertEquals(List.of(), OmeValidation.of(image.group()).run());
        }
    }
}
