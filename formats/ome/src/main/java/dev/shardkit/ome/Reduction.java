package dev.shardkit.ome;

import dev.shardkit.spi.array.DataType;
import dev.shardkit.spi.array.Elements;
import dev.shardkit.spi.array.Shapes;
import dev.shardkit.spi.type.MissingValues;
import java.nio.ByteBuffer;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Replaces each block of elements by one. Blocks begin at multiples of the factors; those at the end may be cut.
 * Immutable, thread-safe.
 */
final class Reduction {
    /** Says whether elements of a data type can be reduced in some way. */
    interface Check {
        /** Throws {@link IllegalArgumentException} if not. */
        void check(Reducer reducer);
    }

    private final @Nullable Kernel kernel;
    private final int[] factors;

    private Reduction(@Nullable Kernel kernel, int[] factors) {
        this.kernel = kernel;
        this.factors = factors;
    }

    /**
     * Creates a reduction.
     *
     * @throws IllegalArgumentException if elements of {@code type} cannot be reduced in this way
     */
    static Reduction of(DataType type, Reducer reducer, MissingValues missing, int[] factors) {
        if (type.elementSize().isEmpty()) {
            throw new IllegalArgumentException("expected a data type of fixed size, found " + type.name());
        }
        return new Reduction(
                reducer == Reducer.NEAREST ? null : Kernel.of(type, reducer).skipping(missing), factors.clone());
    }

    /** Returns the shape of the result: that of the source divided by the factors, rounded up. */
    static long[] shape(long[] source, int[] factors) {
        long[] shape = new long[source.length];
        for (int d = 0; d < shape.length; d++) {
            shape[d] = source[d] == 0 ? 0 : (source[d] - 1) / factors[d] + 1;
        }
        return shape;
    }

    /** Reduces elements in C order, little-endian, to elements in C order. */
    void reduce(Elements.Fixed from, long[] fromShape, Elements.Fixed to) {
        new Run(from, fromShape, to).reduce();
    }

    /** One run, of one thread. */
    private final class Run {
        private final ByteBuffer from;
        private final ByteBuffer to;
        private final int size;
        private final long[] shape;
        private final long[] strides;
        private final long[] result;
        private final int[] offsets;
        private final long[] values;

        Run(Elements.Fixed from, long[] fromShape, Elements.Fixed to) {
            this.from = from.bytes();
            this.to = to.bytes();
            this.size = from.elementSize();
            this.shape = fromShape;
            this.strides = Shapes.strides(fromShape);
            this.result = Reduction.shape(fromShape, factors);
            long block = 1;
            for (int d = 0; d < factors.length; d++) {
                block *= Math.min(factors[d], Math.max(1, fromShape[d]));
            }
            this.offsets = new int[Math.toIntExact(block)];
            this.values = new long[offsets.length];
        }

        void reduce() {
            long[] at = new long[result.length];
            long[] lengths = new long[result.length];
            long[] known = new long[result.length];
            long count = Shapes.count(result);
            for (int i = 0; i < count; i++) {
                long base = 0;
                for (int d = 0; d < at.length; d++) {
                    long start = at[d] * factors[d];
                    lengths[d] = Math.min(factors[d], shape[d] - start);
                    base += start * strides[d];
                }
                if (kernel == null) {
                    copy((int) base + middle(lengths), i);
                } else {
                    if (!Arrays.equals(lengths, known)) {
                        setOffsets(lengths);
                        System.arraycopy(lengths, 0, known, 0, known.length);
                    }
                    put(i, kernel.apply(values, gather((int) base, lengths)));
                }
                advance(at);
            }
        }

        private void advance(long[] at) {
            for (int d = at.length - 1; d >= 0 && ++at[d] == result[d]; d--) {
                at[d] = 0;
            }
        }

        private int middle(long[] lengths) {
            int offset = 0;
            for (int d = 0; d < lengths.length; d++) {
                offset += (int) ((lengths[d] - 1) / 2 * strides[d]);
            }
            return offset;
        }

        private void copy(int source, int target) {
            for (int b = 0; b < size; b++) {
                to.put(target * size + b, from.get(source * size + b));
            }
        }

        /** The places of a block's elements, counted from its first, in C order. */
        private void setOffsets(long[] lengths) {
            int count = 1;
            offsets[0] = 0;
            for (int d = lengths.length - 1; d >= 0; d--) {
                int before = count;
                for (int i = 1; i < lengths[d]; i++) {
                    for (int j = 0; j < before; j++) {
                        offsets[count++] = offsets[j] + (int) (i * strides[d]);
                    }
                }
            }
        }

        private int gather(int base, long[] lengths) {
            int count = (int) Shapes.count(lengths);
            for (int i = 0; i < count; i++) {
                values[i] = get(base + offsets[i]);
            }
            return count;
        }

        private long get(int element) {
            return switch (size) {
                case 1 -> from.get(element);
                case 2 -> from.getShort(element * 2);
                case 4 -> from.getInt(element * 4);
                default -> from.getLong(element * 8);
            };
        }

        private void put(int element, long word) {
            switch (size) {
                case 1 -> to.put(element, (byte) word);
                case 2 -> to.putShort(element * 2, (short) word);
                case 4 -> to.putInt(element * 4, (int) word);
                default -> to.putLong(element * 8, word);
            }
        }
    }
}
