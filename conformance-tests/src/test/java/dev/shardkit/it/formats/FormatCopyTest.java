package dev.shardkit.it.formats;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.shardkit.ArraySpec;
import dev.shardkit.NdArray;
import dev.shardkit.Zarr;
import dev.shardkit.ZarrArray;
import dev.shardkit.ZarrOptions;
import dev.shardkit.it.Samples;
import dev.shardkit.maintenance.check.Verification;
import dev.shardkit.maintenance.copy.Copy;
import dev.shardkit.maintenance.tree.Removal;
import dev.shardkit.spi.array.Box;
import dev.shardkit.spi.error.CorruptDataException;
import dev.shardkit.spi.error.MetadataException;
import dev.shardkit.spi.error.StoreException;
import dev.shardkit.spi.error.UnsupportedException;
import dev.shardkit.spi.json.Json;
import dev.shardkit.store.Store;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Copies of Zarr arrays as volumes of neuroglancer and data of webknossos-wrap. */
class FormatCopyTest {
    private static final ZarrOptions OPTIONS = ZarrOptions.defaults();

    @TempDir
    Path folder;

    /** An array of z, y, x with an offset. */
    static ZarrArray source(Path at, String type, long... shape) {
        String[] names = shape.length == 3 ? new String[] {"z", "y", "x"} : new String[] {"c", "z", "y", "x"};
        ArraySpec spec = ArraySpec.of(type, shape)
                .withChunkShape(Stream.of(names).mapToLong(n -> 10).toArray())
                .withDimensionNames(names)
                .withAttributes(Json.object()
                        .with("voxel_offset", Json.of(new long[] {5, -3, 0}))
                        .with("resolution", Json.of(new long[] {8, 8, 40})));
        ZarrArray array = Zarr.createArray(at.toString(), spec);
        NdArray numbers = array.read();
        Random random = new Random(7);
        int n = (int) numbers.count();
        if (numbers.array() instanceof short[] values) {
            for (int i = n / 3; i < n; i++) {
                values[i] = (short) random.nextInt(900);
            }
        } else if (numbers.array() instanceof byte[] values) {
            random.nextBytes(values);
        } else if (numbers.array() instanceof int[] values) {
            for (int i = n / 3; i < n; i++) {
                values[i] = random.nextInt(9);
            }
        }
        array.write(array.domain(), numbers);
        return array;
    }

    private void copy(Copy copy, String target) {
        try (Store to = Zarr.openStore(target, OPTIONS)) {
            copy.to(to, OPTIONS);
        }
    }

    private String at(String format, String name) {
        return format + ":" + folder.resolve(name);
    }

    private void check(ZarrArray from, String location, int... order) {
        try (ZarrArray opened = Zarr.openArray(location)) {
            NdArray expected = from.read().transpose(order);
            long[] shape = opened.shape();
            long[] origin = new long[shape.length];
            long[] part = shape.clone();
            for (int d = 0, e = 0; d < shape.length; d++) {
                boolean isChannel = order.length < shape.length
                        && opened.dimensionNames().orElseThrow().get(d).equals(Optional.of("channel"));
                part[d] = isChannel ? 1 : expected.shape()[e++];
            }
            assertArrayEquals(Samples.bytes(expected), Samples.bytes(opened.read(Box.of(origin, part))), location);
            assertEquals(0, Verification.of(opened).run(finding -> {}).errors(), location);
        }
    }

    @Test
    void arrays_becomeVolumes() throws IOException {
        try (ZarrArray from = source(folder.resolve("a"), "uint16", 33, 29, 41)) {
            Copy copy = Copy.of(from).withChunkShape(8, 16, 16);
            copy(copy, at("neuroglancer", "plain"));
            check(from, at("neuroglancer", "plain") + "/8_8_40", 2, 1, 0);
            copy(copy.withShardShape(16, 32, 32), at("neuroglancer", "sharded"));
            check(from, at("neuroglancer", "sharded") + "/8_8_40", 2, 1, 0);
            try (Stream<Path> files = Files.list(folder.resolve("sharded/8_8_40"))) {
                assertTrue(files.map(f -> f.getFileName().toString())
                        .filter(f -> !f.startsWith("__"))
                        .allMatch(f -> f.endsWith(".shard")));
            }
            copy(copy.withShardShape(64, 64, 64).withCodecs(Json.of("png")), at("neuroglancer", "png"));
            check(from, at("neuroglancer", "png") + "/8_8_40", 2, 1, 0);
            try (ZarrArray opened = Zarr.openArray(at("neuroglancer", "png") + "/8_8_40")) {
                assertEquals(
                        Optional.of(Json.of(new long[] {5, -3, 0})),
                        opened.attributes().get("voxel_offset"));
            }
        }
        try (ZarrArray from = source(folder.resolve("ids"), "uint32", 20, 18, 25)) {
            copy(Copy.of(from).withCodecs(Json.of("compressed_segmentation")), at("neuroglancer", "ids.out"));
            check(from, at("neuroglancer", "ids.out") + "/8_8_40", 2, 1, 0);
        }
        try (ZarrArray from = source(folder.resolve("rgb"), "uint8", 3, 12, 18, 25)) {
            copy(Copy.of(from), at("neuroglancer", "rgb.out"));
            check(from, at("neuroglancer", "rgb.out") + "/8_8_40", 3, 2, 1, 0);
        }
    }

    @Test
    void arrays_becomeCubes() {
        try (ZarrArray from = source(folder.resolve("a"), "uint16", 33, 29, 41)) {
            copy(Copy.of(from).withChunkShape(8, 8, 8).withShardShape(16, 16, 16), at("wkw", "lz4"));
            check(from, at("wkw", "lz4"), 2, 1, 0);
            copy(Copy.of(from).withCodecs(Json.of("raw")), at("wkw", "raw"));
            check(from, at("wkw", "raw"), 2, 1, 0);
        }
        try (ZarrArray from = source(folder.resolve("rgb"), "uint8", 3, 12, 18, 25)) {
            copy(Copy.of(from), at("wkw", "rgb.out"));
            check(from, at("wkw", "rgb.out"), 0, 3, 2, 1);
        }
    }

    /** The document is written last, and the place can be cleared and used again. */
    @Test
    void copyThatFails_leavesNoVolume_andIsRemovable() throws IOException {
        Path stored = folder.resolve("a");
        try (ZarrArray from = source(stored, "uint16", 33, 29, 41)) {
            Path last = stored.resolve("c/3/2/4");
            byte[] whole = Files.readAllBytes(last);
            Files.write(last, new byte[] {1, 2, 3});
            for (String format : new String[] {"neuroglancer", "wkw"}) {
                Copy copy = Copy.of(from).withChunkShape(16, 16, 16);
                assertThrows(CorruptDataException.class, () -> copy(copy, at(format, format)));
                assertFalse(Files.exists(folder.resolve(format + "/info"))
                        || Files.exists(folder.resolve(format + "/header.wkw")));
                assertThrows(StoreException.class, () -> copy(copy, at(format, format)));
                try (Store store = Zarr.openStore(folder.resolve(format).toString(), OPTIONS)) {
                    Removal.of(store).run(OPTIONS);
                }
            }
            Files.write(last, whole);
            copy(Copy.of(from), at("wkw", "wkw"));
            check(from, at("wkw", "wkw"), 2, 1, 0);
        }
    }

    @Test
    void whatAFormatLacks_isRefused_andNothingIsWritten() {
        try (ZarrArray from = source(folder.resolve("a"), "uint16", 33, 29, 41)) {
            Copy copy = Copy.of(from);
            assertThrows(
                    MetadataException.class, () -> copy(copy.withCodecs(Json.of("jpeg")), at("neuroglancer", "out")));
            assertThrows(
                    UnsupportedException.class,
                    () -> copy(copy.withCodecs(Json.of("compresso")), at("neuroglancer", "out")));
            assertThrows(MetadataException.class, () -> copy(copy.withChunkShape(8, 8, 16), at("wkw", "out")));
            assertThrows(MetadataException.class, () -> copy(copy.withChunkShape(12, 12, 12), at("wkw", "out")));
            for (long length : new long[] {0, -8, Long.MIN_VALUE}) {
                Copy none = copy.withChunkShape(length, length, length).withShardShape(16, 16, 16);
                assertThrows(MetadataException.class, () -> copy(none, at("neuroglancer", "out")));
                assertThrows(MetadataException.class, () -> copy(none, at("wkw", "out")));
            }
            assertThrows(IllegalArgumentException.class, () -> copy(copy.overwriting(), at("wkw", "out")));
            try (Store to = Zarr.openStore(at("wkw", "out"), OPTIONS)) {
                assertThrows(UnsupportedException.class, () -> copy.inParts(to, OPTIONS));
                assertThrows(UnsupportedException.class, () -> copy.missingOnlyTo(to, OPTIONS));
            }
            assertFalse(Files.exists(folder.resolve("out/info")) || Files.exists(folder.resolve("out/header.wkw")));
            copy(copy, at("wkw", "full"));
            assertThrows(StoreException.class, () -> copy(copy, at("wkw", "full")));
        }
        ArraySpec plane = ArraySpec.of("uint8", 5, 5);
        try (ZarrArray from = Zarr.createArray(folder.resolve("plane").toString(), plane)) {
            assertThrows(IllegalArgumentException.class, () -> copy(Copy.of(from), at("wkw", "out")));
        }
        ArraySpec complex = ArraySpec.of("complex64", 5, 5, 5);
        try (ZarrArray from = Zarr.createArray(folder.resolve("complex").toString(), complex)) {
            assertThrows(MetadataException.class, () -> copy(Copy.of(from), at("wkw", "out")));
            assertThrows(MetadataException.class, () -> copy(Copy.of(from), at("neuroglancer", "out")));
        }
    }
}
