package dev.shardkit.region.stream;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.shardkit.ArraySpec;
import dev.shardkit.IfExists;
import dev.shardkit.NdArray;
import dev.shardkit.SliceOptions;
import dev.shardkit.SliceWriter;
import dev.shardkit.Zarr;
import dev.shardkit.ZarrArray;
import dev.shardkit.ZarrOptions;
import dev.shardkit.slices.SliceStrategy;
import dev.shardkit.spi.array.Box;
import dev.shardkit.spi.error.StoreException;
import dev.shardkit.spi.error.UnsupportedException;
import dev.shardkit.store.Store;
import dev.shardkit.store.file.FileStore;
import dev.shardkit.store.memory.MemoryStore;
import dev.shardkit.testkit.internal.Rounds;
import dev.shardkit.testkit.store.RemoteAdapter;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Slices that are put together from tiles. */
@Timeout(300)
class SliceTilesTest {
    private static final SliceOptions GROW = SliceOptions.defaults().withGrowth(SliceOptions.Growth.GROW);

    @TempDir
    private Path folder;

    private Store files() {
        return FileStore.at(folder.resolve("tiles.zarr"));
    }

    private static ZarrArray create(Store store, String type, long... shape) {
        ArraySpec spec = ArraySpec.of(type, shape)
                .withShardShape(4, 8, 8)
                .withChunkShape(2, 4, 4)
                .withFillValue(9);
        return Zarr.createArray(store, "a", spec, IfExists.REFUSE, ZarrOptions.defaults());
    }

    private static Box tile(long y, long x, long height, long width) {
        return Box.of(new long[] {y, x}, new long[] {height, width});
    }

    private static ByteBuffer shorts(ByteOrder order, int... values) {
        ByteBuffer buffer = ByteBuffer.allocate(2 * values.length).order(order);
        for (int value : values) {
            buffer.putShort((short) value);
        }
        return buffer.flip();
    }

    @ParameterizedTest
    @EnumSource(
            value = SliceStrategy.class,
            names = {"PIPELINED", "BUFFERED"})
    void tilesInRandomOrder_areTheirSlices(SliceStrategy strategy) {
        long seed = new Random().nextLong();
        Random random = new Random(seed);
        for (int round = 0; round < Rounds.of(10); round++) {
            Store store = MemoryStore.create();
            int height = 1 + random.nextInt(20);
            int width = 1 + random.nextInt(20);
            ZarrArray array = create(store, "uint16", 0, height, width);
            short[] expected = new short[5 * height * width];
            try (SliceWriter slices = array.slices(0, GROW.withStrategy(strategy))) {
                for (int z = 0; z < 5; z++) {
                    List<Box> tiles = tiles(random, height, width);
                    Collections.shuffle(tiles, random);
                    for (Box tile : tiles) {
                        assertEquals(z, slices.position());
                        short[] values = new short[(int) tile.count()];
                        for (int i = 0; i < values.length; i++) {
                            values[i] = (short) random.nextInt();
                            long[] at = tile.at(i);
                            expected[(int) ((z * height + at[0]) * width + at[1])] = values[i];
                        }
                        slices.writeTile(tile.origin(), NdArray.of(array.dataType(), tile.shape(), values));
                    }
                    assertEquals(z + 1, slices.position(), "seed " + seed);
                }
            }
            ZarrArray stored = array.refresh();
            assertArrayEquals(expected, stored.read(stored.domain()).shorts(), "seed " + seed);
        }
    }

    /** Divides a slice into strips, and these into tiles. */
    private static List<Box> tiles(Random random, int height, int width) {
        List<Box> tiles = new ArrayList<>();
        for (int y = 0; y < height; ) {
            int rows = 1 + random.nextInt(height - y);
            for (int x = 0; x < width; ) {
                int columns = 1 + random.nextInt(width - x);
                tiles.add(Box.of(new long[] {y, x}, new long[] {rows, columns}));
                x += columns;
            }
            y += rows;
        }
        return tiles;
    }

    @Test
    void endedSlice_isTheFillValueBetweenItsTiles() {
        ZarrArray array = create(files(), "uint16", 0, 2, 3);
        try (SliceWriter slices = array.slices(0, GROW)) {
            slices.endSlice();
            assertEquals(0, slices.position(), "a slice without tiles is none");
            slices.writeTile(tile(0, 1, 1, 1), shorts(ByteOrder.BIG_ENDIAN, 258));
            slices.writeTile(tile(1, 0, 1, 2), shorts(ByteOrder.LITTLE_ENDIAN, 3, 4));
            slices.writeTile(Box.of(new long[] {0, 1, 1}, new long[] {1, 1, 1}), shorts(ByteOrder.BIG_ENDIAN, 5));
            slices.flush();
            assertEquals(0, array.refresh().shape()[0], "a flush stores nothing of the slice");
            slices.endSlice();
            slices.writeTile(tile(1, 2, 1, 1), shorts(ByteOrder.BIG_ENDIAN, 7));
        }
        ZarrArray stored = array.refresh();
        assertArrayEquals(
                new short[] {9, 258, 9, 3, 5, 9, 9, 9, 9, 9, 9, 7},
                stored.read(stored.domain()).shorts());
    }

    @Test
    void wrongTiles_areRefused_andChangeNothing() {
        ZarrArray array = create(MemoryStore.create(), "uint16", 0, 2, 3);
        try (SliceWriter slices = array.slices(0, GROW)) {
            ByteBuffer two = shorts(ByteOrder.BIG_ENDIAN, 1, 2);
            assertThrows(IndexOutOfBoundsException.class, () -> slices.writeTile(tile(0, 2, 1, 2), two));
            assertThrows(IndexOutOfBoundsException.class, () -> slices.writeTile(tile(0, 0, 0, 2), two));
            assertThrows(
                    IndexOutOfBoundsException.class,
                    () -> slices.writeTile(Box.of(new long[] {1, 0, 0}, new long[] {1, 1, 2}), two));
            assertThrows(IllegalArgumentException.class, () -> slices.writeTile(tile(0, 0, 1, 3), two));
            NdArray longs = NdArray.of(array.dataType(), new long[] {1, 2}, new short[2])
                    .convert(create(MemoryStore.create(), "int64", 1, 1, 1).dataType());
            assertThrows(IllegalArgumentException.class, () -> slices.writeTile(new long[] {0, 0}, longs));
            slices.endSlice();
            assertEquals(0, slices.position());
            slices.writeTile(tile(0, 0, 1, 2), two);
            String message = assertThrows(IllegalStateException.class, () -> slices.skip(1))
                    .getMessage();
            assertTrue(message.contains("slice 0 has tiles already"), message);
            assertThrows(IllegalStateException.class, () -> slices.write(new short[6], 0));
        }
        assertEquals(1, array.refresh().shape()[0]);
        ZarrArray texts = Zarr.createArray(
                MemoryStore.create(),
                "texts",
                ArraySpec.of("string", 0, 2, 3).withChunkShape(1, 2, 3),
                IfExists.REFUSE,
                ZarrOptions.defaults());
        try (SliceWriter slices = texts.slices(0, GROW)) {
            NdArray text = NdArray.of(texts.dataType(), new long[] {1, 1}, new String[] {"a"});
            assertThrows(UnsupportedException.class, () -> slices.writeTile(new long[] {0, 0}, text));
        }
    }

    @Test
    void fixedArray_hasNoTilesBehindItsEnd() {
        ZarrArray array = create(MemoryStore.create(), "uint16", 1, 1, 2);
        try (SliceWriter slices = array.slices(0)) {
            ByteBuffer one = shorts(ByteOrder.BIG_ENDIAN, 1);
            slices.writeTile(tile(0, 0, 1, 1), one);
            slices.writeTile(tile(0, 1, 1, 1), one);
            assertThrows(IndexOutOfBoundsException.class, () -> slices.writeTile(tile(0, 0, 1, 1), one));
        }
        assertArrayEquals(new short[] {1, 1}, array.read(array.domain()).shorts());
    }

    /** The last tile of a layer begins to store it; the slice waits until that is possible. */
    @Test
    void tiles_areKept_whenStoringFails() {
        RemoteAdapter remote = RemoteAdapter.of(MemoryStore.conditional("tiles"));
        create(remote, "uint16", 0, 1, 2);
        ZarrArray array = Zarr.openArray(remote, "a", ZarrOptions.defaults().withLockPatience(Duration.ofMillis(50)));
        try (SliceWriter slices = array.slices(0, GROW.withStrategy(SliceStrategy.BUFFERED))) {
            remote.loseAnswers(key ->
                    key.contains("/c/") ? RemoteAdapter.Answer.LOST_WITH_THE_REQUEST : RemoteAdapter.Answer.COMES);
            int accepted = 0;
            for (int z = 0; z < 6; z++) {
                int value = z;
                try {
                    slices.writeTile(tile(0, 0, 1, 1), shorts(ByteOrder.BIG_ENDIAN, value));
                    slices.writeTile(tile(0, 1, 1, 1), shorts(ByteOrder.BIG_ENDIAN, value));
                    accepted++;
                } catch (StoreException e) {
                    break;
                }
            }
            assertTrue(accepted < 6, "storing failed");
            assertThrows(StoreException.class, slices::flush);
            remote.loseAnswers(key -> RemoteAdapter.Answer.COMES);
            slices.endSlice();
            assertFalse(slices.backlog().slices() > accepted + 1);
        }
        ZarrArray stored = array.refresh();
        short[] values = stored.read(stored.domain()).shorts();
        for (int z = 0; z < stored.shape()[0]; z++) {
            assertArrayEquals(new short[] {(short) z, (short) z}, Arrays.copyOfRange(values, 2 * z, 2 * z + 2));
        }
        assertEquals(4, stored.shape()[0]);
    }
}
