package dev.shardkit;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.shardkit.grid.rectilinear.ChunkLengths;
import dev.shardkit.grid.rectilinear.RectilinearGrid;
import dev.shardkit.metadata.MetadataReader;
import dev.shardkit.metadata.MetadataWriter;
import dev.shardkit.registry.Registry;
import dev.shardkit.spi.array.Box;
import dev.shardkit.spi.array.Shapes;
import dev.shardkit.spi.codec.Limits;
import dev.shardkit.spi.error.MetadataException;
import dev.shardkit.spi.json.Json;
import dev.shardkit.store.memory.MemoryStore;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Arrays of unequal chunks, with shards inside: written in parts, read in parts, looked into. */
class RectilinearTest {
    private static final long[] SHAPE = {22, 13};
    private static final Json GRID = RectilinearGrid.metadata(
            ChunkLengths.of(4, 10, 2, 8, 4),
            ChunkLengths.builder().add(6, 2).add(3, 9).build());

    private static ArraySpec sharded() {
        return ArraySpec.of("int32", SHAPE)
                .withChunkGrid(GRID)
                .withChunkShape(2, 3)
                .withFillValue(-1)
                .withCodecs(Codecs.zstd(1));
    }

    private static ZarrArray create(MemoryStore store, ArraySpec spec) {
        return Zarr.createArray(store, "a", spec, IfExists.REFUSE, ZarrOptions.defaults());
    }

    private static ZarrArray open(MemoryStore store) {
        return Zarr.openArray(store, "a", ZarrOptions.defaults());
    }

    private static Box random(Random random) {
        long[] origin = new long[2];
        long[] shape = new long[2];
        for (int d = 0; d < 2; d++) {
            origin[d] = random.nextInt((int) SHAPE[d]);
            shape[d] = 1 + random.nextInt((int) (SHAPE[d] - origin[d]));
        }
        return Box.of(origin, shape);
    }

    private static int[] cut(int[] all, Box part) {
        int[] cut = new int[(int) part.count()];
        Arrays.setAll(cut, i -> all[(int) Shapes.ravel(part.at(i), SHAPE)]);
        return cut;
    }

    private static void partsComeBack(ArraySpec spec) throws Exception {
        try (MemoryStore store = MemoryStore.create()) {
            ZarrArray array = create(store, spec);
            int[] model = new int[(int) Shapes.count(SHAPE)];
            Arrays.fill(model, -1);
            Random random = new Random(3);
            for (int i = 0; i < 40; i++) {
                Box part = random(random);
                int[] values = i % 7 == 6
                        ? new int[(int) part.count()]
                        : random.ints(part.count()).toArray();
                array.write(part, values, 0);
                for (int k = 0; k < values.length; k++) {
                    model[(int) Shapes.ravel(part.at(k), SHAPE)] = values[k];
                }
                Box region = random(random);
                assertArrayEquals(cut(model, region), open(store).read(region).ints(), () -> "region " + region);
            }
            assertArrayEquals(model, open(store).read().ints());
        }
    }

    @Test
    void parts_comeBack_fromShardsOfUnequalShapes() throws Exception {
        partsComeBack(sharded());
    }

    @Test
    void parts_comeBack_fromChunksOfUnequalShapes() throws Exception {
        partsComeBack(ArraySpec.of("int32", SHAPE)
                .withChunkGrid(GRID)
                .withFillValue(-1)
                .withCodecs(Codecs.gzip(1)));
    }

    @Test
    void innerChunks_tileTheArray_shardByShard() throws Exception {
        try (MemoryStore store = MemoryStore.create()) {
            ZarrArray array = create(store, sharded());
            array.write(
                    array.domain(), new Random(1).ints(array.domain().count()).toArray(), 0);
            NdArray all = array.read();
            List<Box> boxes = new ArrayList<>();
            for (DecodedInnerChunk chunk : array.innerChunks(array.domain()).toList()) {
                assertArrayEquals(cut(all.ints(), chunk.box()), chunk.values().ints());
                boxes.add(chunk.box());
            }
            assertEquals(11 * 5, boxes.size(), "inner chunks of 2 by 3, the last column cut");
            assertEquals(Box.of(new long[] {0, 0}, new long[] {2, 3}), boxes.get(0));
            assertEquals(
                    Shapes.count(SHAPE), boxes.stream().mapToLong(Box::count).sum());
        }
    }

    @Test
    void storedChunks_knowEachShardsOwnShape() throws Exception {
        try (MemoryStore store = MemoryStore.create()) {
            ZarrArray array = create(store, sharded());
            array.write(Box.of(new long[] {13, 5}, new long[] {2, 2}), new int[] {1, 2, 3, 4}, 0);
            assertArrayEquals(new long[] {4, 3}, array.storage().gridShape(), "chunks behind the end are none");
            assertEquals(
                    Box.of(new long[] {14, 6}, new long[] {2, 6}),
                    array.storage().box(new long[] {2, 1}));
            assertEquals(
                    5 * 2,
                    array.storage().layout(new long[] {1, 0}).orElseThrow().count());
            assertEquals(
                    1 * 2,
                    array.storage().layout(new long[] {2, 1}).orElseThrow().count());
            assertTrue(array.storage().layout(new long[] {0, 0}).isEmpty());
            assertEquals("a/c/2/1", array.storage().key(new long[] {2, 1}));
        }
    }

    @Test
    void eraseAndResize_workOnUnequalShards() throws Exception {
        try (MemoryStore store = MemoryStore.create()) {
            ZarrArray array = create(store, sharded());
            int[] values = new Random(1).ints(Shapes.count(SHAPE)).toArray();
            array.write(array.domain(), values, 0);
            array.erase(Box.of(new long[] {4, 0}, new long[] {10, 12}));
            assertTrue(array.storage().layout(new long[] {1, 0}).isEmpty(), "a shard that is erased goes");
            assertTrue(array.storage().layout(new long[] {1, 2}).isPresent(), "it has a column outside");
            ZarrArray less = array.resize(new long[] {15, 13}, ResizePolicy.REMOVE);
            assertArrayEquals(new long[] {3, 3}, less.storage().gridShape());
            ZarrArray more = less.resize(new long[] {36, 13}, ResizePolicy.REMOVE);
            assertEquals(
                    Box.of(new long[] {32, 0}, new long[] {4, 6}),
                    more.storage().box(new long[] {6, 0}),
                    "4, 10, 2, 8, 4, and on with 4");
            int[] found = more.read().ints();
            for (int i = 0; i < found.length; i++) {
                boolean gone = i / 13 >= 15 || (i / 13 >= 4 && i / 13 < 14 && i % 13 < 12);
                assertEquals(gone ? -1 : values[i], found[i], "row " + i / 13 + ", column " + i % 13);
            }
        }
    }

    @Test
    void metadata_isWrittenAndReadAgain() throws Exception {
        try (MemoryStore store = MemoryStore.create()) {
            ZarrArray array = create(store, sharded());
            assertEquals(
                    GRID,
                    MetadataWriter.document(array.metadata()).get("chunk_grid").orElseThrow());
            assertEquals(array.metadata().chunkGrid(), open(store).metadata().chunkGrid());
        }
    }

    @Test
    void lengthThatInnerChunksDoNotDivide_isRefusedWhenOpened() {
        Json grid = RectilinearGrid.metadata(ChunkLengths.of(4, 8, 5, 5), ChunkLengths.uniform(6));
        MetadataException e = assertThrows(
                MetadataException.class,
                () -> Zarr.describe(
                        ArraySpec.of("int8", SHAPE).withChunkGrid(grid).withChunkShape(2, 3), ZarrOptions.defaults()));
        assertTrue(e.getMessage().contains("/codecs"), e.getMessage());
    }

    @Test
    void shardShapeBesideAGrid_isTheCallersMistake() {
        assertThrows(
                IllegalArgumentException.class,
                () -> Zarr.describe(sharded().withShardShape(4, 6), ZarrOptions.defaults()));
    }

    private static void opened(String shape, String chunkShapes) {
        String document = """
        {"zarr_format": 3, "node_type": "array", "shape": %s, "data_type": "uint8", "fill_value": 0,
         "chunk_grid": {"name": "rectilinear", "configuration": {"kind": "inline", "chunk_shapes": %s}},
         "chunk_key_encoding": {"name": "default"}, "codecs": [{"name": "bytes"}]}""".formatted(shape, chunkShapes);
        new MetadataReader(Registry.load(), Limits.defaults()).read(document.getBytes(StandardCharsets.UTF_8));
    }

    @Test
    void hostileClaims_areRefused_orCostNothing() {
        String huge = "1152921504606846976";
        opened("[" + huge + "]", "[[[1, " + huge + "]]]");
        opened("[" + huge + ", " + huge + "]", "[[[1, " + huge + "]], [[2, " + huge + "]]]");
        for (String shapes : List.of(
                "[[[" + huge + ", " + huge + "]]]",
                "[[[1, " + huge + "]], 1]",
                "[[]]",
                "[[1]]",
                "[[9223372036854775807, 1]]",
                "[[[0, 4]]]",
                "[[[4, 0]]]",
                "[0]",
                "[[4, 0]]",
                "[[4, -1, 7]]")) {
            assertThrows(MetadataException.class, () -> opened("[10]", shapes), shapes);
        }
    }
}
