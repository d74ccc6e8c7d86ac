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
     * @param strides the distances of its elements, which count elements
     */
    public static Object copy(DataType type, Object array, long first, long[] strides, long[] shape) {
        Object copy = JavaArrayAdapters.allocate(type, shape);
        int words = JavaArrayAdapters.wordsPerElement(type);
        StridedRows.walk(shape, first, strides, 0, Shapes.strides(shape), (a, aStep, b, bStep, n) -> {
            if (aStep == 1 && bStep == 1) {
                System.arraycopy(array, (int) a * words, copy, (int) b * words, (int) n * words);
                return;
            }
            for (long k = 0; k < n; k++) {
                System.arraycopy(array, (int) (a + k * aStep) * words, copy, (int) (b + k * bStep) * words, words);
            }
        });
        return copy;
    }
}
