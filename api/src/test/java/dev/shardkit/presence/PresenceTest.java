package dev.shardkit.presence;

import static dev.shardkit.testing.Values.at;
import static dev.shardkit.testing.Values.box;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.shardkit.ArraySpec;
import dev.shardkit.ChunkBitmap;
import dev.shardkit.ChunkPresence;
import dev.shardkit.Codecs;
import dev.shardkit.IfExists;
import dev.shardkit.PresentChunk;
import dev.shardkit.Zarr;
import dev.shardkit.ZarrArray;
import dev.shardkit.ZarrOptions;
import dev.shardkit.grid.rectilinear.ChunkLengths;
import dev.shardkit.grid.rectilinear.RectilinearGrid;
import dev.shardkit.metadata.ArrayMetadata;
import dev.shardkit.metadata.MetadataReader;
import dev.shardkit.registry.Registry;
import dev.shardkit.spi.array.Box;
import dev.shardkit.spi.codec.IndexLocation;
import dev.shardkit.spi.codec.Limits;
import dev.shardkit.spi.error.ChecksumException;
import dev.shardkit.spi.error.CorruptDataException;
import dev.shardkit.spi.json.Json;
import dev.shardkit.store.ObjectSnapshot;
import dev.shardkit.store.file.FileStore;
import dev.shardkit.store.memory.MemoryStore;
import dev.shardkit.testing.RawShard;
import dev.shardkit.testing.Values;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Which chunks exist: against a model, of huge arrays, of wrong indexes. */
public class PresenceTest {
    private static final Json DOTS = Json.object().with("name", Json.of("v2"));

    /** Kinds of arrays of 23 by 18 elements; the tile of each is what the model cuts it into. */
    enum Kind {
        CHUNKS(spec().withChunkShape(4, 5), 4, 5),
        CHUNKS_IN_ONE_FOLDER(spec().withChunkShape(2, 2).withChunkKeyEncoding(DOTS), 2, 2),
        SHARDS(spec().withChunkShape(2, 3).withShardShape(8, 6), 2, 3),
        SMALL_SHARDS(spec().withChunkShape(1, 1).withShardShape(2, 2), 1, 1),
        INDEX_FIRST(spec().withChunkShape(2, 3).withShardShape(8, 6).withIndexLocation(IndexLocation.START), 2, 3),
        TRANSPOSED(
                spec().withChunkShape(8, 6)
                        .withCodecs(Codecs.transpose(1, 0), Codecs.sharding(at(3, 2), Codecs.bytesLittleEndian())),
                2,
                3),
        NESTED(
                spec().withChunkShape(8, 6)
                        .withShardShape(16, 12)
                        .withCodecs(Codecs.sharding(at(2, 3), Codecs.bytesLittleEndian())),
                2,
                3),
        NESTED_TWICE(
                spec().withChunkShape(12, 12)
                        .withShardShape(24, 24)
                        .withCodecs(Codecs.sharding(
                                at(6, 6),
                                Codecs.transpose(1, 0),
                                Codecs.sharding(at(2, 3), Codecs.bytesLittleEndian()))),
                3,
                2),
        BEHIND_A_COMPRESSOR(
                spec().withChunkShape(8, 6)
                        .withCodecs(Codecs.sharding(at(2, 3), Codecs.bytesLittleEndian()), Codecs.gzip(1)),
                2,
                3),
        RECTILINEAR(
                spec().withChunkGrid(RectilinearGrid.metadata(ChunkLengths.of(4, 10, 2, 8), ChunkLengths.of(6, 3, 9)))
                        .withChunkShape(2, 3),
                2,
                3);

        private final ArraySpec spec;
        private final long[] tile;

        Kind(ArraySpec spec, long... tile) {
            this.spec = spec;
            this.tile = tile;
        }

        private static ArraySpec spec() {
            return ArraySpec.of("int32", 23, 18).withFillValue(-1).withCodecs(Codecs.bytesLittleEndian());
        }
    }

    /** Some of the array written: bits of it, in places, and a few erased. */
    private static Set<List<Long>> fill(ZarrArray array, long[] tile, int seed) {
        Random random = new Random(seed);
        for (int i = 0; i < 6; i++) {
            long[] origin = {random.nextInt(23), random.nextInt(18)};
            Box part = Box.of(
                    origin,
                    at(1 + random.nextInt(23 - (int) origin[0]) / 3, 1 + random.nextInt(18 - (int) origin[1]) / 3));
            if (i % 3 == 2) {
                array.erase(part);
            } else {
                array.write(part, random.ints(part.count(), 0, 1 << 30).toArray(), 0);
            }
        }
        return model(array, array.domain(), tile);
    }

    /** The tiles that touch {@code region} and hold more than the fill value. */
    private static Set<List<Long>> model(ZarrArray array, Box region, long[] tile) {
        int[] all = array.read().ints();
        Set<List<Long>> cells = new HashSet<>();
        for (int i = 0; i < all.length; i++) {
            List<Long> cell = List.of(i / 18 / tile[0], i % 18 / tile[1]);
            Box own = box(at(cell.get(0) * tile[0], cell.get(1) * tile[1]), tile);
            if (all[i] != -1 && !own.intersect(region).isEmpty()) {
                cells.add(cell);
            }
        }
        return cells;
    }

    public static List<Long> list(long[] cell) {
        return Arrays.stream(cell).boxed().toList();
    }

    @ParameterizedTest
    @EnumSource
    void presence_isTheModels_ofAnyRegion(Kind kind) {
        for (int seed = 0; seed < 12; seed++) {
            MemoryStore store = MemoryStore.create();
            ZarrArray array = Zarr.createArray(store, "a", kind.spec, IfExists.REFUSE, ZarrOptions.defaults());
            Set<List<Long>> model = fill(array, kind.tile, seed);
            Random random = new Random(seed);
            long[] origin = {random.nextInt(23), random.nextInt(18)};
            Box region = Box.of(origin, at(random.nextInt(24 - (int) origin[0]), random.nextInt(19 - (int) origin[1])));
            check(array.presence(), model);
            check(array.presence(region), model(array, region, kind.tile));
            Box cells = array.presence().cells();
            assertEquals(Box.of(at((22 / kind.tile[0]) + 1, 17 / kind.tile[1] + 1)), cells);
            for (long i = 0; i < cells.count(); i += 1 + random.nextInt(3)) {
                assertEquals(model.contains(list(cells.at(i))), array.chunkExists(cells.at(i)), "seed " + seed);
            }
            storedChunksAreThere(array, store);
        }
    }

    private static void check(ChunkPresence presence, Set<List<Long>> model) {
        Set<List<Long>> found = new HashSet<>();
        for (PresentChunk chunk : presence) {
            assertTrue(found.add(list(chunk.cell())), () -> "twice: " + chunk);
            assertEquals(presence.box(chunk.cell()), chunk.box());
        }
        assertEquals(model, found);
        assertEquals(model.size(), presence.count());
        ChunkBitmap bitmap = presence.bitmap();
        assertEquals(model.size(), bitmap.cardinality());
        Set<List<Long>> bits = new HashSet<>();
        bitmap.numbers().forEach(n -> bits.add(list(bitmap.cell(n))));
        assertEquals(model, bits);
        for (long i = 0; i < bitmap.cells().count(); i++) {
            assertEquals(
                    model.contains(list(bitmap.cells().at(i))),
                    bitmap.get(bitmap.cells().at(i)));
        }
    }

    private static void storedChunksAreThere(ZarrArray array, MemoryStore store) {
        Set<String> keys = new HashSet<>();
        array.storage().objects(keys::add);
        List<PresentChunk> stored = array.presence().atLevel(0).stream().toList();
        assertEquals(keys, new HashSet<>(stored.stream().map(PresentChunk::key).toList()));
        for (PresentChunk chunk : stored) {
            assertEquals(array.storage().storedSize(chunk.cell()).orElseThrow(), chunk.size());
            assertEquals(0, chunk.extent().orElseThrow().offset());
            assertTrue(array.presence().atLevel(0).exists(chunk.cell()));
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"CHUNKS", "SHARDS", "INDEX_FIRST", "NESTED", "RECTILINEAR"})
    void extents_areWhereTheBytesLie(Kind kind) throws Exception {
        MemoryStore store = MemoryStore.create();
        ZarrArray array = Zarr.createArray(store, "a", kind.spec, IfExists.REFUSE, ZarrOptions.defaults());
        fill(array, kind.tile, 5);
        int whole = 0;
        for (PresentChunk chunk : array.presence()) {
            if (!Arrays.equals(chunk.box().shape(), kind.tile)) {
                continue;
            }
            byte[] bytes = new byte[(int) chunk.size()];
            try (ObjectSnapshot object = store.open(chunk.key()).orElseThrow()) {
                object.read(chunk.extent().orElseThrow().offset(), ByteBuffer.wrap(bytes));
            }
            int[] found = new int[bytes.length / 4];
            ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN).asIntBuffer().get(found);
            assertArrayEquals(array.read(chunk.box()).ints(), found, chunk::toString);
            whole++;
        }
        assertTrue(whole > 3);
    }

    @Test
    void levels_areThoseOfShardsWithinShards() {
        ZarrArray array =
                Zarr.createArray(MemoryStore.create(), "a", Kind.NESTED.spec, IfExists.REFUSE, ZarrOptions.defaults());
        array.write(box(at(17, 7), 1, 1), new int[] {4}, 0);
        assertEquals(2, array.presence().levels());
        assertEquals(
                List.of(1L, 0L),
                list(array.presence().atLevel(0).stream()
                        .findFirst()
                        .orElseThrow()
                        .cell()));
        assertEquals(
                List.of(2L, 1L),
                list(array.presence().atLevel(1).stream()
                        .findFirst()
                        .orElseThrow()
                        .cell()));
        assertEquals(
                List.of(8L, 2L),
                list(array.presence().atLevel(2).stream()
                        .findFirst()
                        .orElseThrow()
                        .cell()));
        assertTrue(array.presence().atLevel(1).exists(2, 1));
        assertFalse(array.presence().atLevel(1).exists(2, 0));
        assertThrows(IllegalArgumentException.class, () -> array.presence().atLevel(3));
        assertThrows(IndexOutOfBoundsException.class, () -> array.chunkExists(12, 0));
        assertThrows(IndexOutOfBoundsException.class, () -> array.chunkExists(1));
    }

    @ParameterizedTest
    @ValueSource(strings = {"default", "v2"})
    @Timeout(180)
    void hugeArrays_areLazy(String encoding, @TempDir Path folder) {
        long cells = 1L << 31;
        ArraySpec spec = ArraySpec.of("uint8", cells, cells)
                .withShardShape(1, 1)
                .withChunkShape(1, 1)
                .withChunkKeyEncoding(Json.object().with("name", Json.of(encoding)));
        try (FileStore store = FileStore.at(folder)) {
            ZarrArray array = Zarr.createArray(store, "a", spec, IfExists.REFUSE, ZarrOptions.defaults());
            List<List<Long>> written =
                    List.of(List.of(0L, 7L), List.of(5L, 5L), List.of(5L, cells - 1), List.of(cells - 1, 10L));
            for (List<Long> cell : written) {
                array.write(box(at(cell.get(0), cell.get(1)), 1, 1), new byte[] {1}, 0);
            }
            assertEquals(1L << 62, array.presence().cells().count());
            assertEquals(
                    written, array.presence().stream().map(c -> list(c.cell())).toList());
            assertEquals(2, array.presence(box(at(5, 0), 1, cells)).count());
            IllegalArgumentException e = assertThrows(
                    IllegalArgumentException.class, () -> array.presence().bitmap());
            assertTrue(e.getMessage().contains(String.valueOf(1L << 62)), e.getMessage());
            ChunkBitmap few = array.presence(box(at(5, 0), 1, 1 << 20)).bitmap();
            assertEquals(List.of(5L), few.numbers().boxed().toList());
            assertThrows(IllegalArgumentException.class, () -> array.presence(box(at(5, 0), 1, 1 << 20))
                    .bitmap(1024));
        }
    }

    @Test
    void wrongEntries_areRefused_whereTheyAreLookedAt(@TempDir Path folder) throws Exception {
        ArraySpec spec =
                ArraySpec.of("int16", 8).withShardShape(8).withChunkShape(2).withCodecs(Codecs.bytesLittleEndian());
        try (FileStore store = FileStore.at(folder)) {
            ZarrArray array = Zarr.createArray(store, "a", spec, IfExists.REFUSE, ZarrOptions.defaults());
            array.write(array.domain(), new short[] {1, 2, 3, 4, 5, 6, 7, 8}, 0);
            Path file = folder.resolve("a/c/0");
            byte[] good = Files.readAllBytes(file);
            for (long[] entry : new long[][] {{-1, 4}, {4, -1}, {1 << 20, 4}, {Long.MAX_VALUE, 4}, {-2, 4}, {14, 4}}) {
                Files.write(file, good);
                RawShard.of(file, 4).entry(2, entry[0], entry[1]).write();
                CorruptDataException e = assertThrows(
                        CorruptDataException.class, () -> array.presence().count());
                assertTrue(e.getMessage().contains("a/c/0") && e.getMessage().contains("[2]"), e.getMessage());
                assertThrows(CorruptDataException.class, () -> array.chunkExists(2));
                assertTrue(array.chunkExists(1), "another entry");
                assertEquals(2, array.presence(Values.range(0, 4)).count(), "other entries");
            }
            good[good.length - 6] ^= 1;
            Files.write(file, good);
            assertThrows(ChecksumException.class, () -> array.presence().count());
            Files.write(file, new byte[10]);
            assertThrows(CorruptDataException.class, () -> array.presence().count());
        }
    }

    @Test
    void transformers_areLookedThrough() {
        String document = """
        {"zarr_format": 3, "node_type": "array", "shape": [23, 18], "data_type": "int32", "fill_value": -1,
         "chunk_grid": {"name": "regular", "configuration": {"chunk_shape": [2, 3]}},
         "chunk_key_encoding": {"name": "default"}, "codecs": [{"name": "bytes", "configuration": {"endian": "big"}}],
         "storage_transformers": [{"name": "sharding", "configuration": {"chunks_per_shard": [2, 2]}}]}""";
        ArrayMetadata metadata = (ArrayMetadata)
                new MetadataReader(Registry.load(), Limits.defaults()).read(document.getBytes(StandardCharsets.UTF_8));
        ZarrArray array = Zarr.openArray(MemoryStore.create(), "a", metadata, ZarrOptions.defaults());
        array.write(box(at(3, 4), 4, 1), new int[] {1, 2, 3, 4}, 0);
        List<List<Long>> found = new ArrayList<>();
        for (PresentChunk chunk : array.presence()) {
            found.add(list(chunk.cell()));
            assertTrue(chunk.extent().isPresent());
        }
        assertEquals(List.of(List.of(1L, 1L), List.of(2L, 1L), List.of(3L, 1L)), found);
        assertTrue(array.chunkExists(2, 1));
        assertFalse(array.chunkExists(2, 2));
    }

    @Test
    void whatOthersWrite_isSeenAtTheNextStep() {
        MemoryStore store = MemoryStore.create();
        ZarrArray array = Zarr.createArray(store, "a", Kind.SHARDS.spec, IfExists.REFUSE, ZarrOptions.defaults());
        ChunkPresence presence = array.presence();
        assertEquals(0, presence.count());
        Zarr.openArray(store, "a", ZarrOptions.defaults()).write(box(at(0, 0), 1, 1), new int[] {1}, 0);
        assertEquals(1, presence.count());
        assertTrue(array.chunkExists(0, 0));
    }
}
