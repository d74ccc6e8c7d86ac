package dev.shardkit.javaarray;

import dev.shardkit.spi.array.Box;
import dev.shardkit.spi.array.Shapes;
import dev.shardkit.spi.array.StridedRows;
import java.util.function.IntConsumer;

/** Visits the elements of boxes one at a time. Stateless. */
final class ElementWalk {
    private ElementWalk() {}

    /** Accepts the index of an element in a chunk, and that of the same element in an array. */
    interface PairConsumer {
        void accept(int source, int target);
    }

    /**
     * Visits each element of a box that is copied from a chunk to an array.
     *
     * @param box the box, in the indices of the array
     * @param sourceOffset the position of the first element of the box in the chunk
     * @param sourceStrides the strides of the chunk
     * @param targetShape the shape of the array
     */
    static void pairs(Box box, long sourceOffset, long[] sourceStrides, long[] targetShape, PairConsumer action) {
        long targetOffset = box.firstIn(targetShape);
        long[] targetStrides = Shapes.strides(targetShape);
        // each row: n elements from index a of the chunk and from index b of the array
        StridedRows.walk(box, sourceOffset, sourceStrides, targetOffset, targetStrides, (a, aStep, b, bStep, n) -> {
            for (long k = 0; k < n; k++) {
                action.accept((int) (a + k * aStep), (int) (b + k * bStep));
            }
        });
    }

    /** Passes the index of each element of {@code box}, in an array of {@code shape}, to {@code action}. */
    static void each(Box box, long[] shape, IntConsumer action) {
        long[] strides = Shapes.strides(shape);
        // The walk takes two views. Both are the array here, and the first is not used.
        StridedRows.walk(box, 0, strides, box.firstIn(shape), strides, (a, aStep, b, bStep, n) -> {
            for (long k = 0; k < n; k++) {
                action.accept((int) (b + k * bStep));
            }
        });
    }
}
