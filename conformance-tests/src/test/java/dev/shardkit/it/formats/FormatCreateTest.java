package dev.shardkit.it.formats;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.shardkit.ArraySpec;
import dev.shardkit.IfExists;
import dev.shardkit.NdArray;
import dev.shardkit.Zarr;
import dev.shardkit.ZarrArray;
import dev.shardkit.ZarrGroup;
import dev.shardkit.ZarrOptions;
import dev.shardkit.spi.json.Json;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** New arrays in the formats of neuroglancer and webknossos-wrap, which the location names. */
class FormatCreateTest {
    @TempDir
    Path folder;

    private String at(String format, String name) {
        return format + ":" + folder.resolve(name);
    }

    private static ArraySpec scale(long resolution, long... shape) {
        return ArraySpec.of("uint16", shape)
                .withChunkShape(16, 16, 16)
                .withAttributes(
                        Json.object().with("resolution", Json.of(new long[] {resolution, resolution, resolution})));
    }

    private static NdArray fill(ZarrArray array, int seed) {
        NdArray values = array.read();
        Random random = new Random(seed);
        for (int i = 0; i < values.shorts().length; i++) {
            values.shorts()[i] = (short) random.nextInt();
        }
        array.write(array.domain(), values);
        return values;
    }

    private static void holds(String location, NdArray values) {
        try (ZarrArray array = Zarr.openArray(location)) {
            assertArrayEquals(values.shape(), array.shape());
            assertArrayEquals(values.shorts(), array.read().shorts(), location);
        }
    }

    @Test
    void aVolume_getsScales_oneByOne() {
        String volume = at("neuroglancer", "volume");
        NdArray fine;
        NdArray coarse;
        try (ZarrArray array = Zarr.createArray(volume, scale(8, 40, 33, 20))) {
            assertEquals(Optional.of("neuroglancer"), array.nodeFormat());
            assertArrayEquals(new long[] {40, 33, 20, 1}, array.shape());
            fine = fill(array, 1);
        }
        ArraySpec sharded = scale(16, 20, 17, 10).withShardShape(32, 32, 32);
        try (ZarrArray array = Zarr.createArray(volume, sharded)) {
            assertTrue(
                    array.isSharded() || !array.metadata().storageTransformers().isEmpty());
            coarse = fill(array, 2);
        }
        holds(volume + "/8_8_8", fine);
        holds(volume + "/16_16_16", coarse);
        try (ZarrGroup group = Zarr.openGroup(volume)) {
            assertEquals(Set.of("8_8_8", "16_16_16"), group.children().keySet());
        }
        says("a key that no other scale has", volume, scale(8, 40, 33, 20));
        says("the volume's data_type \"uint16\"", volume, ArraySpec.of("uint8", 8, 8, 8));
        says("the volume's num_channels 1", volume, scale(32, 8, 8, 8, 2).withChunkShape(8, 8, 8, 2));
    }

    private static void says(String text, String location, ArraySpec spec) {
        RuntimeException e = assertThrows(RuntimeException.class, () -> Zarr.createArray(location, spec));
        assertTrue(e.getMessage().contains(text), e.getMessage());
    }

    @Test
    void cubes_areCreatedEmpty_andWrittenWhereTheLocationStatesTheirShape() {
        ArraySpec spec =
                ArraySpec.of("uint16", 60, 50, 40).withChunkShape(8, 8, 8).withShardShape(32, 32, 32);
        String location = at("wkw", "cubes");
        NdArray values;
        try (ZarrArray array = Zarr.createArray(location, spec)) {
            assertArrayEquals(new long[] {1, 60, 50, 40}, array.shape());
            assertTrue(Files.exists(folder.resolve("cubes/header.wkw")));
            values = fill(array, 3);
        }
        holds(location + "#shape=1,60,50,40", values);
        says("already exists", location, spec);
        Zarr.createArray(at("wkw", "later"), spec.withCodecs(Json.of("raw"))).close();
        try (ZarrArray array = Zarr.openArray(at("wkw", "later") + "#shape=1,60,50,40")) {
            array.write(array.domain(), values);
        }
        holds(at("wkw", "later") + "#shape=1,60,50,40", values);
    }

    @Test
    void refusedSpecifications_leaveNothing() throws IOException {
        ArraySpec spec = ArraySpec.of("uint8", 8, 8, 8);
        String location = at("neuroglancer", "refused");
        says("a fill value", location, spec.withFillValue(3));
        says("the channel being optional", location, ArraySpec.of("uint8", 8, 8));
        says("the channel being optional", location, spec.withDimensionNames("z", "y", "x"));
        says("one encoding", location, spec.withCodecs(Json.of("raw"), Json.of("gzip")));
        says("float64", at("wkw", "refused"), ArraySpec.of("complex64", 8, 8, 8));
        assertFalse(Files.exists(folder.resolve("refused")));
        RuntimeException e = assertThrows(
                IllegalArgumentException.class,
                () -> Zarr.createArray(location, spec, IfExists.OVERWRITE, ZarrOptions.defaults()));
        assertTrue(e.getMessage().contains("replaces nothing"), e.getMessage());
        Files.createDirectories(folder.resolve("used/1_1_1"));
        Files.writeString(folder.resolve("used/1_1_1/0-8_0-8_0-8"), "left");
        says("an empty place", at("neuroglancer", "used"), spec);
        Zarr.createArray(folder.resolve("zarr").toString(), spec).close();
        says("already exists", at("neuroglancer", "zarr"), spec);
    }
}
