package dev.shardkit.http;

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
import dev.shardkit.Zarr;
import dev.shardkit.ZarrArray;
import dev.shardkit.ZarrOptions;
import dev.shardkit.ZarrView;
import dev.shardkit.spi.array.Box;
import dev.shardkit.spi.type.CoreTypes;
import dev.shardkit.store.memory.MemoryStore;
import dev.shardkit.testing.Values;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

/** Names, limits, errors and costs of selections. */
class SelectionRulesTest {
    private static final long CHUNK = 256 * 256 * 2;

    private static ZarrArray numbered(ArraySpec spec) {
        ZarrArray array = Zarr.createArray(MemoryStore.create(), "a", spec, IfExists.REFUSE, ZarrOptions.defaults());
        int[] values = new int[(int) array.domain().count()];
        for (int i = 0; i < values.length; i++) {
            values[i] = i + 1;
        }
        array.write(array.domain(), values, 0);
        return array;
    }

    private static ZarrArray named() {
        return numbered(ArraySpec.of("int32", 4, 5, 6).withChunkShape(2, 2, 3).withDimensionNames("t", "z", "x"));
    }

    @Test
    void dimensions_areSelectedByName() {
        try (ZarrArray array = named()) {
            ZarrView view = array.isel("t", 3).isel("z", 1, 5, 2);
            assertArrayEquals(new long[] {2, 6}, view.shape());
            assertEquals(Optional.of(List.of(Optional.of("z"), Optional.of("x"))), view.dimensionNames());
            assertEquals(
                    3 * 30 + 3 * 6 + 5 + 1, view.isel("z", 1).at(0, 5).read().ints()[0]);
        }
    }

    private static String message(Class<? extends RuntimeException> type, Supplier<?> call) {
        return assertThrows(type, call::get).getMessage();
    }

    @Test
    void mistakes_areNamed() {
        try (ZarrArray array = named()) {
            ZarrView view = array.view();
            assertEquals(
                    "no dimension is called y; the dimensions are [t, z, x]",
                    message(IllegalArgumentException.class, () -> array.isel("y", 0)));
            assertEquals(
                    "index 4 in dimension 0 of length 4",
                    message(IndexOutOfBoundsException.class, () -> array.isel("t", 4)));
            assertEquals(
                    "range 2:6 in dimension 1 of length 5",
                    message(IndexOutOfBoundsException.class, () -> array.isel("z", 2, 6)));
            assertEquals(
                    "dimension 3 in a view of rank 3",
                    message(IndexOutOfBoundsException.class, () -> view.range(3, 0, 1)));
            assertEquals(
                    "expected a step of at least 1, found 0",
                    message(IllegalArgumentException.class, () -> view.range(0, 0, 4, 0)));
            assertEquals(
                    "index -1 in dimension 2 of length 6",
                    message(IndexOutOfBoundsException.class, () -> view.indices(2, 0, -1)));
            assertEquals(
                    "expected a mask of 4 elements for dimension 0, found 1",
                    message(IllegalArgumentException.class, () -> view.mask(0, true)));
            assertEquals(
                    "point [0, 5, 0] in a view of shape [4, 5, 6]",
                    message(IndexOutOfBoundsException.class, () -> view.points(at(0, 5, 0))));
            assertThrows(IndexOutOfBoundsException.class, () -> view.range(0, Long.MIN_VALUE, Long.MAX_VALUE));
            assertThrows(
                    IllegalArgumentException.class,
                    () -> view.write(NdArray.of(CoreTypes.INT32, new long[] {1}, new int[1])));
        }
    }

    @Test
    void masks_selectInCOrder() {
        try (ZarrArray array = named()) {
            ZarrView plane = array.isel("t", 0).isel("z", 0, 2);
            boolean[] mask = new boolean[12];
            mask[1] = true;
            mask[7] = true;
            mask[11] = true;
            NdArray found =
                    plane.where(NdArray.of(CoreTypes.BOOL, at(2, 6), mask)).read();
            assertArrayEquals(new int[] {2, 8, 12}, found.ints());
        }
    }

    @Test
    void theLastOfRepeatedIndices_isStored() {
        try (ZarrArray array = numbered(ArraySpec.of("int32", 10).withChunkShape(3))) {
            array.view().indices(0, 7, 2, 7).write(new int[] {-1, -2, -3}, 0);
            assertArrayEquals(
                    new int[] {1, 2, -2, 4, 5, 6, 7, -3, 9, 10}, array.read().ints());
            array.view().points(at(4), at(4)).write(NdArray.of(CoreTypes.INT32, at(2), new int[] {-4, -5}));
            assertEquals(-5, array.read().ints()[4]);
            assertArrayEquals(
                    new int[] {-2, -2, -2},
                    array.view().indices(0, 2, 2, 2).read().ints());
        }
    }

    @Test
    void arraysWithoutDimensions_areViewed() {
        try (ZarrArray array = numbered(ArraySpec.of("int32"))) {
            assertEquals(1, array.view().read().ints()[0]);
            array.view().write(new int[] {8}, 0);
            assertEquals(8, array.view().points(at()).read().ints()[0]);
        }
    }

    /** 2^40 elements with one written: a view costs what it selects. */
    @Test
    void viewsOfHugeArrays_costWhatTheySelect() {
        ArraySpec spec = ArraySpec.of("int32", 1L << 40, 1L << 40).withChunkShape(64, 64);
        try (ZarrArray array =
                Zarr.createArray(MemoryStore.create(), "a", spec, IfExists.REFUSE, ZarrOptions.defaults())) {
            long far = (1L << 40) - 5;
            ZarrView view = array.view().indices(0, far, 3).range(1, 1, 1L << 40, 1L << 39);
            assertArrayEquals(new long[] {2, 2}, view.shape());
            view.write(new int[] {1, 2, 3, 4}, 0);
            assertArrayEquals(new int[] {1, 2, 3, 4}, view.read().ints());
            assertEquals(4, array.presence().count());
            assertEquals(3, array.read(box(at(3, 1), 1, 1)).ints()[0]);
        }
    }

    /** A shard of sixteen inner chunks of 128 KiB, which are too large to be read along with a neighbour. */
    @Test
    void onlyTouchedInnerChunks_areFetched() {
        ArraySpec spec = ArraySpec.of("uint16", 1024, 1024)
                .withChunkShape(256, 256)
                .withShardShape(1024, 1024)
                .withCodecs(Codecs.bytesLittleEndian());
        try (Served served = Served.noise(spec)) {
            ZarrArray array = served.open(ZarrOptions.defaults());
            short[] corners =
                    array.view().indices(0, 1023, 0).indices(1, 0, 1023).read().shorts();
            short[] all = Values.noise(served.written(), 1);
            assertArrayEquals(new short[] {all[1023 * 1024], all[1023 * 1024 + 1023], all[0], all[1023]}, corners);
            long index = 16 * 16 + 4;
            long bytes =
                    served.server().log().stream().mapToLong(hit -> hit.bytes()).sum();
            assertTrue(bytes <= index + 4 * CHUNK, () -> bytes + " bytes for four inner chunks");

            served.server().clearLog();
            short[] points = array.view()
                    .points(at(10, 10), at(1000, 200), at(12, 13))
                    .read()
                    .shorts();
            assertArrayEquals(new short[] {all[10 * 1024 + 10], all[1000 * 1024 + 200], all[12 * 1024 + 13]}, points);
            long more =
                    served.server().log().stream().mapToLong(hit -> hit.bytes()).sum();
            assertTrue(more <= 2 * CHUNK, () -> more + " bytes for two inner chunks");
        }
    }

    @Test
    void views_areReadIntoTargetsAndJavaArrays() {
        try (ZarrArray array = named()) {
            int[] room = new int[8];
            array.view(Box.of(at(0, 0, 0), at(1, 2, 3))).readInto(room, 1);
            assertArrayEquals(new int[] {0, 1, 2, 3, 7, 8, 9, 0}, room);
        }
    }
}
