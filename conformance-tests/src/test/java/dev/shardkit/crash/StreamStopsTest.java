package dev.shardkit.crash;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.common.jimfs.Configuration;
import com.google.common.jimfs.Jimfs;
import dev.shardkit.ArraySpec;
import dev.shardkit.IfExists;
import dev.shardkit.NdArray;
import dev.shardkit.SliceOptions;
import dev.shardkit.Zarr;
import dev.shardkit.ZarrArray;
import dev.shardkit.ZarrOptions;
import dev.shardkit.crash.disk.Disk;
import dev.shardkit.crash.disk.PowerLog;
import dev.shardkit.crash.disk.PowerLoss;
import dev.shardkit.crash.disk.PowerLoss.Forces;
import dev.shardkit.crash.disk.PowerLoss.Kept;
import dev.shardkit.ome.pyramid.Pyramid;
import dev.shardkit.ome.pyramid.PyramidStream;
import dev.shardkit.spi.array.Box;
import dev.shardkit.spi.json.Json;
import dev.shardkit.store.Store;
import dev.shardkit.store.file.FileStore;
import dev.shardkit.store.policy.Durability;
import dev.shardkit.testkit.internal.Rounds;
import java.io.IOException;
import java.nio.file.FileSystem;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/**
 * Streams of slices that end at any point: the process is killed, or the power goes off. A live pyramid is recorded,
 * and the states that its disk may be in afterwards are opened, compared and continued.
 */
@Timeout(600)
@Tag("one-jdk")
class StreamStopsTest {
    private static final int EDGE = 12;
    private static final int FRAMES = 18;
    /** The states that are looked at in all. */
    private static final int STATES = Rounds.areMany() ? 300 : 12;
    /** The states that are looked at for each recorded stream. */
    private static final int OF_ONE = 50;

    @TempDir
    private Path folder;

    private static short[] frame(long t) {
        short[] frame = new short[EDGE * EDGE];
        Random random = new Random(t);
        for (int i = 0; i < frame.length; i++) {
            frame[i] = (short) (1 + random.nextInt(60_000)); // never the fill value
        }
        return frame;
    }

    private static ZarrOptions options(Durability durability) {
        return ZarrOptions.defaults().withDurability(durability);
    }

    private static PyramidStream stream(Store store, SliceOptions slices, Durability durability) {
        ZarrArray finest = Zarr.openArray(store, "0", options(durability));
        return Pyramid.of(finest).stream(store, options(durability), slices);
    }

    /** A flush that returned when the disk had so many changes. */
    private record Flushed(long frames, int point) {}

    /** A recorded stream. */
    private static final class Recording {
        final PowerLoss losses;
        final List<Flushed> flushes = new ArrayList<>();
        final List<NdArray> levels = new ArrayList<>();
        final int points;
        final Durability durability;
        final SliceOptions slices;

        Recording(Path folder, Durability durability, Forces forces, Random random) throws IOException {
            this.durability = durability;
            this.slices = SliceOptions.defaults()
                    .withGrowth(SliceOptions.Growth.GROW)
                    .withFlushEvery(random.nextBoolean() ? Long.MAX_VALUE : 1 + random.nextInt(5));
            Zarr.createGroup(FileStore.at(folder), "", Json.object(), IfExists.REFUSE, ZarrOptions.defaults());
            Zarr.createArray(
                    FileStore.at(folder),
                    "0",
                    ArraySpec.of("uint16", 0, EDGE, EDGE)
                            .withShardShape(4, EDGE, EDGE)
                            .withChunkShape(2, 4, 4)
                            .withDimensionNames("t", "y", "x"),
                    IfExists.REFUSE,
                    ZarrOptions.defaults());
            Disk disk = new Disk();
            PowerLog log = disk.record(folder);
            Store store = FileStore.at(disk.path(folder.toRealPath()));
            try (PyramidStream stream = stream(store, slices, durability)) {
                flushes.add(new Flushed(0, log.size()));
                for (int t = 0; t < FRAMES; t++) {
                    NdArray frame =
                            NdArray.of(stream.levels().get(0).array().dataType(), new long[] {EDGE, EDGE}, frame(t));
                    stream.write(frame);
                    if (random.nextInt(4) == 0) {
                        stream.flush();
                        flushes.add(new Flushed(t + 1, log.size()));
                    }
                }
                stream.flush();
                stream.levels()
                        .forEach(level -> levels.add(level.array().refresh().read()));
            }
            this.points = log.size();
            this.losses = new PowerLoss(log, forces);
        }

        /** Checks the frames of a level, and returns their number. */
        long checkLevel(Store store, int level) {
            ZarrArray array = Zarr.openArray(store, Integer.toString(level), options(durability));
            NdArray expected = levels.get(level);
            long[] shape = expected.shape();
            shape[0] = array.shape()[0];
            assertEquals(expected.slice(Box.of(shape)), array.read(), "level " + level);
            return shape[0];
        }

        /** Opens a state, as a process does that goes on with the stream. */
        void check(Path root, int point) throws IOException {
            long flushed = flushes.stream()
                    .filter(flush -> flush.point() <= point)
                    .mapToLong(Flushed::frames)
                    .max()
                    .orElse(0);
            try (FileStore store = FileStore.at(root)) {
                long length = checkLevel(store, 0);
                assertTrue(length >= flushed, () -> flushed + " frames were flushed, found " + length);
                boolean isComplete = point >= flushes.get(0).point();
                for (int level = 1; isComplete && level < levels.size(); level++) {
                    long coarse = checkLevel(store, level);
                    assertTrue(coarse >= flushed, () -> flushed + " frames were flushed, found " + coarse);
                }
                try (PyramidStream stream = stream(store, slices, Durability.NONE)) {
                    assertEquals(length, stream.position());
                    for (long t = length; t < Math.min(FRAMES, length + 2); t++) {
                        stream.write(NdArray.of(levels.get(0).dataType(), new long[] {EDGE, EDGE}, frame(t)));
                    }
                }
                for (int level = 0; level < levels.size(); level++) {
                    assertEquals(Math.min(FRAMES, length + 2), checkLevel(store, level), "level " + level);
                }
            }
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
            Recording recording = new Recording(own, durability, forces, random);
            try (FileSystem memory = Jimfs.newFileSystem(Configuration.unix())) {
                for (int i = 0; i < OF_ONE && looked < states; i++, looked++) {
                    int point = random.nextInt(recording.points + 1);
                    Kept kept = kinds[random.nextInt(kinds.length)];
                    Path root = Files.createDirectory(memory.getPath("/" + i));
                    recording.losses.make(point, kept, random, root);
                    try {
                        recording.check(root, point);
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
    void killedStream_losesNoFlushedFrame_andGoesOn() throws IOException {
        assertEquals(0, look(STATES, Durability.ATOMIC, Forces.HONOURED, Kept.ALL));
    }

    @Test
    @DisabledOnOs(value = OS.WINDOWS, disabledReason = "directories are not forced")
    void powerLoss_losesNoForcedFrame_andTheStreamGoesOn() throws IOException {
        assertEquals(0, look(STATES, Durability.FORCED, Forces.HONOURED, Kept.values()));
    }

    /** That the check can fail: a device that forgets what was forced breaks the promise. */
    @Test
    void deviceThatForgetsWhatWasForced_isSeen() throws IOException {
        int broken = look(30, Durability.FORCED, Forces.IGNORED, Kept.FORCED, Kept.ANY);
        assertTrue(broken > 3, () -> broken + " states");
    }
}
