package dev.shardkit.imglib2;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.shardkit.ArraySpec;
import dev.shardkit.NdArray;
import dev.shardkit.ZarrArray;
import dev.shardkit.spi.array.Box;
import dev.shardkit.spi.error.UnsupportedException;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import net.imglib2.RandomAccess;
import net.imglib2.img.Img;
import net.imglib2.type.NativeType;
import net.imglib2.type.numeric.integer.ByteType;
import net.imglib2.type.numeric.integer.UnsignedByteType;
import net.imglib2.type.numeric.integer.UnsignedShortType;
import net.imglib2.type.volatiles.VolatileUnsignedByteType;
import net.imglib2.type.volatiles.VolatileUnsignedShortType;
import net.imglib2.util.Intervals;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Arrays as images: values, order of dimensions, what is read, volatile pixels, errors. */
class ZarrImageTest {
    private static final ArraySpec FIVE =
            ArraySpec.of("uint16", 3, 2, 5, 9, 11).withChunkShape(1, 1, 2, 4, 4).withShardShape(2, 1, 4, 8, 8);

    @SuppressWarnings({"unchecked", "rawtypes"}) // the test knows the type by name only
    private static Img<?> img(ZarrImage image) {
        return image.img((NativeType) image.type());
    }

    @ParameterizedTest
    @MethodSource("dev.shardkit.imglib2.Scenes#types")
    void pixels_areTheElements(String type) {
        ArraySpec spec =
                ArraySpec.of(type, FIVE.shape()).withChunkShape(1, 1, 2, 4, 4).withShardShape(2, 1, 4, 8, 8);
        try (ZarrArray array = Scenes.create(spec)) {
            NdArray values = Scenes.random(array, 7);
            array.write(array.domain(), values);
            Img<?> img = img(ZarrImage.of(array));
            assertArrayEquals(new long[] {11, 9, 5, 2, 3}, img.dimensionsAsLongArray());
            RandomAccess<?> access = img.randomAccess();
            Random random = new Random(1);
            for (int i = 0; i < 300; i++) {
                long[] at =
                        array.domain().at(random.nextInt((int) array.domain().count()));
                access.setPosition(Axes.reversed(at));
                assertEquals(Scenes.text(values, at), Scenes.text(access), () -> "at " + List.of(at));
            }
        }
    }

    @Test
    void smallIntegers_areWidened() {
        try (ZarrArray array = Scenes.create(ArraySpec.of("int4", 4).withChunkShape(2))) {
            array.write(array.domain(), new byte[] {-8, 7, 0, -1}, 0);
            RandomAccess<ByteType> access =
                    ZarrImage.of(array).img(new ByteType()).randomAccess();
            assertEquals(-8, access.setPositionAndGet(0).get());
            assertEquals(-1, access.setPositionAndGet(3).get());
        }
    }

    @Test
    void hugeArray_isReadWherePixelsAreAccessed() {
        Scenes.Reads reads = new Scenes.Reads();
        long side = 1L << 20;
        ArraySpec spec = ArraySpec.of("uint8", side, side, side)
                .withChunkShape(16, 16, 16)
                .withShardShape(64, 64, 64);
        try (ZarrArray array = Scenes.create(spec, reads)) {
            array.write(
                    Box.of(new long[] {side - 64, 0, 128}, new long[] {1, 1, 20}),
                    new byte[] {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20},
                    0);
            reads.requests.set(0);
            reads.bytes.set(0);
            ZarrImage image = ZarrImage.of(array);
            Img<UnsignedByteType> img = image.img(new UnsignedByteType());
            assertEquals(0, reads.requests.get());
            assertEquals(3, img.getAt(130, 0, side - 64).get());
            int first = reads.requests.get();
            assertTrue(first <= 2 && reads.bytes.get() <= 64 * 16 + 4 + 4096, first + ", " + reads.bytes);
            assertEquals(4, img.getAt(131, 0, side - 64).get());
            assertEquals(first, reads.requests.get(), "the cell is kept");
            assertEquals(20, img.getAt(147, 0, side - 64).get());
            assertEquals(first + 1, reads.requests.get(), "the next inner chunk is one request");
            assertEquals(0, img.getAt(side / 2, side / 2, 5).get());
        }
    }

    @Test
    void cache_isBounded() {
        Scenes.Reads reads = new Scenes.Reads();
        try (ZarrArray array = Scenes.create(ArraySpec.of("uint8", 64).withChunkShape(16), reads)) {
            array.write(array.domain(), Scenes.random(array, 1));
            ZarrImage two = ZarrImage.of(array).withCacheBytes(32);
            RandomAccess<UnsignedByteType> access =
                    two.img(new UnsignedByteType()).randomAccess();
            reads.requests.set(0);
            for (int position : new int[] {0, 16, 0, 16, 32, 16, 0}) {
                access.setPositionAndGet(position);
            }
            assertEquals(4, reads.requests.get(), "0, 16, 32, and 0 again, which was used least recently");
        }
    }

    @Test
    void cells_mayHaveAnotherSize() {
        try (ZarrArray array = Scenes.create(FIVE)) {
            NdArray values = Scenes.random(array, 3);
            array.write(array.domain(), values);
            ZarrImage image = ZarrImage.of(array).withCellSize(5, 5, 5, 2, 1);
            Img<UnsignedShortType> img = image.img(new UnsignedShortType());
            for (int i = 0; i < array.domain().count(); i++) {
                long[] at = array.domain().at(i);
                assertEquals(values.longAt(at), img.getAt(Axes.reversed(at)).get());
            }
            assertTrue(image.toString().endsWith("UnsignedShortType, cells of [5, 5, 5, 2, 1]"), image.toString());
            assertThrows(IllegalArgumentException.class, () -> image.withCellSize(5));
            assertThrows(IllegalArgumentException.class, () -> image.withCellSize(5, 0, 1, 1, 1));
            assertThrows(IllegalArgumentException.class, () -> image.withCellSize(65536, 65536, 1, 1, 1));
        }
    }

    @Test
    void concurrentReaders_readEachCellOnce() throws Exception {
        Scenes.Reads reads = new Scenes.Reads();
        try (ZarrArray array = Scenes.create(FIVE, reads)) {
            NdArray values = Scenes.random(array, 5);
            array.write(array.domain(), values);
            Img<UnsignedShortType> once = ZarrImage.of(array).img(new UnsignedShortType());
            long sum = sum(once); // the indexes of the shards are cached from here on
            Img<UnsignedShortType> alone = ZarrImage.of(array).img(new UnsignedShortType());
            reads.bytes.set(0);
            assertEquals(sum, sum(alone));
            long bytes = reads.bytes.getAndSet(0);
            Img<UnsignedShortType> shared = ZarrImage.of(array).img(new UnsignedShortType());
            ExecutorService pool = Executors.newFixedThreadPool(6);
            try {
                List<Future<Long>> sums = new ArrayList<>();
                for (int i = 0; i < 6; i++) {
                    sums.add(pool.submit(() -> sum(shared)));
                }
                for (Future<Long> found : sums) {
                    assertEquals(sum, found.get());
                }
            } finally {
                pool.shutdownNow();
            }
            assertEquals(bytes, reads.bytes.get());
        }
    }

    private static long sum(Img<UnsignedShortType> img) {
        long sum = 0;
        for (UnsignedShortType pixel : img) {
            sum += pixel.get();
        }
        return sum;
    }

    @Test
    @Timeout(60)
    void volatilePixels_becomeValid() {
        try (ZarrArray array = Scenes.create(FIVE)) {
            NdArray values = Scenes.random(array, 6);
            array.write(array.domain(), values);
            ZarrImage image = ZarrImage.of(array);
            Img<VolatileUnsignedShortType> img = image.volatileImg(new VolatileUnsignedShortType());
            assertFalse(img.getAt(10, 8, 4, 1, 2).isValid());
            while (!img.getAt(10, 8, 4, 1, 2).isValid()) {
                Thread.onSpinWait();
            }
            assertEquals(
                    values.longAt(2, 1, 4, 8, 10),
                    img.getAt(10, 8, 4, 1, 2).get().get());
            assertFalse(img.getAt(0, 0, 0, 0, 0).isValid());
            assertEquals(
                    values.longAt(0, 0, 0, 0, 0),
                    image.img(new UnsignedShortType()).getAt(0, 0, 0, 0, 0).get());
            assertTrue(img.getAt(0, 0, 0, 0, 0).isValid(), "both images share the cells");
        }
    }

    @Test
    @Timeout(60)
    void closedArray_isAnError() {
        ZarrArray array = Scenes.create(ArraySpec.of("uint8", 64).withChunkShape(16));
        ZarrImage image = ZarrImage.of(array);
        Img<UnsignedByteType> img = image.img(new UnsignedByteType());
        assertEquals(0, img.getAt(0).get());
        array.close();
        assertEquals(0, img.getAt(1).get(), "loaded before");
        IllegalStateException refused = assertThrows(IllegalStateException.class, () -> img.getAt(16));
        assertTrue(refused.getMessage().contains("closed"), refused.getMessage());
        Img<VolatileUnsignedByteType> waiting = image.volatileImg(new VolatileUnsignedByteType());
        assertThrows(IllegalStateException.class, () -> {
            while (!waiting.getAt(32).isValid()) {
                Thread.onSpinWait();
            }
        });
    }

    @Test
    void pyramid_isAListOfImages() {
        try (ZarrArray fine = Scenes.create(ArraySpec.of("uint8", 64, 32));
                ZarrArray coarse = Scenes.create(ArraySpec.of("uint8", 32, 16))) {
            List<ZarrImage> levels = ZarrImage.pyramid(List.of(fine, coarse));
            assertArrayEquals(new long[] {16, 32}, Intervals.dimensionsAsLongArray(img(levels.get(1))));
            assertEquals(fine, levels.get(0).array());
        }
    }

    @Test
    void arraysWithoutImage_areRefused() {
        for (String type : List.of("complex64", "string")) {
            try (ZarrArray array = Scenes.create(ArraySpec.of(type, 4))) {
                String message = assertThrows(UnsupportedException.class, () -> ZarrImage.of(array))
                        .getMessage();
                assertTrue(message.contains(type), message);
            }
        }
        try (ZarrArray scalar = Scenes.create(ArraySpec.of("uint8"));
                ZarrArray endless = Scenes.create(ArraySpec.of("uint8", 1L << 40, 1L << 40));
                ZarrArray empty = Scenes.create(ArraySpec.of("uint8", 0, 5));
                ZarrArray bytes = Scenes.create(ArraySpec.of("uint8", 5))) {
            assertThrows(IllegalArgumentException.class, () -> ZarrImage.of(scalar));
            assertThrows(IllegalArgumentException.class, () -> ZarrImage.of(empty));
            assertThrows(IllegalArgumentException.class, () -> ZarrImage.of(endless));
            ZarrImage image = ZarrImage.of(bytes);
            String message = assertThrows(IllegalArgumentException.class, () -> image.img(new ByteType()))
                    .getMessage();
            assertTrue(message.contains("UnsignedByteType, not ByteType"), message);
            assertThrows(IllegalArgumentException.class, () -> image.volatileImg(new VolatileUnsignedShortType()));
            assertThrows(IllegalArgumentException.class, () -> image.withCacheBytes(-1));
        }
    }
}
