package dev.shardkit.it.remote;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.shardkit.ArraySpec;
import dev.shardkit.Codecs;
import dev.shardkit.IfExists;
import dev.shardkit.Zarr;
import dev.shardkit.ZarrArray;
import dev.shardkit.ZarrGroup;
import dev.shardkit.ZarrOptions;
import dev.shardkit.maintenance.copy.Copy;
import dev.shardkit.maintenance.publish.AllOrNothing;
import dev.shardkit.ome.pyramid.Pyramid;
import dev.shardkit.spi.error.ZarrException;
import dev.shardkit.spi.json.Json;
import dev.shardkit.store.Commits;
import dev.shardkit.store.Store;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Work that fails in an archive leaves the old archive, or no archive. */
class ArchiveFailuresTest {
    private static final ZarrOptions OPTIONS = ZarrOptions.defaults();

    @TempDir
    private Path folder;

    private Path archive;

    @BeforeEach
    void damagedSource() throws IOException {
        String source = folder.resolve("bad").toString();
        try (ZarrArray array = Zarr.createArray(
                source,
                ArraySpec.of("int32", 64, 64)
                        .withChunkShape(16, 16)
                        .withShardShape(32, 32)
                        .withCodecs(Codecs.bytesLittleEndian()))) {
            array.write(array.domain(), IntStream.range(1, 64 * 64 + 1).toArray(), 0);
        }
        Path shard = folder.resolve("bad/c/1/1");
        Files.write(shard, Arrays.copyOf(Files.readAllBytes(shard), 100));
        archive = Files.createDirectory(folder.resolve("archives")).resolve("a.zip");
    }

    private List<Path> files() throws IOException {
        try (Stream<Path> all = Files.list(archive.getParent())) {
            return all.toList();
        }
    }

    /** Fails to make a node of the damaged array in the archive. */
    private void fail(Consumer<Store> work) {
        try (Store store = Zarr.openStore(archive.toString(), OPTIONS)) {
            assertThrows(ZarrException.class, () -> work.accept(store));
        }
    }

    private void assertOldArchiveStays(Making making) throws IOException {
        try (ZarrArray array = Zarr.openArray(folder.resolve("bad").toString())) {
            fail(store -> making.make(array, store));
            assertEquals(List.of(), files(), "there was no archive before");
            try (ZarrArray old = Zarr.createArray(archive.toString(), ArraySpec.of("int8", 4))) {
                old.write(old.domain(), new byte[] {1, 2, 3, 4}, 0);
            }
            byte[] before = Files.readAllBytes(archive);
            fail(store -> making.make(array, store));
            assertArrayEquals(before, Files.readAllBytes(archive));
            assertEquals(List.of(archive), files());
        }
    }

    private interface Making {
        void make(ZarrArray array, Store store);
    }

    @Test
    void failedCopy() throws IOException {
        assertOldArchiveStays((array, store) ->
                Copy.of(array).withChunkShape(8, 8).overwriting().to(store, OPTIONS));
    }

    @Test
    void failedPyramid() throws IOException {
        assertOldArchiveStays((array, store) -> Pyramid.of(array).overwriting().to(store, OPTIONS));
    }

    @Test
    void copy_isPublishedAtItsEnd() throws IOException {
        try (ZarrArray one = Zarr.createArray(folder.resolve("one").toString(), ArraySpec.of("int8", 4));
                Store store = Zarr.openStore(archive.toString(), OPTIONS)) {
            one.write(one.domain(), new byte[] {1, 2, 3, 4}, 0);
            Copy.of(one).to(store, OPTIONS);
            try (ZarrArray copied = Zarr.openArray(archive.toString())) {
                assertArrayEquals(new byte[] {1, 2, 3, 4}, copied.read().bytes());
            }
        }
    }

    /** A report of a change that was discarded would be wrong. */
    @Test
    void reports_arePassedOnWhenTheChangesArePublished() {
        Zarr.createGroup(archive.toString(), Json.object(), IfExists.REFUSE, OPTIONS)
                .close();
        List<String> told = new ArrayList<>();
        IllegalStateException own = new IllegalStateException();
        try (ZarrGroup group = Zarr.openGroup(archive.toString(), OPTIONS)) {
            assertThrows(
                    IllegalStateException.class,
                    () -> AllOrNothing.<String, Object, RuntimeException>run(group, told::add, reports -> {
                        reports.accept("changed a");
                        throw own;
                    }));
            assertEquals(List.of(), told);
            AllOrNothing.<String, Object, RuntimeException>run(group, told::add, reports -> {
                reports.accept("changed b");
                assertEquals(List.of(), told);
                return group;
            });
        }
        assertEquals(List.of("changed b"), told);
    }

    @Test
    void changesBefore_areLeftToTheirOwner() throws IOException {
        try (Store store = Zarr.openStore(archive.toString(), OPTIONS)) {
            Zarr.createGroup(store, "g", Json.object(), IfExists.REFUSE, OPTIONS);
            IllegalStateException own = new IllegalStateException();
            assertThrows(
                    IllegalStateException.class,
                    () -> AllOrNothing.<Object, RuntimeException>run(store, () -> {
                        throw own;
                    }));
            assertTrue(store.find(Commits.class).orElseThrow().hasChanges());
            assertEquals(List.of(), files(), "nothing is published, and a document is kept in memory");
        }
        assertEquals(List.of(archive), files());
    }
}
