package dev.shardkit.ome.pyramid;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.shardkit.ArraySpec;
import dev.shardkit.Codecs;
import dev.shardkit.IfExists;
import dev.shardkit.NdArray;
import dev.shardkit.Zarr;
import dev.shardkit.ZarrArray;
import dev.shardkit.ZarrGroup;
import dev.shardkit.ZarrOptions;
import dev.shardkit.maintenance.Mode;
import dev.shardkit.maintenance.Part;
import dev.shardkit.maintenance.Progress;
import dev.shardkit.maintenance.check.Finding;
import dev.shardkit.maintenance.check.Repair;
import dev.shardkit.maintenance.check.Verification;
import dev.shardkit.ome.OmeImage;
import dev.shardkit.ome.metadata.Axis;
import dev.shardkit.ome.metadata.OmeVersion;
import dev.shardkit.ome.validation.OmeFinding;
import dev.shardkit.ome.validation.OmeValidation;
import dev.shardkit.spi.error.StoreException;
import dev.shardkit.spi.json.Json;
import dev.shardkit.store.Store;
import dev.shardkit.store.memory.MemoryStore;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Pyramids in Zarr v2, beside their array, and those that resume within a level. */
@Tag("one-jdk")
class PyramidPlacesTest {
    private static final ZarrOptions OPTIONS = ZarrOptions.defaults();

    @TempDir
    Path dir;

    private Path folder = Path.of("");
    private Store target = MemoryStore.create();

    @BeforeEach
    void open() {
        folder = dir.resolve("image");
        target = Zarr.openStore(folder.toString(), OPTIONS);
    }

    @AfterEach
    void close() {
        target.close();
    }

    /** Element (y, x) is 100 y + x + 1. */
    private static ZarrArray filled(ZarrArray array) {
        short[] values = new short[64 * 64];
        for (int i = 0; i < values.length; i++) {
            values[i] = (short) (i / 64 * 100 + i % 64 + 1);
        }
        array.write(array.domain(), values, 0);
        return array;
    }

    private ZarrArray source() {
        return filled(Zarr.createArray(dir.resolve("a").toString(), spec()));
    }

    private static ArraySpec spec() {
        return ArraySpec.of("uint16", 64, 64).withChunkShape(8, 8);
    }

    private static Progress failing(String at, long shards) {
        return (level, done, total) -> {
            if (level.equals(at) && done >= shards) {
                throw new OutOfMemoryError("made by the test");
            }
        };
    }

    /** A sound shard is kept, even if it holds other elements; a half-written one is not. */
    @Test
    void interruptedLevel_keepsItsShards() throws IOException {
        Pyramid pyramid =
                Pyramid.of(source()).withShardShape(16, 16).withLevels(2).withReducer(Reducer.NEAREST);
        ZarrOptions alone = OPTIONS.withParallelism(1);
        for (String level : List.of("0", "1")) {
            assertThrows(OutOfMemoryError.class, () -> pyramid.withProgress(failing(level, 4))
                    .to(target, alone));
            assertFalse(Files.exists(folder.resolve(level + "/zarr.json")));
        }
        Path row = folder.resolve("1/c/0");
        assertTrue(Files.exists(row.resolve("1")), "four shards of level 1");
        Files.copy(row.resolve("0"), row.resolve("1"), StandardCopyOption.REPLACE_EXISTING);
        byte[] whole = Files.readAllBytes(folder.resolve("1/c/1/0"));
        byte[] half = new byte[whole.length]; // of the right size, as after a power failure
        System.arraycopy(whole, 0, half, 0, whole.length / 2);
        Files.write(folder.resolve("1/c/1/0"), half);
        List<Long> totals = new ArrayList<>();
        assertEquals(
                new Pyramid.Summary(2, 1),
                pyramid.withProgress((level, done, total) -> totals.add(total)).to(target, OPTIONS));
        assertEquals(4L, totals.get(0));
        try (OmeImage image = OmeImage.open(folder.toString())) {
            NdArray level = image.level(1).array().read();
            assertEquals(1, level.longAt(0, 16), "the copy of another shard");
            assertEquals(3201, level.longAt(16, 0), "written again");
            assertEquals(3233, level.longAt(16, 16));
        }
    }

    @Test
    void zarrV2_isWrittenAndResumed() throws IOException {
        Pyramid pyramid = Pyramid.of(source()).withVersion(OmeVersion.V0_4).withReducer(Reducer.NEAREST);
        assertThrows(OutOfMemoryError.class, () -> pyramid.withProgress(failing("1", 4))
                .to(target, OPTIONS.withParallelism(1)));
        assertTrue(Files.exists(folder.resolve("0/.zarray")));
        assertFalse(Files.exists(folder.resolve("1/.zarray")));
        Files.write(folder.resolve("1/0/0"), new byte[3]);
        Pyramid.Summary summary = pyramid.to(target, OPTIONS);
        assertEquals(new Pyramid.Summary(4, 3), summary);
        assertTrue(Files.exists(folder.resolve("3/0/0")), "keys with slashes");
        try (OmeImage image = OmeImage.open(folder.toString())) {
            assertEquals(OmeVersion.V0_4, image.metadata().version());
            assertEquals(
                    List.of(),
                    OmeValidation.of(image.group()).run().stream()
                            .filter(f -> f.severity() == OmeFinding.Severity.ERROR)
                            .toList());
            assertEquals(6361, image.level(0).array().read().longAt(63, 60));
            assertEquals(1, image.level(1).array().read().longAt(0, 0));
            assertEquals(5657, image.level(3).array().read().longAt(7, 7));
        }
        assertThrows(StoreException.class, () -> pyramid.to(target, OPTIONS));
        pyramid.withCodecs(Codecs.zstd(1)).overwriting().withLevels(1).to(target, OPTIONS);
        assertFalse(Files.exists(folder.resolve("1")));
        assertTrue(Files.readString(folder.resolve("0/.zarray")).contains("zstd"));
        pyramid.withCodecs(Codecs.gzip(1)).overwriting().withLevels(1).to(target, OPTIONS);
        assertEquals(1, Zarr.openArray(target, "0", OPTIONS).read().longAt(0, 0));
    }

    /** After the interrupted run, another program has made an array at the place of a level. */
    @Test
    void arrayOfAnotherProgram_isNotTakenForALevel() throws IOException {
        Pyramid pyramid = Pyramid.of(source()).withLevels(3);
        ZarrOptions alone = OPTIONS.withParallelism(1);
        assertThrows(OutOfMemoryError.class, () -> pyramid.withProgress(failing("1", 0))
                .to(target, alone));
        ArraySpec other = spec().withCodecs(Codecs.gzip(1));
        Zarr.createArray(folder.resolve("2").toString(), other).close();
        StoreException e = assertThrows(StoreException.class, () -> pyramid.to(target, OPTIONS));
        assertTrue(e.getMessage().contains("image/2") && e.getMessage().contains("shape: expected"), e.getMessage());
        Zarr.openArray(target, "2", OPTIONS).delete();
        assertEquals(3, pyramid.to(target, OPTIONS).levels());

        Pyramid old = pyramid.withVersion(OmeVersion.V0_4).overwriting();
        assertThrows(
                OutOfMemoryError.class, () -> old.withProgress(failing("1", 0)).to(target, alone));
        Path document = folder.resolve("1/.zarray");
        Files.createDirectories(document.getParent());
        Files.writeString(
                document, Files.readString(folder.resolve("0/.zarray")).replaceFirst("\\[64, ?64\\]", "[7,64]"));
        e = assertThrows(StoreException.class, () -> old.to(target, OPTIONS));
        assertTrue(e.getMessage().contains("image/1") && e.getMessage().contains("[7,64]"), e.getMessage());
        Files.delete(document);
        assertEquals(2, old.to(target, OPTIONS).newLevels());
    }

    @Test
    void zarrV2_refusesWhatItCannotDescribe() {
        Pyramid pyramid = Pyramid.of(source()).withVersion(OmeVersion.V0_4);
        assertThrows(IllegalArgumentException.class, () -> pyramid.withShardShape(8, 8)
                .to(target, OPTIONS));
        assertThrows(IllegalArgumentException.class, () -> pyramid.withCodecs(Codecs.transpose(1, 0))
                .to(target, OPTIONS));
        assertThrows(IllegalArgumentException.class, () -> pyramid.withVersion(OmeVersion.V0_6));
        assertFalse(Files.exists(folder));
    }

    /** Returns what verify and repair say about unfinished work. */
    private static List<String> named(ZarrGroup group) {
        List<String> named = unfinished(Verification.of(group));
        assertEquals(named, unfinished(Verification.of(group).withPart(new Part(1, 2))));
        assertEquals(List.of(), unfinished(Verification.of(group).withPart(new Part(2, 2))));
        Repair.of(group).run(Mode.DRY_RUN, step -> named.add(step.reason()));
        return named;
    }

    private static List<String> unfinished(Verification check) {
        List<String> found = new ArrayList<>();
        check.run(finding -> {
            if (finding.kind() == Finding.Kind.UNFINISHED) {
                found.add(finding.found());
            }
        });
        return found;
    }

    @Test
    void levelsBeside_makeTheGroupAnImage() {
        Zarr.createGroup(target, "", Json.object().with("k", Json.of(1)), IfExists.REFUSE, OPTIONS);
        ZarrArray array = filled(Zarr.createArray(target, "raw", spec(), IfExists.REFUSE, OPTIONS));
        Zarr.openGroup(target, "", OPTIONS).consolidate();
        Pyramid pyramid = Pyramid.of(array).withLevels(3).withReducer(Reducer.NEAREST);
        assertThrows(OutOfMemoryError.class, () -> pyramid.withProgress(failing("raw_1", 1))
                .addLevels(target, OPTIONS));
        ZarrGroup group = Zarr.openGroup(target, "", OPTIONS);
        assertTrue(group.attributes().get("ome").isEmpty());
        List<String> named = named(group);
        assertEquals(2, named.size(), named::toString);
        assertTrue(named.stream().allMatch(text -> text.endsWith("shardkit pyramid " + array.location())));
        assertThrows(StoreException.class, () -> pyramid.withLevels(2).addLevels(target, OPTIONS), "another command");
        assertEquals(new Pyramid.Summary(3, 2), pyramid.addLevels(target, OPTIONS));
        try (OmeImage image = OmeImage.open(folder.toString())) {
            assertEquals(
                    List.of(),
                    OmeValidation.of(image.group()).run().stream()
                            .filter(f -> f.severity() == OmeFinding.Severity.ERROR)
                            .toList());
            assertEquals(1, image.level(0).array().read().longAt(0, 0));
            assertEquals(201, image.level(1).array().read().longAt(1, 0));
            assertEquals(Json.of(1), image.group().attributes().get("k").orElseThrow());
            assertEquals(
                    List.of("raw", "raw_1", "raw_2"), List.copyOf(image.group().childNames()));
            assertTrue(image.group().array("raw").dimensionNames().isPresent(), "consolidated too");
            assertEquals(List.of(), named(image.group()));
        }
        assertThrows(StoreException.class, () -> pyramid.addLevels(target, OPTIONS), "an image already");
    }

    @Test
    void levelsBeside_takeNoPlaceOfOthers() {
        Zarr.createGroup(target, "", Json.object(), IfExists.REFUSE, OPTIONS);
        Pyramid pyramid = Pyramid.of(
                filled(Zarr.createArray(target, "0", spec().withDimensionNames("y", "x"), IfExists.REFUSE, OPTIONS)));
        Zarr.createArray(target, "2", spec(), IfExists.REFUSE, OPTIONS);
        assertThrows(StoreException.class, () -> pyramid.addLevels(target, OPTIONS));
        assertEquals(
                List.of("0", "2"),
                List.copyOf(Zarr.openGroup(target, "", OPTIONS).childNames()));
        assertThrows(IllegalArgumentException.class, () -> pyramid.overwriting().addLevels(target, OPTIONS));
        assertThrows(IllegalArgumentException.class, () -> pyramid.withVersion(OmeVersion.V0_4)
                .addLevels(target, OPTIONS));
        assertThrows(IllegalArgumentException.class, () -> pyramid.withAxes(
                        List.of(Axis.space("z", "meter"), Axis.space("x", "meter")))
                .addLevels(target, OPTIONS));
        assertThrows(IllegalArgumentException.class, () -> Pyramid.of(source()).addLevels(target, OPTIONS));
        assertEquals(new Pyramid.Summary(2, 1), pyramid.withLevels(2).addLevels(target, OPTIONS));
        assertArrayEquals(
                new long[] {32, 32}, Zarr.openArray(target, "1", OPTIONS).shape());
    }
}
