package dev.shardkit.maintenance.concat;

import static dev.shardkit.maintenance.concat.ConcatenationSamples.OPTIONS;
import static dev.shardkit.maintenance.concat.ConcatenationSamples.WIDTH;
import static dev.shardkit.maintenance.concat.ConcatenationSamples.create;
import static dev.shardkit.maintenance.concat.ConcatenationSamples.expectedElements;
import static dev.shardkit.maintenance.concat.ConcatenationSamples.objects;
import static dev.shardkit.maintenance.concat.ConcatenationSamples.openResult;
import static dev.shardkit.maintenance.concat.ConcatenationSamples.shardedSpec;
import static dev.shardkit.maintenance.concat.ConcatenationSamples.sources;
import static dev.shardkit.maintenance.concat.ConcatenationSamples.unshardedSpec;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.shardkit.ArraySpec;
import dev.shardkit.IfExists;
import dev.shardkit.Zarr;
import dev.shardkit.ZarrArray;
import dev.shardkit.grid.rectilinear.ChunkLengths;
import dev.shardkit.grid.rectilinear.RectilinearGrid;
import dev.shardkit.maintenance.concat.Concatenation.Source;
import dev.shardkit.maintenance.concat.Concatenation.Summary;
import dev.shardkit.maintenance.concat.ConcatenationSamples.Transfer;
import dev.shardkit.spi.array.Box;
import dev.shardkit.spi.error.MetadataException;
import dev.shardkit.spi.error.StoreException;
import dev.shardkit.spi.json.Json;
import dev.shardkit.store.file.FileStore;
import dev.shardkit.store.memory.MemoryStore;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The results of concatenating arrays without decoding them. */
class ConcatenationTest {
    @ParameterizedTest
    @EnumSource
    void chunksOfAllLengths_areOneArray_byteForByte(Transfer way) throws Exception {
        MemoryStore store = MemoryStore.create();
        List<Source> sources = sources(
                store,
                unshardedSpec(12).withChunkShape(4, 3),
                unshardedSpec(10).withChunkShape(5, 3),
                unshardedSpec(9)
                        .withChunkGrid(RectilinearGrid.metadata(ChunkLengths.of(2, 3, 4), ChunkLengths.of(3, 3, 3))),
                unshardedSpec(0).withChunkShape(9, 3),
                unshardedSpec(11).withChunkShape(4, 3));
        int[] model = expectedElements(sources);
        Map<String, byte[]> before = objects(store);
        Summary done = way.of(sources, 0).to(store, "out");
        ZarrArray out = openResult(store);
        assertArrayEquals(new long[] {42, WIDTH}, out.shape());
        assertArrayEquals(model, out.read().ints());
        assertEquals("rectilinear", out.metadata().chunkGrid().name());
        assertEquals(
                "[[[4,3],[5,2],2,3,[4,4]],3]",
                out.metadata()
                        .chunkGrid()
                        .configuration()
                        .get("chunk_shapes")
                        .orElseThrow()
                        .toString());
        assertEquals(0, done.reencoded());
        byte[] one = before.get("s1/c/1/2");
        assertArrayEquals(one, objects(store).get("out/c/4/2"));
        assertEquals(way == Transfer.COPY, Zarr.find(store, "s1", OPTIONS).isPresent());
        assertEquals(
                way == Transfer.COPY ? before.keySet() : Set.of(),
                objects(store).keySet().stream()
                        .filter(k -> !k.startsWith("out/"))
                        .collect(java.util.stream.Collectors.toSet()));
        assertFalse(store.open("out/__unfinished").isPresent());
        ZarrArray other = create(store, "other", unshardedSpec(4).withChunkShape(4, 3), 9);
        StoreException e = assertThrows(StoreException.class, () -> way.of(List.of(new Source(store, other.path())), 0)
                .to(store, "out"));
        assertTrue(e.getMessage().contains("already"), e.getMessage());
    }

    @ParameterizedTest
    @EnumSource
    void shardsOfUnequalShapes_areOneArray(Transfer way, @TempDir Path folder) throws Exception {
        try (FileStore a = FileStore.at(folder.resolve("a"));
                FileStore b = FileStore.at(folder.resolve("b"));
                FileStore c = FileStore.at(folder.resolve("c"))) {
            create(a, "", shardedSpec(16, 8), 1);
            create(b, "", shardedSpec(12, 4).withAttributes(Json.object().with("b", Json.of(1))), 2);
            create(c, "", shardedSpec(7, 6), 3);
            List<Source> sources = List.of(new Source(a, ""), new Source(b, ""), new Source(c, ""));
            int[] model = expectedElements(sources);
            try (FileStore out = FileStore.at(folder.resolve("out"))) {
                way.of(sources, 0).to(out, "out");
                assertArrayEquals(model, openResult(out).read().ints());
                ZarrArray array = openResult(out);
                array.write(Box.of(new long[] {15, 3}, new long[] {2, 1}), new int[] {77, 78}, 0);
                model[15 * WIDTH + 3] = 77;
                model[16 * WIDTH + 3] = 78;
                assertArrayEquals(model, openResult(out).read().ints());
            }
            assertEquals(way == Transfer.COPY, Files.exists(folder.resolve("b/zarr.json")));
            assertEquals(way == Transfer.COPY, Files.exists(folder.resolve("b/c/0/0")));
        }
    }

    @Test
    void alongAnyAxis_ofRandomArrays() {
        Random random = new Random(4);
        for (int round = 0; round < 30; round++) {
            MemoryStore store = MemoryStore.create();
            int axis = random.nextInt(2);
            List<Source> sources = new ArrayList<>();
            long wide = 1 + random.nextInt(6);
            long other = 1 + random.nextInt(3);
            for (int i = 0; i < 1 + random.nextInt(4); i++) {
                long edge = 1 + random.nextInt(4);
                long length = random.nextInt(10);
                ArraySpec spec = axis == 0
                        ? ArraySpec.of("int32", length, wide).withChunkShape(edge, other)
                        : ArraySpec.of("int32", wide, length).withChunkShape(other, edge);
                ZarrArray array = Zarr.createArray(store, "s" + i, spec, IfExists.REFUSE, OPTIONS);
                array.write(array.domain(), random.ints(array.domain().count()).toArray(), 0);
                sources.add(new Source(store, "s" + i));
            }
            List<int[]> parts = sources.stream()
                    .map(s -> Zarr.openArray(store, s.path(), OPTIONS).read().ints())
                    .toList();
            List<long[]> shapes = sources.stream()
                    .map(s -> Zarr.openArray(store, s.path(), OPTIONS).shape())
                    .toList();
            Transfer way = Transfer.values()[random.nextInt(2)];
            way.of(sources, axis).reencodingEdges().to(store, "out");
            ZarrArray out = openResult(store);
            long at = 0;
            for (int i = 0; i < parts.size(); i++) {
                long[] origin = new long[2];
                origin[axis] = at;
                assertArrayEquals(
                        parts.get(i), out.read(Box.of(origin, shapes.get(i))).ints(), "round " + round);
                at += shapes.get(i)[axis];
            }
            assertEquals(at, out.shape()[axis]);
        }
    }

    @Test
    void equalChunks_stayARegularGrid() {
        MemoryStore store = MemoryStore.create();
        List<Source> sources = sources(
                store, unshardedSpec(8).withChunkShape(4, 3), unshardedSpec(9).withChunkShape(4, 3));
        assertEquals(
                "regular",
                Concatenation.copying(sources, 0, OPTIONS)
                        .describe()
                        .chunkGrid()
                        .name());
        assertTrue(Zarr.find(store, "out", OPTIONS).isEmpty());
    }

    @Test
    void chunkThatIsNotStored_needsNoEncoding() {
        MemoryStore store = MemoryStore.create();
        List<Source> sources = sources(
                store, unshardedSpec(10).withChunkShape(4, 3), unshardedSpec(8).withChunkShape(4, 3));
        Zarr.openArray(store, "s0", OPTIONS).erase(Box.of(new long[] {8, 0}, new long[] {2, WIDTH}));
        int[] model = expectedElements(sources);
        Concatenation.moving(sources, 0, OPTIONS).to(store, "out");
        assertArrayEquals(model, openResult(store).read().ints());
    }

    @Test
    void manyChunks_costNoMemoryInTheGrid() {
        MemoryStore store = MemoryStore.create();
        long huge = 1L << 60;
        List<Source> sources = IntStream.range(0, 3)
                .mapToObj(i -> {
                    Zarr.createArray(
                                    store,
                                    "s" + i,
                                    ArraySpec.of("int8", huge).withChunkShape(1 << i),
                                    IfExists.REFUSE,
                                    OPTIONS)
                            .write(Box.of(new long[] {huge - 3}, new long[] {3}), new byte[] {1, 2, 3}, 0);
                    return new Source(store, "s" + i);
                })
                .toList();
        Concatenation.copying(sources, 0, OPTIONS).to(store, "out");
        ZarrArray out = Zarr.openArray(store, "out", OPTIONS);
        assertArrayEquals(
                new byte[] {0, 1, 2, 3, 0},
                out.read(Box.of(new long[] {2 * huge - 4}, new long[] {5})).bytes());
        MetadataException e = assertThrows(MetadataException.class, () -> Concatenation.copying(
                        IntStream.range(0, 9).mapToObj(i -> sources.get(0)).toList(), 0, OPTIONS)
                .describe());
        assertTrue(e.getMessage().contains("2^63-1"), e.getMessage());
    }
}
