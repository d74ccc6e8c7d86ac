package dev.shardkit.ome.pyramid;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.shardkit.Acquisition;
import dev.shardkit.AcquisitionOptions;
import dev.shardkit.ArraySpec;
import dev.shardkit.FrameOrderException;
import dev.shardkit.IfExists;
import dev.shardkit.NdArray;
import dev.shardkit.ResizePolicy;
import dev.shardkit.SliceOptions;
import dev.shardkit.SliceOptions.Growth;
import dev.shardkit.Zarr;
import dev.shardkit.ZarrArray;
import dev.shardkit.ZarrOptions;
import dev.shardkit.ome.OmeImage;
import dev.shardkit.ome.OmeLevel;
import dev.shardkit.ome.validation.OmeFinding;
import dev.shardkit.ome.validation.OmeValidation;
import dev.shardkit.slices.SliceStrategy;
import dev.shardkit.spi.array.Box;
import dev.shardkit.spi.error.StoreException;
import dev.shardkit.spi.error.UnsupportedException;
import dev.shardkit.spi.json.Json;
import dev.shardkit.spi.type.CoreTypes;
import dev.shardkit.store.ForwardingStore;
import dev.shardkit.store.LocalReads;
import dev.shardkit.store.ObjectSnapshot;
import dev.shardkit.store.Reads;
import dev.shardkit.store.Store;
import dev.shardkit.store.file.FileStore;
import dev.shardkit.store.memory.MemoryStore;
import dev.shardkit.store.policy.WriteOwnership;
import dev.shardkit.testkit.internal.Rounds;
import dev.shardkit.testkit.store.RemoteAdapter;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Frames of several channels and planes that go to all levels of an image. */
@Timeout(300)
class PyramidAcquisitionTest {
    private static final ZarrOptions OPTIONS = ZarrOptions.defaults();
    private static final SliceOptions GROW =
            SliceOptions.defaults().withGrowth(Growth.GROW).withBudgetBytes(64 << 20);
    private static final AcquisitionOptions GROWING =
            AcquisitionOptions.defaults().withSlices(GROW);
    private static final int HEIGHT = 20;
    private static final int WIDTH = 14;
    private static final int CHANNELS = 2;
    private static final int PLANES = 3;
    /** The height and the width of frames that lie in several shards in level 1, too. */
    private static final int EDGE = 48;

    @TempDir
    Path dir;

    private static ZarrArray begin(Store store, long length) {
        Zarr.createGroup(store, "", Json.object(), IfExists.REFUSE, OPTIONS);
        return Zarr.createArray(
                store,
                "0",
                ArraySpec.of("uint16", length, CHANNELS, PLANES, HEIGHT, WIDTH)
                        .withShardShape(4, 1, 2, 16, 16)
                        .withChunkShape(2, 1, 1, 4, 4)
                        .withDimensionNames("t", "c", "z", "y", "x"),
                IfExists.REFUSE,
                OPTIONS);
    }

    private static Map<String, Long> at(long t, long c, long z) {
        return Map.of("t", t, "c", c, "z", z);
    }

    private static short[] frame(long t, long c, long z) {
        short[] frame = new short[HEIGHT * WIDTH];
        Random random = new Random((t * CHANNELS + c) * PLANES + z);
        for (int i = 0; i < frame.length; i++) {
            frame[i] = (short) (1 + random.nextInt(60_000));
        }
        return frame;
    }

    private static ByteBuffer pixels(long t, long c, long z) {
        ByteBuffer pixels = ByteBuffer.allocate(2 * HEIGHT * WIDTH); // big-endian
        pixels.asShortBuffer().put(frame(t, c, z));
        return pixels;
    }

    private static List<ZarrArray> levels(Store store) {
        return OmeImage.open(Zarr.openGroup(store, "", OPTIONS)).levels().stream()
                .map(OmeLevel::array)
                .toList();
    }

    /** A short may be int16 or uint16. No level takes the frame, and the next one goes on. */
    @Test
    void frameOfAnotherType_isRefused() {
        Store store = MemoryStore.create();
        ZarrArray finest = begin(store, 0);
        NdArray other = NdArray.of(CoreTypes.INT16, new long[] {HEIGHT, WIDTH}, frame(0, 0, 0));
        NdArray own = NdArray.of(CoreTypes.UINT16, new long[] {HEIGHT, WIDTH}, frame(0, 0, 0));
        try (PyramidAcquisition acquisition = Pyramid.of(finest).acquisition(store, OPTIONS, GROWING)) {
            assertThrows(IllegalArgumentException.class, () -> acquisition.write(at(0, 0, 0), other));
            acquisition.write(at(0, 0, 0), own);
        }
        assertArrayEquals(
                own.shorts(),
                levels(store)
                        .get(0)
                        .read(Box.of(new long[5], new long[] {1, 1, 1, HEIGHT, WIDTH}))
                        .shorts());
    }

    /** The levels are those of a pyramid that is made afterwards. */
    private static void assertAsMadeAfterwards(Store store, Reducer reducer, long length) {
        List<ZarrArray> found = levels(store);
        Store other = MemoryStore.create();
        ZarrArray whole = begin(other, length);
        assertArrayEquals(whole.shape(), found.get(0).shape());
        if (length > 0) {
            whole.write(whole.domain(), found.get(0).read().shorts(), 0);
        }
        Pyramid.of(whole).withReducer(reducer).withFactors(1, 1, 1, 2, 2).addLevels(other, OPTIONS);
        List<ZarrArray> expected = levels(other);
        assertEquals(expected.size(), found.size());
        for (int level = 0; level < found.size(); level++) {
            assertArrayEquals(expected.get(level).shape(), found.get(level).shape(), "level " + level);
            assertEquals(expected.get(level).read(), found.get(level).read(), "level " + level);
        }
    }

    /** Writes the frames of time points in random order. */
    private static void write(PyramidAcquisition acquisition, long from, long to, Random random) {
        List<long[]> frames = new ArrayList<>();
        for (long t = from; t < to; t++) {
            List<long[]> ofTime = new ArrayList<>();
            for (long c = 0; c < CHANNELS; c++) {
                for (long z = 0; z < PLANES; z++) {
                    ofTime.add(new long[] {t, c, z});
                }
            }
            Collections.shuffle(ofTime, random);
            frames.addAll(ofTime);
        }
        for (int i = 1; i < frames.size(); i++) {
            if (random.nextBoolean()) {
                Collections.swap(frames, i - 1, i);
            }
        }
        for (long[] next : frames) {
            if (random.nextBoolean()) {
                acquisition.write(at(next[0], next[1], next[2]), pixels(next[0], next[1], next[2]));
            } else {
                acquisition.write(
                        at(next[0], next[1], next[2]),
                        NdArray.of(
                                acquisition.levels().get(0).array().dataType(),
                                new long[] {HEIGHT, WIDTH},
                                frame(next[0], next[1], next[2])));
            }
        }
    }

    @ParameterizedTest
    @EnumSource(Reducer.class)
    void allLevels_growWithTheFrames(Reducer reducer) {
        Store store = FileStore.at(dir);
        Random random = new Random(1);
        ZarrArray source = begin(store, 0);
        try (PyramidAcquisition acquisition =
                Pyramid.of(source).withReducer(reducer).acquisition(store, OPTIONS, GROWING)) {
            assertEquals(4, acquisition.levels().size());
            assertEquals(
                    List.of(),
                    OmeValidation.of(Zarr.openGroup(store, "", OPTIONS)).run().stream()
                            .filter(f -> f.severity() == OmeFinding.Severity.ERROR)
                            .toList());
            assertAsMadeAfterwards(store, reducer, 0);
            write(acquisition, 0, 5, random);
            acquisition.flush();
            assertEquals(5, acquisition.committed());
            assertEquals(5, acquisition.committed(Map.of("c", 1L, "z", 0L)));
            assertAsMadeAfterwards(store, reducer, 5);
            assertThrows(FrameOrderException.class, () -> acquisition.write(at(4, 0, 0), pixels(4, 0, 0)));
            assertThrows(IllegalArgumentException.class, () -> acquisition.write(at(5, 0, 0), ByteBuffer.allocate(6)));
            acquisition.complete(7);
            write(acquisition, 7, 8, random);
            acquisition.write(at(8, 1, 0), pixels(8, 1, 0));
            acquisition.suspend();
            acquisition.write(at(9, 1, 0), pixels(9, 1, 0));
            assertEquals(8, acquisition.position());
        }
        assertAsMadeAfterwards(store, reducer, 10);
    }

    /** An acquisition whose length is known ends there, and may be resumed. */
    @Test
    void imageOfFixedLength_isResumed() {
        Store store = FileStore.at(dir);
        ZarrArray source = begin(store, 6);
        AcquisitionOptions fixed =
                AcquisitionOptions.defaults().withSlices(SliceOptions.defaults().withBudgetBytes(64 << 20));
        try (PyramidAcquisition acquisition = Pyramid.of(source).acquisition(store, OPTIONS, fixed)) {
            write(acquisition, 0, 3, new Random(2));
        }
        assertAsMadeAfterwards(store, Reducer.MEAN, 6);
        try (PyramidAcquisition acquisition = Pyramid.of(source).acquisition(store, OPTIONS, fixed.withResume())) {
            assertEquals(3, acquisition.position());
            write(acquisition, 3, 6, new Random(3));
        }
        assertAsMadeAfterwards(store, Reducer.MEAN, 6);
        try (PyramidAcquisition acquisition = Pyramid.of(source).acquisition(store, OPTIONS, fixed.withStart(2))) {
            acquisition.write(at(2, 0, 0), pixels(9, 0, 0));
        }
        assertAsMadeAfterwards(store, Reducer.MEAN, 6);
        NdArray finest = levels(store).get(0).read();
        assertArrayEquals(frame(9, 0, 0), finest.slice(frameBox(2, 0, 0)).shorts(), "replaced");
        assertArrayEquals(
                new short[HEIGHT * WIDTH], finest.slice(frameBox(2, 0, 1)).shorts(), "given up");
        for (long[] kept : new long[][] {{1, 0, 0}, {2, 0, 2}, {2, 1, 2}, {3, 0, 0}, {5, 1, 2}}) {
            assertArrayEquals(
                    frame(kept[0], kept[1], kept[2]),
                    finest.slice(frameBox(kept[0], kept[1], kept[2])).shorts());
        }
    }

    private static Box frameBox(long t, long c, long z) {
        return Box.of(new long[] {t, c, z, 0, 0}, new long[] {1, 1, 1, HEIGHT, WIDTH});
    }

    /** A crash may leave each stream of each level anywhere. */
    @Test
    void nextAcquisition_completesLevels_andGoesOn() {
        long seed = new Random().nextLong();
        Random random = new Random(seed);
        for (int round = 0; round < Rounds.of(4); round++) {
            Store store = MemoryStore.create();
            ZarrArray source = begin(store, 0);
            try (PyramidAcquisition acquisition = Pyramid.of(source).acquisition(store, OPTIONS, GROWING)) {
                write(acquisition, 0, 7, random);
            }
            for (int level = 0; level < 4; level++) {
                ZarrArray array = Zarr.openArray(store, Integer.toString(level), OPTIONS);
                long[] shape = array.shape();
                for (long c = 0; c < CHANNELS; c++) { // the ends of the two streams of a channel
                    for (long z = 0; z < PLANES; z += 2) {
                        long[] origin = {random.nextInt(8), c, z, 0, 0};
                        long[] lost = {7 - origin[0], 1, Math.min(2, PLANES - z), array.shape()[3], array.shape()[4]};
                        array.erase(Box.of(origin, lost));
                    }
                }
                if (random.nextBoolean()) {
                    shape[0] = random.nextInt(8);
                    array.resize(shape, ResizePolicy.REMOVE);
                }
            }
            ZarrArray reopened = Zarr.openArray(store, "0", OPTIONS);
            long length = reopened.shape()[0];
            long end;
            try (PyramidAcquisition acquisition =
                    Pyramid.of(reopened).acquisition(store, OPTIONS, GROWING.withResume())) {
                assertNoLevelLacksFrames(store, "seed " + seed);
                end = Math.max(length, acquisition.position() + 2);
                for (long c = 0; c < CHANNELS; c++) { // each stream gets a frame
                    end = Math.max(end, acquisition.position(Map.of("c", c, "z", 0L)) + 1);
                    end = Math.max(end, acquisition.position(Map.of("c", c, "z", 2L)) + 1);
                }
                for (long t = acquisition.position(); t < end; t++) {
                    for (long c = 0; c < CHANNELS; c++) {
                        for (long z = 0; z < PLANES; z++) {
                            if (t >= acquisition.position(Map.of("c", c, "z", z))) {
                                acquisition.write(at(t, c, z), pixels(t, c, z));
                            }
                        }
                    }
                }
            }
            assertAsMadeAfterwards(store, Reducer.MEAN, end);
            for (long t = 0; t < end; t++) {
                assertArrayEquals(
                        frame(t, 1, 2),
                        levels(store).get(0).read().slice(frameBox(t, 1, 2)).shorts(),
                        "seed " + seed);
            }
        }
    }

    /** Coarser levels have all frames of level 0, reduced. They may have more. */
    private static void assertNoLevelLacksFrames(Store store, String message) {
        List<ZarrArray> found = levels(store);
        Store other = MemoryStore.create();
        ZarrArray whole = begin(other, found.get(0).shape()[0]);
        if (!whole.domain().isEmpty()) {
            whole.write(whole.domain(), found.get(0).read().shorts(), 0);
        }
        Pyramid.of(whole).withFactors(1, 1, 1, 2, 2).addLevels(other, OPTIONS);
        List<ZarrArray> expected = levels(other);
        for (int level = 1; level < found.size(); level++) {
            assertTrue(found.get(level).shape()[0] >= whole.shape()[0], message);
            for (long frame = 0; frame < whole.shape()[0] * CHANNELS * PLANES; frame++) {
                long[] shape = expected.get(level).shape();
                long[] origin = {frame / PLANES / CHANNELS, frame / PLANES % CHANNELS, frame % PLANES, 0, 0};
                Box box = Box.of(origin, new long[] {1, 1, 1, shape[3], shape[4]});
                NdArray wanted = expected.get(level).read(box);
                if (wanted.longAt(0, 0, 0, 0, 0) != 0) { // only black frames are 0 anywhere
                    assertEquals(wanted, found.get(level).read(box), message);
                }
            }
        }
    }

    /** Records 7 frames of an image with one stream. */
    private static ZarrArray recordOneStream(Store store) {
        Zarr.createGroup(store, "", Json.object(), IfExists.REFUSE, OPTIONS);
        ZarrArray source = Zarr.createArray(
                store,
                "0",
                ArraySpec.of("uint16", 0, HEIGHT, WIDTH)
                        .withShardShape(4, 16, 16)
                        .withChunkShape(2, 4, 4)
                        .withDimensionNames("t", "y", "x"),
                IfExists.REFUSE,
                OPTIONS);
        try (PyramidAcquisition acquisition = Pyramid.of(source).acquisition(store, OPTIONS, GROWING)) {
            for (long t = 0; t < 7; t++) {
                acquisition.write(Map.of("t", t), pixels(t, 0, 0));
            }
        }
        return source;
    }

    /** Without locks, an array grows before its frames are stored, so the elements say where its stream ends. */
    @Test
    void onlyStreamOfAStoreWithoutLocks_losesWhatLevel0Lacks_withItsNextFrame() {
        Store store = MemoryStore.conditional("bucket");
        ZarrArray source = recordOneStream(store).refresh();
        NdArray coarse = levels(store).get(1).read();
        source.erase(Box.of(new long[] {3, 0, 0}, new long[] {4, HEIGHT, WIDTH}));
        try (PyramidAcquisition acquisition = Pyramid.of(source).acquisition(store, OPTIONS, GROWING.withResume())) {
            assertEquals(3, acquisition.position());
            acquisition.write(Map.of("t", 3L), pixels(3, 0, 0));
        }
        NdArray found = levels(store).get(1).read();
        for (long t = 0; t < 7; t++) {
            assertEquals(t < 4 ? coarse.longAt(t, 3, 3) : 0, found.longAt(t, 3, 3), "frame " + t);
        }
    }

    /** A crash of an image with one stream: the length says where it ends. */
    @Test
    void onlyStream_losesWhatLevel0Lacks_withItsNextFrame() {
        Store store = MemoryStore.create();
        ZarrArray source = recordOneStream(store);
        NdArray coarse = levels(store).get(1).read();
        source.refresh().resize(new long[] {3, HEIGHT, WIDTH}, ResizePolicy.REMOVE);
        ZarrArray reopened = Zarr.openArray(store, "0", OPTIONS);
        AcquisitionOptions resumed = GROWING.withResume();
        Pyramid.of(reopened).acquisition(store, OPTIONS, resumed).close();
        assertEquals(coarse, levels(store).get(1).read(), "no frame has come");
        PyramidAcquisition stopped = Pyramid.of(reopened).acquisition(store, OPTIONS, resumed);
        for (long t = 3; t < 6; t++) {
            stopped.write(Map.of("t", t), pixels(t, 0, 0));
        }
        stopped.levels().get(0).flush(); // then the process is killed
        try (PyramidAcquisition acquisition = Pyramid.of(reopened.refresh()).acquisition(store, OPTIONS, resumed)) {
            assertEquals(6, acquisition.position());
        }
        assertArrayEquals(
                new long[] {6, HEIGHT / 2, WIDTH / 2}, levels(store).get(1).shape());
        assertEquals(
                coarse.slice(Box.of(new long[] {6, HEIGHT / 2, WIDTH / 2})),
                levels(store).get(1).read());
    }

    /** Records 6 frames of each channel; a frame of level 1 lies in 2 x 2 shards. */
    private static ZarrArray recordManyShards(Store store) {
        Zarr.createGroup(store, "", Json.object(), IfExists.REFUSE, OPTIONS);
        ZarrArray source = Zarr.createArray(
                store,
                "0",
                ArraySpec.of("uint16", 0, CHANNELS, EDGE, EDGE)
                        .withShardShape(4, 1, 16, 16)
                        .withChunkShape(2, 1, 4, 4)
                        .withDimensionNames("t", "c", "y", "x"),
                IfExists.REFUSE,
                OPTIONS);
        try (PyramidAcquisition acquisition = Pyramid.of(source).acquisition(store, OPTIONS, GROWING)) {
            for (long t = 0; t < 6; t++) {
                for (long c = 0; c < CHANNELS; c++) {
                    acquisition.write(Map.of("t", t, "c", c), square(t, c));
                }
            }
        }
        return source;
    }

    private static ByteBuffer square(long t, long c) {
        ByteBuffer frame = ByteBuffer.allocate(2 * EDGE * EDGE);
        for (int i = 0; i < EDGE * EDGE; i++) {
            frame.putShort(2 * i, (short) (1 + i + 100 * t + 7 * c));
        }
        return frame;
    }

    /** A kill leaves the last frames of a level in some of their shards only. */
    @Test
    void framesThatALevelHasInPart_areCompleted() {
        Store store = MemoryStore.create();
        ZarrArray source = recordManyShards(store);
        List<NdArray> expected = levels(store).stream().map(ZarrArray::read).toList();
        ZarrArray coarse = levels(store).get(1);
        assertArrayEquals(new long[] {6, CHANNELS, 24, 24}, coarse.shape());
        coarse.erase(Box.of(new long[] {4, 1, 0, 16}, new long[] {2, 1, 24, 8})); // two shards
        coarse.erase(Box.of(new long[] {5, 1, 0, 0}, new long[] {1, 1, 16, 16}));
        Pyramid.of(source.refresh())
                .acquisition(store, OPTIONS, GROWING.withResume())
                .close();
        for (int level = 0; level < expected.size(); level++) {
            assertEquals(expected.get(level), levels(store).get(level).read(), "level " + level);
        }
    }

    /** Another program has stored some shards of its last frames of channel 0 when this one opens for channel 1. */
    @Test
    void framesThatLevel0HasInPart_areReduced_withTheNextFrameOfTheirStream() {
        Store store = MemoryStore.create();
        ZarrArray source = recordManyShards(store).refresh();
        List<NdArray> expected = levels(store).stream().map(ZarrArray::read).toList();
        Box lateShards = Box.of(new long[] {4, 0, 0, 32}, new long[] {2, 1, EDGE, 16});
        source.erase(lateShards);
        for (ZarrArray coarse : levels(store).subList(1, expected.size())) {
            long[] shape = coarse.shape();
            coarse.erase(Box.of(new long[] {3, 0, 0, 0}, new long[] {3, 1, shape[2], shape[3]}));
        }
        try (PyramidAcquisition other = Pyramid.of(source).acquisition(store, OPTIONS, GROWING.withResume())) {
            other.write(Map.of("t", 6L, "c", 1L), square(6, 1));
        }
        for (ZarrArray coarse : levels(store).subList(1, expected.size())) {
            NdArray found = coarse.read();
            assertNotEquals(0, found.longAt(3, 0, 0, 0), "frame 3 is complete in level 0");
            assertEquals(0, found.longAt(4, 0, 0, 0), "frame 4 is not");
            assertEquals(0, found.longAt(5, 0, 0, 0));
        }
        source.write(lateShards, expected.get(0).slice(lateShards));
        try (PyramidAcquisition next = Pyramid.of(source.refresh()).acquisition(store, OPTIONS, GROWING.withResume())) {
            next.write(Map.of("t", 6L, "c", 0L), square(6, 0));
        }
        for (int level = 0; level < expected.size(); level++) {
            NdArray found = levels(store).get(level).read();
            assertEquals(
                    expected.get(level), found.slice(Box.of(expected.get(level).shape())), "level " + level);
            assertNotEquals(0, found.longAt(6, 0, 0, 0));
        }
    }

    /** A black inner chunk looks like one that is not stored yet, but the streams are at the end of the array. */
    @Test
    void darkFramesOfStreamsThatAreAtTheirEnd_areReducedAtOnce() {
        Store store = MemoryStore.create();
        ZarrArray source = begin(store, 4);
        short[] bright = new short[4 * CHANNELS * PLANES * HEIGHT * WIDTH];
        Arrays.fill(bright, (short) 9);
        source.write(source.domain(), bright, 0);
        source.erase(Box.of(new long[5], new long[] {4, CHANNELS, PLANES, 4, 4}));
        AcquisitionOptions resumed = AcquisitionOptions.defaults()
                .withSlices(SliceOptions.defaults().withBudgetBytes(64 << 20))
                .withResume();
        Pyramid.of(source).acquisition(store, OPTIONS, resumed).close();
        assertAsMadeAfterwards(store, Reducer.MEAN, 4);
    }

    /** Another process records a channel; levels are not stored in step. */
    @Test
    void acquisitionOfOtherStreams_keepsFramesOfARunningOne() {
        Store store = MemoryStore.create();
        begin(store, 0);
        PyramidAcquisition first =
                Pyramid.of(Zarr.openArray(store, "0", OPTIONS)).acquisition(store, OPTIONS, GROWING);
        for (long t = 0; t < 7; t++) {
            for (long z = 0; z < PLANES; z++) {
                first.write(at(t, 0, z), pixels(t, 0, z));
            }
        }
        first.levels().get(1).flush();
        first.levels().get(3).flush();
        ZarrArray source = Zarr.openArray(store, "0", OPTIONS);
        try (PyramidAcquisition second = Pyramid.of(source).acquisition(store, OPTIONS, GROWING.withResume())) {
            for (long t = 0; t < 5; t++) {
                for (long z = 0; z < PLANES; z++) {
                    second.write(at(t, 1, z), pixels(t, 1, z));
                }
            }
        }
        assertEquals(7, Zarr.openArray(store, "1", OPTIONS).shape()[0]);
        first.close();
        assertAsMadeAfterwards(store, Reducer.MEAN, 7);
        for (long t = 0; t < 7; t++) {
            assertArrayEquals(
                    frame(t, 0, 2),
                    levels(store).get(0).read().slice(frameBox(t, 0, 2)).shorts());
        }
    }

    /** A frame has a dimension before that of the streams, so shards do not come in the streams' order. */
    @Test
    void streamsAlongAnInnerDimension_areCompleted() {
        Store store = MemoryStore.create();
        Zarr.createGroup(store, "", Json.object(), IfExists.REFUSE, OPTIONS);
        ZarrArray source = Zarr.createArray(
                store,
                "0",
                ArraySpec.of("uint16", CHANNELS, 0, HEIGHT, WIDTH)
                        .withShardShape(1, 4, 16, 16)
                        .withChunkShape(1, 2, 4, 4)
                        .withDimensionNames("c", "z", "y", "x"),
                IfExists.REFUSE,
                OPTIONS);
        AcquisitionOptions stacks = GROWING.withStreamsAlong("z").withFrame("c", "y", "x");
        try (PyramidAcquisition acquisition = Pyramid.of(source).acquisition(store, OPTIONS, stacks)) {
            for (long z = 0; z < 12; z++) {
                ByteBuffer frame = ByteBuffer.allocate(2 * CHANNELS * HEIGHT * WIDTH);
                frame.put(0, z / 4 == 1 ? pixels(z, 0, 0).array() : new byte[2 * HEIGHT * WIDTH]);
                frame.put(
                        2 * HEIGHT * WIDTH,
                        z / 4 == 2
                                ? new byte[2 * HEIGHT * WIDTH]
                                : pixels(z, 1, 0).array());
                acquisition.write(Map.of("z", z), frame);
            }
        }
        List<NdArray> expected = levels(store).stream().map(ZarrArray::read).toList();
        for (int level = 1; level < expected.size(); level++) {
            ZarrArray array = levels(store).get(level);
            long[] shape = array.shape();
            shape[1] = level - 1;
            array.resize(shape, ResizePolicy.REMOVE);
        }
        Pyramid.of(source.refresh())
                .acquisition(store, OPTIONS, stacks.withResume())
                .close();
        for (int level = 1; level < expected.size(); level++) {
            assertEquals(expected.get(level), levels(store).get(level).read(), "level " + level);
        }
    }

    /** A frame that another thread is passing to the coarser levels belongs to the frames that the call stores. */
    @ParameterizedTest
    @ValueSource(strings = {"flush", "suspend", "close"})
    void framesThatAnotherThreadPasses_areStoredToo(String call) throws Exception {
        RemoteAdapter remote = RemoteAdapter.of(MemoryStore.conditional("remote"));
        ZarrArray source = begin(remote, 0);
        try (PyramidAcquisition acquisition = Pyramid.of(source).acquisition(remote, OPTIONS, GROWING)) {
            write(acquisition, 0, 4, new Random(1));
        }
        source.refresh().erase(Box.of(new long[] {2, 0, 2, 0, 0}, new long[] {2, 1, 1, HEIGHT, WIDTH}));
        PyramidAcquisition acquisition =
                Pyramid.of(source.refresh()).acquisition(remote, OPTIONS, GROWING.withResume());
        CountDownLatch passing = new CountDownLatch(1);
        CountDownLatch mayGoOn = new CountDownLatch(1);
        remote.loseAnswers(key -> {
            if (key.startsWith("1/c/")) { // erases what level 0 lacks before it passes the frame
                passing.countDown();
                await(mayGoOn);
            }
            return RemoteAdapter.Answer.COMES;
        });
        ExecutorService threads = Executors.newFixedThreadPool(2);
        try {
            Future<?> camera = threads.submit(() -> acquisition.write(at(2, 0, 2), pixels(2, 0, 2)));
            await(passing);
            AtomicReference<Thread> caller = new AtomicReference<>();
            Future<?> storing = threads.submit(() -> {
                caller.set(Thread.currentThread());
                switch (call) {
                    case "flush" -> acquisition.flush();
                    case "suspend" -> acquisition.suspend();
                    default -> acquisition.close();
                }
            });
            while (!storing.isDone() && (caller.get() == null || caller.get().getState() != Thread.State.WAITING)) {
                Thread.onSpinWait();
            }
            mayGoOn.countDown();
            storing.get(120, TimeUnit.SECONDS);
            for (int level = 0; level < 4; level++) {
                ZarrArray array = Zarr.openArray(remote, Integer.toString(level), OPTIONS);
                assertNotEquals(0, array.read().longAt(2, 0, 2, 0, 0), "level " + level);
            }
            camera.get(120, TimeUnit.SECONDS);
        } finally {
            mayGoOn.countDown();
            threads.shutdownNow();
        }
        acquisition.close();
    }

    private static void await(CountDownLatch latch) {
        try {
            assertTrue(latch.await(120, TimeUnit.SECONDS));
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    /** Level 0 has a frame that a coarser level could not store; the next call repeats it. */
    @Test
    void frameThatALevelLacks_isRepeated_afterAFailure() {
        RemoteAdapter remote = RemoteAdapter.of(MemoryStore.conditional("remote"));
        begin(remote, 0);
        ZarrOptions impatient = OPTIONS.withLockPatience(Duration.ofMillis(50));
        ZarrArray source = Zarr.openArray(remote, "0", impatient);
        AcquisitionOptions buffered = AcquisitionOptions.defaults()
                .withSlices(GROW.withStrategy(SliceStrategy.BUFFERED))
                .withResume();
        long t = 0;
        for (String failing : List.of("1/c/", "0/c/", "2/c/")) {
            try (PyramidAcquisition acquisition =
                    Pyramid.of(source.refresh()).acquisition(remote, impatient, buffered)) {
                remote.loseAnswers(key -> key.startsWith(failing)
                        ? RemoteAdapter.Answer.LOST_WITH_THE_REQUEST
                        : RemoteAdapter.Answer.COMES);
                long begin = t;
                assertThrows(StoreException.class, () -> {
                    for (long next = begin; next < begin + 100; next++) {
                        writeMissing(acquisition, next);
                    }
                });
                remote.loseAnswers(key -> RemoteAdapter.Answer.COMES);
                t = acquisition.position() + 1;
                for (long next = begin; next < t; next++) {
                    writeMissing(acquisition, next);
                }
                acquisition.flush();
                assertEquals(t, acquisition.committed());
                assertAsMadeAfterwards(remote, Reducer.MEAN, t);
            }
        }
    }

    private static void writeMissing(PyramidAcquisition acquisition, long t) {
        for (long c = 0; c < CHANNELS; c++) {
            for (long z = 0; z < PLANES; z++) {
                try {
                    acquisition.write(at(t, c, z), pixels(t, c, z));
                } catch (FrameOrderException e) {
                    assertEquals(FrameOrderException.Reason.COMPLETE, e.reason(), e.getMessage());
                }
            }
        }
    }

    /** Several cameras, one for each channel and plane, without any order among them. */
    @Test
    void frames_ofSeveralThreads_reachAllLevels() throws Exception {
        Store store = MemoryStore.create();
        ZarrArray source = begin(store, 0);
        ExecutorService cameras = Executors.newFixedThreadPool(CHANNELS * PLANES);
        try (PyramidAcquisition acquisition = Pyramid.of(source).acquisition(store, OPTIONS, GROWING.withWindow(40))) {
            List<Future<?>> all = new ArrayList<>();
            for (long c = 0; c < CHANNELS; c++) {
                for (long z = 0; z < PLANES; z++) {
                    long channel = c;
                    long plane = z;
                    all.add(cameras.submit(() -> {
                        for (long t = 0; t < 40; t++) {
                            acquisition.write(at(t, channel, plane), pixels(t, channel, plane));
                        }
                    }));
                }
            }
            for (Future<?> camera : all) {
                camera.get(120, TimeUnit.SECONDS);
            }
        } finally {
            cameras.shutdownNow();
        }
        assertAsMadeAfterwards(store, Reducer.MEAN, 40);
    }

    /**
     * A store whose metadata of level 0 cannot be read by the test's thread, which opens streams, while the test says
     * so. Threads in the background, which store slices of open streams, can read it.
     */
    private static final class Unreadable extends ForwardingStore implements LocalReads {
        private final LocalReads reads;
        private final Thread test = Thread.currentThread();
        private volatile BooleanSupplier fails = () -> false;

        Unreadable(Store store) {
            super(store);
            this.reads = (LocalReads) store.reads();
        }

        @Override
        public Reads reads() {
            return this;
        }

        @Override
        public Optional<ObjectSnapshot> open(String key) throws IOException {
            if (key.equals("0/zarr.json") && Thread.currentThread() == test && fails.getAsBoolean()) {
                throw new IOException("cannot be read");
            }
            return reads.open(key);
        }
    }

    /** Streams of channel 0 give up frames, those of channel 1 cannot be opened; a camera of channel 0 goes on. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void completionThatFailsInPart_isRepeated_inAllLevels(boolean callerRepeats) {
        Unreadable store = new Unreadable(MemoryStore.create());
        ZarrArray source = begin(store, 0);
        PyramidAcquisition acquisition = Pyramid.of(source).acquisition(store, OPTIONS, GROWING);
        write(acquisition, 0, 5, new Random(4));
        acquisition.suspend();
        store.fails = () -> acquisition.levels().get(0).position(Map.of("c", 0L, "z", 2L)) == 50;
        assertThrows(StoreException.class, () -> acquisition.complete(50));
        assertEquals(50, acquisition.position(Map.of("c", 0L, "z", 0L)));
        assertEquals(5, acquisition.position(Map.of("c", 1L, "z", 0L)));
        assertThrows(StoreException.class, () -> acquisition.write(at(50, 0, 0), pixels(50, 0, 0)), "repeats it");
        store.fails = () -> false;
        for (long z = 0; z < PLANES; z++) {
            acquisition.write(at(50, 0, z), pixels(50, 0, z));
        }
        if (callerRepeats) {
            acquisition.complete(50);
        }
        acquisition.flush();
        assertEquals(50, acquisition.committed());
        acquisition.close();
        assertAsMadeAfterwards(store, Reducer.MEAN, 51);
    }

    /** The caller of a completion that failed in part closes the acquisition. */
    @Test
    void closeAfterACompletionThatFailedInPart_storesAllLevels() {
        Unreadable store = new Unreadable(MemoryStore.create());
        ZarrArray source = begin(store, 0);
        PyramidAcquisition acquisition = Pyramid.of(source).acquisition(store, OPTIONS, GROWING);
        write(acquisition, 0, 5, new Random(5));
        acquisition.suspend();
        acquisition.write(at(5, 0, 0), pixels(5, 0, 0));
        store.fails = () -> acquisition.levels().get(0).position(Map.of("c", 0L, "z", 2L)) == 8;
        assertThrows(StoreException.class, () -> acquisition.complete(8));
        assertThrows(StoreException.class, acquisition::close);
        store.fails = () -> false;
        assertThrows(IllegalStateException.class, acquisition.levels().get(0)::flush, "closed");
        acquisition.close();
        assertAsMadeAfterwards(store, Reducer.MEAN, 8);
        assertThrows(IllegalStateException.class, () -> acquisition.complete(9));
        acquisition.close();
    }

    /** Level 0 accepts a frame because of a completion that was called after the frame's write. */
    @Test
    void frameThatALaterCompletionLetsIn_reachesAllLevels() {
        Store store = MemoryStore.create();
        ZarrArray source = begin(store, 0);
        PyramidAcquisition acquisition = Pyramid.of(source).acquisition(store, OPTIONS, GROWING);
        ExecutorService other = Executors.newSingleThreadExecutor();
        AtomicBoolean isFirst = new AtomicBoolean(true);
        Map<String, Long> indices = new HashMap<>(at(12, 0, 0)) {
            @Override
            public Long get(Object name) { // only level 0 asks for a single index
                if (isFirst.getAndSet(false)) {
                    CompletableFuture.runAsync(() -> acquisition.complete(10), other)
                            .join();
                }
                return super.get(name);
            }
        };
        try {
            acquisition.write(indices, pixels(12, 0, 0));
        } finally {
            other.shutdown();
        }
        assertEquals(
                List.of(10L, 10L, 10L, 10L),
                acquisition.levels().stream().map(Acquisition::position).toList());
        acquisition.close();
        assertAsMadeAfterwards(store, Reducer.MEAN, 13);
    }

    /** A coarser level that takes no more frames is closed, and stores those that it has. */
    @Test
    void closeThatFindsAFrameMissing_closesAllLevels_andSaysSoOnce() {
        Store store = MemoryStore.create();
        ZarrArray source = begin(store, 0);
        PyramidAcquisition acquisition = Pyramid.of(source).acquisition(store, OPTIONS, GROWING);
        acquisition.write(at(0, 0, 0), pixels(0, 0, 0)); // plane 1 of the slice does not come
        acquisition.levels().get(0).complete(20); // not in the other levels
        acquisition.write(at(20, 1, 2), pixels(20, 1, 2));
        assertThrows(IllegalStateException.class, acquisition::close);
        NdArray expected = levels(store).get(1).read();
        assertNotEquals(0, expected.longAt(0, 0, 0, 0, 0));
        for (int level = 1; level < 4; level++) {
            Acquisition coarser = acquisition.levels().get(level);
            assertThrows(IllegalStateException.class, coarser::flush, "closed");
        }
        acquisition.close();
        try (PyramidAcquisition next = Pyramid.of(source.refresh()).acquisition(store, OPTIONS, GROWING.withResume())) {
            assertEquals(21, next.position(Map.of("c", 1L, "z", 2L)));
        }
        assertAsMadeAfterwards(store, Reducer.MEAN, 21);
    }

    @Test
    void optionsThatAreRefused_writeNothing() {
        Store store = MemoryStore.create();
        ZarrArray source = begin(store, 0);
        Pyramid image = Pyramid.of(source);
        AcquisitionOptions inFrame = GROWING.withStreamsAlong("y");
        assertThrows(IllegalArgumentException.class, () -> image.acquisition(store, OPTIONS, inFrame));
        AcquisitionOptions unknown = GROWING.withFrame("s", "y", "x");
        assertThrows(IllegalArgumentException.class, () -> image.acquisition(store, OPTIONS, unknown));
        ZarrOptions owned = OPTIONS.withOwnership(WriteOwnership.OWNED);
        assertThrows(UnsupportedException.class, () -> image.acquisition(store, owned, GROWING));
        AcquisitionOptions outside = AcquisitionOptions.defaults().withStart(3);
        assertThrows(IndexOutOfBoundsException.class, () -> image.acquisition(store, OPTIONS, outside));
        assertTrue(Zarr.find(store, "1", OPTIONS).isEmpty());
        assertEquals(Json.object(), Zarr.openGroup(store, "", OPTIONS).attributes());
        Store flat = MemoryStore.create();
        Zarr.createGroup(flat, "", Json.object(), IfExists.REFUSE, OPTIONS);
        ArraySpec none = ArraySpec.of("uint16", 0, 0, HEIGHT, WIDTH).withDimensionNames("t", "c", "y", "x");
        ZarrArray empty = Zarr.createArray(flat, "0", none, IfExists.REFUSE, OPTIONS);
        assertThrows(IllegalArgumentException.class, () -> Pyramid.of(empty).acquisition(flat, OPTIONS, GROWING));
        assertTrue(Zarr.find(flat, "1", OPTIONS).isEmpty());
        image.acquisition(store, OPTIONS, GROWING).close(); // nothing of them is in its way
    }

    @Test
    void otherSettings_areRefused() {
        Store store = MemoryStore.create();
        ZarrArray source = begin(store, 0);
        assertThrows(
                IllegalArgumentException.class,
                () -> Pyramid.of(source).withFactors(1, 1, 2, 2, 2).acquisition(store, OPTIONS, GROWING));
        assertTrue(Zarr.find(store, "1", OPTIONS).isEmpty(), "nothing was written");
        Pyramid.of(source).acquisition(store, OPTIONS, GROWING).close();
        assertThrows(
                StoreException.class,
                () -> Pyramid.of(source).withReducer(Reducer.MAX).acquisition(store, OPTIONS, GROWING));
        AcquisitionOptions volumes = GROWING.withFrame("z", "y", "x");
        Store other = MemoryStore.create();
        ZarrArray stacks = begin(other, 0);
        try (PyramidAcquisition acquisition = Pyramid.of(stacks).acquisition(other, OPTIONS, volumes)) {
            acquisition.write(
                    Map.of("t", 0L, "c", 0L),
                    NdArray.of(
                            stacks.dataType(), new long[] {PLANES, HEIGHT, WIDTH}, new short[PLANES * HEIGHT * WIDTH]));
            assertEquals(2, levels(other).get(1).shape()[2], "planes are reduced if frames have several");
        }
    }
}
