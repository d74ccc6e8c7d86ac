package dev.shardkit.javaarray;

import dev.shardkit.spi.array.Box;
import dev.shardkit.spi.array.DataType;
import dev.shardkit.spi.array.Elements;
import dev.shardkit.spi.array.FillValue;
import dev.shardkit.spi.array.NumberCast;
import dev.shardkit.spi.array.Shapes;
import dev.shardkit.spi.array.StridedRows;
import dev.shardkit.spi.array.Target;

/**
 * A target that converts numbers to another data type while they are read, a piece at a time.
 *
 * @param sourceType the type of the elements that are read
 * @param targetType the type of the converted elements in {@code array}
 * @param shape the shape of the result, whose elements begin at index {@code offset}
 */
public record ConvertingTarget(
        DataType sourceType, DataType targetType, NumberCast cast, Object array, int offset, long[] shape)
        implements Target {
    /** Checks the types and the Java array. */
    public ConvertingTarget {
        NumberArrays.format(sourceType);
        NumberArrays.format(targetType);
        JavaArrayAdapters.check(targetType, shape, array, offset);
    }

    @Override
    public void put(Elements source, long sourceOffset, long[] strides, Box box) {
        Object piece = JavaArrayAdapters.allocate(sourceType, box.shape());
        JavaArrayAdapters.target(sourceType, box.shape(), piece, 0)
                .put(source, sourceOffset, strides, Box.of(box.shape()));
        Object converted = NumberArrays.convert(sourceType, piece, targetType, cast);
        long[] boxStrides = Shapes.strides(box.shape());
        // each row: n elements from index a of the piece to index b of the result
        StridedRows.walk(box, 0, boxStrides, box.firstIn(shape), Shapes.strides(shape), (a, aStep, b, bStep, n) -> {
            if (aStep == 1 && bStep == 1) {
                System.arraycopy(converted, (int) a, array, (int) b + offset, (int) n);
                return;
            }
            for (long k = 0; k < n; k++) {
                System.arraycopy(converted, (int) (a + k * aStep), array, (int) (b + k * bStep) + offset, 1);
            }
        });
    }

    @Override
    public void fill(FillValue value, Box box) {
        Object element = JavaArrayAdapters.allocate(sourceType, new long[] {1});
        JavaArrayAdapters.target(sourceType, new long[] {1}, element, 0).fill(value, Box.of(new long[] {1}));
        Object converted = NumberArrays.convert(sourceType, element, targetType, cast);
        ElementWalk.each(box, shape, i -> System.arraycopy(converted, 0, array, offset + i, 1));
    }
}
