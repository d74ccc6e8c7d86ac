package dev.shardkit.carrier;

import dev.shardkit.spi.array.Box;
import dev.shardkit.spi.array.DataType;
import dev.shardkit.spi.array.Elements;
import dev.shardkit.spi.array.FillValue;
import dev.shardkit.spi.array.NumberCast;
import dev.shardkit.spi.array.Rows;
import dev.shardkit.spi.array.Shapes;
import dev.shardkit.spi.array.Target;

/**
 * Converts elements while they are read, a piece at a time.
 *
 * @param from the type of the elements
 * @param to the type of the Java array {@code array}
 * @param shape the shape of the result, whose elements begin at index {@code offset}
 */
public record ConvertingTarget(DataType from, DataType to, NumberCast cast, Object array, int offset, long[] shape)
        implements Target {
    /** Checks the types and the Java array. */
    public ConvertingTarget {
        NumberArrays.format(from);
        NumberArrays.format(to);
        JavaArrayElements.check(to, shape, array, offset);
    }

    @Override
    public void put(Elements source, long at, long[] strides, Box box) {
        Object piece = JavaArrayElements.allocate(from, box.shape());
        JavaArrayElements.target(from, box.shape(), piece, 0).put(source, at, strides, Box.of(box.shape()));
        Object converted = NumberArrays.convert(from, piece, to, cast);
        long[] own = Shapes.strides(box.shape());
        Rows.walk(box, 0, own, box.firstIn(shape), Shapes.strides(shape), (a, as, b, bs, n) -> {
            if (as == 1 && bs == 1) {
                System.arraycopy(converted, (int) a, array, (int) b + offset, (int) n);
                return;
            }
            for (long k = 0; k < n; k++) {
                System.arraycopy(converted, (int) (a + k * as), array, (int) (b + k * bs) + offset, 1);
            }
        });
    }

    @Override
    public void fill(FillValue value, Box box) {
        Object one = JavaArrayElements.allocate(from, new long[] {1});
        JavaArrayElements.target(from, new long[] {1}, one, 0).fill(value, Box.of(new long[] {1}));
        Object converted = NumberArrays.convert(from, one, to, cast);
        ElementWalk.each(box, shape, i -> System.arraycopy(converted, 0, array, offset + i, 1));
    }
}
