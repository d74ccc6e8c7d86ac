package dev.shardkit.spi.array;

/**
 * Walks two strided views of the same shape in parallel, row by row, for example to copy one to the other. First merges
 * dimensions that are contiguous in both views, so rows are as long as possible. All iteration over strides happens
 * here. Stateless and thread-safe.
 */
public final class StridedRows {
    /** The action for each row. */
    @FunctionalInterface
    public interface Op {
        /**
         * Processes {@code n} elements: in the first view from index {@code a} in steps of {@code aStep}, in the second
         * from {@code b} in steps of {@code bStep}.
         */
        void row(long a, long aStep, long b, long bStep, long n);
    }

    /**
     * An action that also accepts blocks in which one view is contiguous along the rows and the other along the
     * columns, as in a transpose.
     */
    public interface BlockOp extends Op {
        /**
         * Processes {@code m} rows of {@code n} elements, as {@code m} calls of {@link #row} would. The rows begin
         * {@code aAcross} and {@code bAcross} elements apart. One view is contiguous in each row, the other one across
         * the rows.
         */
        void block(long a, long aStep, long aAcross, long b, long bStep, long bAcross, long n, long m);
    }

    /**
     * The number of elements in a row of a block. A block touches few cache lines, yet its rows are long enough for
     * bulk copies.
     */
    private static final int LONGEST_ROW = 32;

    /** The number of rows in a block. */
    private static final int MAX_ROWS = 64;

    private StridedRows() {}

    /** Walks two views of the shape of {@code box}, as {@link #walk(long[], long, long[], long, long[], Op)} does. */
    public static void walk(Box box, long a, long[] aStrides, long b, long[] bStrides, Op op) {
        walk(box.lengths(), a, aStrides, b, bStrides, op);
    }

    /**
     * Calls {@code op} for each row; offsets and strides count elements. If {@code op} is a {@link BlockOp}, calls it
     * for blocks if one view is contiguous along the rows and the other along the columns. Walked row by row, such
     * views would touch another cache line with each element.
     */
    public static void walk(long[] shape, long a, long[] aStrides, long b, long[] bStrides, Op op) {
        int last = -1;
        for (int d = 0; d < shape.length; d++) {
            if (shape[d] == 0) {
                return;
            }
            last = shape[d] > 1 ? d : last;
        }
        if (last < 0) {
            op.row(a, 1, b, 1, 1);
        } else if (op instanceof BlockOp blocks && isTransposed(shape, aStrides, bStrides, last)) {
            Matrices.of(shape, aStrides, bStrides, blocks).walk(0, a, b);
        } else {
            new Walk(shape, aStrides, bStrides, last, op).rows(0, a, b);
        }
    }

    /** Returns whether one view is contiguous along the last dimension, and the other view along another dimension. */
    private static boolean isTransposed(long[] shape, long[] aStrides, long[] bStrides, int last) {
        for (int d = 0; d < last; d++) {
            if (shape[d] > 1 && (aStrides[d] == 1 && bStrides[last] == 1 || bStrides[d] == 1 && aStrides[last] == 1)) {
                return true;
            }
        }
        return false;
    }

    /**
     * A walk by recursion over dimensions. It allocates nothing but itself, because a read walks many small boxes.
     *
     * @param last the last dimension that is longer than 1
     */
    private record Walk(long[] shape, long[] aStrides, long[] bStrides, int last, Op op) {
        /** Walks the rows of dimension {@code first} and those after it. */
        void rows(int first, long a, long b) {
            // The dimensions from first to end merge into one dimension of length n.
            int end = end(first);
            long n = length(first, end);
            if (end == last) {
                op.row(a, aStrides[end], b, bStrides[end], n);
                return;
            }
            // The dimensions after end merge in the same way, up to inner. If inner is the last one, they are a row.
            int inner = end(end + 1);
            if (inner < last) {
                for (long i = 0; i < n; i++) {
                    rows(end + 1, a + i * aStrides[end], b + i * bStrides[end]);
                }
                return;
            }
            long length = length(end + 1, inner);
            for (long i = 0; i < n; i++) {
                op.row(a + i * aStrides[end], aStrides[last], b + i * bStrides[end], bStrides[last], length);
            }
        }

        /** Returns the last of the dimensions that merge with {@code first}, or with the first one longer than 1. */
        private int end(int first) {
            int end = first;
            for (int d = first + 1; d <= last; d++) {
                boolean merges = aStrides[end] == aStrides[d] * shape[d] && bStrides[end] == bStrides[d] * shape[d];
                if (shape[d] > 1 && shape[end] > 1 && !merges) {
                    break;
                }
                end = shape[d] > 1 ? d : end;
            }
            return end;
        }

        private long length(int first, int end) {
            long n = 1;
            for (int d = first; d <= end; d++) {
                n *= shape[d];
            }
            return n;
        }
    }

    /**
     * A walk over blocks. Neighbouring dimensions are merged.
     *
     * @param shape the shape, with merged dimensions
     * @param last the last dimension, along which one view is contiguous
     * @param across the dimension along which the other view is contiguous
     */
    private record Matrices(long[] shape, long[] aStrides, long[] bStrides, int last, int across, BlockOp op) {
        /** Merges neighbouring dimensions that are contiguous in both views, and finds the dimension {@code across}. */
        static Matrices of(long[] shape, long[] aStrides, long[] bStrides, BlockOp op) {
            long[] merged = new long[shape.length];
            long[] a = new long[shape.length];
            long[] b = new long[shape.length];
            int n = 0; // the number of merged dimensions
            for (int d = 0; d < shape.length; d++) {
                if (shape[d] == 1) {
                    continue;
                }
                boolean merges = n > 0 && a[n - 1] == aStrides[d] * shape[d] && b[n - 1] == bStrides[d] * shape[d];
                int target = merges ? n - 1 : n++;
                merged[target] = merges ? merged[target] * shape[d] : shape[d];
                a[target] = aStrides[d];
                b[target] = bStrides[d];
            }
            int across = 0;
            // the loop ends, because isTransposed has found such a dimension
            while (!(a[across] == 1 && b[n - 1] == 1 || b[across] == 1 && a[n - 1] == 1)) {
                across++;
            }
            return new Matrices(merged, a, b, n - 1, across, op);
        }

        /** Walks the blocks of the dimensions from {@code d} on. */
        void walk(int d, long a, long b) {
            if (d == last) {
                matrix(a, b);
            } else if (d == across) {
                walk(d + 1, a, b);
            } else {
                for (long i = 0; i < shape[d]; i++) {
                    walk(d + 1, a + i * aStrides[d], b + i * bStrides[d]);
                }
            }
        }

        /** Walks the blocks of the dimensions {@code across} and {@code last}. */
        private void matrix(long a, long b) {
            for (long i = 0; i < shape[last]; i += LONGEST_ROW) {
                for (long j = 0; j < shape[across]; j += MAX_ROWS) {
                    op.block(
                            a + i * aStrides[last] + j * aStrides[across],
                            aStrides[last],
                            aStrides[across],
                            b + i * bStrides[last] + j * bStrides[across],
                            bStrides[last],
                            bStrides[across],
                            Math.min(LONGEST_ROW, shape[last] - i),
                            Math.min(MAX_ROWS, shape[across] - j));
                }
            }
        }
    }
}
