package dev.shardkit.javaarray;

import dev.shardkit.spi.array.Box;
import dev.shardkit.spi.array.Shapes;
import dev.shardkit.spi.array.StridedRows;
import java.util.function.IntConsumer;

/** Visits the elements of boxes one at a time. Stateless. */
final class ElementWalk {
    private ElementWalk() {}

    /** Accepts the index of an element in a chunk, and that of the same element in an array. */
    interface Pair {
        void accept(int source, int target);
    }

    /**
     * Visits each element of a box that is copied from a chunk to an array.
     *
     * @param box the box, in the indices of the array
     * @param offset the position of the first element of the box in the chunk
     * @param fromStrides the strides of the chunk
     * @param shape the shape of the array
     */
    static void pairs(Box box, long offset, long[] fromStrides, long[] shape, Pair pair) {
        long start = box.firstIn(shape);
        StridedRows.walk(box, offset, fromStrides, start, Shapes.strides(shape), (a, aStep, b, bStep, n) -> {
            for (long k = 0; k < n; k++) {
                pair.accept((int) (a + k * aStep), (int) (b + k * bStep));
            }
        });
    }

    /** Visits the elements of {@code box} in an array. */
    static void each(Box box, long[] shape, IntConsumer index) {
        long[] strides = Shapes.strides(shape);
        // The walk takes two views. Both are the array here, and the first is not used.
        StridedRows.walk(box, 0, strides, box.firstIn(shape), strides, (a, aStep, b, bStep, n) -> {
            for (long k = 0; k < n; k++) {
                index.accept((int) (b + k * bStep));
            }
        });
    }
}
