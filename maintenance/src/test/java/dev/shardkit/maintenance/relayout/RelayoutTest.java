package dev.shardkit.maintenance.relayout;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.shardkit.ArraySpec;
import dev.shardkit.Codecs;
import dev.shardkit.IfExists;
import dev.shardkit.ResizePolicy;
import dev.shardkit.Zarr;
import dev.shardkit.ZarrArray;
import dev.shardkit.ZarrGroup;
import dev.shardkit.ZarrOptions;
import dev.shardkit.maintenance.Mode;
import dev.shardkit.maintenance.TestObjects;
import dev.shardkit.maintenance.check.CountingCodec;
import dev.shardkit.maintenance.copy.Copy;
import dev.shardkit.maintenance.layout.ShardLayout;
import dev.shardkit.maintenance.relayout.Relayout.Outcome;
import dev.shardkit.maintenance.relayout.Relayout.Summary;
import dev.shardkit.maintenance.relayout.Relayout.Technique;
import dev.shardkit.metadata.MetadataWriter;
import dev.shardkit.spi.array.Box;
import dev.shardkit.spi.json.Json;
import dev.shardkit.store.file.FileStore;
import dev.shardkit.store.memory.MemoryStore;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import java.util.zip.CRC32C;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Adding, removing and changing shards: the results and the refused requests. */
@Timeout(120)
class RelayoutTest extends RelayoutTestBase {
    @TempDir
    Path dir;

    private List<String> files() throws IOException {
        try (Stream<Path> files = Files.walk(dir)) {
            return files.map(f -> dir.relativize(f).toString().replace('\\', '/'))
                    .filter(f -> !f.isEmpty() && !f.contains("__shardkit"))
                    .sorted()
                    .toList();
        }
    }

    @Test
    void files_areReplaced_andNothingElseIsLeft() throws IOException {
        FileStore store = FileStore.at(dir);
        createWritten(store, "a", unshardedSpec());
        Relayout.of(open(store), ShardLayout.chunksPerShard(2)).run(Mode.APPLY, reported::add);
        assertEquals(
                List.of("a", "a/c", "a/c/0", "a/c/0/0", "a/c/0/1", "a/c/1", "a/c/1/0", "a/c/1/1", "a/zarr.json"),
                files());
        if (dir.getFileSystem().supportedFileAttributeViews().contains("unix")) {
            assertEquals(1, Files.getAttribute(dir.resolve("a/c/0/0"), "unix:nlink"));
        }
        Summary summary =
                Relayout.of(open(store), ShardLayout.chunksPerShard(2, 2)).run(Mode.APPLY, reported::add);
        assertEquals(new Summary(1, 0, 1, 0, 0, 0), summary);
    }

    /** GDAL writes null for an array without nodata, and takes a number for nodata. */
    @Test
    void fillValueThatIsNull_staysNull() throws IOException {
        FileStore store = FileStore.at(dir);
        createWritten(store, "a", unshardedSpec());
        Path document = dir.resolve("a/zarr.json");
        String stated = Files.readString(document).replace("\"fill_value\": 0", "\"fill_value\": null");
        assertTrue(stated.contains("\"fill_value\": null"), stated);
        Files.writeString(document, stated);
        open(store).replaceAttributes(Json.object().with("a", Json.of(1)));
        Relayout.of(open(store), ShardLayout.chunksPerShard(2)).run(Mode.APPLY, reported::add);
        open(store).resize(new long[] {11, 12}, ResizePolicy.REMOVE);
        MemoryStore copy = MemoryStore.create();
        Copy.of(open(store)).to(copy, options);
        for (ZarrArray array : List.of(open(store), Zarr.openArray(copy, "", options))) {
            assertTrue(array.isSharded());
            assertEquals(
                    new Json.Null(),
                    MetadataWriter.document(array.metadata()).get("fill_value").orElseThrow());
        }
        assertTrue(Files.readString(document).contains("\"fill_value\": null"), Files.readString(document));
    }

    @Test
    void dryRun_changesNothing() throws IOException {
        FileStore store = FileStore.at(dir);
        createWritten(store, "a", unshardedSpec());
        List<String> before = files();
        Summary summary =
                Relayout.of(open(store), ShardLayout.chunksPerShard(2)).run(Mode.DRY_RUN, reported::add);
        assertEquals(new Summary(1, 1, 0, 0, 0, 0), summary);
        assertEquals(Technique.MOVED, reported.get(0).technique().orElseThrow());
        assertEquals(List.of(6L, 8L), reported.get(0).stored());
        assertEquals(before, files());
        assertFalse(open(store).isSharded());
    }

    @Test
    void tree_isChangedWhole_consolidatedMetadataToo_andOtherRanksKeepTheirLayout() {
        MemoryStore store = MemoryStore.create();
        ZarrGroup root = Zarr.createGroup(store, "", Json.object(), IfExists.REFUSE, options);
        createWritten(store, "a", unshardedSpec());
        root.createGroup("g", Json.object(), IfExists.REFUSE);
        createWritten(store, "g/b", ArraySpec.of("int32", 9).withChunkShape(2).withCodecs(Codecs.bytesLittleEndian()));
        root.consolidate();
        Summary summary = Relayout.of(Zarr.openGroup(store, "", options), ShardLayout.chunksPerShard(2, 3))
                .run(Mode.APPLY, reported::add);
        assertEquals(1, summary.changed());
        assertEquals(1, summary.unchanged());
        assertTrue(reported.get(1).reason().orElseThrow().contains("the array 1 dimension"), reported::toString);
        Summary all = Relayout.of(Zarr.openGroup(store, "", options), ShardLayout.chunksPerShard(2))
                .run(Mode.APPLY, reported::add);
        assertEquals(2, all.changed());
        ZarrGroup now = Zarr.openGroup(store, "", options);
        assertTrue(now.metadata().consolidated().isPresent());
        assertTrue(now.array("g/b").isSharded());
        assertArrayEquals(numbers(now.array("g/b")), now.array("g/b").read().ints());
        assertEquals(
                MetadataWriter.document(Zarr.openArray(store, "g/b", options).metadata()),
                MetadataWriter.document(
                        now.metadata().consolidated().orElseThrow().get("g/b")));
    }

    @Test
    void unknownMembersAndNames_stay() {
        MemoryStore store = MemoryStore.create();
        ZarrArray array = createWritten(
                store,
                "a",
                unshardedSpec()
                        .withDimensionNames("y", "x")
                        .withAttributes(Json.object()
                                .with("notes", Json.of("sharded with care"))
                                .with("n", new Json.Num("1.10"))));
        Json.Obj document = MetadataWriter.document(array.metadata())
                .with(
                        "extra",
                        Json.object().with("must_understand", Json.of(false)).with("k", Json.of(3)));
        TestObjects.put(store, "a/zarr.json", document.toString());
        Json.Obj before = MetadataWriter.document(open(store).metadata());
        Relayout.of(open(store), ShardLayout.chunksPerShard(2)).run(Mode.APPLY, reported::add);
        Json.Obj after = MetadataWriter.document(open(store).metadata());
        for (String member : before.members().keySet()) {
            boolean changes = List.of("chunk_grid", "codecs").contains(member);
            assertEquals(!changes, before.get(member).equals(after.get(member)), member);
        }
    }

    @Test
    void aggregate_ofAppendedChunks_movesThoseThatFit() {
        MemoryStore store = MemoryStore.create();
        Json grid = Codecs.named(
                "rectilinear",
                Json.object()
                        .with("kind", Json.of("inline"))
                        .with("chunk_shapes", new Json.Arr(List.of(Json.of(new long[] {4, 4, 4, 2, 2, 4, 4})))));
        ZarrArray array = createWritten(
                store,
                "a",
                ArraySpec.of("int32", 24)
                        .withChunkGrid(grid)
                        .withCodecs(Codecs.bytesLittleEndian(), CountingCodec.metadata()));
        long used = codec.used();
        Relayout.of(array, ShardLayout.shardShape(8)).withChunkShape(4).run(Mode.APPLY, reported::add);
        assertEquals(Technique.MIXED, reported.get(0).technique().orElseThrow());
        assertEquals(used + 3, codec.used(), "two are decoded, one is encoded");
        assertArrayEquals(numbers(array), open(store).read().ints());
        assertEquals("regular", open(store).metadata().chunkGrid().name());
    }

    @Test
    void manifest_staysWithItsChunks_andIsMadeAnewForOthers() {
        MemoryStore store = MemoryStore.create();
        ZarrArray array = create(store, "a", unshardedSpec());
        array.write(Box.of(new long[] {2, 2}), new int[] {1, 2, 3, 4}, 0);
        array.nonemptyChunks().rebuild();
        Relayout.of(open(store), ShardLayout.chunksPerShard(2)).run(Mode.APPLY, reported::add);
        assertEquals(
                List.of("0.0"),
                open(store).nonemptyChunks().read().orElseThrow().keys());
        Relayout.of(open(store), ShardLayout.shardShape(6, 4))
                .withChunkShape(1, 2)
                .run(Mode.APPLY, reported::add);
        assertEquals(
                List.of("0.0", "1.0"),
                open(store).nonemptyChunks().read().orElseThrow().keys());
        assertEquals(0, open(store).nonemptyChunks().verify(f -> {}));
    }

    @Test
    void shardsBehindACompressor_areDecodedAndEncoded() {
        MemoryStore store = MemoryStore.create();
        ArraySpec spec = ArraySpec.of("int32", 12)
                .withChunkShape(6)
                .withCodecs(Codecs.sharding(new long[] {2}, Codecs.bytesLittleEndian()), Codecs.gzip(1));
        ZarrArray array = createWritten(store, "a", spec);
        for (ShardLayout layout :
                List.of(ShardLayout.chunksPerShard(2), ShardLayout.unsharded(), ShardLayout.chunksPerShard(3))) {
            reported.clear();
            Relayout.of(open(store), layout).run(Mode.APPLY, reported::add);
            assertArrayEquals(numbers(array), open(store).read().ints(), layout.toString());
            assertEquals(
                    layout.equals(ShardLayout.chunksPerShard(3)) ? Technique.MOVED : Technique.ENCODED,
                    reported.get(0).technique().orElseThrow());
        }
    }

    @Test
    void innerChunksThatShareBytes_getTheirOwn() {
        MemoryStore store = MemoryStore.create();
        ZarrArray array = create(
                store,
                "a",
                ArraySpec.of("uint8", 8)
                        .withChunkShape(2)
                        .withShardShape(8)
                        .withCodecs(Codecs.named("bytes", Json.object())));
        array.write(array.domain(), new byte[] {1, 2, 3, 4, 5, 6, 7, 8}, 0);
        same(store);
        Relayout.of(open(store), ShardLayout.chunksPerShard(2)).run(Mode.APPLY, reported::add);
        assertEquals(Outcome.CHANGED, reported.get(0).outcome());
        assertArrayEquals(
                new byte[] {1, 2, 1, 2, 1, 2, 1, 2}, open(store).read().bytes());
    }

    /** Gives all four inner chunks of the one shard the first two bytes. */
    private static void same(MemoryStore store) {
        byte[] shard = TestObjects.get(store, "a/c/0");
        ByteBuffer index = ByteBuffer.wrap(shard).order(ByteOrder.LITTLE_ENDIAN);
        CRC32C crc = new CRC32C();
        for (int i = 0; i < 4; i++) {
            index.putLong(8 + 16 * i, 0).putLong(16 + 16 * i, 2);
        }
        crc.update(shard, 8, 64);
        index.putInt(72, (int) crc.getValue());
        TestObjects.put(store, "a/c/0", shard);
    }

    /** A coordinate array of one chunk: a shard around it would only add an index. */
    @Test
    void arrayOfOneChunk_getsNoShardByItself() {
        MemoryStore store = MemoryStore.create();
        ArraySpec one = ArraySpec.of("float64", 48).withChunkShape(48);
        Zarr.createArray(store, "a", one, IfExists.REFUSE, ZarrOptions.defaults());
        Summary summary = Relayout.of(open(store), ShardLayout.automatic()).run(Mode.APPLY, reported::add);
        assertEquals(new Summary(1, 0, 1, 0, 0, 0), summary);
        assertFalse(open(store).isSharded());
    }

    @Test
    void wrongRequests_areRefused() {
        MemoryStore store = MemoryStore.create();
        ZarrArray array = createWritten(store, "a", unshardedSpec());
        for (ShardLayout layout : List.of(
                ShardLayout.chunksPerShard(1, 2, 3),
                ShardLayout.chunksPerShard(0),
                ShardLayout.shardShape(4, 4),
                ShardLayout.chunksPerShard(Long.MAX_VALUE))) {
            assertThrows(
                    IllegalArgumentException.class,
                    () -> Relayout.of(array, layout).run(Mode.APPLY, reported::add),
                    layout.toString());
        }
        Relayout zero = Relayout.of(array, ShardLayout.automatic()).withChunkShape(0, 3);
        assertThrows(IllegalArgumentException.class, () -> zero.run(Mode.DRY_RUN, reported::add));
        assertArrayEquals(numbers(array), open(store).read().ints());
    }
}
