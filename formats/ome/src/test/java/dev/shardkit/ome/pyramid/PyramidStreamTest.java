package dev.shardkit.ome.pyramid;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.shardkit.ArraySpec;
import dev.shardkit.IfExists;
import dev.shardkit.NdArray;
import dev.shardkit.ResizePolicy;
import dev.shardkit.SliceOptions;
import dev.shardkit.SliceOptions.Growth;
import dev.shardkit.SliceWriter;
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
import dev.shardkit.spi.error.ZarrException;
import dev.shardkit.spi.json.Json;
import dev.shardkit.store.Store;
import dev.shardkit.store.file.FileStore;
import dev.shardkit.store.memory.MemoryStore;
import dev.shardkit.testkit.store.RemoteAdapter;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Images that grow: all levels while slices arrive, metadata from the beginning, and after a crash. */
class PyramidStreamTest {
    private static final ZarrOptions OPTIONS = ZarrOptions.defaults();
    private static final SliceOptions GROW = SliceOptions.defaults().withGrowth(Growth.GROW);
    private static final int EDGE = 50;

    @TempDir
    Path dir;

    private static ZarrArray begin(Store store) {
        Zarr.createGroup(store, "", Json.object(), IfExists.REFUSE, OPTIONS);
        return Zarr.createArray(
                store,
                "0",
                ArraySpec.of("uint16", 0, EDGE, EDGE)
                        .withShardShape(8, 48, 48)
                        .withChunkShape(4, 12, 12)
                        .withDimensionNames("t", "y", "x"),
                IfExists.REFUSE,
                OPTIONS);
    }

    private static short[] frame(int t) {
        short[] frame = new short[EDGE * EDGE];
        Random random = new Random(t);
        for (int i = 0; i < frame.length; i++) {
            frame[i] = (short) random.nextInt();
        }
        return frame;
    }

    private static NdArray array(ZarrArray like, int t) {
        return NdArray.of(like.dataType(), new long[] {EDGE, EDGE}, frame(t));
    }

    private static List<ZarrArray> levels(Store store) {
        return OmeImage.open(Zarr.openGroup(store, "", OPTIONS)).levels().stream()
                .map(OmeLevel::array)
                .toList();
    }

    /** The levels are those of a pyramid that is made afterwards. */
    private static void assertAsMadeAfterwards(Store store, Reducer reducer, int length) {
        List<ZarrArray> found = levels(store);
        Store other = MemoryStore.create();
        ZarrArray whole = Zarr.createArray(
                MemoryStore.create(),
                "",
                ArraySpec.of("uint16", length, EDGE, EDGE)
                        .withChunkShape(4, 12, 12)
                        .withDimensionNames("t", "y", "x"),
                IfExists.REFUSE,
                OPTIONS);
        whole.write(whole.domain(), found.get(0).read().shorts(), 0);
        Pyramid.of(whole).withReducer(reducer).to(other, OPTIONS);
        List<ZarrArray> expected = levels(other);
        assertEquals(expected.size(), found.size());
        for (int level = 0; level < found.size(); level++) {
            assertArrayEquals(expected.get(level).shape(), found.get(level).shape());
            assertEquals(expected.get(level).read(), found.get(level).read(), "level " + level);
        }
    }

    /** Reading each skipped slice would not end. */
    @Test
    @Timeout(120)
    void reopenedStream_readsNoSkippedSlices() {
        Store store = FileStore.at(dir);
        ZarrArray source = begin(store);
        long many = 1L << 40;
        Pyramid pyramid = Pyramid.of(source);
        pyramid.stream(store, OPTIONS, GROW).close();
        try (SliceWriter finest = source.slices(0, GROW)) {
            finest.write(array(source, 0));
            finest.skip(many);
            finest.write(array(source, 1));
            finest.skip(many);
        }
        pyramid.stream(store, OPTIONS, GROW).close();
        List<ZarrArray> levels = levels(store);
        for (int level = 1; level < levels.size(); level++) {
            ZarrArray array = levels.get(level);
            assertEquals(2 * many + 2, array.shape()[0]);
        }
        Store other = MemoryStore.create();
        ZarrArray few = begin(other);
        try (PyramidStream stream = Pyramid.of(few).stream(other, OPTIONS, GROW)) {
            stream.write(array(few, 0));
            stream.skip(1);
            stream.write(array(few, 1));
        }
        List<ZarrArray> expected = levels(other);
        for (int level = 0; level < levels.size(); level++) {
            assertEquals(slice(expected.get(level), 0), slice(levels.get(level), 0), "level " + level);
            assertEquals(slice(expected.get(level), 1), slice(levels.get(level), many / 2), "level " + level);
            assertEquals(slice(expected.get(level), 2), slice(levels.get(level), many + 1), "level " + level);
            assertEquals(slice(expected.get(level), 1), slice(levels.get(level), 2 * many + 1), "level " + level);
        }
    }

    private static NdArray slice(ZarrArray array, long t) {
        long[] shape = array.shape();
        shape[0] = 1;
        long[] origin = new long[shape.length];
        origin[0] = t;
        return array.read(Box.of(origin, shape));
    }

    @ParameterizedTest
    @EnumSource(Reducer.class)
    void allLevels_growWithTheSlices(Reducer reducer) {
        Store store = FileStore.at(dir);
        ZarrArray source = begin(store);
        try (PyramidStream stream = Pyramid.of(source).withReducer(reducer).stream(store, OPTIONS, GROW)) {
            assertEquals(4, stream.levels().size());
            assertEquals(
                    List.of(),
                    OmeValidation.of(Zarr.openGroup(store, "", OPTIONS)).run().stream()
                            .filter(f -> f.severity() == OmeFinding.Severity.ERROR)
                            .toList());
            for (ZarrArray level : levels(store)) {
                assertEquals(0, level.shape()[0], "metadata before the first slice");
            }
            for (int t = 0; t < 9; t++) {
                stream.write(array(source, t));
            }
            stream.skip(3);
            assertEquals(12, stream.position());
            ByteBuffer big = ByteBuffer.allocateDirect(EDGE * EDGE * 2).order(ByteOrder.BIG_ENDIAN);
            big.asShortBuffer().put(frame(12));
            stream.write(big);
            stream.flush();
            assertAsMadeAfterwards(store, reducer, 13);
            stream.write(array(source, 13));
        }
        ZarrArray finest = levels(store).get(0);
        for (int t : new int[] {0, 8, 12, 13}) {
            assertArrayEquals(
                    frame(t),
                    finest.read(Box.of(new long[] {t, 0, 0}, new long[] {1, EDGE, EDGE}))
                            .shorts());
        }
        assertArrayEquals(
                new short[EDGE * EDGE],
                finest.read(Box.of(new long[] {9, 0, 0}, new long[] {1, EDGE, EDGE}))
                        .shorts());
        assertAsMadeAfterwards(store, reducer, 14);
    }

    /** What survives a crash is what all levels have. */
    @Test
    void committed_isTheEndOfTheSlicesThatAllLevelsHave() {
        Store store = MemoryStore.create();
        ZarrArray source = begin(store);
        try (PyramidStream stream = Pyramid.of(source).stream(store, OPTIONS, GROW)) {
            for (int t = 0; t < 3; t++) {
                stream.write(array(source, t));
            }
            assertEquals(3, stream.position());
            assertEquals(0, stream.committed(), "no shard is complete");
            stream.levels().get(0).flush();
            assertEquals(0, stream.committed(), "level 1 has not stored them");
            stream.flush();
            assertEquals(3, stream.committed());
            stream.write(array(source, 3));
            assertEquals(3, stream.committed());
        }
        try (PyramidStream stream = Pyramid.of(source.refresh()).stream(store, OPTIONS, GROW)) {
            assertEquals(4, stream.committed());
        }
    }

    /** A crash may leave levels shorter or longer than level 0. */
    @Test
    void nextStream_completesLevels_andGoesOn() {
        Store store = FileStore.at(dir);
        ZarrArray source = begin(store);
        try (PyramidStream stream = Pyramid.of(source).stream(store, OPTIONS, GROW)) {
            for (int t = 0; t < 6; t++) {
                stream.write(array(source, t));
            }
        }
        for (int level = 0; level < 4; level++) {
            ZarrArray array = Zarr.openArray(store, Integer.toString(level), OPTIONS);
            long[] shape = array.shape();
            shape[0] = new long[] {5, 2, 6, 0}[level];
            array.resize(shape, ResizePolicy.REMOVE);
        }
        ZarrArray reopened = Zarr.openArray(store, "0", OPTIONS);
        try (PyramidStream stream = Pyramid.of(reopened).stream(store, OPTIONS, GROW)) {
            assertEquals(5, stream.position());
            stream.write(array(source, 5));
            stream.write(array(source, 6));
        }
        assertAsMadeAfterwards(store, Reducer.MEAN, 7);
    }

    /** A call may accept a slice and then fail to store it; the next one must not pass it to the level again. */
    @Test
    void sliceThatALevelAccepted_isNotRepeated_afterAFailure() {
        RemoteAdapter remote = RemoteAdapter.of(MemoryStore.conditional("remote"));
        begin(remote);
        ZarrOptions impatient = OPTIONS.withLockPatience(Duration.ofMillis(50));
        ZarrArray source = Zarr.openArray(remote, "0", impatient);
        SliceOptions buffered = GROW.withStrategy(SliceStrategy.BUFFERED);
        for (String failing : List.of("1/c/", "0/c/")) {
            try (PyramidStream stream = Pyramid.of(source.refresh()).stream(remote, impatient, buffered)) {
                remote.loseAnswers(key -> key.startsWith(failing)
                        ? RemoteAdapter.Answer.LOST_WITH_THE_REQUEST
                        : RemoteAdapter.Answer.COMES);
                assertThrows(StoreException.class, () -> {
                    while (stream.position() < 100) {
                        stream.write(array(source, Math.toIntExact(stream.position())));
                    }
                });
                remote.loseAnswers(key -> RemoteAdapter.Answer.COMES);
                stream.write(array(source, Math.toIntExact(stream.position())));
                stream.flush();
                for (SliceWriter level : stream.levels()) {
                    assertEquals(stream.position(), level.position());
                }
                assertAsMadeAfterwards(remote, Reducer.MEAN, Math.toIntExact(stream.position()));
            }
        }
    }

    @Test
    void otherNodesAndOtherSettings_areRefused() {
        Store store = MemoryStore.create();
        ZarrArray source = begin(store);
        assertThrows(
                IllegalArgumentException.class,
                () -> Pyramid.of(source).stream(store, OPTIONS, SliceOptions.defaults()));
        Zarr.createGroup(store, "2", Json.object(), IfExists.REFUSE, OPTIONS);
        assertThrows(ZarrException.class, () -> Pyramid.of(source).stream(store, OPTIONS, GROW));
        assertThrows(ZarrException.class, () -> Zarr.openArray(store, "1", OPTIONS), "nothing was written");
        Store other = MemoryStore.create();
        ZarrArray begun = begin(other);
        Pyramid.of(begun).stream(other, OPTIONS, GROW).close();
        assertThrows(
                StoreException.class, () -> Pyramid.of(begun).withReducer(Reducer.MAX).stream(other, OPTIONS, GROW));
        try (PyramidStream stream = Pyramid.of(begun).stream(other, OPTIONS, GROW)) {
            assertThrows(IllegalArgumentException.class, () -> stream.write(ByteBuffer.allocate(EDGE * EDGE * 4)));
            assertThrows(
                    IllegalArgumentException.class,
                    () -> stream.write(NdArray.of(begun.dataType(), new long[] {EDGE, 1}, new short[EDGE])));
            assertEquals(0, stream.position());
        }
    }
}
