package dev.shardkit.maintenance.relayout;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.shardkit.ArraySpec;
import dev.shardkit.Codecs;
import dev.shardkit.IfExists;
import dev.shardkit.Zarr;
import dev.shardkit.ZarrArray;
import dev.shardkit.ZarrGroup;
import dev.shardkit.ZarrNode;
import dev.shardkit.ZarrOptions;
import dev.shardkit.maintenance.Mode;
import dev.shardkit.maintenance.TestObjects;
import dev.shardkit.maintenance.layout.ShardLayout;
import dev.shardkit.maintenance.relayout.Relayout.Change;
import dev.shardkit.metadata.JsonDocuments;
import dev.shardkit.metadata.MetadataWriter;
import dev.shardkit.spi.error.StoreException;
import dev.shardkit.spi.error.UnsupportedException;
import dev.shardkit.spi.json.Json;
import dev.shardkit.spi.plan.Bytes;
import dev.shardkit.store.Ability;
import dev.shardkit.store.Content;
import dev.shardkit.store.Copies;
import dev.shardkit.store.Entry;
import dev.shardkit.store.ForwardingStore;
import dev.shardkit.store.Store;
import dev.shardkit.store.access.BlockingStore;
import dev.shardkit.store.memory.MemoryStore;
import dev.shardkit.store.policy.Durability;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A change of layout that would do harm is refused with a reason, before anything is written. */
@Timeout(180)
class RelayoutRefusalTest {
    private static final ZarrOptions OPTIONS = ZarrOptions.defaults();

    @TempDir
    Path dir;

    private static ArraySpec spec() {
        return ArraySpec.of("int32", 8).withChunkShape(2).withCodecs(Codecs.bytesLittleEndian(), Codecs.crc32c());
    }

    private static void write(ZarrArray array) {
        array.write(array.domain(), IntStream.range(1, 9).toArray(), 0);
    }

    private static MemoryStore createStore(ArraySpec spec) {
        MemoryStore store = MemoryStore.create();
        write(Zarr.createArray(store, "a", spec, IfExists.REFUSE, OPTIONS));
        return store;
    }

    /** Returns the reason for which both a run and a dry run refuse the array. Asserts that nothing has changed. */
    private static String refusalReason(MemoryStore store, Relayout relayout) {
        List<Change> reported = new ArrayList<>();
        List<Entry> before = new ArrayList<>();
        store.list("a", before::add);
        assertEquals(1, relayout.run(Mode.DRY_RUN, reported::add).refused());
        assertEquals(1, relayout.run(Mode.APPLY, reported::add).refused());
        List<Entry> after = new ArrayList<>();
        store.list("a", after::add);
        assertEquals(before, after);
        assertEquals(reported.get(0).reason(), reported.get(1).reason());
        return reported.get(1).reason().orElseThrow();
    }

    private static String refusalReason(MemoryStore store) {
        return refusalReason(store, Relayout.of(Zarr.openArray(store, "a", OPTIONS), ShardLayout.chunksPerShard(2)));
    }

    private static void assertContains(String reason, String... parts) {
        for (String part : parts) {
            assertTrue(reason.contains(part), reason);
        }
    }

    /** Foreign records are refused: every record of this version has the keys. */
    @Test
    void recordOfAnotherProgram_isRefused() throws IOException {
        String begin = "{\"work\":\"relayout\",\"step\":\"";
        String arrays = "\",\"source\":\"\",\"arrays\":[{\"path\":\"a\",\"from\":{},\"to\":{}}]";
        for (String record : List.of(
                "",
                begin + "complete" + arrays + ",\"interim\":{},\"links\":\"\"}",
                begin + "staging" + arrays + "}",
                begin + "committed" + arrays + ",\"interim\":{},\"links\":\"\"}")) {
            MemoryStore store = createStore(spec());
            BlockingStore.to(store)
                    .put(
                            "a/__unfinished",
                            Content.of(Bytes.of(record.getBytes(StandardCharsets.UTF_8))),
                            Durability.ATOMIC);
            List<Change> reported = new ArrayList<>();
            Relayout.of(Zarr.openArray(store, "a", OPTIONS), ShardLayout.chunksPerShard(2))
                    .run(Mode.APPLY, reported::add);
            assertContains(reported.get(0).reason().orElseThrow(), "a/__unfinished", "expected the record of");
        }
    }

    /** A writer that lost a race may leave an object under a key of the transition. */
    @Test
    void objectUnderAKeyOfTheTransition_isNamed_andNothingIsStaged() throws IOException {
        MemoryStore store = createStore(spec());
        BlockingStore.to(store).put("a/0", Content.of(Bytes.of(new byte[3])), Durability.ATOMIC);
        assertContains(refusalReason(store), "a/0 has a key in the other chunk key encoding", "delete it");
        assertTrue(BlockingStore.to(store).open("a/__unfinished").isEmpty());
    }

    /** A store may learn only from the first copy that its volume has none. */
    @Test
    void storeThatRefusesToCopy_keepsTheArray_andNothingStaged() {
        MemoryStore store = createStore(spec());
        Copies none = (from, to, durability) -> {
            throw new UnsupportedException("no copies on this volume");
        };
        Store refusing = new ForwardingStore(store) {
            @Override
            public <A extends Ability> Optional<A> find(Class<A> ability) {
                return ability == Copies.class ? Optional.of(ability.cast(none)) : super.find(ability);
            }
        };
        List<Change> reported = new ArrayList<>();
        Relayout.of(Zarr.openArray(refusing, "a", OPTIONS), ShardLayout.chunksPerShard(2))
                .run(Mode.APPLY, reported::add);
        assertContains(reported.get(0).reason().orElseThrow(), "no copies on this volume");
        List<String> left = new ArrayList<>();
        store.reserved("", left::add);
        store.list("a", entry -> left.add(entry.name()));
        assertEquals(
                List.of("a/__shardkit/lock", "c", "zarr.json"),
                left.stream().sorted().toList());
        ZarrArray array = Zarr.openArray(store, "a", OPTIONS);
        assertFalse(array.isSharded());
        assertArrayEquals(IntStream.range(1, 9).toArray(), array.read().ints());
    }

    @Test
    void arrayOfZarrV2_isRefused_andLeavesNothing() {
        MemoryStore store = MemoryStore.create();
        TestObjects.put(
                store,
                "a/.zarray",
                "{\"zarr_format\": 2, \"shape\": [8], \"chunks\": [2], \"dtype\": \"|i1\", "
                        + "\"fill_value\": 0, \"order\": \"C\", \"filters\": null, \"compressor\": null}");
        TestObjects.put(store, "a/1", new byte[] {1, 2});
        assertContains(refusalReason(store), "zarr_v2", "convert");
    }

    @Test
    void documentOfZarrV2Beside_isRefused() {
        MemoryStore store = createStore(spec());
        TestObjects.put(store, "a/.zarray", "{}");
        assertContains(refusalReason(store), "a/.zarray", "wrong values", ".zmetadata");
    }

    /** A conversion in place leaves the document of N5. Readers of N5 would read shards as blocks. */
    @Test
    void documentOfN5Beside_isRefused_ifItDescribesAnArray() {
        MemoryStore store = createStore(spec());
        String members = "\"dimensions\":[8],\"blockSize\":[2],\"compression\":{\"type\":\"raw\"}";
        for (String type : List.of("int32", "string")) {
            TestObjects.put(store, "a/attributes.json", "{" + members + ",\"dataType\":\"" + type + "\"}");
            assertContains(
                    refusalReason(store),
                    "a/attributes.json exists beside zarr.json",
                    "n5",
                    "wrong values",
                    "delete it first");
        }
        for (String other : List.of("{\"n5\":\"4.0.0\"}", "[]", "{")) {
            TestObjects.put(store, "a/attributes.json", other);
            assertEquals(
                    1,
                    Relayout.of(Zarr.openArray(store, "a", OPTIONS), ShardLayout.chunksPerShard(2))
                            .run(Mode.DRY_RUN, change -> {})
                            .changed(),
                    other);
        }
    }

    @Test
    void objectOutsideTheGrid_isNotDeleted() {
        MemoryStore store = createStore(spec());
        TestObjects.put(store, "a/c/99", "kept");
        assertContains(refusalReason(store), "a/c/99 ", "outside the chunk grid");
        assertEquals(4, TestObjects.get(store, "a/c/99").length);
    }

    @Test
    void damagedChunk_isNamed() {
        MemoryStore store = createStore(spec());
        byte[] chunk = TestObjects.get(store, "a/c/1");
        chunk[0] ^= 1;
        TestObjects.put(store, "a/c/1", chunk);
        List<Change> reported = new ArrayList<>();
        ZarrArray array = Zarr.openArray(store, "a", OPTIONS);
        Relayout.of(array, ShardLayout.unsharded()).withChunkShape(4).run(Mode.APPLY, reported::add);
        assertContains(reported.get(0).reason().orElseThrow(), "a/c/1");
    }

    @Test
    void groupAboveThatDescribesIt_isNamed_inTheStoreAndInFolders() {
        MemoryStore store = MemoryStore.create();
        ZarrGroup root = Zarr.createGroup(store, "", Json.object(), IfExists.REFUSE, OPTIONS);
        write(Zarr.createArray(store, "a", spec(), IfExists.REFUSE, OPTIONS));
        root.consolidate();
        assertContains(refusalReason(store), "consolidated metadata of the group", root.location());

        ZarrGroup group = Zarr.createGroup(dir.resolve("W 1/g").toString(), Json.object(), IfExists.REFUSE, OPTIONS);
        write(group.createArray("x/a", spec(), IfExists.REFUSE));
        group.consolidate();
        List<Change> reported = new ArrayList<>();
        try (ZarrNode array = Zarr.open(dir.resolve("W 1/g/x/a").toString(), OPTIONS)) {
            Relayout.of(array, ShardLayout.chunksPerShard(2)).run(Mode.APPLY, reported::add);
        }
        assertContains(reported.get(0).reason().orElseThrow(), "consolidated metadata of the group", group.location());
        try (ZarrNode all = Zarr.open(dir.resolve("W 1/g").toString(), OPTIONS)) {
            assertEquals(
                    1,
                    Relayout.of(all, ShardLayout.chunksPerShard(2))
                            .run(Mode.APPLY, reported::add)
                            .changed());
        }
        try (ZarrGroup all = Zarr.openGroup(dir.resolve("W 1/g").toString(), OPTIONS)) {
            assertTrue(all.metadata().consolidated().isPresent());
            assertTrue(all.array("x/a").isSharded());
        }
    }

    @Test
    void sparseShards_costNoMoreThanTheirChunks() {
        MemoryStore store = MemoryStore.create();
        ArraySpec spec = ArraySpec.of("int32", 4096)
                .withChunkShape(2)
                .withShardShape(4096)
                .withCodecs(Codecs.bytesLittleEndian());
        ZarrArray array = Zarr.createArray(store, "a", spec, IfExists.REFUSE, OPTIONS);
        int[] values = new int[4096];
        values[9] = 3;
        values[4095] = 4;
        array.write(array.domain(), values, 0);
        List<Integer> steps = new ArrayList<>();
        Relayout.of(array, ShardLayout.unsharded())
                .withChunkShape(4)
                .withProgress((path, done, total) -> steps.add((int) total))
                .run(Mode.APPLY, change -> {});
        assertEquals(List.of(2, 2, 2), steps);
        assertArrayEquals(values, Zarr.openArray(store, "a", OPTIONS).read().ints());
        assertFalse(Zarr.openArray(store, "a", OPTIONS).isSharded());
    }

    @Test
    void consolidatedMetadata_areThereAgain_whereverItStopped() {
        for (long changes = 0, stops = 1; stops > 0; changes++) {
            MemoryStore store = MemoryStore.create();
            ZarrGroup root = Zarr.createGroup(store, "", Json.object(), IfExists.REFUSE, OPTIONS);
            write(Zarr.createArray(store, "a", spec(), IfExists.REFUSE, OPTIONS));
            root.consolidate();
            stops = 0;
            try {
                ZarrGroup stopping = Zarr.openGroup(new StoppingStore(store, changes), "", OPTIONS);
                Relayout.of(stopping, ShardLayout.chunksPerShard(2)).run(Mode.APPLY, change -> {});
            } catch (StoreException e) {
                stops++;
            }
            Relayout.of(Zarr.openGroup(store, "", OPTIONS), ShardLayout.chunksPerShard(2))
                    .run(Mode.APPLY, change -> {});
            ZarrGroup now = Zarr.openGroup(store, "", OPTIONS);
            assertTrue(now.metadata().consolidated().isPresent(), "stopped before change " + changes);
            assertTrue(now.array("a").isSharded());
            assertTrue(store.open("__unfinished").isEmpty(), "stopped before change " + changes);
        }
    }

    private static final String UNKNOWN = "{\"zarr_format\": 3, \"node_type\": \"array\", \"shape\": [2], "
            + "\"data_type\": {\"name\": \"of.another.library\", \"configuration\": {\"x\": 1.50}}, "
            + "\"chunk_grid\": {\"name\": \"regular\", \"configuration\": {\"chunk_shape\": [2]}}, "
            + "\"chunk_key_encoding\": {\"name\": \"default\"}, \"fill_value\": 0, \"codecs\": [{\"name\": \"bytes\"}]}";

    @Test
    void memberOfUnknownDataType_staysInTheConsolidatedMetadata() {
        MemoryStore store = MemoryStore.create();
        ZarrGroup root = Zarr.createGroup(store, "", Json.object(), IfExists.REFUSE, OPTIONS);
        write(Zarr.createArray(store, "a", spec(), IfExists.REFUSE, OPTIONS));
        TestObjects.put(store, "g/u/zarr.json", UNKNOWN);
        TestObjects.put(
                store,
                "g/zarr.json",
                "{\"zarr_format\": 3, \"node_type\": \"group\", \"extension\": {\"name\": \"x\"}}");
        root.consolidate();
        List<Change> reported = new ArrayList<>();
        Relayout relayout = Relayout.of(Zarr.openGroup(store, "", OPTIONS), ShardLayout.chunksPerShard(2));
        assertEquals(1, relayout.run(Mode.DRY_RUN, reported::add).changed());
        assertEquals(1, relayout.run(Mode.APPLY, reported::add).changed());
        var all = Zarr.openGroup(store, "", OPTIONS).metadata().consolidated().orElseThrow();
        assertEquals(List.of("a", "g", "g/u"), List.copyOf(all.keySet()));
        assertEquals(
                JsonDocuments.read(UNKNOWN, OPTIONS.limits()), MetadataWriter.document(all.get("g/u")), "unchanged");
        assertTrue(Zarr.openArray(store, "a", OPTIONS).isSharded());
    }

    @Test
    void consolidatedMetadataThatCannotBeBuiltAgain_areKept_andTheDryRunSaysSo() {
        MemoryStore store = MemoryStore.create();
        ZarrGroup root = Zarr.createGroup(store, "", Json.object(), IfExists.REFUSE, OPTIONS);
        write(Zarr.createArray(store, "a", spec(), IfExists.REFUSE, OPTIONS));
        root.consolidate();
        TestObjects.put(store, "b/zarr.json", "{\"zarr_format\": 3, \"node_type\": \"array\"}");
        for (Mode mode : Mode.values()) {
            List<Change> reported = new ArrayList<>();
            Relayout.of(Zarr.openGroup(store, "", OPTIONS), ShardLayout.chunksPerShard(2))
                    .run(mode, reported::add);
            assertEquals(2, reported.size());
            assertContains(
                    reported.get(0).reason().orElseThrow(), "cannot be built again", root.location(), "/b", "shape");
            assertTrue(
                    Zarr.openGroup(store, "", OPTIONS).metadata().consolidated().isPresent());
            assertFalse(Zarr.openArray(store, "a", OPTIONS).isSharded());
        }
    }
}
