package dev.shardkit.examples;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.shardkit.ArraySpec;
import dev.shardkit.Codecs;
import dev.shardkit.IfExists;
import dev.shardkit.NdArray;
import dev.shardkit.ResizePolicy;
import dev.shardkit.ShardMargins;
import dev.shardkit.Shards;
import dev.shardkit.SliceOptions;
import dev.shardkit.SliceWriter;
import dev.shardkit.Transaction;
import dev.shardkit.Zarr;
import dev.shardkit.ZarrArray;
import dev.shardkit.ZarrGroup;
import dev.shardkit.ZarrOptions;
import dev.shardkit.spi.array.Box;
import dev.shardkit.spi.array.Elements;
import dev.shardkit.spi.array.Feed;
import dev.shardkit.spi.codec.ShardWritePolicy;
import dev.shardkit.spi.error.UnsupportedException;
import dev.shardkit.spi.json.Json;
import dev.shardkit.spi.plan.NoResult;
import dev.shardkit.store.Store;
import dev.shardkit.store.WriteOnceStore;
import dev.shardkit.store.file.FileStore;
import dev.shardkit.store.policy.Durability;
import dev.shardkit.store.policy.WriteOwnership;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The Java examples of writing; the marked lines are shown in the documents. */
class WritingTest {
    @TempDir
    private Path folder;

    /** Gives sevens. */
    private final Feed feed = (part, to, offset, strides) -> {
        for (long y = 0; y < part.shape()[0]; y++) {
            for (long x = 0; x < part.shape()[1]; x++) {
                ((Elements.Fixed) to).bytes().put((int) (offset + y * strides[0] + x * strides[1]), (byte) 7);
            }
        }
    };

    private ZarrArray create() {
        ArraySpec spec = ArraySpec.of("uint16", 128, 64, 64)
                .withShardShape(64, 64, 64)
                .withChunkShape(8, 32, 32)
                .withCodecs(Codecs.zstd(3));
        return Zarr.createArray(folder.resolve("image.zarr").toString(), spec);
    }

    @Test
    void with_changesOptionsForAHandle() {
        try (ZarrArray array = create()) {
            // example: with
            ZarrArray appending = array.with(options -> options.withWritePolicy(
                            ShardWritePolicy.defaults().withStrategy(ShardWritePolicy.Strategy.APPEND))
                    .withDurability(Durability.ATOMIC));
            appending.write(Box.of(new long[] {0, 0, 0}, new long[] {8, 32, 32}), new short[8 * 32 * 32], 0);
            // end
            assertEquals(Durability.ATOMIC, appending.options().durability());
        }
    }

    @Test
    void margins_stayInTheShard() {
        try (ZarrArray array = create()) {
            // example: margins
            array.write(Box.of(new long[] {0, 0, 0}, new long[] {1, 1, 2}), new short[] {1, 2}, 0);
            byte[] header = "camera 7".getBytes(StandardCharsets.UTF_8);
            array.writeMargins(new long[] {0, 0, 0}, new ShardMargins(header, new byte[0]));

            array.write(Box.of(new long[] {5, 0, 0}, new long[] {1, 1, 2}), new short[] {3, 4}, 0);
            Optional<ShardMargins> found = array.readMargins(new long[] {0, 0, 0}, 1 << 10); // at most 1 KiB
            // end
            assertArrayEquals(header, found.orElseThrow().header());
        }
    }

    @Test
    void writeOnce_keepsWhatIsStored() {
        Store folderStore = FileStore.at(folder.resolve("archive.zarr"));
        ArraySpec spec = ArraySpec.of("uint16", 1024, 64).withShardShape(64, 64).withChunkShape(8, 64);
        // example: once
        Store archive = WriteOnceStore.over(folderStore);
        try (ZarrArray array = Zarr.createArray(archive, "run", spec, IfExists.REFUSE, ZarrOptions.defaults())) {
            array.write(Box.of(new long[] {0, 0}, new long[] {64, 64}), frame(1), 0); // the first shard
            array.write(Box.of(new long[] {64, 0}, new long[] {64, 64}), frame(2), 0); // the second
        }
        // end
        try (ZarrArray array = Zarr.openArray(archive, "run", ZarrOptions.defaults())) {
            assertThrows(
                    UnsupportedException.class,
                    () -> array.write(Box.of(new long[] {0, 0}, new long[] {1, 1}), new short[1], 0));
        }
    }

    @Test
    void transaction_publishesEachShardOnce() {
        try (ZarrArray array = create()) {
            // example: transaction
            try (Transaction writes = array.transaction(64 << 20)) { // holds at most 64 MiB
                for (long z = 0; z < 64; z++) {
                    short[] spot = {1, 2, 3, 4};
                    writes.write(Box.of(new long[] {z, z, 0}, new long[] {1, 1, 4}), spot, 0);
                }
                writes.commit(); // one shard, written once
            }
            // end
            assertEquals(
                    3,
                    array.read(Box.of(new long[] {9, 9, 2}, new long[] {1, 1, 1}))
                            .longAt(0, 0, 0));
        }
    }

    // example: follow
    static long follow(String location, long end) throws InterruptedException {
        try (ZarrArray opened = Zarr.openArray(location)) {
            ZarrArray array = opened;
            long seen = 0;
            while (seen < end) {
                array = array.refresh(); // the stored shape; handles themselves never change
                long length = array.shape()[0];
                if (length > seen) {
                    NdArray fresh = array.view().range(0, seen, length).read();
                    System.out.println(fresh.shape()[0] + " new slices");
                    seen = length;
                } else {
                    Thread.sleep(100);
                }
            }
            return seen;
        }
    }
    // end

    @Test
    void slices_areWrittenAsTheyArrive() throws InterruptedException {
        try (ZarrArray array = create()) {
            // example: slices
            try (SliceWriter slices = array.slices(
                    0,
                    SliceOptions.defaults()
                            .withGrowth(SliceOptions.Growth.GROW) // append at the array's end
                            .withBudgetBytes(16 << 20))) {
                for (int i = 0; i < 100; i++) {
                    slices.write(frame(i), 0);
                }
                slices.flush(); // all slices so far are stored
            }
            // end
        }
        assertEquals(228, follow(folder.resolve("image.zarr").toString(), 228));
        try (ZarrArray array = Zarr.openArray(folder.resolve("image.zarr").toString())) {
            assertArrayEquals(new long[] {228, 64, 64}, array.shape());
            assertEquals(
                    99,
                    array.read(Box.of(new long[] {227, 0, 0}, new long[] {1, 1, 1}))
                            .longAt(0, 0, 0));
        }
    }

    @Test
    void slices_areRecordedWithoutWaiting() {
        try (ZarrArray array = create()) {
            // example: pipeline
            SliceOptions growing = SliceOptions.defaults().withGrowth(SliceOptions.Growth.GROW);
            long smooth =
                    growing.estimate(array, 0).smoothBytes().orElseThrow(); // two layers and what is being encoded
            try (SliceWriter slices = array.slices(0, growing.withBudgetBytes(smooth))) {
                for (int i = 0; i < 100; i++) {
                    slices.write(frame(i), 0);
                    if (i % 50 == 49) {
                        slices.flush(); // these slices survive a crash of the process
                    }
                }
                System.out.println(
                        slices.strategy() + ", waits: " + slices.backlog().waits());
            }
            // end
        }
        try (ZarrArray array = Zarr.openArray(folder.resolve("image.zarr").toString())) {
            assertArrayEquals(new long[] {228, 64, 64}, array.shape());
            for (int i = 0; i < 100; i++) {
                assertEquals(
                        i,
                        array.read(Box.of(new long[] {128 + i, 0, 0}, new long[] {1, 1, 1}))
                                .longAt(0, 0, 0));
            }
        }
    }

    private static short[] frame(int number) {
        short[] frame = new short[64 * 64];
        frame[0] = (short) number;
        return frame;
    }

    @Test
    void split_sharesShardsAmongWorkers() throws Exception {
        ExecutorService workers = Executors.newFixedThreadPool(2);
        try (ZarrArray array = create()) {
            // example: split
            ZarrArray own = array.with(options -> options.withOwnership(WriteOwnership.OWNED));
            List<Future<?>> jobs = new ArrayList<>();
            for (Shards part : array.shards().split(2)) { // parts share no shard, so no locks are needed
                jobs.add(workers.submit(() -> part.forEach(shard -> own.write(shard.box(), values(shard.box()), 0))));
            }
            // end
            for (Future<?> job : jobs) {
                job.get();
            }
            assertEquals(
                    7,
                    array.read(Box.of(new long[] {127, 63, 63}, new long[] {1, 1, 1}))
                            .longAt(0, 0, 0));
        } finally {
            workers.shutdown();
        }
    }

    private static short[] values(Box box) {
        short[] values = new short[(int) box.count()];
        java.util.Arrays.fill(values, (short) 7);
        return values;
    }

    @Test
    void erase_andResize() {
        try (ZarrArray array = create()) {
            // example: erase
            array.erase(Box.of(new long[] {0, 0, 0}, new long[] {20, 64, 64}));
            ZarrArray shorter = array.resize(new long[] {50, 64, 64}, ResizePolicy.REMOVE);
            // end
            assertArrayEquals(new long[] {50, 64, 64}, shorter.shape());
        }
    }

    @Test
    void withoutBlocking() throws Exception {
        try (Store store = Zarr.openStore(folder.resolve("volumes.zarr").toString(), ZarrOptions.defaults())) {
            // example: async
            ZarrOptions options = ZarrOptions.defaults();
            CompletableFuture<ZarrGroup> group =
                    Zarr.createGroupAsync(store, "", Json.object(), IfExists.REFUSE, options);
            ArraySpec spec = ArraySpec.of("uint8", 64, 64).withChunkShape(32, 32);
            CompletableFuture<NoResult> stored = group.thenCompose(g -> g.createArrayAsync("a", spec, IfExists.REFUSE))
                    .thenCompose(array -> array.writeAsync(array.domain(), feed)); // of any size
            stored.get();
            ZarrArray array = Zarr.openArray(store, "a", options);
            NdArray row = NdArray.of(array.dataType(), new long[] {1, 64}, new byte[64]);
            array.writeAsync(Box.of(row.shape()), row).get();
            // end
            assertEquals(7, array.read().longAt(63, 63));
            assertEquals(0, array.read().longAt(0, 63));
        }
    }
}
