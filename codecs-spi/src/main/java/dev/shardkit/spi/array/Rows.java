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

    private Rows() {}

    /** Calls {@code op} for each row; offsets and strides count elements. */
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
        walk(s, sa, sb, n, a, b, op);
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
