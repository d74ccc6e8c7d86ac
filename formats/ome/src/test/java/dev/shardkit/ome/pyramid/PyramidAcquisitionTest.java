package dev.shardkit.ome.pyramid;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

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
import dev.shardkit.spi.json.Json;
import dev.shardkit.spi.type.CoreTypes;
import dev.shardkit.store.Store;
import dev.shardkit.store.file.FileStore;
import dev.shardkit.store.memory.MemoryStore;
import dev.shardkit.testkit.internal.Rounds;
import dev.shardkit.testkit.store.RemoteAdapter;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

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
        assertArrayEquals(
                frame(5, 1, 2),
                levels(store).get(0).read().slice(frameBox(5, 1, 2)).shorts());
    }

    private static dev.shardkit.spi.array.Box frameBox(long t, long c, long z) {
        return dev.shardkit.spi.array.Box.of(new long[] {t, c, z, 0, 0}, new long[] {1, 1, 1, HEIGHT, WIDTH});
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
                        array.erase(dev.shardkit.spi.array.Box.of(origin, lost));
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
                assertAsMadeAfterwards(store, Reducer.MEAN, length);
                end = Math.max(length, acquisition.position() + 2);
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
