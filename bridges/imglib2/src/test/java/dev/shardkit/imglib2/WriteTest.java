package dev.shardkit.imglib2;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.shardkit.ArraySpec;
import dev.shardkit.NdArray;
import dev.shardkit.ZarrArray;
import dev.shardkit.spi.codec.ShardWritePolicy;
import dev.shardkit.store.StoreListener;
import java.util.concurrent.atomic.AtomicInteger;
import net.imglib2.RandomAccessibleInterval;
import net.imglib2.converter.Converters;
import net.imglib2.img.array.ArrayImg;
import net.imglib2.img.array.ArrayImgs;
import net.imglib2.type.NativeType;
import net.imglib2.type.numeric.integer.UnsignedByteType;
import net.imglib2.type.numeric.integer.UnsignedShortType;
import net.imglib2.type.numeric.real.FloatType;
import net.imglib2.view.Views;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Images written into arrays. */
class WriteTest {
    @ParameterizedTest
    @MethodSource("dev.shardkit.imglib2.Scenes#types")
    @SuppressWarnings({"unchecked", "rawtypes"}) // the test knows the type by name only
    void imageOfAnArray_isCopied(String type) {
        ArraySpec spec = ArraySpec.of(type, 5, 9, 11);
        try (ZarrArray from = Scenes.create(spec.withChunkShape(2, 4, 4).withShardShape(4, 8, 8));
                ZarrArray to = Scenes.create(spec.withChunkShape(3, 3, 5).withShardShape(6, 6, 10))) {
            from.write(from.domain(), Scenes.random(from, 4));
            ZarrImage image = ZarrImage.of(from);
            ZarrImage.write((RandomAccessibleInterval) image.img((NativeType) image.type()), to);
            assertEquals(from.read(), to.read());
        }
    }

    private static ArrayImg<UnsignedShortType, ?> numbered(long... size) {
        ArrayImg<UnsignedShortType, ?> img = ArrayImgs.unsignedShorts(size);
        int i = 1;
        for (UnsignedShortType pixel : img) {
            pixel.set(i++);
        }
        return img;
    }

    @Test
    void viewsAndPositions_areKept() {
        ArraySpec spec = ArraySpec.of("uint16", 20, 30).withChunkShape(4, 4).withShardShape(8, 8);
        try (ZarrArray array = Scenes.create(spec)) {
            ArrayImg<UnsignedShortType, ?> img = numbered(9, 7);
            RandomAccessibleInterval<UnsignedShortType> part =
                    Views.interval(Views.permute(img, 0, 1), new long[] {1, 2}, new long[] {6, 8});
            ZarrImage.write(part, array, 3, 10);
            NdArray values = array.read();
            assertEquals(img.getAt(2, 1).get(), values.longAt(10, 3));
            assertEquals(img.getAt(8, 6).get(), values.longAt(16, 8));
            assertEquals(0, values.longAt(9, 3) + values.longAt(10, 2) + values.longAt(17, 8) + values.longAt(16, 9));
        }
    }

    @Test
    void computedImage_isWrittenShardByShard() {
        AtomicInteger writes = new AtomicInteger();
        StoreListener listener = new StoreListener() {
            @Override
            public void onWrite(String key, ShardWritePolicy.Strategy strategy, long bytes) {
                writes.addAndGet(key.startsWith("a/c/") ? 1 : 0);
            }
        };
        ArraySpec spec = ArraySpec.of("uint16", 32, 32).withChunkShape(4, 4).withShardShape(16, 16);
        try (ZarrArray array = Scenes.create(spec, listener)) {
            RandomAccessibleInterval<UnsignedShortType> doubled = Converters.convert(
                    (RandomAccessibleInterval<UnsignedShortType>) numbered(32, 32),
                    (from, to) -> to.set(from.get() * 2),
                    new UnsignedShortType());
            ZarrImage.write(doubled, array);
            assertEquals(4, writes.get());
            assertEquals(2 * (3 * 32 + 5 + 1), array.read().longAt(3, 5));
        }
    }

    @Test
    void numbersOfAnotherType_areConvertedExactly() {
        try (ZarrArray array = Scenes.create(ArraySpec.of("uint8", 2, 3))) {
            ArrayImg<FloatType, ?> img = ArrayImgs.floats(new float[] {0, 1, 2, 3, 4, 255}, 3, 2);
            ZarrImage.write(img, array);
            assertEquals(255, array.read().longAt(1, 2));
            img.getAt(1, 1).set(0.5f);
            assertThrows(ArithmeticException.class, () -> ZarrImage.write(img, array));
        }
    }

    @Test
    void wrongImages_areRefused() {
        try (ZarrArray array = Scenes.create(ArraySpec.of("uint8", 2, 3));
                ZarrArray complex = Scenes.create(ArraySpec.of("complex64", 2, 3));
                ZarrArray bool = Scenes.create(ArraySpec.of("bool", 2, 3))) {
            ArrayImg<UnsignedByteType, ?> img = ArrayImgs.unsignedBytes(3, 2);
            assertThrows(IndexOutOfBoundsException.class, () -> ZarrImage.write(img, array, 1, 0));
            assertThrows(IllegalArgumentException.class, () -> ZarrImage.write(img, array, 0));
            assertThrows(
                    IllegalArgumentException.class, () -> ZarrImage.write(ArrayImgs.unsignedBytes(3, 2, 1), array));
            assertThrows(IllegalArgumentException.class, () -> ZarrImage.write(img, bool));
            assertThrows(IllegalArgumentException.class, () -> ZarrImage.write(img, complex));
            String message = assertThrows(
                            IllegalArgumentException.class, () -> ZarrImage.write(ArrayImgs.argbs(3, 2), array))
                    .getMessage();
            assertTrue(message.contains("found ARGBType"), message);
        }
    }
}
