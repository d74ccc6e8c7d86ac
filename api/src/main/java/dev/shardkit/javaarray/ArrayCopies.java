package dev.shardkit.javaarray;

import dev.shardkit.spi.array.DataType;
import dev.shardkit.spi.array.Shapes;
import dev.shardkit.spi.array.StridedRows;

/** Copies parts of Java arrays. Stateless, thread-safe. */
public final class ArrayCopies {
    private ArrayCopies() {}

    /**
     * Copies a strided part of {@code array} into a new array, in C order.
     *
     * @param first the index of its first element
     * @param strides the distance of neighbouring elements in each dimension, counted in elements
     */
    public static Object copy(DataType type, Object array, long first, long[] strides, long[] shape) {
        Object copy = JavaArrayAdapters.allocate(type, shape);
        int words = JavaArrayAdapters.wordsPerElement(type);
        StridedRows.walk(shape, first, strides, 0, Shapes.strides(shape), (from, fromStep, to, toStep, count) -> {
            if (fromStep == 1 && toStep == 1) {
                System.arraycopy(array, (int) from * words, copy, (int) to * words, (int) count * words);
                return;
            }
            for (long k = 0; k < count; k++) {
                int source = (int) (from + k * fromStep) * words;
                System.arraycopy(array, source, copy, (int) (to + k * toStep) * words, words);
            }
        });
        return copy;
    }
}
