package dev.shardkit;

import static dev.shardkit.testing.Values.at;
import static dev.shardkit.testing.Values.box;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.shardkit.metadata.ArrayMetadata;
import dev.shardkit.metadata.NodeMetadata;
import dev.shardkit.spi.array.Box;
import dev.shardkit.spi.error.MetadataException;
import dev.shardkit.spi.error.StoreException;
import dev.shardkit.spi.json.Json;
import dev.shardkit.store.Store;
import dev.shardkit.store.file.FileStore;
import dev.shardkit.store.http.HttpStore;
import dev.shardkit.store.memory.MemoryStore;
import dev.shardkit.testkit.server.RangeServer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.api.io.TempDir;

/** Handles that are closed, deleted, or older than what is stored. */
@Timeout(300)
class HandlesTest {
    private static final ArraySpec SPEC =
            ArraySpec.of("int32", 4, 4).withShardShape(8, 8).withChunkShape(4, 4);
    private static final Json.Obj NAMED = Json.object().with("name", Json.of("a"));

    @TempDir
    Path dir;

    private static ZarrArray open(Store store, String path) {
        return Zarr.openArray(store, path, ZarrOptions.defaults());
    }

    private static ZarrGroup group(Store store) {
        return Zarr.openGroup(store, "", ZarrOptions.defaults());
    }

    private static void refused(List<Executable> calls) {
        for (int i = 0; i < calls.size(); i++) {
            assertThrows(IllegalStateException.class, calls.get(i), "call " + i);
        }
    }

    @Test
    void closedArray_andItsViews_refuseReadsAndWrites() {
        ZarrArray array = Zarr.createArray(dir.resolve("a").toString(), SPEC);
        ZarrArray view = array.with(o -> o.withCacheBytes(0));
        SliceWriter slices = array.slices(0);
        slices.write(new int[4], 0);
        Transaction staged = array.transaction(1 << 20);
        staged.write(box(at(0, 0), 1, 1), new int[] {1}, 0);
        view.close();
        array.read();
        array.close();
        array.close();
        for (ZarrArray closed : List.of(array, view)) {
            Box all = closed.domain();
            refused(List.of(
                    closed::read,
                    () -> closed.readInto(new int[16], 0, all),
                    () -> closed.readAsync(all).join(),
                    () -> closed.write(all, new int[16], 0),
                    () -> closed.erase(all),
                    () -> closed.resize(at(2, 2), ResizePolicy.KEEP),
                    () -> closed.replaceAttributes(NAMED),
                    () -> closed.presence().count(),
                    () -> closed.chunkExists(0, 0),
                    () -> closed.innerChunks(all).count(),
                    () -> closed.slices(0),
                    closed::delete));
        }
        refused(List.of(slices::flush, staged::commit));
        assertTrue(Files.exists(dir.resolve("a/zarr.json")));
        assertArrayEquals(
                new int[16], Zarr.openArray(dir.resolve("a").toString()).read().ints());
    }

    @Test
    void closedGroup_refusesItsNodesToo_andAClosedChildNothingElse() {
        ZarrGroup root =
                Zarr.createGroup(FileStore.at(dir), "", Json.object(), IfExists.REFUSE, ZarrOptions.defaults());
        ZarrArray child = root.createArray("a", SPEC, IfExists.REFUSE);
        ZarrArray other = root.array("a");
        child.close();
        refused(List.of(child::read));
        other.read();
        assertEquals(Set.of("a"), root.childNames());
        root.close();
        root.close();
        refused(List.of(
                root::childNames,
                root::children,
                () -> root.find("a"),
                other::read,
                () -> root.createArray("b", SPEC, IfExists.REFUSE),
                () -> root.replaceAttributes(NAMED),
                root::consolidate));
        assertFalse(Files.exists(dir.resolve("b")));
    }

    @Test
    void deletedNode_isNotWrittenToAgain() {
        FileStore store = FileStore.at(dir);
        ZarrGroup root = Zarr.createGroup(store, "", Json.object(), IfExists.REFUSE, ZarrOptions.defaults());
        ZarrArray array = root.createArray("a", SPEC, IfExists.REFUSE);
        ZarrArray other = open(store, "a");
        ZarrArray wrote = open(store, "a");
        wrote.write(wrote.domain(), new int[16], 0);
        ZarrArray view = array.with(o -> o);
        SliceWriter slices = other.slices(0, SliceOptions.defaults().withGrowth(SliceOptions.Growth.GROW));
        Transaction staged = other.transaction(1 << 20);
        staged.write(other.domain(), new int[16], 0);
        array.delete();
        array.delete();
        for (ZarrArray gone : List.of(array, view)) {
            refused(List.of(
                    () -> gone.write(gone.domain(), new int[16], 0),
                    () -> gone.erase(gone.domain()),
                    () -> gone.resize(at(2, 2), ResizePolicy.REMOVE),
                    () -> gone.replaceAttributes(NAMED),
                    () -> gone.slices(0)));
        }
        for (ZarrArray gone : List.of(other, wrote)) {
            for (Executable call : List.<Executable>of(
                    () -> gone.write(gone.domain(), new int[16], 0),
                    () -> gone.erase(gone.domain()),
                    () -> gone.resize(at(2, 2), ResizePolicy.REMOVE),
                    () -> gone.replaceAttributes(NAMED),
                    () -> gone.slices(0),
                    staged::commit)) {
                assertThrows(MetadataException.class, call);
            }
        }
        slices.write(new int[4], 0);
        assertThrows(MetadataException.class, slices::flush);
        assertFalse(Files.exists(dir.resolve("a")), "nothing is made anew");
        ZarrArray anew = root.createArray("a", SPEC.withFillValue(3), IfExists.REFUSE);
        anew.write(anew.domain(), new int[16], 0);
        root.delete();
        refused(List.of(
                () -> anew.write(anew.domain(), new int[16], 0), () -> root.createGroup("g", NAMED, IfExists.REFUSE)));
    }

    @Test
    void arrayThatTookAnothersPlace_isNotWrittenToByOldHandles() {
        MemoryStore store = MemoryStore.create();
        ZarrArray old = Zarr.createArray(store, "a", SPEC, IfExists.REFUSE, ZarrOptions.defaults());
        old.write(old.domain(), new int[16], 0);
        Zarr.createArray(
                store,
                "a",
                ArraySpec.of("int32", 4, 4).withChunkShape(2, 2),
                IfExists.OVERWRITE,
                ZarrOptions.defaults());
        MetadataException e = assertThrows(MetadataException.class, () -> old.write(old.domain(), new int[16], 0));
        assertTrue(e.getMessage().contains("chunk_grid") || e.getMessage().contains("codecs"), e.getMessage());
        assertEquals(0, open(store, "a").presence().count());
    }

    @Test
    void oldHandle_writesItsRegionAlone_ofAnArrayThatGrew() {
        MemoryStore store = MemoryStore.create();
        ZarrArray old = Zarr.createArray(store, "a", SPEC, IfExists.REFUSE, ZarrOptions.defaults());
        ZarrArray grown = open(store, "a").resize(at(6, 6), ResizePolicy.KEEP);
        int[] ones = new int[36];
        java.util.Arrays.fill(ones, 1);
        grown.write(grown.domain(), ones, 0);
        old.write(old.domain(), new int[16], 0);
        assertEquals(1, grown.read().longAt(5, 5), "what the old handle does not know of stays");
        assertEquals(1, grown.read().longAt(4, 0));
        assertEquals(0, grown.read().longAt(3, 3));
        old.erase(old.domain());
        assertEquals(1, grown.read().longAt(5, 5));
        open(store, "a").resize(at(2, 2), ResizePolicy.REMOVE);
        assertThrows(IndexOutOfBoundsException.class, () -> old.write(old.domain(), new int[16], 0));
    }

    @Test
    void oldHandle_doesNotResizeAway_whatItDoesNotKnow() {
        MemoryStore store = MemoryStore.create();
        ZarrArray old = Zarr.createArray(store, "a", SPEC, IfExists.REFUSE, ZarrOptions.defaults());
        open(store, "a").resize(at(8, 4), ResizePolicy.KEEP);
        assertThrows(StoreException.class, () -> old.resize(at(6, 4), ResizePolicy.REMOVE));
        assertThrows(StoreException.class, () -> old.resize(at(6, 4), ResizePolicy.KEEP));
        assertThrows(StoreException.class, () -> old.resize(at(4, 9), ResizePolicy.KEEP));
        assertThrows(StoreException.class, () -> old.resize(at(2, 4), ResizePolicy.REMOVE));
        assertThrows(StoreException.class, () -> old.resize(at(2, 4), ResizePolicy.KEEP));
        assertThrows(StoreException.class, () -> old.resize(old.shape(), ResizePolicy.KEEP), "its own shape too");
        assertArrayEquals(at(8, 4), open(store, "a").shape());
        assertArrayEquals(at(8, 9), old.resize(at(8, 9), ResizePolicy.REMOVE).shape());
        assertArrayEquals(at(8, 9), old.replaceAttributes(NAMED).shape());
    }

    @Test
    void oldGroupHandle_keepsWhatOthersChanged() {
        MemoryStore store = MemoryStore.create();
        ZarrGroup old = Zarr.createGroup(store, "", Json.object(), IfExists.REFUSE, ZarrOptions.defaults());
        old.createArray("a", SPEC, IfExists.REFUSE);
        group(store).consolidate();
        old.replaceAttributes(NAMED);
        assertTrue(group(store).metadata().consolidated().isPresent(), "attributes are all that changes");
        ZarrGroup older = Zarr.openGroup(store, "", ZarrOptions.defaults());
        old.replaceAttributes(Json.object().with("name", Json.of("b")));
        older.consolidate();
        assertEquals(
                "\"b\"", group(store).attributes().get("name").orElseThrow().toString());
    }

    @Test
    void consolidatedMetadata_ofAllGroupsAbove_follow() {
        MemoryStore store = MemoryStore.create();
        ZarrGroup root = Zarr.createGroup(store, "", Json.object(), IfExists.REFUSE, ZarrOptions.defaults());
        root.createGroup("sub/below", Json.object(), IfExists.REFUSE);
        root.group("sub").consolidate();
        root.consolidate();
        ZarrArray array = root.createArray("sub/below/a", SPEC, IfExists.REFUSE);
        array.resize(at(9, 9), ResizePolicy.KEEP).replaceAttributes(NAMED);
        ArrayMetadata stored = open(store, "sub/below/a").metadata();
        for (String above : List.of("", "sub")) {
            Map<String, NodeMetadata> listed = Zarr.openGroup(store, above, ZarrOptions.defaults())
                    .metadata()
                    .consolidated()
                    .orElseThrow();
            assertEquals(stored, listed.get(above.isEmpty() ? "sub/below/a" : "below/a"), "above: " + above);
        }
    }

    @Test
    void consolidatedMetadata_aboveTheStore_followTheirNodesOnly() throws IOException {
        FileStore above = FileStore.at(dir);
        ZarrGroup root = Zarr.createGroup(above, "", Json.object(), IfExists.REFUSE, ZarrOptions.defaults());
        root.createArray("sub/a", SPEC, IfExists.REFUSE);
        root.consolidate();
        String folder = dir.resolve("sub/a").toString();
        try (ZarrArray array = Zarr.openArray(folder)) {
            array.resize(at(9, 9), ResizePolicy.KEEP).replaceAttributes(NAMED);
        }
        Zarr.createArray(dir.resolve("sub/b").toString(), SPEC).close();
        Zarr.createArray(dir.resolve("data/sets/c").toString(), SPEC).close();
        Map<String, NodeMetadata> listed =
                group(above).metadata().consolidated().orElseThrow();
        assertEquals(Set.of("sub", "sub/a", "sub/b"), listed.keySet(), "no group leads to data/sets/c");
        assertEquals(open(above, "sub/a").metadata(), listed.get("sub/a"));
        try (ZarrArray array = Zarr.openArray(folder)) {
            array.delete();
        }
        assertEquals(
                Set.of("sub", "sub/b"),
                group(above).metadata().consolidated().orElseThrow().keySet());
    }

    @Test
    void consolidatedMetadata_aboveTheStore_thatCannotBeWritten_areNamed() throws IOException {
        FileStore above = FileStore.at(dir);
        ZarrGroup root = Zarr.createGroup(above, "", Json.object(), IfExists.REFUSE, ZarrOptions.defaults());
        root.createArray("a", SPEC, IfExists.REFUSE);
        root.consolidate();
        Path locks = dir.resolve("__shardkit");
        Files.move(locks, dir.resolve("old-locks"));
        Files.createFile(locks); // where the folder of the group's lock file would be
        try (ZarrArray array = Zarr.openArray(dir.resolve("a").toString())) {
            String message = assertThrows(StoreException.class, () -> array.replaceAttributes(NAMED))
                    .getMessage();
            assertTrue(message.contains("the node was changed, but the consolidated metadata of the group"), message);
            assertTrue(message.contains("consolidate that group again"), message);
        }
        assertEquals(NAMED, open(above, "a").attributes());
    }

    @Test
    void consolidatedMetadata_hideNothing() throws IOException {
        FileStore store = FileStore.at(dir);
        ZarrGroup root = Zarr.createGroup(store, "", Json.object(), IfExists.REFUSE, ZarrOptions.defaults());
        root.createArray("sub/a", SPEC, IfExists.REFUSE);
        root.createArray("gone", SPEC, IfExists.REFUSE);
        ZarrGroup consolidated = root.consolidate();
        root.createArray("sub/b", SPEC, IfExists.REFUSE);
        root.createGroup("new/er", NAMED, IfExists.REFUSE);
        open(store, "gone").delete();
        try (SliceWriter slices =
                open(store, "sub/a").slices(0, SliceOptions.defaults().withGrowth(SliceOptions.Growth.GROW))) {
            slices.write(new int[] {1, 2, 3, 4}, 0);
        }
        open(store, "sub/b").resize(at(9, 9), ResizePolicy.KEEP).replaceAttributes(NAMED);
        for (ZarrGroup any : List.of(root, consolidated, group(store))) {
            assertEquals(Set.of("sub", "new"), any.childNames());
            assertEquals(Set.of("a", "b"), any.group("sub").children().keySet());
            assertArrayEquals(at(5, 4), any.array("sub/a").shape());
            assertTrue(any.find("gone").isEmpty());
        }
        assertEquals(
                Set.of("sub", "sub/a", "sub/b", "new", "new/er"),
                group(store).metadata().consolidated().orElseThrow().keySet());
        try (RangeServer server = RangeServer.over(dir);
                HttpStore http = HttpStore.at(server.uri())) {
            ZarrGroup remote = group(http);
            assertEquals(Set.of("sub", "new"), remote.childNames());
            assertArrayEquals(at(5, 4), remote.array("sub/a").shape());
            assertArrayEquals(at(9, 9), remote.array("sub/b").shape());
            assertEquals(NAMED, remote.array("sub/b").attributes());
            assertEquals(1, server.log().size(), () -> server.log().toString());
        }
        // a node that another program made
        Files.createDirectories(dir.resolve("foreign"));
        Files.copy(dir.resolve("sub/b/zarr.json"), dir.resolve("foreign/zarr.json"));
        assertEquals(Set.of("foreign", "sub", "new"), group(store).childNames());
        assertArrayEquals(at(9, 9), group(store).array("foreign").shape());
    }
}
