package dev.shardkit;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.shardkit.SliceOptions.Growth;
import dev.shardkit.spi.array.Box;
import dev.shardkit.spi.codec.ShardWritePolicy;
import dev.shardkit.spi.plan.ByteRange;
import dev.shardkit.store.Condition;
import dev.shardkit.store.Store;
import dev.shardkit.store.StoreListener;
import dev.shardkit.store.access.BlockingStore;
import dev.shardkit.store.file.FileStore;
import dev.shardkit.store.memory.MemoryStore;
import dev.shardkit.testkit.store.RemoteAdapter;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * An array that another program has shrunk becomes longer: zarr-python deletes the chunks outside and leaves the chunk
 * on the edge as it is, other programs change the document only. None of the elements left there comes back.
 */
@Timeout(120)
class NewElementsTest {
    private static final SliceOptions GROW = SliceOptions.defaults().withGrowth(Growth.GROW);
    private static final ZarrOptions OPTIONS = ZarrOptions.defaults();
    private static final int FILL = -1;

    @TempDir
    Path dir;

    private Store store(String kind) {
        return switch (kind) {
            case "files" -> FileStore.at(dir);
            case "memory" -> MemoryStore.create();
            case "conditional" -> MemoryStore.conditional("m");
            default -> RemoteAdapter.of(MemoryStore.conditional("remote"));
        };
    }

    private static ArraySpec spec(String form, long... shape) {
        long[] chunk = new long[shape.length];
        Arrays.fill(chunk, 4);
        long[] inner = new long[shape.length];
        Arrays.fill(inner, 2);
        ArraySpec spec = ArraySpec.of("int32", shape).withFillValue(FILL);
        return form.equals("sharded") ? spec.withShardShape(chunk).withChunkShape(inner) : spec.withChunkShape(chunk);
    }

    /** Writes 0, 1, … 10 in chunks of 4, and leaves 0 to 4 as another program does. */
    private static void shrunk(Store store, String form, boolean deletesChunks) throws Exception {
        ZarrArray array = Zarr.createArray(store, "a", spec(form, 11), IfExists.REFUSE, OPTIONS);
        array.write(array.domain(), IntStream.range(0, 11).toArray(), 0);
        open(store).resize(new long[] {5}, ResizePolicy.KEEP); // changes the document only
        if (deletesChunks) {
            BlockingStore.to(store).delete("a/c/2", Condition.ANY);
        }
    }

    private static int[] stored(Store store) {
        return open(store).read().ints();
    }

    private static ZarrArray open(Store store) {
        return Zarr.openArray(store, "a", OPTIONS);
    }

    @ParameterizedTest
    @CsvSource({
        "files,plain,true",
        "files,sharded,true",
        "files,sharded,false",
        "memory,plain,false",
        "conditional,plain,false",
        "conditional,sharded,true",
        "remote,plain,true",
        "remote,sharded,true",
        "remote,plain,false"
    })
    void longerArray_showsTheFillValue_notWhatIsLeft(String kind, String form, boolean deletesChunks) throws Exception {
        Store store = store(kind);
        shrunk(store, form, deletesChunks);
        open(store).resize(new long[] {12}, ResizePolicy.REMOVE);
        assertArrayEquals(new int[] {0, 1, 2, 3, 4, -1, -1, -1, -1, -1, -1, -1}, stored(store));
    }

    @Test
    void longerArray_showsWhatIsKept_onRequest() throws Exception {
        Store store = MemoryStore.create();
        shrunk(store, "plain", false);
        open(store).resize(new long[] {12}, ResizePolicy.KEEP);
        assertArrayEquals(new int[] {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, -1}, stored(store));
    }

    @ParameterizedTest
    @CsvSource({"files,plain", "files,sharded", "conditional,plain", "remote,sharded"})
    void streamThatLeavesAGap_fillsIt(String kind, String form) throws Exception {
        Store store = store(kind);
        shrunk(store, form, true);
        Box from7 = Box.of(new long[] {7}, new long[] {2});
        try (SliceWriter slices = open(store).slices(0, GROW.withRegion(from7))) {
            slices.write(new int[] {70, 80}, 0);
        }
        assertArrayEquals(new int[] {0, 1, 2, 3, 4, -1, -1, 70, 80}, stored(store));
    }

    @ParameterizedTest
    @CsvSource({"files,plain", "memory,sharded", "conditional,plain", "remote,sharded"})
    void streamThatIsNarrower_fillsWhatLiesBeside(String kind, String form) throws Exception {
        Store store = store(kind);
        ZarrArray array = Zarr.createArray(store, "a", spec(form, 4, 4), IfExists.REFUSE, OPTIONS);
        array.write(array.domain(), IntStream.range(0, 16).toArray(), 0);
        open(store).resize(new long[] {1, 4}, ResizePolicy.KEEP);
        Box left = Box.of(new long[] {1, 0}, new long[] {2, 2});
        try (SliceWriter slices = open(store).slices(0, GROW.withRegion(left))) {
            slices.write(new int[] {70, 71}, 0);
            slices.flush();
            slices.write(new int[] {80, 81}, 0);
        }
        assertArrayEquals(new int[] {0, 1, 2, 3, 70, 71, -1, -1, 80, 81, -1, -1}, stored(store));
    }

    /** On a store without locks, readers see reserved slices before they are stored. */
    @ParameterizedTest
    @CsvSource({"conditional,plain", "remote,sharded"})
    void streamThatReserves_showsTheFillValueMeanwhile(String kind, String form) throws Exception {
        Store store = store(kind);
        shrunk(store, form, true);
        AtomicBoolean seen = new AtomicBoolean();
        ZarrArray array = open(store)
                .with(o -> o.withListener(new StoreListener() {
                    @Override
                    public void onRequest(String key, ByteRange range) {
                        if (key.equals("a/c/1") && open(store).shape()[0] == 7 && !seen.getAndSet(true)) {
                            assertArrayEquals(new int[] {0, 1, 2, 3, 4, -1, -1}, stored(store));
                        }
                    }
                }));
        try (SliceWriter slices = array.slices(0, GROW)) {
            slices.write(new int[] {70, 71}, 0);
        }
        assertTrue(seen.get());
        assertArrayEquals(new int[] {0, 1, 2, 3, 4, 70, 71}, stored(store));
    }

    /** Another writer makes the array longer and writes there, after the first one has read the shape. */
    @ParameterizedTest
    @CsvSource({"conditional,plain", "conditional,sharded", "remote,plain", "remote,sharded"})
    void twoWritersThatGrow_loseNoElements(String kind, String form) throws Exception {
        Store store = store(kind);
        shrunk(store, form, true);
        AtomicBoolean first = new AtomicBoolean(true);
        ZarrArray one = open(store)
                .with(o -> o.withListener(new StoreListener() {
                    @Override
                    public void onRequest(String key, ByteRange range) {
                        if (key.equals("a/c/1") && first.getAndSet(false)) {
                            ZarrArray other = open(store).resize(new long[] {8}, ResizePolicy.REMOVE);
                            other.write(Box.of(new long[] {6}, new long[] {2}), new int[] {60, 70}, 0);
                        }
                    }
                }));
        one.resize(new long[] {12}, ResizePolicy.REMOVE);
        assertTrue(!first.get());
        assertArrayEquals(new int[] {0, 1, 2, 3, 4, -1, 60, 70, -1, -1, -1, -1}, stored(store));
    }

    @Test
    void interruptedGrowth_keepsTheOldShape() throws Exception {
        Store store = MemoryStore.create();
        shrunk(store, "plain", false);
        ZarrArray stopped = open(store).with(o -> o.withParallelism(1).withListener(new StoreListener() {
            @Override
            public void onProgress(long done, long total) {
                Thread.currentThread().interrupt();
            }
        }));
        assertThrows(RuntimeException.class, () -> stopped.resize(new long[] {12}, ResizePolicy.REMOVE));
        assertTrue(Thread.interrupted());
        assertArrayEquals(new int[] {0, 1, 2, 3, 4}, stored(store));
        open(store).resize(new long[] {12}, ResizePolicy.REMOVE);
        assertArrayEquals(new int[] {0, 1, 2, 3, 4, -1, -1, -1, -1, -1, -1, -1}, stored(store));
    }

    /** A resize reads the chunk on the edge and writes none that is clean; a stream that appends reads nothing more. */
    @Test
    void costsOneReadOfTheEdge_andAppendsCostNoneEach() {
        RemoteAdapter remote = RemoteAdapter.of(MemoryStore.conditional("remote"));
        ZarrArray array = Zarr.createArray(remote, "a", spec("plain", 6), IfExists.REFUSE, OPTIONS);
        array.write(array.domain(), IntStream.range(0, 6).toArray(), 0);
        StringBuilder written = new StringBuilder();
        ZarrArray counted = open(remote)
                .with(o -> o.withListener(new StoreListener() {
                    @Override
                    public synchronized void onWrite(String key, ShardWritePolicy.Strategy strategy, long bytes) {
                        written.append(key).append(' ');
                    }
                }));
        int keeping = requestsOf(remote, () -> counted.resize(new long[] {7}, ResizePolicy.KEEP));
        written.setLength(0);
        int removing = requestsOf(remote, () -> counted.resize(new long[] {8}, ResizePolicy.REMOVE));
        assertEquals("a/zarr.json ", written.toString(), "the chunk on the edge is clean");
        assertTrue(removing <= keeping + 4, "requests: " + keeping + " without, " + removing + " with clearing");
        try (SliceWriter slices = open(remote).slices(0, GROW)) {
            slices.write(new int[] {8, 9}, 0);
            slices.flush();
            int[] each = new int[3];
            for (int i = 0; i < each.length; i++) {
                each[i] = requestsOf(remote, () -> {
                    slices.write(new int[] {1}, 0);
                    slices.flush();
                });
            }
            assertTrue(Arrays.stream(each).allMatch(n -> n <= 8), Arrays.toString(each));
        }
    }

    private static int requestsOf(RemoteAdapter remote, Runnable call) {
        int before = remote.requests();
        call.run();
        return remote.requests() - before;
    }
}
