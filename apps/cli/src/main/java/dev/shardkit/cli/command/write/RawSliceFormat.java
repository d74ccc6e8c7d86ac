package dev.shardkit.cli.command.write;

import dev.shardkit.NdArray;
import dev.shardkit.ZarrArray;
import dev.shardkit.cli.print.UsageException;
import dev.shardkit.spi.array.Carrier;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;

/**
 * The format of the slices that {@code append} reads: elements of fixed size, in C order, little-endian, as {@code read
 * --format raw} writes them. A slice has one index of the dimension {@code axis}. Immutable.
 *
 * @param array the array
 * @param axis the dimension
 * @param outerCount the product of the lengths before the dimension: the number of separate runs of bytes of a slice
 * @param sliceBytes the size of one slice
 */
record RawSliceFormat(ZarrArray array, int axis, long outerCount, long sliceBytes) {
    /** The size of the slices that are written at once. */
    private static final int BATCH_BYTES = 8 << 20;

    /**
     * Returns the format for an array. Throws {@link UsageException} if elements are text or vary in size, or if a
     * slice has no elements or does not fit into memory.
     */
    static RawSliceFormat of(ZarrArray array, int axis) {
        int elementSize = array.dataType().elementSize().orElse(0);
        if (elementSize == 0 || array.dataType().carrier() == Carrier.UTF32) {
            throw new UsageException("append takes numbers, found an array of "
                    + array.dataType().name());
        }
        long[] shape = array.shape();
        long outerCount = product(shape, 0, axis);
        long sliceBytes = Math.multiplyExact(
                Math.multiplyExact(outerCount, product(shape, axis + 1, shape.length)), (long) elementSize);
        if (sliceBytes == 0) {
            throw new UsageException(
                    "a slice of shape " + Arrays.toString(shape) + " across dimension " + axis + " has no elements");
        }
        if (sliceBytes > Integer.MAX_VALUE - 8) { // the length of the longest Java array
            throw new UsageException("a slice of " + sliceBytes
                    + " bytes does not fit into memory; resize the array and " + "write the new region");
        }
        return new RawSliceFormat(array, axis, outerCount, sliceBytes);
    }

    private static long product(long[] lengths, int firstDimension, int endDimension) {
        long product = 1;
        for (int d = firstDimension; d < endDimension; d++) {
            product = Math.multiplyExact(product, lengths[d]);
        }
        return product;
    }

    /** Returns the number of slices in a batch. */
    int slicesPerBatch() {
        return (int) Math.max(1, BATCH_BYTES / sliceBytes);
    }

    /** Allocates a buffer for the bytes of {@code count} slices. */
    ByteBuffer allocate(int count) {
        return ByteBuffer.allocate(Math.toIntExact(count * sliceBytes));
    }

    /** Returns the slices as an array of numbers. */
    NdArray decode(ByteBuffer encoded, int count) {
        long[] shape = array.shape();
        shape[axis] = count;
        return NdArray.of(
                array.dataType(),
                shape,
                toJavaArray(array.dataType().carrier(), encoded.order(ByteOrder.LITTLE_ENDIAN)));
    }

    /** Returns the numbers as a Java array. */
    private static Object toJavaArray(Carrier carrier, ByteBuffer buffer) {
        int count = buffer.remaining() / carrier.wordSize();
        switch (carrier) {
            case SHORT -> {
                short[] numbers = new short[count];
                buffer.asShortBuffer().get(numbers);
                return numbers;
            }
            case INT -> {
                int[] numbers = new int[count];
                buffer.asIntBuffer().get(numbers);
                return numbers;
            }
            case LONG -> {
                long[] numbers = new long[count];
                buffer.asLongBuffer().get(numbers);
                return numbers;
            }
            case FLOAT -> {
                float[] numbers = new float[count];
                buffer.asFloatBuffer().get(numbers);
                return numbers;
            }
            case DOUBLE -> {
                double[] numbers = new double[count];
                buffer.asDoubleBuffer().get(numbers);
                return numbers;
            }
            case BOOLEAN -> {
                boolean[] numbers = new boolean[count];
                for (int i = 0; i < count; i++) {
                    byte word = buffer.get(i);
                    if (word != 0 && word != 1) {
                        throw new UsageException("expected 0 or 1 for an element of bool, found " + word);
                    }
                    numbers[i] = word == 1;
                }
                return numbers;
            }
            default -> { // the other carriers are arrays of bytes
                return Arrays.copyOf(buffer.array(), buffer.limit());
            }
        }
    }
}
