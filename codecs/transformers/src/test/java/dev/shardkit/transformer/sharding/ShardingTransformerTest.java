package dev.shardkit.transformer.sharding;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.shardkit.spi.codec.Edit;
import dev.shardkit.spi.codec.IndexLocation;
import dev.shardkit.spi.codec.Keyspace;
import dev.shardkit.spi.codec.Piece;
import dev.shardkit.spi.codec.ShardWritePolicy;
import dev.shardkit.spi.codec.StorageTransformer;
import dev.shardkit.spi.error.CorruptDataException;
import dev.shardkit.spi.error.MetadataException;
import dev.shardkit.spi.plan.ByteRange;
import dev.shardkit.spi.plan.Bytes;
import dev.shardkit.spi.plan.Plan;
import dev.shardkit.spi.plan.ReadResult;
import dev.shardkit.testkit.PlanProbe;
import dev.shardkit.testkit.extension.EditApplier;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class ShardingTransformerTest {
    private final Map<String, byte[]> objects = new HashMap<>();
    private final Keyspace keys = ShardingTransformer.of(2, 2).over(Keyspace.stored());

    /** A shard of four chunks: {@code body}, then offset and size of each. */
    static byte[] shard(int body, long... words) {
        ByteBuffer shard = ByteBuffer.allocate(body + words.length * 8).order(ByteOrder.LITTLE_ENDIAN);
        for (int i = 0; i < body; i++) {
            shard.put((byte) i);
        }
        for (long word : words) {
            shard.putLong(word);
        }
        return shard.array();
    }

    private Optional<byte[]> get(Keyspace from, String key) {
        return PlanProbe.over(objects)
                .run(from.open(key)
                        .then(s -> s.read(
                                ByteRange.whole(),
                                (answer, scratch) -> answer instanceof ReadResult.Found f
                                        ? Optional.of(f.bytes().toArray())
                                        : Optional.empty())));
    }

    private Edit edit(Keyspace to, String key, Edit edit) {
        Edit made = PlanProbe.over(objects).run(to.edit(key, old -> Plan.done(edit)));
        EditApplier.apply(made, to.storedKey(key), objects);
        return made;
    }

    @Test
    void keys_ofTheDraft_areDividedAndFloored() {
        Keyspace draft = ShardingTransformer.of(32, 2).over(Keyspace.stored());
        assertEquals("data/root/foo/baz/c3/9", draft.storedKey("data/root/foo/baz/c96/18"));
        assertEquals("data/root/foo/baz/c3/9", draft.storedKey("data/root/foo/baz/c127/19"));
        assertEquals("data/root/foo/baz/c3.9", draft.storedKey("data/root/foo/baz/c97.18"));
        assertEquals("foo/baz/c/3/9", draft.storedKey("foo/baz/c/96/18"));
        assertEquals("foo/baz/c.3.9", draft.storedKey("foo/baz/c.96.18"));
        assertEquals("foo/2/3.9", draft.storedKey("foo/2/96.18"));
        assertEquals("3/9", draft.storedKey("96/18"));
        assertEquals("1/3/9", draft.storedKey("1/96/18"));
        Keyspace line = ShardingTransformer.of(4).over(Keyspace.stored());
        for (String prefix : List.of("data/root/foo/c", "foo/c/", "foo/c.", "foo/", "")) {
            assertEquals(prefix + "2", line.storedKey(prefix + "9"));
        }
    }

    @Test
    void arraysWithoutDimensions_haveOneChunkInAShardOfTheSameKey() {
        Keyspace point = ShardingTransformer.of().over(Keyspace.stored());
        for (String key : List.of("data/root/foo/c", "foo/0", "c", "0")) {
            edit(point, key, Edit.replace(Bytes.of(new byte[] {5})));
            assertEquals(1 + 16, objects.get(key).length, key);
            assertArrayEquals(new byte[] {5}, get(point, key).orElseThrow(), key);
        }
        edit(point, "foo/zarr.json", Edit.replace(Bytes.of(new byte[] {6})));
        assertEquals(1, objects.get("foo/zarr.json").length);
    }

    @Test
    void otherKeys_pass() {
        for (String key : List.of(
                "foo/zarr.json",
                "meta/root/foo.array.json",
                "c/0",
                "c/0.1/2",
                "c/00/1",
                "foo/cc0/1",
                "foo/c/0/9999999999999999999",
                "c/0//1",
                "c/-1/2",
                "")) {
            assertEquals(key, keys.storedKey(key), key);
        }
        objects.put("foo/zarr.json", new byte[] {1, 2});
        assertArrayEquals(new byte[] {1, 2}, get(keys, "foo/zarr.json").orElseThrow());
        edit(keys, "foo/zarr.json", Edit.replace(Bytes.of(new byte[] {3})));
        assertArrayEquals(new byte[] {3}, objects.get("foo/zarr.json"));
    }

    @Test
    void chunks_areSlices_readByTheIndexAndThemselves() {
        objects.put("a/c/1/0", shard(20, 10, 5, -1, -1, 0, 3, 20, 0));
        PlanProbe probe = PlanProbe.over(objects);
        byte[] chunk = probe.run(keys.open("a/c/2/0")
                .then(s -> s.read(
                        ByteRange.whole(),
                        (answer, scratch) -> ((ReadResult.Found) answer).bytes().toArray())));
        assertArrayEquals(new byte[] {10, 11, 12, 13, 14}, chunk);
        assertEquals(2, probe.requests());
        assertEquals(64 + 5, probe.bytes());
        assertTrue(get(keys, "a/c/2/1").isEmpty());
        assertTrue(get(keys, "a/c/0/0").isEmpty());
        assertArrayEquals(new byte[] {0, 1, 2}, get(keys, "a/c/3/0").orElseThrow());
        assertEquals(0, get(keys, "a/c/3/1").orElseThrow().length);
    }

    @Test
    void entriesThatCannotBe_areCorrupt() {
        long most = Long.MAX_VALUE;
        for (long[] entry : new long[][] {{-1, 5}, {5, -1}, {0, 21}, {21, 1}, {20, 1}, {most, 1}, {1, most}, {-2, 1}}) {
            objects.put("a/c/0/0", shard(20, entry[0], entry[1], 0, 4, -1, -1, -1, -1));
            assertThrows(CorruptDataException.class, () -> get(keys, "a/c/0/0"), Arrays.toString(entry));
            assertEquals(4, get(keys, "a/c/0/1").orElseThrow().length, "a sound neighbour is read");
            assertThrows(
                    CorruptDataException.class,
                    () -> edit(keys, "a/c/1/1", Edit.replace(Bytes.of(new byte[1]))),
                    "moving what cannot be: " + Arrays.toString(entry));
        }
        objects.put("a/c/0/0", new byte[63]);
        assertThrows(CorruptDataException.class, () -> get(keys, "a/c/0/0"));
    }

    @Test
    void overlappingChunks_doNotMakeAShardGrow() {
        objects.put("a/c/0/0", shard(20, 0, 20, 1, 19, 2, 18, -1, -1));
        assertThrows(CorruptDataException.class, () -> edit(keys, "a/c/1/1", Edit.replace(Bytes.of(new byte[1]))));
        objects.put("a/c/0/0", shard(20, 0, 20, 0, 20, 0, 20, -1, -1));
        edit(keys, "a/c/1/1", Edit.replace(Bytes.of(new byte[1])));
        assertEquals(21 + 64, objects.get("a/c/0/0").length, "equal entries stay one");
        assertEquals(20, get(keys, "a/c/1/0").orElseThrow().length);
    }

    @Test
    void edit_movesUntouchedChunks_andDropsWhatNoEntryNames() {
        objects.put("a/c/0/0", shard(20, 10, 5, 15, 5, 2, 3, -1, -1));
        Edit.Replace made = (Edit.Replace) edit(keys, "a/c/1/0", Edit.replace(Bytes.of(new byte[] {77})));
        assertEquals(new Piece.Copied(10, 10), made.pieces().get(0));
        assertEquals(11 + 64, objects.get("a/c/0/0").length);
        assertArrayEquals(new byte[] {77}, get(keys, "a/c/1/0").orElseThrow());
        assertArrayEquals(new byte[] {15, 16, 17, 18, 19}, get(keys, "a/c/0/1").orElseThrow());
        for (String key : List.of("a/c/0/0", "a/c/0/1", "a/c/1/0")) {
            edit(keys, key, new Edit.Delete());
        }
        assertTrue(objects.isEmpty());
        assertTrue(edit(keys, "a/c/0/0", new Edit.Delete()) instanceof Edit.Delete);
    }

    @Test
    void patchOfAChunk_isOneOfItsShard_orIsFlattened() {
        objects.put("a/c/0/0", shard(20, 10, 5, -1, -1, -1, -1, 0, 10));
        Edit.Patch patch = new Edit.Patch(
                5,
                List.of(),
                List.of(new Edit.Write(1, Bytes.of(new byte[] {70, 71}))),
                Edit.Recovery.JOURNAL,
                ShardWritePolicy.Strategy.IN_PLACE,
                Optional.empty());
        assertTrue(edit(keys, "a/c/0/0", patch) instanceof Edit.Patch);
        assertArrayEquals(new byte[] {10, 70, 71, 13, 14}, get(keys, "a/c/0/0").orElseThrow());
        Edit.Patch longer = new Edit.Patch(
                5,
                List.of(new Piece.Copied(1, 1), new Piece.Literal(Bytes.of(new byte[] {9}))),
                patch.overwritten(),
                Edit.Recovery.JOURNAL,
                ShardWritePolicy.Strategy.APPEND,
                Optional.empty());
        assertTrue(edit(keys, "a/c/0/0", longer) instanceof Edit.Replace);
        assertArrayEquals(
                new byte[] {10, 70, 71, 13, 14, 70, 9}, get(keys, "a/c/0/0").orElseThrow());
    }

    @Test
    void transformers_stack() {
        Keyspace stack =
                ShardingTransformer.of(2, 2).over(ShardingTransformer.of(3, 3).over(Keyspace.stored()));
        assertEquals("a/c/1/3", stack.storedKey("a/c/6/18"));
        for (int i = 0; i < 8; i++) {
            edit(stack, "a/c/" + i + "/" + i, Edit.replace(Bytes.of(new byte[] {(byte) i, 1, 2})));
        }
        assertEquals(2, objects.size());
        for (int i = 0; i < 8; i++) {
            assertArrayEquals(
                    new byte[] {(byte) i, 1, 2},
                    get(stack, "a/c/" + i + "/" + i).orElseThrow());
        }
        assertTrue(get(stack, "a/c/0/1").isEmpty());
    }

    @Test
    void packing_isWhatShardingIndexedNeedsToDescribeTheShards() {
        StorageTransformer.Packing packing =
                ShardingTransformer.of(2, 3).packing().orElseThrow();
        assertArrayEquals(new long[] {2, 3}, packing.chunksPerShard());
        assertEquals(IndexLocation.END, packing.index().location());
        assertEquals(
                "[{\"name\":\"bytes\",\"configuration\":{\"endian\":\"little\"}}]",
                packing.index().codecs().toString().replace(" ", ""));
        packing.chunksPerShard()[0] = 9;
        assertArrayEquals(new long[] {2, 3}, packing.chunksPerShard(), "a copy");
    }

    @Test
    void configurations_thatCannotBe_areRefused() {
        assertThrows(MetadataException.class, () -> ShardingTransformer.of(0));
        assertThrows(MetadataException.class, () -> ShardingTransformer.of(2, -1));
        assertThrows(MetadataException.class, () -> ShardingTransformer.of(1L << 40));
        assertThrows(MetadataException.class, () -> ShardingTransformer.of(1L << 32, 1L << 32));
        assertThrows(MetadataException.class, () -> ShardingTransformer.of(2, 2).check(new long[] {5}));
    }
}
