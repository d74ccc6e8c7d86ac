package dev.shardkit;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.shardkit.FrameOrderException.Reason;
import dev.shardkit.metadata.ArrayMetadata;
import dev.shardkit.slices.SliceStrategy;
import dev.shardkit.spi.array.Box;
import dev.shardkit.spi.array.Shapes;
import dev.shardkit.spi.codec.ShardWritePolicy;
import dev.shardkit.spi.error.StoreException;
import dev.shardkit.spi.error.UnsupportedException;
import dev.shardkit.spi.error.ZarrException;
import dev.shardkit.spi.plan.NoResult;
import dev.shardkit.store.Store;
import dev.shardkit.store.StoreListener;
import dev.shardkit.store.file.FileStore;
import dev.shardkit.store.memory.MemoryStore;
import dev.shardkit.store.policy.MissingChunks;
import dev.shardkit.store.policy.WriteOwnership;
import dev.shardkit.testkit.internal.Rounds;
import dev.shardkit.testkit.store.RemoteAdapter;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Frames of an acquisition, in any order and layout. */
@Timeout(300)
class AcquisitionTest {
    private static final SliceOptions GROW = SliceOptions.defaults().withGrowth(SliceOptions.Growth.GROW);
    private static final AcquisitionOptions GROWING =
            AcquisitionOptions.defaults().withSlices(GROW);
    private static final Map<String, Integer> LENGTHS = Map.of("t", 6, "p", 2, "c", 3, "z", 4, "y", 5, "x", 6);

    @TempDir
    private Path folder;

    /** An array of time points (growing), two channels, and small frames; shards hold one channel. */
    private static ZarrArray channels(Store store) {
        ArraySpec spec = ArraySpec.of("uint16", 0, 2, 2, 3)
                .withShardShape(4, 1, 2, 3)
                .withChunkShape(2, 1, 2, 3)
                .withDimensionNames("t", "c", "y", "x");
        return Zarr.createArray(store, "a", spec, IfExists.REFUSE, ZarrOptions.defaults());
    }

    private static Map<String, Long> at(long t, long c) {
        return Map.of("t", t, "c", c);
    }

    private static ByteBuffer frame(int value) {
        ByteBuffer buffer = ByteBuffer.allocate(12).order(ByteOrder.LITTLE_ENDIAN);
        for (int i = 0; i < 6; i++) {
            buffer.putShort((short) (value + i));
        }
        return buffer.flip();
    }

    /** Returns the first element of each frame of a channel. */
    private static List<Long> firsts(ZarrArray array, long channel) {
        ZarrArray stored = array.refresh();
        NdArray all = stored.read(stored.domain());
        List<Long> firsts = new ArrayList<>();
        for (long t = 0; t < stored.shape()[0]; t++) {
            firsts.add(all.longAt(t, channel, 0, 0));
        }
        return firsts;
    }

    /** Without locks, one stream would clear what another has stored behind the stored length. */
    @Test
    void ownedArrayThatGrowsInSeveralStreams_isRefused() {
        Store store = MemoryStore.create();
        channels(store);
        ZarrOptions owned = ZarrOptions.defaults().withOwnership(WriteOwnership.OWNED);
        ZarrArray array = Zarr.openArray(store, "a", owned);
        AcquisitionOptions options = AcquisitionOptions.defaults().withSlices(GROW);
        assertThrows(UnsupportedException.class, () -> array.acquisition(options));
        array.acquisition(AcquisitionOptions.defaults()).close();
    }

    /** What an acquisition refuses is refused before the array exists. */
    @Test
    void dimensions_areThoseOfTheOptions_andMakeTheChecksOfAnAcquisition() {
        ZarrOptions open = ZarrOptions.defaults();
        ArraySpec spec = ArraySpec.of("uint16", 3, 2, 4, 5)
                .withShardShape(1, 1, 4, 5)
                .withChunkShape(1, 1, 4, 5)
                .withDimensionNames("t", "c", "y", "x");
        ArrayMetadata array = Zarr.describe(spec, open);
        FrameDimensions found = AcquisitionOptions.defaults().dimensions(array, open);
        assertEquals(List.of("t", "c", "y", "x"), found.names());
        assertEquals(0, found.along());
        assertArrayEquals(new boolean[] {false, false, true, true}, found.isFrame());
        AcquisitionOptions inner = AcquisitionOptions.defaults().withStreamsAlong("c");
        FrameDimensions ofVolumes = inner.withFrame("t", "x").dimensions(array, open);
        assertEquals(1, ofVolumes.along());
        assertArrayEquals(new boolean[] {true, false, false, true}, ofVolumes.isFrame());
        assertThrows(IllegalArgumentException.class, () -> inner.withFrame("c").dimensions(array, open));
        assertThrows(IllegalArgumentException.class, () -> inner.withFrame("s").dimensions(array, open));
        assertThrows(IndexOutOfBoundsException.class, () -> inner.withStart(3).dimensions(array, open));
        ZarrOptions owned = open.withOwnership(WriteOwnership.OWNED);
        assertThrows(UnsupportedException.class, () -> GROWING.dimensions(array, owned));
        ArrayMetadata unnamed = Zarr.describe(ArraySpec.of("uint16", 3, 4, 5), open);
        assertThrows(UnsupportedException.class, () -> GROWING.dimensions(unnamed, open));
        ArrayMetadata texts = Zarr.describe(ArraySpec.of("string", 3, 4, 5).withDimensionNames("t", "y", "x"), open);
        assertThrows(UnsupportedException.class, () -> GROWING.dimensions(texts, open));
    }

    @Test
    void framesAfterClose_areRefused_alsoOfStreamsThatHaveNotBegun() {
        ZarrArray array = channels(MemoryStore.create());
        Acquisition acquisition =
                array.acquisition(AcquisitionOptions.defaults().withSlices(GROW));
        acquisition.write(at(0, 0), frame(1));
        acquisition.close();
        assertThrows(IllegalStateException.class, () -> acquisition.write(at(1, 0), frame(2)));
        assertThrows(IllegalStateException.class, () -> acquisition.write(at(0, 1), frame(3)));
        acquisition.close();
        assertEquals(List.of(1L), firsts(array, 0));
    }

    /** A crash may leave channels at different places; frames of the one behind must not be given up. */
    @Test
    void resumedStreams_goOnWhereEachStopped() {
        Store store = MemoryStore.create();
        ZarrArray array = channels(store);
        Acquisition crashed = array.acquisition(GROWING);
        for (int t = 0; t < 5; t++) {
            crashed.write(at(t, 0), frame(10 + t));
        }
        crashed.write(at(0, 1), frame(20));
        crashed.flush();
        crashed.write(at(5, 0), frame(99)); // lost: the shard is not complete
        ZarrArray opened = Zarr.openArray(store, "a", ZarrOptions.defaults());
        try (Acquisition acquisition = opened.acquisition(GROWING.withResume())) {
            assertEquals(5, acquisition.position(Map.of("c", 0L)));
            assertEquals(1, acquisition.committed(Map.of("c", 1L)));
            assertEquals(1, acquisition.position());
            assertThrows(FrameOrderException.class, () -> acquisition.write(at(4, 0), frame(1)));
            for (int t = 5; t < 8; t++) {
                acquisition.write(at(t, 0), frame(10 + t));
            }
            for (int t = 1; t < 8; t++) {
                acquisition.write(at(t, 1), frame(20 + t));
            }
            assertEquals(8, acquisition.position(Map.of("c", 0L)));
            assertThrows(IllegalArgumentException.class, () -> acquisition.position(Map.of()));
            assertThrows(IndexOutOfBoundsException.class, () -> acquisition.position(Map.of("c", 2L)));
        }
        assertEquals(List.of(10L, 11L, 12L, 13L, 14L, 15L, 16L, 17L), firsts(array, 0));
        assertEquals(List.of(20L, 21L, 22L, 23L, 24L, 25L, 26L, 27L), firsts(array, 1));
    }

    /** In an array of fixed length, only elements say where a stream stopped. */
    @Test
    void resumedStreams_ofFixedLength_goOnWhereEachStopped() {
        Store store = MemoryStore.create();
        ZarrArray array = channels(store).resize(new long[] {8, 2, 2, 3}, ResizePolicy.KEEP);
        try (Acquisition acquisition = array.acquisition(AcquisitionOptions.defaults())) {
            for (int t = 0; t < 5; t++) {
                acquisition.write(at(t, 0), frame(10 + t));
            }
            for (int t = 0; t < 8; t++) {
                acquisition.write(at(t, 1), frame(20 + t));
            }
        }
        AcquisitionOptions resumed = AcquisitionOptions.defaults().withResume();
        try (Acquisition acquisition = array.acquisition(resumed)) {
            assertEquals(5, acquisition.position(Map.of("c", 0L)));
            assertEquals(8, acquisition.position(Map.of("c", 1L)));
            assertThrows(FrameOrderException.class, () -> acquisition.write(at(7, 1), frame(1)));
            assertThrows(IndexOutOfBoundsException.class, () -> acquisition.write(at(8, 1), frame(1)));
            acquisition.write(at(5, 0), frame(15));
        }
        assertEquals(List.of(10L, 11L, 12L, 13L, 14L, 15L, 0L, 0L), firsts(array, 0));
        assertEquals(List.of(20L, 21L, 22L, 23L, 24L, 25L, 26L, 27L), firsts(array, 1));
    }

    /** An array of 12 frames of 2 by 8 elements. A frame lies in two shards, each with two inner chunks across it. */
    private static ZarrArray wideFrames(Store store) {
        ArraySpec spec = ArraySpec.of("uint16", 12, 2, 8)
                .withShardShape(4, 2, 4)
                .withChunkShape(2, 2, 2)
                .withDimensionNames("t", "y", "x");
        return Zarr.createArray(store, "a", spec, IfExists.REFUSE, ZarrOptions.defaults());
    }

    private static NdArray wideFrame(ZarrArray array, int value) {
        short[] elements = new short[16];
        Arrays.fill(elements, (short) value);
        return NdArray.of(array.dataType(), new long[] {2, 8}, elements);
    }

    /** The network breaks between the two shards of frames 4 to 7, and the process dies. */
    @Test
    void framesThatACrashLeftInSomeOfTheirShards_areNamed_andNotReplaced() {
        RemoteAdapter remote = RemoteAdapter.of(MemoryStore.conditional("m"));
        wideFrames(remote);
        ZarrArray array = Zarr.openArray(remote, "a", ZarrOptions.defaults().withLockPatience(Duration.ofMillis(50)));
        Acquisition crashed = array.acquisition(AcquisitionOptions.defaults());
        for (int t = 0; t < 4; t++) {
            crashed.write(Map.of("t", (long) t), wideFrame(array, 10 + t));
        }
        crashed.flush();
        remote.loseAnswers(key ->
                key.equals("a/c/1/0/1") ? RemoteAdapter.Answer.LOST_WITH_THE_REQUEST : RemoteAdapter.Answer.COMES);
        assertThrows(StoreException.class, () -> {
            for (int t = 4; t < 8; t++) {
                crashed.write(Map.of("t", (long) t), wideFrame(array, 10 + t));
            }
            crashed.flush();
        });
        remote.loseAnswers(key -> RemoteAdapter.Answer.COMES);
        AcquisitionOptions resumed = AcquisitionOptions.defaults().withResume();
        try (Acquisition acquisition = array.acquisition(resumed)) {
            assertEquals(List.of(new Acquisition.PartialFrames(Map.of(), 4, 8)), acquisition.partialFrames());
            assertEquals(8, acquisition.position());
            assertThrows(FrameOrderException.class, () -> acquisition.write(Map.of("t", 4L), wideFrame(array, 1)));
            acquisition.write(Map.of("t", 8L), wideFrame(array, 18));
        }
        NdArray all = array.read();
        assertEquals(14, all.longAt(4, 0, 0));
        assertEquals(0, all.longAt(4, 0, 7));
        assertEquals(18, all.longAt(8, 0, 7));
    }

    /** Returns where the stream resumes, and the first of its partial frames. */
    private static List<Long> resumed(ZarrArray array) {
        try (Acquisition acquisition =
                array.acquisition(AcquisitionOptions.defaults().withResume())) {
            List<Acquisition.PartialFrames> partial = acquisition.partialFrames();
            assertTrue(partial.size() <= 1);
            assertTrue(partial.stream().allMatch(frames -> frames.to() == acquisition.position()));
            return List.of(
                    acquisition.position(),
                    partial.isEmpty() ? acquisition.position() : partial.get(0).from());
        }
    }

    private static void fill(ZarrArray array, long from, long to, long left, long right) {
        Box box = Box.of(new long[] {from, 0, left}, new long[] {to - from, 2, right - left});
        short[] elements = new short[Math.toIntExact(box.count())];
        Arrays.fill(elements, (short) 1);
        array.write(box, elements, 0);
    }

    /** Only the last shards can hold partial frames; in them, each inner chunk across the frames has its own end. */
    @Test
    void partialFrames_beginWhereAnInnerChunkEnds() {
        for (MissingChunks missing : MissingChunks.values()) {
            ZarrArray array = wideFrames(MemoryStore.create()).with(o -> o.withMissingChunks(missing));
            assertEquals(List.of(0L, 0L), resumed(array));
            fill(array, 0, 1, 2, 4);
            assertEquals(List.of(1L, 0L), resumed(array), "the first shard, in which no other inner chunk is stored");
            fill(array, 0, 7, 0, 8);
            assertEquals(List.of(7L, 7L), resumed(array));
            fill(array, 7, 8, 0, 6);
            assertEquals(List.of(8L, 7L), resumed(array), "half an inner chunk");
            fill(array, 8, 12, 0, 6);
            assertEquals(List.of(12L, 8L), resumed(array), "a shard lacks one inner chunk across");
            fill(array, 8, 9, 6, 8);
            assertEquals(List.of(12L, 9L), resumed(array), "it has the first of two inner chunks");
        }
    }

    /** The array grew for slices that were never stored, so its length says less than its elements. */
    @Test
    void resumedStream_ofAStoreWithoutLocks_goesOnBehindItsStoredFrames() {
        RemoteAdapter remote = RemoteAdapter.of(MemoryStore.conditional("m"));
        ArraySpec spec = ArraySpec.of("uint16", 0, 2, 3)
                .withShardShape(4, 2, 3)
                .withChunkShape(2, 2, 3)
                .withDimensionNames("t", "y", "x");
        Zarr.createArray(remote, "a", spec, IfExists.REFUSE, ZarrOptions.defaults());
        ZarrArray array = Zarr.openArray(remote, "a", ZarrOptions.defaults().withLockPatience(Duration.ofMillis(50)));
        Acquisition crashed = array.acquisition(GROWING);
        crashed.write(Map.of("t", 0L), frame(10));
        crashed.flush();
        remote.loseAnswers(
                key -> key.contains("/c/") ? RemoteAdapter.Answer.LOST_WITH_THE_REQUEST : RemoteAdapter.Answer.COMES);
        assertThrows(StoreException.class, () -> {
            crashed.write(Map.of("t", 1L), frame(11));
            crashed.flush();
        });
        remote.loseAnswers(key -> RemoteAdapter.Answer.COMES);
        ZarrArray opened = Zarr.openArray(remote, "a", ZarrOptions.defaults());
        assertEquals(2, opened.shape()[0]);
        try (Acquisition acquisition = opened.acquisition(GROWING.withResume())) {
            assertEquals(1, acquisition.position());
            acquisition.write(Map.of("t", 1L), frame(21));
        }
        assertEquals(21, opened.refresh().read().longAt(1, 0, 0));
    }

    /** With locks, the length is what is stored: black frames at the end count. */
    @Test
    void resumedStream_ofAStoreWithLocks_goesOnAtTheEnd() {
        ZarrArray array = wideFrames(MemoryStore.create()).resize(new long[] {0, 2, 8}, ResizePolicy.REMOVE);
        try (Acquisition acquisition = array.acquisition(GROWING)) {
            acquisition.write(Map.of("t", 0L), wideFrame(array, 1));
            acquisition.write(Map.of("t", 1L), wideFrame(array, 0));
        }
        try (Acquisition acquisition = array.acquisition(GROWING.withResume())) {
            assertEquals(2, acquisition.position());
            assertEquals(List.of(), acquisition.partialFrames());
        }
    }

    /** What an acquisition cannot write is refused before the array is read and the caller's function is called. */
    @Test
    void acquisitionsThatCannotBegin_areRefusedFirst() {
        ArraySpec spec = ArraySpec.of("complex64", 4, 2, 3).withDimensionNames("t", "y", "x");
        ZarrArray complex = Zarr.createArray(MemoryStore.create(), "a", spec, IfExists.REFUSE, ZarrOptions.defaults());
        complex.write(complex.domain(), new float[48], 0);
        AcquisitionOptions resumed = AcquisitionOptions.defaults().withResume();
        assertThrows(UnsupportedException.class, () -> complex.acquisition(resumed));
        ZarrArray owned = channels(MemoryStore.create()).with(o -> o.withOwnership(WriteOwnership.OWNED));
        AcquisitionOptions logged = GROWING.withStarts(indices -> {
            throw new AssertionError("called before the check");
        });
        assertThrows(UnsupportedException.class, () -> owned.acquisition(logged));
    }

    @Test
    void startOfEachStream_isThatOfTheLog() {
        Store store = MemoryStore.create();
        ZarrArray array = channels(store);
        try (Acquisition acquisition = array.acquisition(GROWING)) {
            for (int t = 0; t < 4; t++) {
                acquisition.write(at(t, 0), frame(10 + t));
                acquisition.write(at(t, 1), frame(20 + t));
            }
        }
        AcquisitionOptions options = GROWING.withStarts(indices -> 2 + indices.get("c"));
        assertTrue(options.hasStart());
        assertFalse(GROWING.hasStart());
        try (Acquisition acquisition = array.acquisition(options)) {
            assertEquals(2, acquisition.position());
            acquisition.write(at(2, 0), frame(90));
            acquisition.write(at(3, 1), frame(91));
            assertEquals(4, acquisition.position(Map.of("c", 1L)));
        }
        assertEquals(List.of(10L, 11L, 90L, 13L), firsts(array, 0));
        assertEquals(List.of(20L, 21L, 22L, 91L), firsts(array, 1));
        AcquisitionOptions outside = AcquisitionOptions.defaults().withStarts(indices -> 5);
        assertThrows(IndexOutOfBoundsException.class, () -> array.acquisition(outside));
    }

    /** The frames of an incomplete slice stay, and no stored frame is replaced by the fill value. */
    @Test
    void suspendedAcquisition_goesOn() {
        Store store = MemoryStore.create();
        ArraySpec spec = ArraySpec.of("uint16", 0, 2, 2, 3)
                .withShardShape(4, 2, 2, 3)
                .withChunkShape(2, 2, 2, 3)
                .withDimensionNames("t", "c", "y", "x");
        ZarrArray array = Zarr.createArray(store, "a", spec, IfExists.REFUSE, ZarrOptions.defaults());
        try (Acquisition acquisition = array.acquisition(GROWING)) {
            for (int t = 0; t < 6; t++) {
                acquisition.write(at(t, 0), frame(10 + t));
                acquisition.suspend();
                assertEquals(t, acquisition.committed());
                acquisition.write(at(t, 1), frame(20 + t));
                acquisition.suspendAsync().join();
                assertEquals(t + 1, acquisition.committed());
                assertEquals(t + 1, array.refresh().shape()[0]);
            }
            acquisition.write(at(6, 0), frame(16));
            acquisition.suspend();
            acquisition.completeBegun();
            assertEquals(7, acquisition.position());
            acquisition.write(at(7, 1), frame(27));
            acquisition.suspend();
        }
        assertEquals(List.of(10L, 11L, 12L, 13L, 14L, 15L, 16L, 0L), firsts(array, 0));
        assertEquals(List.of(20L, 21L, 22L, 23L, 24L, 25L, 0L, 27L), firsts(array, 1));
    }

    @Test
    void framesOfAnyLayout_inAnyOrderOfTheWindow_areStored() {
        long seed = new Random().nextLong();
        Random random = new Random(seed);
        for (int round = 0; round < Rounds.of(12); round++) {
            List<String> names = new ArrayList<>(List.of("t", "p", "c", "z"));
            names.removeIf(name -> !name.equals("t") && random.nextInt(3) == 0);
            java.util.Collections.shuffle(names, random);
            names.add(random.nextInt(names.size() + 1), "y");
            names.add(random.nextInt(names.size() + 1), "x");
            boolean grows = random.nextBoolean();
            int rank = names.size();
            int along = names.indexOf("t");
            long[] shape = names.stream().mapToLong(LENGTHS::get).toArray();
            long[] shard = new long[rank];
            long[] chunk = new long[rank];
            for (int d = 0; d < rank; d++) {
                chunk[d] = 1 + random.nextInt(3);
                shard[d] = chunk[d] * (1 + random.nextInt(3));
            }
            long[] created = shape.clone();
            created[along] = grows ? 0 : shape[along];
            ArraySpec spec = ArraySpec.of("uint16", created)
                    .withShardShape(shard)
                    .withChunkShape(chunk)
                    .withDimensionNames(names.toArray(String[]::new));
            Store store = random.nextBoolean() ? FileStore.at(folder.resolve("round" + round)) : MemoryStore.create();
            ZarrArray array = Zarr.createArray(store, "a", spec, IfExists.REFUSE, ZarrOptions.defaults());
            AcquisitionOptions options = AcquisitionOptions.defaults()
                    .withStreamsAlong("t")
                    .withFrame("x", "y")
                    .withWindow(1 + random.nextInt(3))
                    .withSlices((grows ? GROW : SliceOptions.defaults()).withFlushEvery(1 + random.nextInt(5)));
            String message = "seed " + seed + ", round " + round + ", " + names;
            record(array, options, names, shape, random, message);
            ZarrArray stored = array.refresh();
            assertArrayEquals(shape, stored.shape(), message);
            NdArray all = stored.read(stored.domain());
            for (long i = 0; i < all.count(); i++) {
                assertEquals(i & 0xffff, all.longAt(Shapes.unravel(i, shape)), message);
            }
        }
    }

    /** Writes all frames, with the index of an element in the array as its value. Beyond the window, it tries again. */
    private static void record(
            ZarrArray array,
            AcquisitionOptions options,
            List<String> names,
            long[] shape,
            Random random,
            String message) {
        long[] frames = shape.clone();
        long[] lengths = new long[2];
        int frameRank = 0;
        for (int d = 0; d < frames.length; d++) {
            if (names.get(d).equals("y") || names.get(d).equals("x")) {
                lengths[frameRank++] = frames[d];
                frames[d] = 1;
            }
        }
        List<long[]> missing = new ArrayList<>();
        for (long i = 0; i < Shapes.count(frames); i++) {
            missing.add(Shapes.unravel(i, frames));
        }
        try (Acquisition acquisition = array.acquisition(options)) {
            while (!missing.isEmpty()) {
                int next = random.nextInt(missing.size());
                long[] origin = missing.get(next);
                Map<String, Long> indices = new HashMap<>();
                short[] values = new short[(int) Shapes.count(lengths)];
                for (int d = 0; d < origin.length; d++) {
                    if (!names.get(d).equals("y") && !names.get(d).equals("x")) {
                        indices.put(names.get(d), origin[d]);
                    }
                }
                for (int i = 0; i < values.length; i++) {
                    long[] inFrame = Shapes.unravel(i, lengths);
                    long[] element = origin.clone();
                    int f = 0;
                    for (int d = 0; d < element.length; d++) {
                        if (names.get(d).equals("y") || names.get(d).equals("x")) {
                            element[d] = inFrame[f++];
                        }
                    }
                    values[i] = (short) Shapes.ravel(element, shape);
                }
                try {
                    acquisition.write(indices, NdArray.of(array.dataType(), lengths, values));
                    missing.remove(next);
                } catch (FrameOrderException e) {
                    assertEquals(Reason.BEYOND_WINDOW, e.reason(), message + ": " + e.getMessage());
                }
            }
            assertEquals(shape[names.indexOf("t")], acquisition.position(), message);
            acquisition.flush();
            assertEquals(shape[names.indexOf("t")], acquisition.committed(), message);
        }
    }

    @Test
    void frameTwice_orBeyondTheWindow_isRefused_andTheOthersGoOn() {
        ZarrArray array = channels(MemoryStore.create());
        try (Acquisition acquisition = array.acquisition(GROWING.withWindow(2))) {
            acquisition.write(at(1, 0), frame(10));
            FrameOrderException twice =
                    assertThrows(FrameOrderException.class, () -> acquisition.write(at(1, 0), frame(90)));
            assertEquals(Reason.COMPLETE, twice.reason());
            FrameOrderException early =
                    assertThrows(FrameOrderException.class, () -> acquisition.write(at(2, 0), frame(90)));
            assertEquals(Reason.BEYOND_WINDOW, early.reason());
            assertTrue(early.getMessage().contains("from 0 to 1, found 2"), early.getMessage());
            acquisition.write(at(0, 1), frame(100));
            assertEquals(0, acquisition.position());
            acquisition.write(at(0, 0), frame(20));
            assertEquals(1, acquisition.position());
            assertEquals(
                    Reason.COMPLETE,
                    assertThrows(FrameOrderException.class, () -> acquisition.write(at(0, 0), frame(90)))
                            .reason());
            acquisition.write(at(2, 0), frame(30));
        }
        assertEquals(List.of(20L, 10L, 30L), firsts(array, 0));
        assertEquals(List.of(100L, 0L, 0L), firsts(array, 1));
    }

    @Test
    void flush_makesThePrefixReadable() {
        ZarrArray array = channels(FileStore.at(folder.resolve("prefix")));
        try (Acquisition acquisition = array.acquisition(GROWING)) {
            for (int t : new int[] {0, 1, 3}) {
                acquisition.write(at(t, 0), frame(10 + t));
                acquisition.write(at(t, 1), frame(20 + t));
            }
            acquisition.flush();
            assertEquals(2, acquisition.committed());
            assertEquals(List.of(10L, 11L), firsts(array, 0));
            assertEquals(List.of(20L, 21L), firsts(array, 1));
            acquisition.complete(3);
            assertEquals(4, acquisition.position(), "frame 3 waited for the one that is given up");
            acquisition.flush();
            assertEquals(List.of(10L, 11L, 0L, 13L), firsts(array, 0));
        }
        try (Acquisition next = array.acquisition(GROWING)) {
            assertEquals(4, next.position());
            next.write(at(4, 0), frame(14));
        }
        try (Acquisition again = array.acquisition(GROWING.withStart(2))) {
            again.write(at(2, 0), frame(12));
        }
        assertEquals(List.of(10L, 11L, 12L, 13L, 14L), firsts(array, 0));
    }

    @Test
    void tiles_completeAFrame_andTheirSlice() {
        ZarrArray array = channels(MemoryStore.create());
        try (Acquisition acquisition = array.acquisition(GROWING.withWindow(1))) {
            Box left = Box.of(new long[] {0, 0}, new long[] {2, 1});
            NdArray right = NdArray.of(array.dataType(), new long[] {2, 2}, new short[] {2, 3, 5, 6});
            acquisition.writeTile(at(0, 0), new long[] {0, 1}, right);
            assertThrows(FrameOrderException.class, () -> acquisition.write(at(0, 0), frame(1)));
            assertThrows(
                    IndexOutOfBoundsException.class, () -> acquisition.writeTile(at(0, 0), new long[] {1, 1}, right));
            acquisition.write(at(0, 1), frame(7));
            assertEquals(0, acquisition.position());
            acquisition.writeTile(
                    at(0, 0), left, ByteBuffer.wrap(new byte[] {0, 1, 0, 4}).order(ByteOrder.BIG_ENDIAN));
            assertEquals(1, acquisition.position());
        }
        ZarrArray stored = array.refresh();
        assertArrayEquals(
                new short[] {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12},
                stored.read(stored.domain()).shorts());
    }

    /** The stream of the second channel is opened, which reads the array, until the store answers. */
    @Test
    void streamThatIsOpened_delaysNoOtherStream() throws Exception {
        MemoryStore memory = MemoryStore.conditional("frames");
        channels(memory);
        Semaphore asked = new Semaphore(0);
        AtomicBoolean slow = new AtomicBoolean();
        CountDownLatch mayAnswer = new CountDownLatch(1);
        Store store = RemoteAdapter.of(
                memory,
                answer -> {
                    if (slow.getAndSet(false)) {
                        asked.release();
                        Thread waiting = new Thread(() -> {
                            try {
                                mayAnswer.await();
                            } catch (InterruptedException e) {
                                Thread.currentThread().interrupt();
                            }
                            answer.run();
                        });
                        waiting.setDaemon(true);
                        waiting.start();
                    } else {
                        answer.run();
                    }
                },
                100);
        ZarrArray array = Zarr.openArray(store, "a", ZarrOptions.defaults());
        Acquisition acquisition = array.acquisition(GROWING);
        acquisition.write(at(0, 0), frame(10));
        slow.set(true);
        CompletableFuture<NoResult> second = acquisition.writeAsync(at(0, 1), frame(20));
        asked.acquire();
        acquisition.write(at(1, 0), frame(11));
        acquisition.writeAsync(at(2, 0), frame(12)).get();
        assertEquals(0, acquisition.position());
        assertFalse(second.isDone());
        mayAnswer.countDown();
        second.get();
        assertEquals(1, acquisition.position());
        acquisition.close();
        assertEquals(List.of(10L, 11L, 12L), firsts(array, 0));
        assertEquals(List.of(20L, 0L, 0L), firsts(array, 1));
    }

    /** A stream whose opening failed is opened by the next frame. */
    @Test
    void streamThatCouldNotBeOpened_isOpenedByTheNextFrame() {
        Store store = FileStore.at(folder.resolve("opened"));
        ZarrArray array = channels(store);
        try (Acquisition acquisition = array.acquisition(GROWING)) {
            acquisition.write(at(0, 0), frame(10));
            Path document = folder.resolve("opened/a/zarr.json");
            Path aside = folder.resolve("opened/a/aside");
            assertDoesNotThrow(() -> Files.move(document, aside));
            assertThrows(ZarrException.class, () -> acquisition.write(at(0, 1), frame(20)));
            assertThrows(
                    CompletionException.class,
                    () -> acquisition.writeAsync(at(0, 1), frame(20)).join());
            assertDoesNotThrow(() -> Files.move(aside, document));
            acquisition.write(at(0, 1), frame(20));
        }
        assertEquals(List.of(10L), firsts(array, 0));
        assertEquals(List.of(20L), firsts(array, 1));
    }

    @ParameterizedTest
    @ValueSource(strings = {"direct", "one", "never", "pool"})
    void asynchronousFrames_haveTheOrderOfTheCalls(String threads) {
        ExecutorService one = Executors.newSingleThreadExecutor();
        try {
            Store store = MemoryStore.create();
            channels(store);
            Executor executor =
                    switch (threads) {
                        case "direct" -> Runnable::run;
                        case "one" -> one;
                        case "never" -> task -> {};
                        default -> ForkJoinPool.commonPool();
                    };
            ZarrArray array = Zarr.openArray(store, "a", ZarrOptions.defaults().withExecutor(executor));
            AcquisitionOptions options = GROWING.withWindow(1); // a frame that overtakes another one is refused
            try (Acquisition acquisition = array.acquisition(options)) {
                List<CompletableFuture<NoResult>> frames = new ArrayList<>();
                for (int t = 0; t < 20; t++) {
                    frames.add(acquisition.writeAsync(at(t, 0), frame(10 + t)));
                    NdArray other = NdArray.of(
                            array.dataType(), new long[] {2, 3}, new short[] {(short) (100 + t), 0, 0, 0, 0, 0});
                    frames.add(acquisition.writeAsync(at(t, 1), other));
                }
                CompletableFuture<NoResult> twice = acquisition.writeAsync(at(3, 0), frame(0));
                acquisition.write(at(20, 0), frame(30));
                acquisition.write(at(20, 1), frame(120));
                frames.forEach(CompletableFuture::join);
                CompletionException refused = assertThrows(CompletionException.class, twice::join);
                assertTrue(refused.getCause() instanceof FrameOrderException, refused::toString);
                acquisition.flushAsync().join();
                assertEquals(21, acquisition.committed());
            }
            for (int c = 0; c < 2; c++) {
                long first = c == 0 ? 10 : 100;
                assertEquals(LongStream.range(first, first + 21).boxed().toList(), firsts(array, c));
            }
        } finally {
            one.shutdownNow();
        }
    }

    /** The memory of a frame that is the next slice is used without a copy; others are copied. */
    @Test
    void ownedFrames_areReleasedOnce() {
        ZarrArray array = channels(MemoryStore.create());
        List<String> released = new ArrayList<>();
        Acquisition acquisition = array.acquisition(GROWING.withWindow(3));
        short[] values = {10, 0, 0, 0, 0, 0};
        NdArray owned = NdArray.of(array.dataType(), new long[] {2, 3}, values);
        acquisition.writeOwned(at(0, 0), owned, () -> released.add("first"));
        assertEquals(List.of(), released, "an inner chunk has two slices");
        values[0] = 11; // seen, because it was not copied
        acquisition.writeOwned(at(2, 0), frame(12), () -> released.add("early"));
        assertEquals(List.of("early"), released, "copied");
        assertThrows(
                FrameOrderException.class,
                () -> acquisition.writeOwned(at(2, 0), frame(12), () -> released.add("twice")));
        assertThrows(
                IndexOutOfBoundsException.class,
                () -> acquisition.writeOwned(at(0, 7), frame(12), () -> released.add("outside")));
        acquisition.close();
        assertThrows(
                IllegalStateException.class,
                () -> acquisition.writeOwned(at(3, 0), owned, () -> released.add("closed")));
        assertEquals(List.of("early", "twice", "outside", "first", "closed"), released);
        assertEquals(List.of(11L, 0L, 12L), firsts(array, 0));
    }

    /** A driver moves the window of its buffer on while the frames wait. */
    @Test
    void asynchronousFrame_isTheWindowThatTheBufferHadAtTheCall() {
        Store store = MemoryStore.create();
        channels(store);
        ZarrArray array = Zarr.openArray(store, "a", ZarrOptions.defaults().withExecutor(task -> {}));
        ByteBuffer ring = ByteBuffer.allocate(24).order(ByteOrder.LITTLE_ENDIAN);
        ring.put(frame(10)).put(frame(20));
        try (Acquisition acquisition = array.acquisition(GROWING)) {
            CompletableFuture<NoResult> first =
                    acquisition.writeAsync(at(0, 0), ring.limit(12).position(0));
            CompletableFuture<NoResult> second =
                    acquisition.writeAsync(at(1, 0), ring.limit(24).position(12));
            ring.order(ByteOrder.BIG_ENDIAN).position(24);
            acquisition.flush();
            first.join();
            second.join();
        }
        assertEquals(List.of(10L, 20L), firsts(array, 0));
    }

    /** The call would wait for the stream, and the stream for the listener. */
    @Test
    @Timeout(60)
    void listenerThatWaitsForTheAcquisition_isRefused() throws Exception {
        Store store = MemoryStore.create();
        channels(store);
        AtomicReference<Acquisition> called = new AtomicReference<>();
        CountDownLatch stores = new CountDownLatch(1);
        CompletableFuture<Thread> flushing = new CompletableFuture<>();
        CompletableFuture<Throwable> refused = new CompletableFuture<>();
        StoreListener listener = new StoreListener() {
            @Override
            public void onWrite(String key, ShardWritePolicy.Strategy strategy, long bytes) {
                if (!key.contains("/c/")) {
                    return;
                }
                stores.countDown();
                Thread caller = flushing.join();
                while (caller.getState() != Thread.State.WAITING) {
                    Thread.onSpinWait();
                }
                try {
                    called.get().flush();
                    refused.complete(new AssertionError("the call was made"));
                } catch (RuntimeException e) {
                    refused.complete(e);
                }
            }
        };
        ZarrArray array = Zarr.openArray(
                store, "a", ZarrOptions.defaults().withExecutor(daemons()).withListener(listener));
        Acquisition acquisition = array.acquisition(GROWING.withSlices(GROW.withStrategy(SliceStrategy.PIPELINED)));
        called.set(acquisition);
        for (int t = 0; t < 4; t++) {
            acquisition.write(at(t, 0), frame(t));
        }
        stores.await();
        flushing.complete(Thread.currentThread());
        acquisition.flush();
        assertTrue(refused.join() instanceof IllegalStateException, () -> "found " + refused.join());
        acquisition.close();
        assertEquals(List.of(0L, 1L, 2L, 3L), firsts(array, 0));
    }

    private static Executor daemons() {
        return Executors.newCachedThreadPool(task -> {
            Thread thread = new Thread(task);
            thread.setDaemon(true);
            return thread;
        });
    }

    /** No array is so long; giving up all frames of one that grows has no end. */
    @Test
    void framesBehindTheLongestArray_areNotGivenUp() {
        ZarrArray array = channels(MemoryStore.create());
        Acquisition acquisition = array.acquisition(GROWING);
        acquisition.write(at(0, 0), frame(10));
        assertThrows(IllegalArgumentException.class, () -> acquisition.complete(Long.MAX_VALUE));
        assertEquals(0, acquisition.position());
        acquisition.complete(1);
        acquisition.close();
        assertEquals(List.of(10L), firsts(array, 0));
    }

    @Test
    void wrongFrames_areRefused() {
        ZarrArray array = channels(MemoryStore.create());
        try (Acquisition acquisition = array.acquisition(GROWING)) {
            assertThrows(IllegalArgumentException.class, () -> acquisition.write(Map.of("t", 0L), frame(1)));
            assertThrows(
                    IllegalArgumentException.class,
                    () -> acquisition.write(Map.of("t", 0L, "c", 0L, "z", 0L), frame(1)));
            assertThrows(
                    IllegalArgumentException.class,
                    () -> acquisition.write(Map.of("t", 0L, "c", 0L, "y", 0L), frame(1)));
            assertThrows(IndexOutOfBoundsException.class, () -> acquisition.write(at(0, 2), frame(1)));
            assertThrows(IndexOutOfBoundsException.class, () -> acquisition.write(at(-1, 0), frame(1)));
            assertThrows(IllegalArgumentException.class, () -> acquisition.write(at(0, 0), ByteBuffer.allocate(11)));
            NdArray flat = NdArray.of(array.dataType(), new long[] {6}, new short[6]);
            assertThrows(IllegalArgumentException.class, () -> acquisition.write(at(0, 0), flat));
        }
        assertEquals(0, array.refresh().shape()[0]);
        assertThrows(IllegalArgumentException.class, () -> array.acquisition(GROWING.withStreamsAlong("x")));
        assertThrows(IllegalArgumentException.class, () -> array.acquisition(GROWING.withStreamsAlong("s")));
        ZarrArray unnamed = Zarr.createArray(
                MemoryStore.create(), "a", ArraySpec.of("uint8", 1, 1, 1), IfExists.REFUSE, ZarrOptions.defaults());
        assertThrows(UnsupportedException.class, () -> unnamed.acquisition(GROWING));
    }

    @Test
    void estimate_countsStreamsAndWindows() {
        ZarrArray array = channels(MemoryStore.create());
        AcquisitionEstimate four = GROWING.estimate(array);
        assertEquals(2, four.streams());
        assertEquals(1, four.framesPerSlice());
        AcquisitionEstimate six = GROWING.withWindow(6).estimate(array);
        assertEquals(2 * 2 * 12, six.directBytes() - four.directBytes());
        assertTrue(four.heapBytes() <= GROW.estimate(array, 0).heapBytes() + 1000, four::toString);
    }

    /** A frame that a call accepts is stored in the end; one that a call refuses is written again by the caller. */
    @Test
    void acceptedFrames_areStored_afterFailuresOfTheStore() {
        RemoteAdapter remote = RemoteAdapter.of(MemoryStore.conditional("frames"));
        channels(remote);
        ZarrArray array = Zarr.openArray(remote, "a", ZarrOptions.defaults().withLockPatience(Duration.ofMillis(50)));
        SliceOptions buffered = GROW.withStrategy(SliceStrategy.BUFFERED);
        int failures = 0;
        try (Acquisition acquisition = array.acquisition(GROWING.withSlices(buffered))) {
            for (int t = 0; t < 12; t++) {
                for (int c = 0; c < 2; c++) {
                    boolean isAccepted = false;
                    for (int attempt = 0; !isAccepted; attempt++) {
                        boolean fails = attempt == 0 && t % 4 != 1;
                        remote.loseAnswers(key -> fails && key.contains("/c/")
                                ? RemoteAdapter.Answer.LOST_WITH_THE_REQUEST
                                : RemoteAdapter.Answer.COMES);
                        try {
                            acquisition.write(at(t, c), frame(10 * t + c));
                            isAccepted = true;
                        } catch (StoreException e) {
                            failures++;
                        }
                    }
                }
            }
            remote.loseAnswers(key -> RemoteAdapter.Answer.COMES);
        }
        assertTrue(failures > 0, "the store failed");
        for (int c = 0; c < 2; c++) {
            List<Long> firsts = firsts(array, c);
            for (int t = 0; t < 12; t++) {
                assertEquals(10 * t + c, firsts.get(t), "frame " + t + " of channel " + c);
            }
        }
    }
}
