package dev.shardkit.crash;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.common.jimfs.Configuration;
import com.google.common.jimfs.Jimfs;
import dev.shardkit.Acquisition;
import dev.shardkit.AcquisitionOptions;
import dev.shardkit.ArraySpec;
import dev.shardkit.FrameOrderException;
import dev.shardkit.IfExists;
import dev.shardkit.SliceOptions;
import dev.shardkit.Zarr;
import dev.shardkit.ZarrArray;
import dev.shardkit.ZarrOptions;
import dev.shardkit.crash.disk.Disk;
import dev.shardkit.crash.disk.PowerLog;
import dev.shardkit.crash.disk.PowerLoss;
import dev.shardkit.crash.disk.PowerLoss.Forces;
import dev.shardkit.crash.disk.PowerLoss.Kept;
import dev.shardkit.spi.array.Box;
import dev.shardkit.store.Store;
import dev.shardkit.store.file.FileStore;
import dev.shardkit.store.policy.Durability;
import dev.shardkit.testing.Child;
import dev.shardkit.testkit.internal.Rounds;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.FileSystem;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/**
 * Acquisitions that end at any point: the process is killed, or the power goes off. Frames of two channels and three
 * planes come in any order within the window; a stream holds one channel and two planes. No frame before
 * {@code committed()} is lost, no frame is torn, and another acquisition goes on from there.
 */
@Timeout(600)
@Tag("one-jdk")
class AcquisitionStopsTest {
    private static final int EDGE = 8;
    private static final int TIMES = 10;
    private static final int CHANNELS = 2;
    private static final int PLANES = 3;
    private static final int WINDOW = 3;
    /** The states that are looked at for each recorded acquisition. */
    private static final int OF_ONE = 50;

    @TempDir
    private Path folder;

    /** Returns elements that are never the fill value. */
    private static short[] frame(long t, long c, long z) {
        short[] frame = new short[EDGE * EDGE];
        Random random = new Random((t * CHANNELS + c) * PLANES + z);
        for (int i = 0; i < frame.length; i++) {
            frame[i] = (short) (1 + random.nextInt(60_000));
        }
        return frame;
    }

    private static ByteBuffer pixels(long t, long c, long z) {
        ByteBuffer buffer = ByteBuffer.allocate(2 * EDGE * EDGE).order(ByteOrder.LITTLE_ENDIAN);
        buffer.asShortBuffer().put(frame(t, c, z));
        return buffer;
    }

    private static ZarrOptions options(Durability durability) {
        return ZarrOptions.defaults().withDurability(durability);
    }

    /** Creates the array. With shards of fewer rows than a frame, a frame lies in several. */
    private static void create(Store store, int rowsOfShard) {
        Zarr.createArray(
                store,
                "a",
                ArraySpec.of("uint16", 0, CHANNELS, PLANES, EDGE, EDGE)
                        .withShardShape(4, 1, 2, rowsOfShard, EDGE)
                        .withChunkShape(2, 1, 1, EDGE / 2, EDGE)
                        .withDimensionNames("t", "c", "z", "y", "x"),
                IfExists.REFUSE,
                ZarrOptions.defaults());
    }

    private static AcquisitionOptions growing(SliceOptions slices, long start) {
        return AcquisitionOptions.defaults()
                .withWindow(WINDOW)
                .withStart(start)
                .withSlices(slices.withGrowth(SliceOptions.Growth.GROW));
    }

    /** Runs after a frame. */
    private interface AfterFrame {
        void run() throws IOException;
    }

    /** Writes the frames that streams lack before {@code end}, in random order. */
    private static void write(Acquisition acquisition, long end, Random random, AfterFrame after) throws IOException {
        List<long[]> missing = new ArrayList<>();
        for (long t = acquisition.position(); t < end; t++) {
            for (long c = 0; c < CHANNELS; c++) {
                for (long z = 0; z < PLANES; z++) {
                    if (t >= acquisition.position(Map.of("c", c, "z", z))) {
                        missing.add(new long[] {t, c, z});
                    }
                }
            }
        }
        while (!missing.isEmpty()) {
            int next = random.nextInt(Math.min(missing.size(), 2 * CHANNELS * PLANES));
            long[] at = missing.get(next);
            try {
                acquisition.write(Map.of("t", at[0], "c", at[1], "z", at[2]), pixels(at[0], at[1], at[2]));
                missing.remove(next);
            } catch (FrameOrderException e) {
                assertEquals(FrameOrderException.Reason.BEYOND_WINDOW, e.reason(), e.getMessage());
                continue;
            }
            after.run();
        }
    }

    /** Checks that each frame is stored or missing as a whole, and that those before {@code committed} are stored. */
    private static void check(ZarrArray array, long committed) {
        long length = array.shape()[0];
        assertTrue(length >= committed, () -> committed + " time points were flushed, found " + length);
        short[] all = array.read(array.domain()).shorts();
        int size = EDGE * EDGE;
        for (int i = 0; i < all.length / size; i++) {
            long t = i / (CHANNELS * PLANES);
            short[] expected = frame(t, i / PLANES % CHANNELS, i % PLANES);
            short[] found = Arrays.copyOfRange(all, i * size, (i + 1) * size);
            boolean isMissing = Arrays.equals(found, new short[size]);
            if (t < committed || !isMissing) {
                assertArrayEquals(expected, found, "frame " + i + ", committed " + committed);
            }
        }
    }

    /**
     * Goes on with an acquisition whose log says that {@code committed} time points are stored: by the log, or where
     * each stream stopped.
     */
    private static void goOn(Store store, SliceOptions slices, long committed, Random random) throws IOException {
        ZarrArray array = Zarr.openArray(store, "a", options(Durability.NONE));
        check(array, committed);
        boolean isResumed = random.nextBoolean();
        AcquisitionOptions options = growing(slices, committed);
        long end;
        try (Acquisition acquisition = array.acquisition(isResumed ? options.withResume() : options)) {
            long position = acquisition.position();
            if (isResumed) {
                assertTrue(position >= committed, () -> committed + " time points are stored, found " + position);
            } else {
                assertEquals(committed, position);
            }
            end = position + 3;
            write(acquisition, end, random, () -> {});
        }
        check(Zarr.openArray(store, "a", options(Durability.NONE)), end);
    }

    /** A flush that returned when the disk had so many changes. */
    private record Flushed(long committed, int point) {}

    /** A recorded acquisition. */
    private static final class Recording {
        final PowerLoss losses;
        final List<Flushed> flushes = new ArrayList<>();
        final int points;
        final SliceOptions slices;

        Recording(Path folder, int rowsOfShard, Durability durability, Forces forces, Random random)
                throws IOException {
            this.slices = SliceOptions.defaults()
                    .withFlushEvery(random.nextBoolean() ? Long.MAX_VALUE : 1 + random.nextInt(5));
            create(FileStore.at(folder), rowsOfShard);
            Disk disk = new Disk();
            PowerLog log = disk.record(folder);
            Store store = FileStore.at(disk.path(folder.toRealPath()));
            ZarrArray array = Zarr.openArray(store, "a", options(durability));
            try (Acquisition acquisition = array.acquisition(growing(slices, 0))) {
                write(acquisition, TIMES, random, () -> {
                    if (random.nextInt(8) == 0) {
                        acquisition.flush();
                        flushes.add(new Flushed(acquisition.committed(), log.size()));
                    }
                });
            }
            flushes.add(new Flushed(TIMES, log.size()));
            this.points = log.size();
            this.losses = new PowerLoss(log, forces);
        }

        /** Returns what the log of the program says at a point. */
        long committed(int point) {
            return flushes.stream()
                    .filter(flush -> flush.point() <= point)
                    .mapToLong(Flushed::committed)
                    .max()
                    .orElse(0);
        }
    }

    /** Looks at states, and returns how many broke the promise. */
    private int look(int states, Durability durability, Forces forces, Kept... kinds) throws IOException {
        return look(folder, new Random().nextLong(), states, durability, forces, kinds);
    }

    /** Looks at states of recordings in a folder, and returns how many broke the promise. */
    static int look(Path folder, long seed, int states, Durability durability, Forces forces, Kept... kinds)
            throws IOException {
        Random random = new Random(seed);
        int broken = 0;
        for (int looked = 0; looked < states; ) {
            Path own = Files.createDirectory(folder.resolve(durability + "-" + forces + "-" + looked));
            Recording recording = new Recording(own, EDGE, durability, forces, random);
            try (FileSystem memory = Jimfs.newFileSystem(Configuration.unix())) {
                for (int i = 0; i < OF_ONE && looked < states; i++, looked++) {
                    int point = random.nextInt(recording.points + 1);
                    Kept kept = kinds[random.nextInt(kinds.length)];
                    Path root = Files.createDirectory(memory.getPath("/" + i));
                    recording.losses.make(point, kept, random, root);
                    try (FileStore store = FileStore.at(root)) {
                        goOn(store, recording.slices, recording.committed(point), random);
                    } catch (RuntimeException | AssertionError e) {
                        if (forces == Forces.HONOURED) {
                            throw new AssertionError(
                                    "seed " + seed + ", state " + looked + ", " + durability + " " + kept + ", point "
                                            + point + " of " + recording.points + ", flushes " + recording.flushes
                                            + ": " + e.getMessage(),
                                    e);
                        }
                        broken++;
                    }
                }
            }
        }
        return broken;
    }

    @Test
    void killedAcquisition_losesNoFlushedFrame_andGoesOn() throws IOException {
        assertEquals(0, look(Rounds.of(30), Durability.ATOMIC, Forces.HONOURED, Kept.ALL));
    }

    /** Frames in two shards each may be torn. Then the next acquisition names them, and the program repairs them. */
    @Test
    void killedAcquisition_namesTheFramesThatItLeftInPart() throws IOException {
        long seed = new Random().nextLong();
        Random random = new Random(seed);
        int torn = 0;
        for (int round = 0; round < Rounds.of(4); round++) {
            Path own = Files.createDirectory(folder.resolve("split-" + round));
            Recording recording = new Recording(own, EDGE / 2, Durability.ATOMIC, Forces.HONOURED, random);
            try (FileSystem memory = Jimfs.newFileSystem(Configuration.unix())) {
                for (int i = 0; i < OF_ONE; i++) {
                    int point = random.nextInt(recording.points + 1);
                    Path root = Files.createDirectory(memory.getPath("/" + i));
                    recording.losses.make(point, Kept.ALL, random, root);
                    try (FileStore store = FileStore.at(root)) {
                        torn += repairTorn(store, recording.committed(point), "seed " + seed + ", point " + point);
                    }
                }
            }
        }
        assertTrue(torn > 0, "no kill left a frame in one of its shards, seed " + seed);
    }

    /** Writes the partial frames of an acquisition again. Returns how many frames were torn. */
    private static int repairTorn(Store store, long committed, String state) {
        ZarrArray array = Zarr.openArray(store, "a", options(Durability.NONE));
        List<long[]> torn = torn(array);
        assertTrue(torn.stream().allMatch(at -> at[0] >= committed), state);
        AcquisitionOptions resumed = growing(SliceOptions.defaults(), 0).withResume();
        try (Acquisition acquisition = array.acquisition(resumed)) {
            List<Acquisition.PartialFrames> partial = acquisition.partialFrames();
            for (Acquisition.PartialFrames frames : partial) {
                long c = frames.indices().get("c");
                long z = frames.indices().get("z");
                assertEquals(frames.to(), acquisition.position(frames.indices()), state);
                for (long t = frames.from(); t < frames.to(); t++) {
                    for (long plane = z; plane < Math.min(PLANES, z + 2); plane++) {
                        array.write(frameBox(t, c, plane), frame(t, c, plane), 0);
                    }
                }
            }
            assertEquals(List.of(), torn(array), () -> state + ": torn before " + torn.size() + ", named " + partial);
        }
        return torn.size();
    }

    private static Box frameBox(long t, long c, long z) {
        return Box.of(new long[] {t, c, z, 0, 0}, new long[] {1, 1, 1, EDGE, EDGE});
    }

    /** Returns the indices of frames that hold only a part of their elements. */
    private static List<long[]> torn(ZarrArray array) {
        List<long[]> torn = new ArrayList<>();
        short[] missing = new short[EDGE * EDGE];
        for (long t = 0; t < array.shape()[0]; t++) {
            for (long c = 0; c < CHANNELS; c++) {
                for (long z = 0; z < PLANES; z++) {
                    short[] found = array.read(frameBox(t, c, z)).shorts();
                    if (!Arrays.equals(found, missing) && !Arrays.equals(found, frame(t, c, z))) {
                        torn.add(new long[] {t, c, z});
                    }
                }
            }
        }
        return torn;
    }

    @Test
    @DisabledOnOs(value = OS.WINDOWS, disabledReason = "directories are not forced")
    void powerLoss_losesNoForcedFrame_andTheAcquisitionGoesOn() throws IOException {
        assertEquals(0, look(Rounds.of(30), Durability.FORCED, Forces.HONOURED, Kept.values()));
    }

    /** That the check can fail: a device that forgets what was forced breaks the promise. */
    @Test
    void deviceThatForgetsWhatWasForced_isSeen() throws IOException {
        int broken = look(30, Durability.FORCED, Forces.IGNORED, Kept.FORCED, Kept.ANY);
        assertTrue(broken > 3, () -> broken + " states");
    }

    /** Acquires frames from where its argument says, and says what is flushed, until it is killed. */
    static final class Recorder {
        private Recorder() {}

        public static void main(String[] args) throws IOException {
            long start = Long.parseLong(args[1]);
            Random random = new Random(Long.parseLong(args[2]));
            ZarrArray array = Zarr.openArray(FileStore.at(Path.of(args[0])), "a", options(Durability.ATOMIC));
            Acquisition acquisition = array.acquisition(growing(SliceOptions.defaults(), start));
            System.out.println("begun");
            write(acquisition, start + 100_000, random, () -> {
                if (random.nextInt(8) == 0) {
                    acquisition.flush();
                    System.out.println("flushed " + acquisition.committed());
                }
            });
        }
    }

    @Test
    @Tag("long")
    void killedProcess_losesNoFlushedFrame_andTheNextGoesOn() throws IOException {
        long seed = new Random().nextLong();
        Random random = new Random(seed);
        create(FileStore.at(folder), EDGE);
        long committed = 0;
        for (int round = 0; round < Rounds.of(2); round++) {
            String[] args = {folder.toString(), Long.toString(committed), Long.toString(random.nextLong())};
            try (Child child = Child.start(Recorder.class, "64m", args)) {
                child.expect("begun");
                for (int line = random.nextInt(20); line >= 0; line--) {
                    committed = Math.max(committed, flushed(child));
                }
                child.kill();
                for (long last = flushed(child); last >= 0; last = flushed(child)) {
                    committed = Math.max(committed, last); // said before the kill
                }
            }
            check(Zarr.openArray(FileStore.at(folder), "a", options(Durability.ATOMIC)), committed);
        }
        goOn(FileStore.at(folder), SliceOptions.defaults(), committed, random);
    }

    /** Returns the number in the next whole line; -1 at the end. */
    private static long flushed(Child child) {
        Optional<String> line = child.line();
        return line.isPresent() && line.get().startsWith("flushed ")
                ? Long.parseLong(line.get().substring(8))
                : -1;
    }
}
