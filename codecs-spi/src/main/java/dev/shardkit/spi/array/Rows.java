package dev.shardkit.spi.array;

/**
 * Walks two strided views of the same shape in parallel, row by row. Merges dimensions that are contiguous in both
 * first, so rows are as long as possible. All iteration over strides happens here. Stateless and thread-safe.
 */
public final class Rows {
    /** The action for each row. */
    @FunctionalInterface
    public interface Op {
        /**
         * {@code n} elements from index {@code a} in steps of {@code aStep}, and from {@code b} in steps of
         * {@code bStep}.
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

    /** The size of a block: it touches few cache lines, and its rows are long enough for bulk copies. */
    private static final int LONGEST_ROW = 32;

    private static final int MOST_ROWS = 64;

    private Rows() {}

    /** Walks two views of the shape of {@code box}, as {@link #walk(long[], long, long[], long, long[], Op)} does. */
    public static void walk(Box box, long a, long[] aStrides, long b, long[] bStrides, Op op) {
        walk(box.lengths(), a, aStrides, b, bStrides, op);
    }

    /**
     * Calls {@code op} for each row; offsets and strides count elements. If {@code op} is a {@link BlockOp}, calls it
     * for blocks where one view is contiguous along the rows and the other along the columns: row by row, each element
     * would touch another cache line.
     */
    public static void walk(long[] shape, long a, long[] aStrides, long b, long[] bStrides, Op op) {
        long[] s = new long[shape.length + 1];
        long[] sa = new long[shape.length + 1];
        long[] sb = new long[shape.length + 1];
        int n = 0;
        for (int d = 0; d < shape.length; d++) {
            if (shape[d] == 0) {
                return;
            }
            if (shape[d] == 1) {
                continue;
            }
            boolean merges = n > 0 && sa[n - 1] == aStrides[d] * shape[d] && sb[n - 1] == bStrides[d] * shape[d];
            int to = merges ? n - 1 : n++;
            s[to] = merges ? s[to] * shape[d] : shape[d];
            sa[to] = aStrides[d];
            sb[to] = bStrides[d];
        }
        if (n == 0) {
            op.row(a, 1, b, 1, 1);
            return;
        }
        int across = op instanceof BlockOp ? across(sa, sb, n) : -1;
        if (across >= 0) {
            blocks(new long[][] {s, sa, sb}, n, across, a, b, (BlockOp) op);
        } else {
            walk(s, sa, sb, n, a, b, op);
        }
    }

    /** Returns the dimension along which one view is contiguous, if the other one is along the last; otherwise -1. */
    private static int across(long[] sa, long[] sb, int n) {
        int last = n - 1;
        for (int d = 0; d < last; d++) {
            if (sa[d] == 1 && sb[last] == 1 || sb[d] == 1 && sa[last] == 1) {
                return d;
            }
        }
        return -1;
    }

    /** Walks blocks of the last dimension and {@code across}. {@code views} has the shape and the strides of both. */
    private static void blocks(long[][] views, int n, int across, long a, long b, BlockOp op) {
        int last = n - 1;
        long[][] outer = new long[3][n];
        int dims = 0;
        for (int d = 0; d < last; d++) {
            if (d != across) {
                for (int k = 0; k < 3; k++) {
                    outer[k][dims] = views[k][d];
                }
                dims++;
            }
        }
        outer[0][dims] = 1; // one call for each matrix
        long[] s = views[0];
        long[] sa = views[1];
        long[] sb = views[2];
        walk(outer[0], outer[1], outer[2], dims + 1, a, b, (ia, ignored, ib, alsoIgnored, one) -> {
            for (long i = 0; i < s[last]; i += LONGEST_ROW) {
                for (long j = 0; j < s[across]; j += MOST_ROWS) {
                    op.block(
                            ia + i * sa[last] + j * sa[across],
                            sa[last],
                            sa[across],
                            ib + i * sb[last] + j * sb[across],
                            sb[last],
                            sb[across],
                            Math.min(LONGEST_ROW, s[last] - i),
                            Math.min(MOST_ROWS, s[across] - j));
                }
            }
        });
    }

    private static void walk(long[] s, long[] sa, long[] sb, int n, long a, long b, Op op) {
        long[] at = new long[n];
        int last = n - 1;
        long ia = a;
        long ib = b;
        while (true) {
            op.row(ia, sa[last], ib, sb[last], s[last]);
            int d = last - 1;
            while (d >= 0 && ++at[d] == s[d]) {
                ia -= sa[d] * (s[d] - 1);
                ib -= sb[d] * (s[d] - 1);
                at[d] = 0;
                d--;
            }
            if (d < 0) {
                return;
            }
            ia += sa[d];
            ib += sb[d];
        }
    }
}
