package dev.shardkit.ome.pyramid;

import dev.shardkit.spi.array.DataType;
import dev.shardkit.spi.array.IntegerFormat;
import dev.shardkit.spi.type.MissingValues;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.ShortBuffer;
import java.util.Optional;

/**
 * Halves both edges of planes: each block of 2 x 2 elements in the last two dimensions becomes one element. Supports
 * only integers of 8 and 16 bits, which cameras produce. The results are those of {@link Kernel}, which is general, but
 * converts each element to a {@code long} and is too slow for the frames of a camera. This class processes whole rows.
 * Immutable and thread-safe.
 */
final class PlaneReduction {
    private final boolean isByte;
    private final boolean isSigned;
    private final Reducer reducer;

    private PlaneReduction(boolean isByte, boolean isSigned, Reducer reducer) {
        this.isByte = isByte;
        this.isSigned = isSigned;
        this.reducer = reducer;
    }

    /**
     * Returns a reduction; empty if this class does not support the elements, the reducer, missing values or the
     * factors.
     */
    static Optional<PlaneReduction> of(DataType type, Reducer reducer, MissingValues missing, int[] factors) {
        int rank = factors.length;
        boolean isPlane = rank >= 2 && factors[rank - 1] == 2 && factors[rank - 2] == 2;
        for (int d = 0; d < rank - 2; d++) {
            isPlane &= factors[d] == 1;
        }
        return isPlane
                        && missing.isEmpty()
                        && reducer != Reducer.MODE
                        && type.number().orElse(null) instanceof IntegerFormat format
                        && (format.bits() == Byte.SIZE || format.bits() == Short.SIZE)
                        && type.elementSize().orElse(0) * Byte.SIZE == format.bits()
                ? Optional.of(new PlaneReduction(format.bits() == Byte.SIZE, format.isSigned(), reducer))
                : Optional.empty();
    }

    /**
     * Reduces planes, which follow one another in the buffers.
     *
     * @param height the rows of a plane of the source
     * @param width the elements of a row of the source
     */
    void reduce(ByteBuffer source, ByteBuffer target, int planes, int height, int width) {
        Rows rows = isByte ? new ByteRows(source, target, width) : new ShortRows(source, target, width);
        int[] upper = new int[width];
        int[] lower = new int[width];
        int[] result = new int[(width + 1) / 2];
        for (int plane = 0; plane < planes; plane++) {
            for (int y = 0; y < height; y += 2) {
                boolean isLast = y + 1 == height;
                rows.read((plane * height + y) * width, upper);
                if (!isLast) {
                    rows.read((plane * height + y + 1) * width, lower);
                }
                reduceRow(upper, isLast ? upper : lower, isLast, result);
                rows.write((plane * ((height + 1) / 2) + y / 2) * result.length, result);
            }
        }
    }

    /**
     * Reads and writes rows as {@code int} numbers; {@code first} is the index of the row's first element. Copies rows
     * as a whole, which is much faster than access to single elements of a buffer.
     */
    private interface Rows {
        void read(int first, int[] values);

        void write(int first, int[] values);
    }

    private final class ByteRows implements Rows {
        private final ByteBuffer source;
        private final ByteBuffer target;
        private final byte[] row;
        /** Removes the sign that a byte gets as an int, if elements are unsigned. */
        private final int mask = isSigned ? -1 : 0xff;

        ByteRows(ByteBuffer source, ByteBuffer target, int width) {
            this.source = source;
            this.target = target;
            this.row = new byte[width];
        }

        @Override
        public void read(int first, int[] values) {
            source.get(first, row);
            for (int x = 0; x < values.length; x++) {
                values[x] = row[x] & mask;
            }
        }

        @Override
        public void write(int first, int[] values) {
            for (int x = 0; x < values.length; x++) {
                row[x] = (byte) values[x];
            }
            target.put(first, row, 0, values.length);
        }
    }

    private final class ShortRows implements Rows {
        private final ShortBuffer source;
        private final ShortBuffer target;
        private final short[] row;
        /** Removes the sign that a short gets as an int, if elements are unsigned. */
        private final int mask = isSigned ? -1 : 0xffff;

        ShortRows(ByteBuffer source, ByteBuffer target, int width) {
            this.source =
                    source.duplicate().clear().order(ByteOrder.LITTLE_ENDIAN).asShortBuffer();
            this.target =
                    target.duplicate().clear().order(ByteOrder.LITTLE_ENDIAN).asShortBuffer();
            this.row = new short[width];
        }

        @Override
        public void read(int first, int[] values) {
            source.get(first, row);
            for (int x = 0; x < values.length; x++) {
                values[x] = row[x] & mask;
            }
        }

        @Override
        public void write(int first, int[] values) {
            for (int x = 0; x < values.length; x++) {
                row[x] = (short) values[x];
            }
            target.put(first, row, 0, values.length);
        }
    }

    /**
     * Reduces two rows to one.
     *
     * @param isAlone whether {@code upper} is the last row of an odd number; then {@code lower} is the same row
     */
    private void reduceRow(int[] upper, int[] lower, boolean isAlone, int[] result) {
        int pairs = upper.length / 2;
        if (reducer == Reducer.MEAN) {
            for (int x = 0; x < pairs; x++) {
                int sum = upper[2 * x] + upper[2 * x + 1] + lower[2 * x] + lower[2 * x + 1];
                int quotient = sum >> 2;
                int remainder = sum & 3;
                // Rounds up if the remainder is 3. If it is 2, which is a half, rounds up if the quotient is odd.
                result[x] = quotient + (remainder + (quotient & 1) > 2 ? 1 : 0);
            }
        } else if (reducer == Reducer.MAX) {
            for (int x = 0; x < pairs; x++) {
                result[x] =
                        Math.max(Math.max(upper[2 * x], upper[2 * x + 1]), Math.max(lower[2 * x], lower[2 * x + 1]));
            }
        } else if (reducer == Reducer.MIN) {
            for (int x = 0; x < pairs; x++) {
                result[x] =
                        Math.min(Math.min(upper[2 * x], upper[2 * x + 1]), Math.min(lower[2 * x], lower[2 * x + 1]));
            }
        } else if (reducer == Reducer.NEAREST) {
            for (int x = 0; x < pairs; x++) {
                result[x] = upper[2 * x];
            }
        } else {
            for (int x = 0; x < pairs; x++) {
                result[x] = median(upper[2 * x], upper[2 * x + 1], lower[2 * x], lower[2 * x + 1]);
            }
        }
        if (2 * pairs < upper.length) { // the last column of an odd number has blocks of one column
            int a = upper[2 * pairs];
            int b = isAlone ? a : lower[2 * pairs]; // if alone, the block has a single element
            result[pairs] = switch (reducer) {
                case MAX -> Math.max(a, b);
                case MIN -> Math.min(a, b);
                case NEAREST -> a;
                default -> mean(a, b);
            };
        }
    }

    /** Returns the median of four values: the mean of the two middle ones. */
    private static int median(int a, int b, int c, int d) {
        int low = Math.min(Math.min(a, b), Math.min(c, d));
        int high = Math.max(Math.max(a, b), Math.max(c, d));
        int sumOfMiddle = a + b + c + d - low - high;
        return mean(sumOfMiddle, 0);
    }

    /** Returns the mean of two values; halves are rounded to the even number. */
    private static int mean(int a, int b) {
        int sum = a + b;
        int quotient = sum >> 1;
        return quotient + (sum & quotient & 1);
    }
}
