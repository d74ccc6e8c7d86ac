package dev.shardkit.it.formats;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.shardkit.NdArray;
import dev.shardkit.Zarr;
import dev.shardkit.ZarrArray;
import dev.shardkit.ZarrOptions;
import dev.shardkit.it.Samples;
import dev.shardkit.it.UnpackedSamples;
import dev.shardkit.maintenance.check.Verification;
import dev.shardkit.maintenance.copy.Copy;
import dev.shardkit.spi.array.Box;
import dev.shardkit.spi.array.Shapes;
import dev.shardkit.spi.error.CorruptDataException;
import dev.shardkit.spi.error.MetadataException;
import dev.shardkit.spi.error.UnsupportedException;
import dev.shardkit.spi.error.ZarrException;
import dev.shardkit.store.Store;
import dev.shardkit.testing.StampedFiles;
import dev.shardkit.testkit.server.RangeServer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Data that the library of webknossos-wrap wrote ({@code tools/make_wkw.py}): read, written, copied, damaged. */
@Timeout(240)
class WkwTest extends UnpackedSamples {
    private static final ZarrOptions OPTIONS = ZarrOptions.defaults();

    WkwTest() {
        super("wkw.zip");
    }

    private ZarrArray open(String name) {
        return Zarr.openArray(root.resolve(name).toString());
    }

    @Test
    void everyTypeAndBlockType_isRead_inAnyRegion() throws IOException {
        assertEquals(16, foldersWith("header.wkw").size());
        for (String name : foldersWith("header.wkw")) {
            try (ZarrArray array = open(name)) {
                assertEquals(Optional.of("wkw"), array.nodeFormat());
                Samples.check(array, expected(name), name);
                assertTrue(array.isSharded());
                Verification.Summary summary = Verification.of(array).run(finding -> {});
                assertEquals(0, summary.errors(), name);
            }
        }
    }

    @Test
    void elements_areWritten_alsoWhereAFileIsMissing() throws IOException {
        for (String name : foldersWith("header.wkw")) {
            try (ZarrArray array = open(name)) {
                byte[] model = expected(name);
                int size = array.dataType().elementSize().orElseThrow();
                long[] shape = array.shape();
                Box box = Box.of(new long[] {0, 5, 6, 3}, new long[] {shape[0], 7, 9, 8});
                NdArray other = array.read(Box.of(new long[4], box.shape()));
                array.write(box, other);
                byte[] written = Samples.bytes(other);
                for (int i = 0; i < box.count(); i++) {
                    System.arraycopy(written, i * size, model, (int) Shapes.ravel(box.at(i), shape) * size, size);
                }
                Samples.check(array, model, name);
            }
        }
    }

    @Test
    void copy_isZarrV3_withTheSameBlocks() throws IOException {
        for (String name : List.of("blocks/raw", "channels/lz4")) {
            Path target = folder.resolve("copy").resolve(name);
            try (ZarrArray array = open(name);
                    Store to = Zarr.openStore(target.toString(), OPTIONS)) {
                Copy.of(array).to(to, OPTIONS);
                try (ZarrArray copied = Zarr.openArray(target.toString())) {
                    assertEquals(Optional.empty(), copied.nodeFormat());
                    assertArrayEquals(array.chunkShape(), copied.chunkShape());
                    assertFalse(copied.metadata().codecs().json().toString().contains("wkw"));
                    Samples.check(copied, expected(name), name);
                }
            }
        }
    }

    @Test
    void overHttp_theLocationStatesTheShape() throws IOException {
        try (RangeServer server = RangeServer.over(root.resolve("blocks/lz4"));
                ZarrArray local = open("blocks/lz4")) {
            String url = "wkw:" + server.uri().resolve("/");
            ZarrException e = assertThrows(UnsupportedException.class, () -> Zarr.openArray(url));
            assertTrue(e.getMessage().contains("wkw:URL#shape="), e.getMessage());
            server.clearLog();
            try (ZarrArray array = Zarr.openArray(url + shape(local.shape()))) {
                Samples.check(array, expected("blocks/lz4"), url);
            }
            long[] part = local.shape();
            part[1] -= 3;
            try (ZarrArray array = Zarr.openArray(url + shape(part))) {
                assertArrayEquals(
                        Samples.bytes(local.read(Box.of(part))),
                        Samples.bytes(array.read()),
                        "a part of the last cube");
            }
            String channels = url + "#shape=5,8,8,8";
            says(MetadataException.class, channels, "with 1 channels");
            says(MetadataException.class, url + "#shape=1,8,8", "a shape of channel, x, y, z");
            says(IllegalArgumentException.class, url + "#shape=1,8,-8,8", "expected lengths after #shape=");
            says(IllegalArgumentException.class, "n5:" + root + "#shape=8", "its documents hold the shape");
        }
    }

    private static String shape(long[] shape) {
        return "#shape="
                + Arrays.stream(shape).mapToObj(Long::toString).collect(java.util.stream.Collectors.joining(","));
    }

    private static void says(Class<? extends RuntimeException> type, String location, String text) {
        RuntimeException e = assertThrows(type, () -> Zarr.openArray(location));
        assertTrue(e.getMessage().contains(text), e.getMessage());
    }

    @Test
    void aStatedShape_hasRoomForMoreCubes() {
        String location = "wkw:" + root.resolve("blocks/raw");
        long[] larger;
        try (ZarrArray array = Zarr.openArray(location)) {
            larger = array.shape();
        }
        larger[3] += 100;
        Box far = Box.of(new long[] {0, 1, 2, larger[3] - 4}, new long[] {larger[0], 3, 3, 4});
        try (ZarrArray array = Zarr.openArray(location + shape(larger))) {
            array.write(far, array.read(Box.of(new long[4], far.shape())));
        }
        try (ZarrArray array = Zarr.openArray(location)) {
            assertTrue(array.shape()[3] >= larger[3], () -> Arrays.toString(array.shape()));
            assertArrayEquals(
                    Samples.bytes(array.read(Box.of(new long[4], far.shape()))), Samples.bytes(array.read(far)));
        }
    }

    /** Headers, tables and blocks with changed bytes: a declared error, or elements; never another error. */
    @Test
    void damagedCubes_areDeclaredErrors() throws IOException {
        long seed = 9;
        Random random = new Random(seed);
        int refused = 0;
        for (String name : List.of("blocks/raw", "blocks/lz4", "channels/lz4hc")) {
            Path cube = root.resolve(name).resolve("z0/y0/x1.wkw");
            byte[] good = Files.readAllBytes(cube);
            for (int i = 0; i < 80; i++) {
                byte[] bad = i % 4 == 3 ? Arrays.copyOf(good, random.nextInt(good.length)) : good.clone();
                for (int k = 0; k <= i % 3 && bad.length > 0; k++) {
                    bad[random.nextInt(i % 2 == 0 ? Math.min(bad.length, 48) : bad.length)] = (byte) random.nextInt();
                }
                StampedFiles.write(cube, bad);
                try (ZarrArray array = open(name)) {
                    array.read();
                } catch (CorruptDataException e) {
                    refused++;
                }
            }
        }
        assertTrue(refused > 80, "seed " + seed + ": " + refused);
    }
}
