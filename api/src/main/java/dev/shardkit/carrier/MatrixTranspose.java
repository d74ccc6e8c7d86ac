package dev.shardkit.carrier;

/** Copies a matrix from one Java array to another as its transpose. */
final class MatrixTranspose {
    private MatrixTranspose() {}

    /**
     * Copies {@code n} lines of {@code m} elements, which begin {@code fromStep} elements apart, to {@code m} lines of
     * {@code n} elements, which begin {@code toStep} elements apart.
     */
    static void copy(Object from, int f, int fromStep, Object to, int t, int toStep, int n, int m) {
        if (from instanceof byte[] bytes) {
            copy(bytes, f, fromStep, (byte[]) to, t, toStep, n, m);
        } else if (from instanceof short[] shorts) {
            copy(shorts, f, fromStep, (short[]) to, t, toStep, n, m);
        } else if (from instanceof int[] ints) {
            copy(ints, f, fromStep, (int[]) to, t, toStep, n, m);
        } else if (from instanceof long[] longs) {
            copy(longs, f, fromStep, (long[]) to, t, toStep, n, m);
        } else if (from instanceof float[] floats) {
            copy(floats, f, fromStep, (float[]) to, t, toStep, n, m);
        } else if (from instanceof double[] doubles) {
            copy(doubles, f, fromStep, (double[]) to, t, toStep, n, m);
        } else {
            copy((boolean[]) from, f, fromStep, (boolean[]) to, t, toStep, n, m);
        }
    }

    private static void copy(byte[] from, int f, int fromStep, byte[] to, int t, int toStep, int n, int m) {
        for (int j = 0; j < m; j++) {
            for (int i = 0; i < n; i++) {
                to[t + j * toStep + i] = from[f + i * fromStep + j];
            }
        }
    }

    private static void copy(short[] from, int f, int fromStep, short[] to, int t, int toStep, int n, int m) {
        for (int j = 0; j < m; j++) {
            for (int i = 0; i < n; i++) {
                to[t + j * toStep + i] = from[f + i * fromStep + j];
            }
        }
    }

    private static void copy(int[] from, int f, int fromStep, int[] to, int t, int toStep, int n, int m) {
        for (int j = 0; j < m; j++) {
            for (int i = 0; i < n; i++) {
                to[t + j * toStep + i] = from[f + i * fromStep + j];
            }
        }
    }

    private static void copy(long[] from, int f, int fromStep, long[] to, int t, int toStep, int n, int m) {
        for (int j = 0; j < m; j++) {
            for (int i = 0; i < n; i++) {
                to[t + j * toStep + i] = from[f + i * fromStep + j];
            }
        }
    }

    private static void copy(float[] from, int f, int fromStep, float[] to, int t, int toStep, int n, int m) {
        for (int j = 0; j < m; j++) {
            for (int i = 0; i < n; i++) {
                to[t + j * toStep + i] = from[f + i * fromStep + j];
            }
        }
    }

    private static void copy(double[] from, int f, int fromStep, double[] to, int t, int toStep, int n, int m) {
        for (int j = 0; j < m; j++) {
            for (int i = 0; i < n; i++) {
                to[t + j * toStep + i] = from[f + i * fromStep + j];
            }
        }
    }

    private static void copy(boolean[] from, int f, int fromStep, boolean[] to, int t, int toStep, int n, int m) {
        for (int j = 0; j < m; j++) {
            for (int i = 0; i < n; i++) {
                to[t + j * toStep + i] = from[f + i * fromStep + j];
            }
        }
    }
}
