package dev.shardkit.region.stream;

import static dev.shardkit.testing.Values.at;
import static dev.shardkit.testing.Values.box;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.shardkit.ArraySpec;
import dev.shardkit.Codecs;
import dev.shardkit.IfExists;
import dev.shardkit.NdArray;
import dev.shardkit.ResizePolicy;
import dev.shardkit.SliceOptions;
import dev.shardkit.SliceOptions.Growth;
import dev.shardkit.SliceWriter;
import dev.shardkit.Zarr;
import dev.shardkit.ZarrArray;
import dev.shardkit.ZarrOptions;
import dev.shardkit.slices.SliceStrategy;
import dev.shardkit.spi.array.Box;
import dev.shardkit.spi.error.StoreException;
import dev.shardkit.store.Locks;
import dev.shardkit.store.Store;
import dev.shardkit.store.file.FileStore;
import dev.shardkit.store.policy.Durability;
import dev.shardkit.testing.Child;
import dev.shardkit.testing.Log;
import dev.shardkit.testing.Values;
import dev.shardkit.testkit.internal.Rounds;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Slices that arrive one by one, into shards 64 slices deep. */
@Timeout(300)
class CallerSlicesTest {
    private static final int DEPTH = 64;
    private static final long SLICE = 32 * 32 * 2;
    /** Of the shard that does not fit into the memory of a process: 72 MiB. */
    private static final int WIDTH = 768;

    @TempDir
    Path dir;

    private final Log log = new Log();

    /** Streams 64 slices of 2 MiB, with little memory. */
    static final class Streamer {
        private Streamer() {}

        public static void main(String[] args) {
            try (ZarrArray array =
                            Zarr.openArray(args[0], ZarrOptions.defaults().withDurability(Durability.ATOMIC));
                    SliceWriter slices = array.slices(
                            0,
                            SliceOptions.defaults()
                                    .withStrategy(SliceStrategy.valueOf(args[1]))
                                    .withBudgetBytes(8 << 20))) {
                for (int z = 0; z < DEPTH; z++) {
                    slices.write(large(z), 0);
                }
            }
            System.out.println("done");
        }
    }

    private static short[] large(int z) {
        short[] slice = new short[WIDTH * WIDTH];
        byte[] noise = new byte[2 * slice.length];
        new SplittableRandom(z).nextBytes(noise);
        ByteBuffer.wrap(noise).asShortBuffer().get(slice);
        return slice;
    }

    /** One shard across, 64 slices deep, {@code inner} slices in an inner chunk. */
    private static ArraySpec spec(long depth, long inner, boolean compressed) {
        ArraySpec spec = ArraySpec.of("uint16", depth, 32, 32)
                .withShardShape(DEPTH, 32, 32)
                .withChunkShape(inner, 16, 16);
        return compressed
                ? spec.withCodecs(Codecs.bytesLittleEndian(), Codecs.zstd(3))
                : spec.withCodecs(Codecs.bytesLittleEndian());
    }

    private static void stream(SliceWriter slices, ZarrArray array, short[] all, int from, int to) {
        int n = (int) (array.shape()[1] * array.shape()[2]);
        for (int z = from; z < to; z++) {
            assertEquals(z, slices.position());
            slices.write(all, z * n, 1);
        }
    }

    @Test
    void shardsOneSliceDeep_areWrittenOnceEach() {
        ZarrArray array = log.array(
                dir, ArraySpec.of("uint16", 5, 32, 32).withShardShape(1, 32, 32).withChunkShape(1, 16, 16));
        short[] all = Values.noise(array, 1);
        try (SliceWriter slices = array.slices(0, SliceOptions.defaults().withBudgetBytes(0))) {
            assertEquals(SliceStrategy.BUFFERED, slices.strategy());
            stream(slices, array, all, 0, 5);
            assertEquals(5, slices.committed());
        }
        assertEquals(5, log.of("write a/c").size());
        assertArrayEquals(all, array.read().shorts());
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void buffered_writesEachShardOnce(boolean compressed) {
        ZarrArray array = log.array(dir, spec(2 * DEPTH, 4, compressed));
        short[] all = Values.noise(array, 1);
        log.clear();
        try (SliceWriter slices = array.slices(0, SliceOptions.defaults().withBudgetBytes(DEPTH * SLICE))) {
            assertEquals(SliceStrategy.BUFFERED, slices.strategy());
            stream(slices, array, all, 0, DEPTH - 1);
            assertEquals(0, slices.committed());
            stream(slices, array, all, DEPTH - 1, 2 * DEPTH);
            assertEquals(2 * DEPTH, slices.committed());
        }
        assertEquals(List.of("write a/c/0/0/0", "write a/c/1/0/0"), log.of("write"));
        assertEquals(List.of(), log.of("request"), "nothing is read");
        assertArrayEquals(all, array.read().shorts());
    }

    @Test
    void buffered_withALittleBudget_writesWholeInnerChunks() {
        ZarrArray array = log.array(dir, spec(DEPTH, 4, true));
        short[] all = Values.noise(array, 1);
        log.clear();
        SliceOptions little =
                SliceOptions.defaults().withStrategy(SliceStrategy.BUFFERED).withBudgetBytes(10 * SLICE);
        try (SliceWriter slices = array.slices(0, little)) {
            stream(slices, array, all, 0, DEPTH);
        }
        assertEquals(8, log.of("write").size(), "eight slices at a time");
        assertArrayEquals(all, array.read().shorts());
    }

    @ParameterizedTest
    @CsvSource({"0, 3", "1, 5", "2, 16"})
    void everyTechnique_alongEveryDimension_holdsTheValues(int dimension, int budget) {
        for (SliceStrategy strategy : SliceStrategy.values()) {
            ZarrArray array = Zarr.createArray(
                    FileStore.at(dir),
                    strategy.name(),
                    ArraySpec.of("uint16", 13, 14, 15)
                            .withShardShape(8, 8, 8)
                            .withChunkShape(4, 2, 4)
                            .withCodecs(Codecs.bytesLittleEndian(), Codecs.zstd(3)),
                    IfExists.REFUSE,
                    ZarrOptions.defaults().withDurability(Durability.ATOMIC));
            short[] all = Values.noise(array, 1);
            long[] shape = array.shape();
            shape[dimension] = 1;
            long bytes = Box.of(shape).count() * 2;
            try (SliceWriter slices = array.slices(
                    dimension, SliceOptions.defaults().withStrategy(strategy).withBudgetBytes(budget * bytes))) {
                for (long z = 0; z < array.shape()[dimension]; z++) {
                    long[] origin = new long[3];
                    origin[dimension] = z;
                    slices.write(NdArray.of(array.dataType(), shape, Values.cut(array, all, Box.of(origin, shape))));
                }
            }
            assertArrayEquals(all, array.read().shorts(), strategy.name());
        }
    }

    @ParameterizedTest
    @EnumSource(
            value = SliceStrategy.class,
            names = {"IN_PLACE", "APPEND"})
    void growing_showsWhatIsCommitted_andNoMore(SliceStrategy strategy) {
        ZarrArray array = log.array(dir, spec(0, 4, strategy == SliceStrategy.APPEND));
        ZarrArray filled = array.resize(at(100, 32, 32), ResizePolicy.KEEP);
        short[] all = Values.noise(filled, 1);
        filled.resize(at(0, 32, 32), ResizePolicy.KEEP);
        Store store = FileStore.at(dir);
        SliceOptions growing = SliceOptions.defaults().withGrowth(Growth.GROW).withStrategy(strategy);
        try (SliceWriter slices = array.slices(0, growing)) {
            stream(slices, array, all, 0, 6);
            assertArrayEquals(
                    at(4, 32, 32),
                    Zarr.openArray(store, "a", ZarrOptions.defaults()).shape());
            slices.flush();
            assertEquals(6, slices.committed());
            assertArrayEquals(at(6, 32, 32), slices.array().shape());
            stream(slices, array, all, 6, 71);
        }
        ZarrArray longer = Zarr.openArray(store, "a", ZarrOptions.defaults());
        assertArrayEquals(at(71, 32, 32), longer.shape());
        try (SliceWriter slices = longer.slices(0, SliceOptions.defaults().withGrowth(Growth.GROW))) {
            stream(slices, array, all, 71, 100);
        }
        assertArrayEquals(
                all, Zarr.openArray(store, "a", ZarrOptions.defaults()).read().shorts());
    }

    @Test
    void region_takesSlicesOfAPart() {
        ZarrArray array = log.array(dir, spec(DEPTH, 4, false));
        Box region = box(at(3, 5, 7), 10, 20, 9);
        short[] all = Values.noise(array, 1);
        try (SliceWriter slices = array.slices(0, SliceOptions.defaults().withRegion(region))) {
            for (int z = 3; z < 13; z++) {
                short[] slice = Values.cut(array, all, box(at(z, 5, 7), 1, 20, 9));
                slices.write(NdArray.of(array.dataType(), at(20, 9), slice));
            }
            assertThrows(IndexOutOfBoundsException.class, () -> slices.write(new short[180], 0));
            assertThrows(
                    IllegalArgumentException.class,
                    () -> slices.write(NdArray.of(array.dataType(), at(9, 20), new short[180])));
        }
        assertArrayEquals(Values.cut(array, all, region), array.read(region).shorts());
        assertEquals(5, array.read(box(at(3, 5, 6), 1, 1, 1)).longAt(0, 0, 0));
        assertThrows(IllegalArgumentException.class, () -> array.slices(3));
        assertThrows(
                IndexOutOfBoundsException.class,
                () -> array.slices(0, SliceOptions.defaults().withRegion(box(at(60, 0, 0), 5, 1, 1))));
    }

    @Test
    @SuppressWarnings("try")
    void flush_thatFails_canBeRepeated() throws Exception {
        ZarrArray array = log.array(dir, spec(DEPTH, 4, true)).with(o -> o.withLockPatience(Duration.ZERO));
        short[] all = Values.noise(array, 1);
        try (SliceWriter slices = array.slices(0)) {
            stream(slices, array, all, 0, 7);
            try (Locks.Lock held = FileStore.at(dir).lock("a", "a/c/0/0/0", Duration.ZERO)) {
                assertThrows(StoreException.class, slices::flush);
                assertEquals(0, slices.committed());
            }
            stream(slices, array, all, 7, DEPTH);
        }
        assertArrayEquals(all, array.read().shorts());
        assertTrue(log.of("write a/c").size() >= 1);
    }

    /** Techniques, and whether chunks are compressed. */
    static Stream<Arguments> memoryCases() {
        return Stream.of(
                        Arguments.of(SliceStrategy.IN_PLACE, false),
                        Arguments.of(SliceStrategy.BUFFERED, true),
                        Arguments.of(SliceStrategy.APPEND, true))
                .limit(Rounds.areMany() ? 3 : 2);
    }

    @ParameterizedTest
    @MethodSource("memoryCases")
    void memory_isBoundedByTheBudget_notByTheShard(SliceStrategy strategy, boolean compressed) {
        ArraySpec spec = ArraySpec.of("uint16", DEPTH, WIDTH, WIDTH)
                .withShardShape(DEPTH, WIDTH, WIDTH)
                .withChunkShape(8, 64, 64);
        ZarrArray array = log.array(
                dir,
                compressed
                        ? spec.withCodecs(Codecs.bytesLittleEndian(), Codecs.zstd(3))
                        : spec.withCodecs(Codecs.bytesLittleEndian()));
        try (Child child = Child.start(Streamer.class, "48m", dir.resolve("a").toString(), strategy.name())) {
            child.expect("done");
        }
        for (int z : new int[] {0, 7, 8, 63}) {
            assertArrayEquals(
                    large(z), array.read(box(at(z, 0, 0), 1, WIDTH, WIDTH)).shorts(), "slice " + z);
        }
    }
}
