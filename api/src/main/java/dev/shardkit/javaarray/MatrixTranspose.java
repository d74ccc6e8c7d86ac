package dev.shardkit.javaarray;

/**
 * Copies a matrix from one Java array to another as its transpose, for {@link WindowedRowCopy}. The loop is repeated
 * for each primitive type, because a generic loop would copy element by element through reflection.
 */
final class MatrixTranspose {
    private MatrixTranspose() {}

    /**
     * Copies {@code lines} lines of {@code length} elements, which begin {@code sourceStep} elements apart, to
     * {@code length} lines of {@code lines} elements, which begin {@code targetStep} elements apart. Both arrays have
     * the same primitive type.
     */
    static void copy(
            Object source,
            int sourceBegin,
            int sourceStep,
            Object target,
            int targetBegin,
            int targetStep,
            int lines,
            int length) {
        if (source instanceof byte[] bytes) {
            copy(bytes, sourceBegin, sourceStep, (byte[]) target, targetBegin, targetStep, lines, length);
        } else if (source instanceof short[] shorts) {
            copy(shorts, sourceBegin, sourceStep, (short[]) target, targetBegin, targetStep, lines, length);
        } else if (source instanceof int[] ints) {
            copy(ints, sourceBegin, sourceStep, (int[]) target, targetBegin, targetStep, lines, length);
        } else if (source instanceof long[] longs) {
            copy(longs, sourceBegin, sourceStep, (long[]) target, targetBegin, targetStep, lines, length);
        } else if (source instanceof float[] floats) {
            copy(floats, sourceBegin, sourceStep, (float[]) target, targetBegin, targetStep, lines, length);
        } else if (source instanceof double[] doubles) {
            copy(doubles, sourceBegin, sourceStep, (double[]) target, targetBegin, targetStep, lines, length);
        } else {
            copy(
                    (boolean[]) source,
                    sourceBegin,
                    sourceStep,
                    (boolean[]) target,
                    targetBegin,
                    targetStep,
                    lines,
                    length);
        }
    }

    private static void copy(
            byte[] source,
            int sourceBegin,
            int sourceStep,
            byte[] target,
            int targetBegin,
            int targetStep,
            int lines,
            int length) {
        for (int j = 0; j < length; j++) {
            for (int i = 0; i < lines; i++) {
                target[targetBegin + j * targetStep + i] = source[sourceBegin + i * sourceStep + j];
            }
        }
    }

    private static void copy(
            short[] source,
            int sourceBegin,
            int sourceStep,
            short[] target,
            int targetBegin,
            int targetStep,
            int lines,
            int length) {
        for (int j = 0; j < length; j++) {
            for (int i = 0; i < lines; i++) {
                target[targetBegin + j * targetStep + i] = source[sourceBegin + i * sourceStep + j];
            }
        }
    }

    private static void copy(
            int[] source,
            int sourceBegin,
            int sourceStep,
            int[] target,
            int targetBegin,
            int targetStep,
            int lines,
            int length) {
        for (int j = 0; j < length; j++) {
            for (int i = 0; i < lines; i++) {
                target[targetBegin + j * targetStep + i] = source[sourceBegin + i * sourceStep + j];
            }
        }
    }

    private static void copy(
            long[] source,
            int sourceBegin,
            int sourceStep,
            long[] target,
            int targetBegin,
            int targetStep,
            int lines,
            int length) {
        for (int j = 0; j < length; j++) {
            for (int i = 0; i < lines; i++) {
                target[targetBegin + j * targetStep + i] = source[sourceBegin + i * sourceStep + j];
            }
        }
    }

    private static void copy(
            float[] source,
            int sourceBegin,
            int sourceStep,
            float[] target,
            int targetBegin,
            int targetStep,
            int lines,
            int length) {
        for (int j = 0; j < length; j++) {
            for (int i = 0; i < lines; i++) {
                target[targetBegin + j * targetStep + i] = source[sourceBegin + i * sourceStep + j];
            }
        }
    }

    private static void copy(
            double[] source,
            int sourceBegin,
            int sourceStep,
            double[] target,
            int targetBegin,
            int targetStep,
            int lines,
            int length) {
        for (int j = 0; j < length; j++) {
            for (int i = 0; i < lines; i++) {
                target[targetBegin + j * targetStep + i] = source[sourceBegin + i * sourceStep + j];
            }
        }
    }

    private static void copy(
            boolean[] source,
            int sourceBegin,
            int sourceStep,
            boolean[] target,
            int targetBegin,
            int targetStep,
            int lines,
            int length) {
        for (int j = 0; j < length; j++) {
            for (int i = 0; i < lines; i++) {
                target[targetBegin + j * targetStep + i] = source[sourceBegin + i * sourceStep + j];
            }
        }
    }
}
