package dev.shardkit.imglib2;

import dev.shardkit.NdArray;
import dev.shardkit.ZarrArray;
import dev.shardkit.spi.array.Box;
import dev.shardkit.spi.array.DataType;
import dev.shardkit.spi.array.ElementCopy;
import dev.shardkit.spi.array.Elements;
import dev.shardkit.spi.array.Feed;
import dev.shardkit.spi.array.Shapes;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import net.imglib2.FinalInterval;
import net.imglib2.RandomAccessibleInterval;
import net.imglib2.blocks.PrimitiveBlocks;
import net.imglib2.type.NativeType;

/**
 * Supplies the pixels of an ImgLib2 image to a write of an array. Thread-safe if the image supports concurrent reads.
 */
final class ImageFeed<T extends NativeType<T>> implements Feed {
    private final PrimitiveBlocks<T> blocks;
    private final long[] min;
    private final PixelType from;
    private final DataType to;

    private ImageFeed(RandomAccessibleInterval<T> image, PixelType from, DataType to) {
        this.blocks = PrimitiveBlocks.of(image, PrimitiveBlocks.OnFallback.ACCEPT);
        this.min = image.minAsLongArray();
        this.from = from;
        this.to = to;
    }

    static <T extends NativeType<T>> Feed of(RandomAccessibleInterval<T> image, ZarrArray array) {
        PixelType from = PixelType.of(image.getType());
        if (!from.dataType().equals(array.dataType())
                && (PixelType.number(from.dataType()).isEmpty()
                        || PixelType.number(array.dataType()).isEmpty())) {
            throw new IllegalArgumentException(array.location() + ": an image of "
                    + image.getType().getClass().getSimpleName() + " has no elements of data type "
                    + array.dataType().name());
        }
        return new ImageFeed<>(image, from, array.dataType());
    }

    @Override
    public void get(Box part, Elements target, long offset, long[] strides) {
        Object pixels = CellData.array(from, Math.toIntExact(part.count()));
        long[] low = Axes.reversed(part.origin());
        long[] shape = Axes.reversed(part.shape());
        long[] high = new long[low.length];
        for (int d = 0; d < low.length; d++) {
            low[d] += min[d];
            high[d] = low[d] + shape[d] - 1;
        }
        // In both orders the same dimension varies fastest: the first of ImgLib2, the last of C order. So the copied
        // pixels are in C order already.
        blocks.independentCopy().copy(FinalInterval.wrap(low, high), pixels);
        Object elements = from.dataType().equals(to)
                ? pixels
                : NdArray.of(from.dataType(), part.shape(), pixels).convert(to).array();
        ElementCopy.copy(asElements(elements), 0, Shapes.strides(part.shape()), target, offset, strides, part.shape());
    }

    /** Returns a Java array as elements of the data type {@link #to}. */
    private Elements asElements(Object array) {
        int size = to.elementSize().orElseThrow();
        if (array instanceof byte[] bytes) {
            return Elements.Fixed.of(to, ByteBuffer.wrap(bytes), ByteOrder.nativeOrder());
        }
        ByteBuffer bytes = ByteBuffer.allocate(java.lang.reflect.Array.getLength(array) * size)
                .order(ByteOrder.nativeOrder());
        if (array instanceof short[] shorts) {
            bytes.asShortBuffer().put(shorts);
        } else if (array instanceof int[] ints) {
            bytes.asIntBuffer().put(ints);
        } else if (array instanceof long[] longs) {
            bytes.asLongBuffer().put(longs);
        } else if (array instanceof float[] floats) {
            bytes.asFloatBuffer().put(floats);
        } else if (array instanceof double[] doubles) {
            bytes.asDoubleBuffer().put(doubles);
        } else {
            boolean[] booleans = (boolean[]) array;
            for (int i = 0; i < booleans.length; i++) {
                bytes.put(i, (byte) (booleans[i] ? 1 : 0));
            }
        }
        return Elements.Fixed.of(to, bytes, ByteOrder.nativeOrder());
    }
}
