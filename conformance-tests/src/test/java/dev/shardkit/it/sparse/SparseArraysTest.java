package dev.shardkit.it.sparse;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.shardkit.ArraySpec;
import dev.shardkit.IfExists;
import dev.shardkit.NdArray;
import dev.shardkit.PresentChunk;
import dev.shardkit.Zarr;
import dev.shardkit.ZarrArray;
import dev.shardkit.ZarrOptions;
import dev.shardkit.files.Export;
import dev.shardkit.files.FileFormat;
import dev.shardkit.maintenance.Part;
import dev.shardkit.maintenance.chunks.StoredBoxes;
import dev.shardkit.maintenance.chunks.UnchangedArrayReads;
import dev.shardkit.maintenance.compare.Comparison;
import dev.shardkit.maintenance.copy.Copy;
import dev.shardkit.maintenance.copy.PartedCopy;
import dev.shardkit.maintenance.stats.Statistics;
import dev.shardkit.maintenance.tree.StorageSize;
import dev.shardkit.ome.pyramid.Pyramid;
import dev.shardkit.ome.pyramid.Reducer;
import dev.shardkit.spi.array.Box;
import dev.shardkit.spi.array.ChunkType;
import dev.shardkit.spi.array.DenseChunk;
import dev.shardkit.spi.array.Elements;
import dev.shardkit.spi.array.FillValue;
import dev.shardkit.spi.error.MissingChunkException;
import dev.shardkit.spi.error.UnsupportedException;
import dev.shardkit.spi.json.Json;
import dev.shardkit.spi.plan.ByteRange;
import dev.shardkit.store.Store;
import dev.shardkit.store.StoreListener;
import dev.shardkit.store.file.FileStore;
import dev.shardkit.store.policy.MissingChunks;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Jobs over arrays of which few shards are stored take time for these shards, not for the grid. */
@Tag("one-jdk")
class SparseArraysTest {
    private static final int SHARDS = 20;

    /** How many shards there are along each dimension. */
    private static final int GRID = 1000;

    private static final int LENGTH = 4 * GRID;

    @TempDir
    private Path folder;

    /** Returns an array of a million shards, 20 of which are stored. */
    private ZarrArray sparse(String name, ZarrOptions options) {
        return sparse(name, options, 7);
    }

    private ZarrArray sparse(String name, ZarrOptions options, int fill) {
        ArraySpec spec = ArraySpec.of("uint16", LENGTH, LENGTH)
                .withChunkShape(2, 2)
                .withShardShape(4, 4)
                .withFillValue(Json.of(fill));
        ZarrArray array =
                Zarr.createArray(folder.resolve(name).toString(), spec, IfExists.REFUSE, ZarrOptions.defaults());
        Random random = new Random(5);
        for (int i = 0; i < SHARDS; i++) {
            short[] values = new short[16];
            Arrays.fill(values, (short) (100 + i));
            array.write(
                    Box.of(new long[] {4L * random.nextInt(GRID), 4L * random.nextInt(GRID)}, new long[] {4, 4}),
                    values,
                    0);
        }
        array.close();
        return Zarr.openArray(folder.resolve(name).toString(), options);
    }

    /** Counts what is read from the store. */
    private static final class Reads implements StoreListener {
        private final AtomicLong count = new AtomicLong();

        @Override
        public void onRequest(String key, ByteRange range) {
            count.incrementAndGet();
        }
    }

    @Test
    void statistics_ofFewStoredShards_readTheseOnly() {
        Reads reads = new Reads();
        try (ZarrArray array = sparse("a", ZarrOptions.defaults().withListener(reads))) {
            reads.count.set(0);
            Statistics.Result result = Statistics.of(array).run();
            assertEquals((long) LENGTH * LENGTH, result.elements());
            assertEquals(result.elements() - SHARDS * 16, result.fill());
            assertEquals(
                    "119", result.numbers().orElseThrow().max().orElseThrow().toString());
            assertTrue(reads.count.get() <= 2 * SHARDS, reads.count + " reads");

            List<Json.Obj> parts = new ArrayList<>();
            for (int i = 1; i <= 3; i++) {
                parts.add(Statistics.of(array).runPart(Part.parse(i + "/3")));
            }
            assertEquals(result, Statistics.of(array).merged(parts));
            assertTrue(reads.count.get() <= 4 * SHARDS, reads.count + " reads");
        }
    }

    @Test
    void sizes_areThoseOfTheListing() throws IOException {
        Reads reads = new Reads();
        try (ZarrArray array = sparse("a", ZarrOptions.defaults().withListener(reads))) {
            reads.count.set(0);
            StorageSize size = StorageSize.of(array);
            assertEquals(0, reads.count.get());
            assertEquals(SHARDS, size.objects());
            long bytes = 0;
            try (Stream<Path> files = Files.walk(folder.resolve("a/c"))) {
                for (Path file : files.filter(Files::isRegularFile).toList()) {
                    bytes += Files.size(file);
                }
            }
            assertEquals(bytes, size.stored());
        }
    }

    @Test
    void copyToOtherShards_andComparison_ofFewStoredShards_touchTheseOnly() {
        Reads reads = new Reads();
        ZarrOptions counting = ZarrOptions.defaults().withListener(reads);
        try (ZarrArray array = sparse("a", counting);
                FileStore target = FileStore.at(folder.resolve("b"))) {
            reads.count.set(0);
            Copy.of(array).withShardShape(8, 8).to(target, counting);
            try (ZarrArray copy = Zarr.openArray(folder.resolve("b").toString(), counting)) {
                assertEquals(array.presence().count(), copy.presence().count());
                reads.count.set(0);
                Comparison.Summary result =
                        Comparison.of(array, copy).ignoringLayout().run(difference -> {});
                assertEquals(0, result.elements());
                assertTrue(reads.count.get() <= 8 * SHARDS, reads.count + " reads");

                copy.write(Box.of(new long[] {0, 0}, new long[] {1, 1}), new short[] {3}, 0);
                List<Comparison.Difference> found = new ArrayList<>();
                Comparison.of(array, copy).ignoringLayout().run(found::add);
                assertEquals(1, found.size());
            }
        }
    }

    /** So does a copy within a bound of memory, which is made in parts. */
    @Test
    void copyInParts_ofFewStoredShards_touchesTheseOnly() {
        Reads reads = new Reads();
        ZarrOptions counting = ZarrOptions.defaults().withListener(reads);
        try (ZarrArray array = sparse("a", counting);
                FileStore target = FileStore.at(folder.resolve("b"))) {
            PartedCopy parts = Copy.of(array).withShardShape(8, 8).inParts(target, counting);
            parts.begin();
            reads.count.set(0);
            parts.split(1).forEach(parts::write);
            assertTrue(reads.count.get() <= 12 * SHARDS, reads.count + " reads");
            parts.publish();
            try (ZarrArray copy = Zarr.openArray(folder.resolve("b").toString(), counting)) {
                assertEquals(array.presence().count(), copy.presence().count());
                assertEquals(
                        0,
                        Comparison.of(array, copy)
                                .ignoringLayout()
                                .run(difference -> {})
                                .elements());
            }
        }
    }

    @Test
    void copyToN5_ofFewStoredShards_touchesTheseOnly() {
        Reads reads = new Reads();
        ZarrOptions counting = ZarrOptions.defaults().withListener(reads);
        String n5 = "n5:" + folder.resolve("b");
        try (ZarrArray array = sparse("a", ZarrOptions.defaults(), 0);
                ZarrArray heard = Zarr.openArray(folder.resolve("a").toString(), counting);
                Store target = Zarr.openStore(n5, ZarrOptions.defaults())) {
            reads.count.set(0);
            Copy.of(heard).to(target, ZarrOptions.defaults());
            assertTrue(reads.count.get() <= 10 * SHARDS, reads.count + " reads");
            try (ZarrArray copy = Zarr.openArray(n5, ZarrOptions.defaults())) {
                assertEquals(
                        0,
                        Comparison.of(array, copy).ignoringLayout().run(d -> {}).elements());
                assertEquals(array.presence().count(), copy.presence().count());
            }
        }
    }

    @Test
    void copyToN5_ofAnotherFillValue_isRefusedForManyChunks_andWritesFewLargeOnes() {
        Reads reads = new Reads();
        String n5 = "n5:" + folder.resolve("b");
        try (ZarrArray array = sparse("a", ZarrOptions.defaults().withListener(reads));
                Store target = Zarr.openStore(n5, ZarrOptions.defaults())) {
            String message = assertThrows(
                            UnsupportedException.class, () -> Copy.of(array).to(target, ZarrOptions.defaults()))
                    .getMessage();
            assertTrue(message.contains("fill value of the array is 7"), message);
            assertTrue(message.contains("--chunk-shape"), message);
            assertFalse(folder.resolve("b").toFile().exists());

            reads.count.set(0);
            Copy.of(array).withChunkShape(1024, 1024).to(target, ZarrOptions.defaults());
            assertTrue(reads.count.get() <= 10 * SHARDS, reads.count + " reads");
            try (ZarrArray copy = Zarr.openArray(n5, ZarrOptions.defaults())) {
                Statistics.Result from = Statistics.of(array).run();
                Statistics.Result to = Statistics.of(copy).run();
                assertEquals(from.numbers(), to.numbers());
                assertEquals(
                        7,
                        copy.read(Box.of(new long[] {LENGTH - 1, 0}, new long[] {1, 1}))
                                .longAt(0, 0));
            }
        }
    }

    @Test
    void copyToMoreChunksThanABitmapHolds_touchesStoredOnesOnly() {
        ArraySpec spec = ArraySpec.of("uint8", 13_760, 13_760, 13_760)
                .withChunkShape(16, 16, 16)
                .withShardShape(64, 64, 64);
        String name = folder.resolve("c").toString();
        Reads reads = new Reads();
        try (ZarrArray array = Zarr.createArray(
                        name, spec, IfExists.REFUSE, ZarrOptions.defaults().withListener(reads));
                FileStore target = FileStore.at(folder.resolve("d"))) {
            byte[] values = new byte[64 * 64 * 64];
            Arrays.fill(values, (byte) 3);
            array.write(Box.of(new long[] {6400, 64, 12_800}, new long[] {64, 64, 64}), values, 0);
            reads.count.set(0);
            Copy.of(array).withoutShards().to(target, ZarrOptions.defaults());
            assertTrue(reads.count.get() <= 200, reads.count + " reads");
            try (ZarrArray copy = Zarr.openArray(folder.resolve("d").toString(), ZarrOptions.defaults())) {
                assertEquals(64, copy.presence().count());
            }
        }
    }

    @Test
    void pyramid_ofTinyChunks_hasShardsThatStaySparse() {
        try (ZarrArray array = sparse("a", ZarrOptions.defaults());
                FileStore target = FileStore.at(folder.resolve("b"))) {
            Pyramid.of(array).withReducer(Reducer.MAX).withLevels(2).to(target, ZarrOptions.defaults());
            try (ZarrArray level = Zarr.openArray(folder.resolve("b/1").toString(), ZarrOptions.defaults())) {
                assertArrayEquals(new long[] {128, 128}, level.storedChunkShape());
                Statistics.Result result = Statistics.of(level).run();
                assertEquals(result.elements() - SHARDS * 4, result.fill());
            }
        }
    }

    /** Levels of tiny shards, and of shards that touch many of the source. */
    @ParameterizedTest
    @ValueSource(longs = {4, 4096})
    void pyramid_ofFewStoredShards_touchesTheseOnly(long shard) {
        Reads reads = new Reads();
        ZarrOptions counting = ZarrOptions.defaults().withListener(reads);
        try (ZarrArray array = sparse("a", counting);
                FileStore target = FileStore.at(folder.resolve("b"))) {
            reads.count.set(0);
            Pyramid.of(array)
                    .withReducer(Reducer.MAX)
                    .withLevels(3)
                    .withShardShape(shard, shard)
                    .withChunkShape(Math.min(shard, 64), Math.min(shard, 64))
                    .to(target, counting);
            assertTrue(reads.count.get() <= 40 * SHARDS, reads.count + " reads");
            try (ZarrArray level = Zarr.openArray(folder.resolve("b/1").toString(), ZarrOptions.defaults())) {
                Statistics.Result result = Statistics.of(level).run();
                assertEquals(result.elements() - SHARDS * 4, result.fill());
            }
        }
    }

    @Test
    void export_ofFewStoredShards_readsTheseOnly() throws Exception {
        Reads reads = new Reads();
        try (ZarrArray array = sparse("a", ZarrOptions.defaults().withListener(reads))) {
            reads.count.set(0);
            CountingOutput out = new CountingOutput();
            Export.of(array).to(out, FileFormat.NPY);
            assertTrue(out.bytes > 2L * LENGTH * LENGTH, out.bytes + " bytes");
            assertTrue(reads.count.get() <= 10 * SHARDS, reads.count + " reads");

            reads.count.set(0);
            Export.of(array)
                    .within(Box.of(new long[] {1, 2}, new long[] {1000, 1000}))
                    .withSteps(1, 1)
                    .to(new CountingOutput(), FileFormat.NPY);
            assertTrue(reads.count.get() <= 10 * SHARDS, reads.count + " reads");
        }
    }

    /** Counts bytes, and keeps none. */
    private static final class CountingOutput extends OutputStream {
        private long bytes;

        @Override
        public void write(int b) {
            bytes++;
        }

        @Override
        public void write(byte[] b, int from, int length) {
            bytes += length;
        }
    }

    @Test
    void readsOfParts_areThoseOfTheArray() {
        try (ZarrArray array = sparse("a", ZarrOptions.defaults())) {
            UnchangedArrayReads sparse = new UnchangedArrayReads(array);
            Random random = new Random(3);
            for (PresentChunk present : array.presence().atLevel(0)) {
                long[] origin = present.box().origin();
                Arrays.setAll(origin, d -> Math.max(0, origin[d] - random.nextInt(200)));
                long[] shape = new long[2];
                Arrays.setAll(shape, d -> Math.min(1 + random.nextInt(300), array.shape()[d] - origin[d]));
                Box part = Box.of(origin, shape);
                DenseChunk chunk = DenseChunk.filled(ChunkType.of(array.dataType(), FillValue.of(new byte[2]), shape));
                sparse.read(part, chunk.target());
                DenseChunk expected =
                        DenseChunk.filled(ChunkType.of(array.dataType(), FillValue.of(new byte[2]), shape));
                array.read(part, expected.target());
                assertEquals(
                        ((Elements.Fixed) expected.elements()).bytes(), ((Elements.Fixed) chunk.elements()).bytes());
            }
        }
    }

    @Test
    void readsOfARegion_lookAtItsStoredChunksOnly() {
        Reads reads = new Reads();
        try (ZarrArray array = sparse("a", ZarrOptions.defaults().withListener(reads))) {
            Box region = Box.of(new long[] {1500, 1000}, new long[] {2000, 2500});
            reads.count.set(0);
            NdArray values = new UnchangedArrayReads(array, region).read(region);
            assertTrue(reads.count.get() <= 2 * SHARDS, reads.count + " reads");
            int stored = 0;
            for (PresentChunk present : array.presence().atLevel(0)) {
                Box inside = present.box().intersect(region);
                for (long i = 0; i < inside.count(); i++) {
                    long[] at = inside.at(i);
                    assertEquals(
                            array.read(Box.of(at, new long[] {1, 1})).longAt(0, 0),
                            values.longAt(at[0] - 1500, at[1] - 1000));
                    stored++;
                }
            }
            assertTrue(stored > 0);
            short[] all = (short[]) values.array();
            int filled = 0;
            for (short value : all) {
                filled += value == 7 ? 1 : 0;
            }
            assertEquals(all.length - stored, filled);
        }
    }

    @Test
    void missingChunks_thatTheOptionsRefuse_areNoFillValues() {
        ZarrOptions refusing = ZarrOptions.defaults().withMissingChunks(MissingChunks.ERROR);
        try (ZarrArray array = sparse("a", refusing);
                FileStore target = FileStore.at(folder.resolve("b"))) {
            assertThrows(MissingChunkException.class, () -> Statistics.of(array).run());
            assertThrows(
                    MissingChunkException.class,
                    () -> Copy.of(array).withShardShape(8, 8).to(target, refusing));
        }
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6})
    void visit_ofARandomArray_coversTheRegionOnce_withAllStoredChunks(long seed) {
        Random random = new Random(seed);
        long[] shape = {1 + random.nextInt(40), 1 + random.nextInt(60), 1 + random.nextInt(50)};
        long[] chunk = {1 + random.nextInt(4), 1 + random.nextInt(5), 1 + random.nextInt(6)};
        ArraySpec spec = ArraySpec.of("int32", shape).withChunkShape(chunk);
        try (ZarrArray array = Zarr.createArray(folder.resolve("r" + seed).toString(), spec)) {
            for (int i = 0; i < 1 << random.nextInt(8); i++) {
                long[] at =
                        Arrays.stream(shape).map(n -> random.nextInt((int) n)).toArray();
                array.write(Box.of(at, new long[] {1, 1, 1}), new int[] {1 + i}, 0);
            }
            long[] origin =
                    Arrays.stream(shape).map(n -> random.nextInt((int) n)).toArray();
            long[] part = new long[3];
            Arrays.setAll(part, d -> 1 + random.nextInt((int) (shape[d] - origin[d])));
            Box region = Box.of(origin, part);
            int[] visits = new int[(int) region.count()];
            List<Box> empty = new ArrayList<>();
            StoredBoxes.visit(array, region, 200, box -> count(visits, region, box), box -> {
                count(visits, region, box);
                empty.add(box);
            });
            int[] once = new int[visits.length];
            Arrays.fill(once, 1);
            assertArrayEquals(once, visits, "seed " + seed);
            for (PresentChunk present : array.presence(region).atLevel(0)) {
                for (Box box : empty) {
                    assertFalse(
                            !box.intersect(present.box()).isEmpty(), "seed " + seed + ": " + present + " in " + box);
                }
            }
        }
    }

    private static void count(int[] visits, Box region, Box box) {
        Box inside = box.relativeTo(region);
        for (long i = 0; i < inside.count(); i++) {
            long[] at = inside.at(i);
            visits[(int) ((at[0] * region.shape(1) + at[1]) * region.shape(2) + at[2])]++;
        }
    }
}
