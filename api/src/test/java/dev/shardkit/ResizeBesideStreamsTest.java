package dev.shardkit;

import static dev.shardkit.testing.Values.at;
import static dev.shardkit.testing.Values.box;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.shardkit.SliceOptions.Growth;
import dev.shardkit.spi.codec.ShardWritePolicy;
import dev.shardkit.spi.error.StoreException;
import dev.shardkit.store.Store;
import dev.shardkit.store.StoreListener;
import dev.shardkit.store.file.FileStore;
import dev.shardkit.store.memory.MemoryStore;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A stream of slices makes an array longer while another handle makes it shorter. */
@Timeout(300)
class ResizeBesideStreamsTest {
    private static final SliceOptions GROW = SliceOptions.defaults().withGrowth(Growth.GROW);

    @TempDir
    Path dir;

    private Store store(String kind) {
        return switch (kind) {
            case "files" -> FileStore.at(dir);
            case "memory" -> MemoryStore.create();
            default -> MemoryStore.conditional("m");
        };
    }

    /** An array of 20 slices, 1 to 20, in shards of 16. */
    private static ZarrArray create(Store store) {
        ZarrArray array = Zarr.createArray(
                store,
                "a",
                ArraySpec.of("int32", 20, 2).withShardShape(16, 2).withChunkShape(1, 2),
                IfExists.REFUSE,
                ZarrOptions.defaults());
        array.write(array.domain(), IntStream.range(0, 40).map(i -> i / 2 + 1).toArray(), 0);
        return array;
    }

    private static ZarrArray impatient(Store store) {
        return Zarr.openArray(store, "a", ZarrOptions.defaults().withLockPatience(Duration.ZERO));
    }

    /** The first element of each slice that is stored. */
    private static int[] stored(Store store) {
        int[] all = Zarr.openArray(store, "a", ZarrOptions.defaults()).read().ints();
        return IntStream.range(0, all.length / 2).map(i -> all[2 * i]).toArray();
    }

    private static int[] values(int end, int... added) {
        return IntStream.concat(IntStream.rangeClosed(1, end), Arrays.stream(added))
                .toArray();
    }

    /** Runs something when the first object was changed, on the thread that changed it; keeps how it ended. */
    private static final class AfterFirst implements StoreListener {
        private final Runnable task;
        private final AtomicReference<Optional<RuntimeException>> failure = new AtomicReference<>();

        AfterFirst(Runnable task) {
            this.task = task;
        }

        private void changed() {
            if (failure.compareAndSet(null, Optional.empty())) {
                try {
                    task.run();
                } catch (RuntimeException e) {
                    failure.set(Optional.of(e));
                }
            }
        }

        @Override
        public void onWrite(String key, ShardWritePolicy.Strategy strategy, long bytes) {
            changed();
        }

        @Override
        public void onDelete(String key) {
            changed();
        }

        /** How the task ended; fails if it was never run. */
        Optional<RuntimeException> failure() {
            return failure.get();
        }
    }

    @ParameterizedTest
    @CsvSource({"files,behind", "files,region", "memory,behind", "memory,region"})
    void resize_whileAStreamAddsSlices_removesNoneOfThem(String kind, String where) {
        Store store = store(kind);
        create(store);
        SliceOptions options = where.equals("behind") ? GROW : GROW.withRegion(box(at(20, 0), 2, 2));
        try (SliceWriter slices = impatient(store).slices(0, options)) {
            AfterFirst stream = new AfterFirst(() -> {
                slices.write(new int[] {91, 91, 92, 92}, 0);
                slices.flush();
            });
            ZarrArray shorter = Zarr.openArray(
                            store,
                            "a",
                            ZarrOptions.defaults().withParallelism(1).withListener(stream))
                    .resize(at(10, 2), ResizePolicy.REMOVE);
            assertArrayEquals(at(10, 2), shorter.shape());
            assertTrue(stream.failure().orElseThrow() instanceof StoreException, "the resize holds the lock");
            slices.flush();
            assertEquals(where.equals("behind") ? 12 : 22, slices.committed());
        }
        assertArrayEquals(
                where.equals("behind") ? values(10, 91, 92) : values(10, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 91, 92),
                stored(store));
    }

    @Test
    void resize_whileAStreamIsAtABatch_waits() {
        Store store = MemoryStore.create();
        create(store);
        ZarrArray other = impatient(store);
        AfterFirst resize = new AfterFirst(() -> other.resize(at(10, 2), ResizePolicy.REMOVE));
        try (SliceWriter slices = Zarr.openArray(
                        store, "a", ZarrOptions.defaults().withParallelism(1).withListener(resize))
                .slices(0, GROW)) {
            slices.write(new int[] {91, 91}, 0);
            slices.flush();
        }
        assertTrue(resize.failure().orElseThrow() instanceof StoreException, "the stream holds the lock");
        assertThrows(
                StoreException.class, () -> other.resize(at(10, 2), ResizePolicy.REMOVE), "it does not know of 91");
        assertArrayEquals(values(20, 91), stored(store));
    }

    @Test
    void resize_thatIsRefusedBesideAStream_withoutLocks_keepsItsSlices() {
        Store store = MemoryStore.conditional("m");
        create(store);
        AfterFirst stream = new AfterFirst(() -> {
            try (SliceWriter slices = impatient(store).slices(0, GROW)) {
                slices.write(IntStream.range(0, 40).map(i -> i / 2 + 91).toArray(), 0);
            }
        });
        ZarrArray other = Zarr.openArray(
                store, "a", ZarrOptions.defaults().withParallelism(1).withListener(stream));
        StoreException refused = assertThrows(StoreException.class, () -> other.resize(at(10, 2), ResizePolicy.REMOVE));
        assertTrue(
                refused.getMessage().contains("already removed the elements of [20, 2] outside of [10, 2]"),
                refused.getMessage());
        assertEquals(Optional.empty(), stream.failure());
        int[] all = stored(store);
        assertArrayEquals(IntStream.range(91, 111).toArray(), Arrays.copyOfRange(all, 20, all.length));
        assertArrayEquals(values(10), Arrays.copyOf(all, 10));
        Zarr.openArray(store, "a", ZarrOptions.defaults()).resize(at(10, 2), ResizePolicy.REMOVE);
        assertArrayEquals(values(10), stored(store));
        Zarr.openArray(store, "a", ZarrOptions.defaults()).resize(at(48, 2), ResizePolicy.KEEP);
        assertArrayEquals(Arrays.copyOf(values(10), 48), stored(store));
    }

    /** A handle that does not know the slices of a stream cannot hide them, so the stream does not overwrite them. */
    @ParameterizedTest
    @CsvSource({"files", "memory", "conditional"})
    void resize_toTheShapeThatAnOldHandleKnows_keepsTheSlicesOfAStream(String kind) {
        Store store = store(kind);
        ZarrArray old = create(store);
        try (SliceWriter slices = impatient(store).slices(0, GROW)) {
            slices.write(new int[] {91, 91, 92, 92}, 0);
            slices.flush();
            for (ResizePolicy outside : ResizePolicy.values()) {
                assertThrows(StoreException.class, () -> old.resize(old.shape(), outside));
            }
            slices.write(new int[] {93, 93}, 0);
        }
        assertArrayEquals(values(20, 91, 92, 93), stored(store));
    }

    /** A handle that knows all slices may hide them: the stream goes on at the new end, as documented. */
    @ParameterizedTest
    @CsvSource({"files", "memory", "conditional"})
    void stream_afterAResizeThatKeeps_goesOnAtTheNewEnd(String kind) {
        Store store = store(kind);
        create(store);
        try (SliceWriter slices = impatient(store).slices(0, GROW)) {
            slices.write(new int[] {91, 91, 92, 92}, 0);
            slices.flush();
            impatient(store).resize(at(20, 2), ResizePolicy.KEEP);
            slices.write(new int[] {93, 93}, 0);
            slices.flush();
            assertEquals(21, slices.committed());
        }
        assertArrayEquals(values(20, 93), stored(store));
        impatient(store).resize(at(22, 2), ResizePolicy.KEEP);
        assertArrayEquals(values(20, 93, 92), stored(store));
    }
}
