package dev.shardkit.it.formats;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.shardkit.NdArray;
import dev.shardkit.Zarr;
import dev.shardkit.ZarrArray;
import dev.shardkit.ZarrGroup;
import dev.shardkit.ZarrOptions;
import dev.shardkit.it.Samples;
import dev.shardkit.it.UnpackedSamples;
import dev.shardkit.maintenance.check.Verification;
import dev.shardkit.maintenance.copy.Copy;
import dev.shardkit.spi.array.Box;
import dev.shardkit.spi.error.CorruptDataException;
import dev.shardkit.spi.error.MetadataException;
import dev.shardkit.spi.error.UnsupportedException;
import dev.shardkit.spi.error.ZarrException;
import dev.shardkit.spi.json.Json;
import dev.shardkit.store.Store;
import dev.shardkit.testing.StampedFiles;
import dev.shardkit.testkit.internal.Rounds;
import dev.shardkit.testkit.server.RangeServer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Volumes that tensorstore and cloud-volume wrote ({@code tools/make_neuroglancer.py}): read, written, copied, over
 * HTTP, damaged.
 */
@Timeout(240)
@Tag("one-jdk")
class NeuroglancerTest extends UnpackedSamples {
    private static final ZarrOptions OPTIONS = ZarrOptions.defaults();
    private static final String SCALE = "8_8_40";

    NeuroglancerTest() {
        super("neuroglancer.zip");
    }

    @Test
    void everyVolume_isRead_inAnyRegion() throws IOException {
        List<String> names = foldersWith("info");
        assertEquals(27, names.size(), names::toString);
        for (String name : names) {
            try (ZarrGroup volume = Zarr.openGroup(root.resolve(name).toString())) {
                assertEquals(Optional.of("neuroglancer"), volume.nodeFormat());
                ZarrArray array = volume.array(SCALE);
                if (name.startsWith("jpeg/")) {
                    byte[] found = Samples.bytes(array.read());
                    assertTrue(difference(expected(name), found) < 1, name);
                    int most = name.equals("jpeg/gray") ? 8 : 255; // colors are converted, with rounding of their own
                    assertTrue(largestDifference(expected(name), found) <= most, name);
                } else {
                    Samples.check(array, expected(name), name);
                }
            }
        }
    }

    /** The mean difference of bytes. Decoders of JPEG may round differently. */
    private static double difference(byte[] expected, byte[] found) {
        assertEquals(expected.length, found.length);
        long sum = 0;
        for (int i = 0; i < found.length; i++) {
            sum += Math.abs((expected[i] & 0xff) - (found[i] & 0xff));
        }
        return (double) sum / found.length;
    }

    private static int largestDifference(byte[] expected, byte[] found) {
        int most = 0;
        for (int i = 0; i < found.length; i++) {
            most = Math.max(most, Math.abs((expected[i] & 0xff) - (found[i] & 0xff)));
        }
        return most;
    }

    @Test
    void scales_areChildren_andOpenByThemselves() {
        Path volume = root.resolve("cloudvolume/raw");
        try (ZarrGroup group = Zarr.openGroup(volume.toString())) {
            assertEquals(Set.of("8_8_40", "16_16_40"), group.childNames());
            Samples.check(group.array("16_16_40"), expected("cloudvolume/raw.half"), "the smaller scale");
            assertEquals(Optional.empty(), group.find("8_8_40/nothing"));
        }
        for (String prefix : List.of("", "neuroglancer:")) {
            try (ZarrArray array = Zarr.openArray(prefix + volume.resolve("16_16_40"))) {
                Samples.check(array, expected("cloudvolume/raw.half"), prefix);
                assertEquals(
                        Optional.of(Json.of(new long[] {-4, 0, 3})),
                        array.attributes().get("voxel_offset"));
            }
        }
    }

    @Test
    void offset_isTold_regionsCountFromZero() {
        try (ZarrArray array =
                Zarr.openArray(root.resolve("raw/offset").resolve(SCALE).toString())) {
            assertEquals(
                    Optional.of(Json.of(new long[] {10, -25, 3})),
                    array.attributes().get("voxel_offset"));
            assertEquals(
                    List.of("x", "y", "z", "channel"),
                    array.metadata().dimensionNames().orElseThrow().stream()
                            .map(Optional::orElseThrow)
                            .toList());
            assertArrayEquals(new long[] {37, 21, 13, 3}, array.shape());
        }
    }

    @Test
    void verification_findsNothingWrong_inAnyVolume() throws IOException {
        for (String name : foldersWith("info")) {
            try (ZarrGroup volume = Zarr.openGroup(root.resolve(name).toString())) {
                Verification.Summary summary = Verification.of(volume).run(finding -> {});
                assertEquals(0, summary.errors(), name);
                assertTrue(volume.array(SCALE).presence().count() > 0, name);
            }
        }
    }

    @Test
    void elements_areWritten_alsoInShards() throws IOException {
        for (String name : foldersWith("info")) {
            if (name.startsWith("jpeg/") || name.startsWith("cloudvolume/")) {
                continue;
            }
            try (ZarrArray array =
                    Zarr.openArray(root.resolve(name).resolve(SCALE).toString())) {
                NdArray before = array.read();
                byte[] model = Samples.bytes(before);
                int size = array.dataType().elementSize().orElseThrow();
                long[] shape = array.shape();
                Box box = Box.of(new long[] {14, 3, 5, 0}, new long[] {9, 17, 8, shape[3]});
                NdArray other = array.read(Box.of(new long[] {20, 1, 0, 0}, box.shape()));
                array.write(box, other);
                byte[] written = Samples.bytes(other);
                for (int i = 0; i < box.count(); i++) {
                    long at = dev.shardkit.spi.array.Shapes.ravel(box.at(i), shape);
                    System.arraycopy(written, i * size, model, (int) at * size, size);
                }
                Samples.check(array, model, name);
                array.erase(Box.of(shape));
                assertEquals(0, array.presence().count(), name);
            }
        }
    }

    @Test
    void compressedFilesOfCloudVolume_areNotChanged() {
        try (ZarrArray array =
                Zarr.openArray(root.resolve("cloudvolume/raw").resolve(SCALE).toString())) {
            Box box = Box.of(new long[4], new long[] {2, 2, 2, 1});
            ZarrException e = assertThrows(UnsupportedException.class, () -> array.write(box, new short[8], 0));
            assertTrue(e.getMessage().contains(".gz"), e.getMessage());
        }
    }

    @Test
    void copy_isZarrV3_ofPlainChunks() {
        for (String name : List.of("raw/gzip", "png/uint16-2", "segments/uint64", "cloudvolume/raw")) {
            Path target = folder.resolve("copy").resolve(name);
            try (ZarrGroup volume = Zarr.openGroup(root.resolve(name).toString());
                    Store to = Zarr.openStore(target.toString(), OPTIONS)) {
                Copy.of(volume).to(to, OPTIONS);
            }
            try (ZarrGroup copied = Zarr.openGroup(target.toString())) {
                assertEquals(Optional.empty(), copied.nodeFormat());
                ZarrArray array = copied.array(SCALE);
                Samples.check(array, expected(name), name);
                assertEquals("regular", array.metadata().chunkGrid().name());
                assertTrue(array.metadata().storageTransformers().isEmpty());
                assertFalse(array.metadata().codecs().json().toString().contains("neuroglancer"));
            }
        }
    }

    @Test
    void overHttp_aChunkTakesThreeRequests_thenOne() throws IOException {
        Path volume = root.resolve("raw/murmur");
        try (RangeServer server = RangeServer.over(volume)) {
            String url = server.uri().resolve("/").toString();
            assertThrows(ZarrException.class, () -> Zarr.openGroup(url));
            assertTrue(server.log().stream().noneMatch(hit -> hit.key().contains("info")), () -> "" + server.log());
            try (ZarrGroup group = Zarr.openGroup("neuroglancer:" + url)) {
                ZarrArray array = group.array(SCALE);
                server.clearLog();
                Box chunk = Box.of(new long[4], new long[] {16, 16, 8, 1});
                Samples.check(array, chunk, expected("raw/murmur"), "one chunk");
                assertEquals(3, server.log().size(), () -> "shard index, minishard index, chunk: " + server.log());
                server.clearLog();
                Samples.check(array, chunk, expected("raw/murmur"), "the same chunk");
                assertEquals(1, server.log().size(), () -> "the indexes are cached: " + server.log());
            }
        }
        try (RangeServer server = RangeServer.over(root.resolve("raw/one"))) {
            try (ZarrArray array =
                    Zarr.openArray("neuroglancer:" + server.uri().resolve("/").toString() + SCALE)) {
                server.clearLog();
                Samples.check(array, Box.of(array.shape()), expected("raw/one"), "all chunks of one shard");
                assertEquals(3, server.log().size(), () -> "chunks that are neighbours merge: " + server.log());
            }
        }
    }

    @Test
    void otherEncodings_areNamed_theOtherScalesOpen() throws IOException {
        Path info = root.resolve("raw/offset/info");
        String good = Files.readString(info);
        for (String encoding : List.of("compresso", "jxl", "zfpc", "crackle")) {
            String scale = good.substring(good.indexOf("[{") + 1, good.lastIndexOf("}]") + 1);
            Files.writeString(
                    info,
                    good.replace(
                            scale,
                            scale + ","
                                    + scale.replace("\"raw\"", "\"" + encoding + "\"")
                                            .replace(SCALE, "other")));
            try (ZarrGroup volume = Zarr.openGroup(info.getParent().toString())) {
                assertEquals(Set.of(SCALE, "other"), volume.childNames());
                Samples.check(volume.array(SCALE), expected("raw/offset"), encoding);
                ZarrException e = assertThrows(UnsupportedException.class, () -> volume.array("other"));
                assertTrue(e.getMessage().contains("\"" + encoding + "\""), e.getMessage());
            }
        }
    }

    private void assertRefused(Path info, String text, Class<? extends ZarrException> kind, String message)
            throws IOException {
        Files.writeString(info, text);
        ZarrException e =
                assertThrows(kind, () -> Zarr.openGroup(info.getParent().toString()), message);
        assertTrue(e.getMessage().contains(message), e.getMessage());
    }

    @Test
    void malformedInfo_namesFileAndMember() throws IOException {
        Path info = root.resolve("raw/identity/info");
        String good = Files.readString(info);
        Class<MetadataException> bad = MetadataException.class;
        Class<UnsupportedException> unknown = UnsupportedException.class;
        assertRefused(info, good.replace("multiscale_volume", "legacy_mesh"), unknown, "info: /@type");
        assertRefused(info, good.replace("\"uint16\"", "\"float16\""), bad, "info: /data_type");
        assertRefused(info, good.replace("[37,21,13]", "[37,21]"), bad, "info: /scales/0/size: expected 3 integers");
        assertRefused(info, good.replace("[16,16,8]", "[16,0,8]"), bad, "info: /scales/0/chunk_sizes/0/1");
        assertRefused(info, good.replace("\"8_8_40\"", "\"../x\""), unknown, "info: /scales/0/key");
        String deep = "a/".repeat(100_000) + "a"; // a group for each name would take gigabytes
        assertRefused(info, good.replace("\"8_8_40\"", "\"" + deep + "\""), unknown, "at most 16 names");
        String slashes = "/".repeat(1_000_000) + "a"; // quadratic time would be minutes
        assertRefused(info, good.replace("\"8_8_40\"", "\"" + slashes + "\""), unknown, "at most 16 names");
        assertRefused(info, good.replace("\"identity\"", "\"md5\""), unknown, "info: /scales/0/sharding/hash");
        assertRefused(
                info, good.replace("sharded_v1", "sharded_v2"), unknown, "info: /scales/0/sharding/@type: expected");
        assertRefused(info, good.replace("\"minishard_bits\":2", "\"minishard_bits\":40"), unknown, "minishard_bits");
        assertRefused(
                info,
                good.replace("\"raw\",\"key\"", "\"jpeg\",\"key\""),
                bad,
                "info: /scales/0/encoding: expected uint8 and 1 or 3 channels, found uint16 and 2");
        Files.writeString(info, good.replace("\"@type\":\"neuroglancer_multiscale_volume\",", ""));
        try (ZarrGroup volume = Zarr.openGroup(info.getParent().toString())) {
            assertEquals(Set.of(SCALE), volume.childNames(), "old documents have no type");
        }
    }

    @Test
    void twoFormatsInOneFolder_areNamed() throws IOException {
        Path volume = root.resolve("raw/offset");
        Files.writeString(volume.resolve("attributes.json"), "{\"n5\": \"4.0.0\"}");
        ZarrException e = assertThrows(MetadataException.class, () -> Zarr.openGroup(volume.toString()));
        assertTrue(e.getMessage().contains("n5 and neuroglancer"), e.getMessage());
        try (ZarrGroup group = Zarr.openGroup("neuroglancer:" + volume)) {
            assertEquals(Set.of(SCALE), group.childNames());
        }
        try (ZarrGroup group = Zarr.openGroup("n5:" + volume)) {
            assertEquals(Optional.of("n5"), group.nodeFormat());
        }
    }

    /** Indexes and chunks with changed bytes: a declared error, or elements; never another error. */
    @Test
    void damagedShardsAndChunks_areDeclaredErrors() throws IOException {
        long seed = 5;
        Random random = new Random(seed);
        int refused = 0;
        for (String name :
                List.of("raw/murmur", "raw/gzip", "png/sharded", "jpeg/gray", "segments/uint64", "cloudvolume/raw")) {
            List<Path> objects;
            try (Stream<Path> files = Files.list(root.resolve(name).resolve(SCALE))) {
                objects = files.sorted().toList();
            }
            for (int i = 0; i < Rounds.of(15); i++) {
                Path object = objects.get(random.nextInt(objects.size()));
                byte[] good = Files.readAllBytes(object);
                byte[] bad = i % 4 == 3 ? Arrays.copyOf(good, random.nextInt(good.length)) : good.clone();
                for (int k = 0; k <= i % 3 && bad.length > 0; k++) {
                    bad[random.nextInt(i % 2 == 0 ? Math.min(bad.length, 128) : bad.length)] = (byte) random.nextInt();
                }
                StampedFiles.write(object, bad);
                try (ZarrArray array =
                        Zarr.openArray(root.resolve(name).resolve(SCALE).toString())) {
                    array.read();
                } catch (CorruptDataException e) {
                    refused++;
                }
                StampedFiles.write(object, good);
            }
        }
        assertTrue(refused > Rounds.of(25), "seed " + seed + ": " + refused);
    }
}
