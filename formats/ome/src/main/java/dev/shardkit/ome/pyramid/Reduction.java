package dev.shardkit.ome.pyramid;

import dev.shardkit.spi.array.DataType;
import dev.shardkit.spi.array.Elements;
import dev.shardkit.spi.array.Shapes;
import dev.shardkit.spi.type.MissingValues;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Computes a coarser level of a pyramid from a finer one: replaces each block of elements by one element. The factors
 * are the lengths of a block in each dimension. Blocks at the end of a dimension may be smaller. Immutable and
 * thread-safe.
 */
final class Reduction {
    /**
     * Checks whether a reducer supports the elements of one array. {@link PyramidSettings} contains the check for the
     * source array, because the caller may choose the reducer later.
     */
    interface Check {
        /** Throws {@link IllegalArgumentException} if the reducer does not support the elements. */
        void check(Reducer reducer);
    }

    /** Reduces the elements of a block; null to keep the element in the middle ({@link Reducer#NEAREST}). */
    private final @Nullable Kernel kernel;

    private final int[] factors;
    /** A faster implementation for planes; empty if it does not support this reduction. */
    private final Optional<PlaneReduction> planes;

    private Reduction(@Nullable Kernel kernel, int[] factors, Optional<PlaneReduction> planes) {
        this.kernel = kernel;
        this.factors = factors;
        this.planes = planes;
    }

    /**
     * Creates a reduction.
     *
     * @throws IllegalArgumentException if the reducer does not support elements of {@code type}
     */
    static Reduction of(DataType type, Reducer reducer, MissingValues missing, int[] factors) {
        if (type.elementSize().isEmpty()) {
            throw new IllegalArgumentException("expected a data type of fixed size, found " + type.name());
        }
        return new Reduction(
                reducer == Reducer.NEAREST ? null : Kernel.of(type, reducer).withoutMissing(missing),
                factors.clone(),
                PlaneReduction.of(type, reducer, missing, factors));
    }

    /** Returns the shape of the result: the shape of the source divided by the factors, rounded up. */
    static long[] shape(long[] source, int[] factors) {
        long[] shape = new long[source.length];
        for (int d = 0; d < shape.length; d++) {
            shape[d] = source[d] == 0 ? 0 : (source[d] - 1) / factors[d] + 1;
        }
        return shape;
    }

    /** Reduces all elements of the source. Source and target are in C order and little-endian. */
    void reduce(Elements.Fixed source, long[] sourceShape, Elements.Fixed target) {
        if (planes.isPresent() && Shapes.count(sourceShape) > 0) {
            int height = Math.toIntExact(sourceShape[sourceShape.length - 2]);
            int width = Math.toIntExact(sourceShape[sourceShape.length - 1]);
            int count = Math.toIntExact(Shapes.count(sourceShape) / height / width);
            planes.get().reduce(source.bytes(), target.bytes(), count, height, width);
            return;
        }
        new BlockReduction(source, sourceShape, target).reduce();
    }

    /** One call of {@link #reduce}, which goes block by block. Used by one thread. */
    private final class BlockReduction {
        private final ByteBuffer source;
        private final ByteBuffer target;
        private final int elementSize;
        private final long[] sourceShape;
        private final long[] strides;
        private final long[] resultShape;
        /** The offsets of a block's elements from its first element. They depend on the lengths of the block. */
        private final int[] offsets;
        /** The elements of the current block, as words. */
        private final long[] values;

        BlockReduction(Elements.Fixed source, long[] sourceShape, Elements.Fixed target) {
            this.source = source.bytes();
            this.target = target.bytes();
            this.elementSize = source.elementSize();
            this.sourceShape = sourceShape;
            this.strides = Shapes.strides(sourceShape);
            this.resultShape = Reduction.shape(sourceShape, factors);
            long blockSize = 1;
            for (int d = 0; d < factors.length; d++) {
                blockSize *= Math.min(factors[d], Math.max(1, sourceShape[d]));
            }
            this.offsets = new int[Math.toIntExact(blockSize)];
            this.values = new long[offsets.length];
        }

        void reduce() {
            long[] cell = new long[resultShape.length];
            long[] lengths = new long[resultShape.length];
            long[] lastLengths = new long[resultShape.length]; // those of the block before, for which offsets are set
            long count = Shapes.count(resultShape);
            for (int i = 0; i < count; i++) {
                long blockStart = 0;
                for (int d = 0; d < cell.length; d++) {
                    long start = cell[d] * factors[d];
                    lengths[d] = Math.min(factors[d], sourceShape[d] - start);
                    blockStart += start * strides[d];
                }
                if (kernel == null) {
                    copyElement((int) blockStart + middleOffset(lengths), i);
                } else {
                    if (!Arrays.equals(lengths, lastLengths)) {
                        setOffsets(lengths);
                        System.arraycopy(lengths, 0, lastLengths, 0, lastLengths.length);
                    }
                    putWord(i, kernel.apply(values, gather((int) blockStart, lengths)));
                }
                advance(cell);
            }
        }

        /** Advances to the next block in C order. */
        private void advance(long[] cell) {
            for (int d = cell.length - 1; d >= 0 && ++cell[d] == resultShape[d]; d--) {
                cell[d] = 0;
            }
        }

        /** Returns the offset of the element in the middle of a block from its first element. */
        private int middleOffset(long[] lengths) {
            int offset = 0;
            for (int d = 0; d < lengths.length; d++) {
                offset += (int) ((lengths[d] - 1) / 2 * strides[d]);
            }
            return offset;
        }

        private void copyElement(int sourceIndex, int targetIndex) {
            for (int b = 0; b < elementSize; b++) {
                target.put(targetIndex * elementSize + b, source.get(sourceIndex * elementSize + b));
            }
        }

        /** Computes the offsets of a block's elements from its first element, in C order. */
        private void setOffsets(long[] lengths) {
            int count = 1;
            offsets[0] = 0;
            for (int d = lengths.length - 1; d >= 0; d--) {
                // repeats the offsets of the later dimensions for each further index in this dimension
                int knownCount = count;
                for (int i = 1; i < lengths[d]; i++) {
                    for (int j = 0; j < knownCount; j++) {
                        offsets[count++] = offsets[j] + (int) (i * strides[d]);
                    }
                }
            }
        }

        /** Copies the elements of a block into {@link #values}, and returns their number. */
        private int gather(int blockStart, long[] lengths) {
            int count = (int) Shapes.count(lengths);
            for (int i = 0; i < count; i++) {
                values[i] = getWord(blockStart + offsets[i]);
            }
            return count;
        }

        private long getWord(int element) {
            return switch (elementSize) {
                case 1 -> source.get(element);
                case 2 -> source.getShort(element * 2);
                case 4 -> source.getInt(element * 4);
                default -> source.getLong(element * 8);
            };
        }

        private void putWord(int element, long value) {
            switch (elementSize) {
                case 1 -> target.put(element, (byte) value);
                case 2 -> target.putShort(element * 2, (short) value);
                case 4 -> target.putInt(element * 4, (int) value);
                default -> target.putLong(element * 8, value);
            }
        }
    }
}
