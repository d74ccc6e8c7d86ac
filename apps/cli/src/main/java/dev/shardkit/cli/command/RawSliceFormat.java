package dev.shardkit.cli.command;

import dev.shardkit.NdArray;
import dev.shardkit.ZarrArray;
import dev.shardkit.cli.print.WrongUse;
import dev.shardkit.spi.array.Carrier;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;

/**
 * The form of raw slices of an array across one dimension: elements of fixed size in C order, little-endian, as
 * {@code read --format raw} writes them. Immutable.
 *
 * @param array the array
 * @param axis the dimension
 * @param outer the product of the lengths before the dimension
 * @param bytes the size of one slice
 */
record RawSliceFormat(ZarrArray array, int axis, long outer, long bytes) {
    private static final int BATCH_BYTES = 8 << 20;

    /**
     * Returns the form for an array; throws {@link WrongUse} if its slices are no numbers or do not fit into memory.
     */
    static RawSliceFormat of(ZarrArray array, int axis) {
        int elementSize = array.dataType().elementSize().orElse(0);
        if (elementSize == 0 || array.dataType().carrier() == Carrier.UTF32) {
            throw new WrongUse("append takes numbers, found an array of "
                    + array.dataType().name());
        }
        long[] shape = array.shape();
        long outer = product(shape, 0, axis);
        long bytes = Math.multiplyExact(
                Math.multiplyExact(outer, product(shape, axis + 1, shape.length)), (long) elementSize);
        if (bytes == 0) {
            throw new WrongUse(
                    "a slice of shape " + Arrays.toString(shape) + " across dimension " + axis + " has no elements");
        }
        if (bytes > Integer.MAX_VALUE - 8) {
            throw new WrongUse("a slice of " + bytes + " bytes does not fit into memory; resize the array and "
                    + "write the new region");
        }
        return new RawSliceFormat(array, axis, outer, bytes);
    }

    private static long product(long[] lengths, int from, int to) {
        long all = 1;
        for (int d = from; d < to; d++) {
            all = Math.multiplyExact(all, lengths[d]);
        }
        return all;
    }

    /** Returns how many slices are passed on together. */
    int batch() {
        return (int) Math.max(1, BATCH_BYTES / bytes);
    }

    /** Returns a buffer for the bytes of some slices. */
    ByteBuffer buffer(int count) {
        return ByteBuffer.allocate(Math.toIntExact(count * bytes));
    }

    /** Returns the slices with these bytes. */
    NdArray slices(ByteBuffer encoded, int count) {
        long[] shape = array.shape();
        shape[axis] = count;
        return NdArray.of(
                array.dataType(), shape, words(array.dataType().carrier(), encoded.order(ByteOrder.LITTLE_ENDIAN)));
    }

    /** Returns the Java array of the words. */
    private static Object words(Carrier carrier, ByteBuffer bytes) {
        int n = bytes.remaining() / carrier.wordSize();
        switch (carrier) {
            case SHORT -> {
                short[] words = new short[n];
                bytes.asShortBuffer().get(words);
                return words;
            }
            case INT -> {
                int[] words = new int[n];
                bytes.asIntBuffer().get(words);
                return words;
            }
            case LONG -> {
                long[] words = new long[n];
                bytes.asLongBuffer().get(words);
                return words;
            }
            case FLOAT -> {
                float[] words = new float[n];
                bytes.asFloatBuffer().get(words);
                return words;
            }
            case DOUBLE -> {
                double[] words = new double[n];
                bytes.asDoubleBuffer().get(words);
                return words;
            }
            case BOOLEAN -> {
                boolean[] words = new boolean[n];
                for (int i = 0; i < n; i++) {
                    byte word = bytes.get(i);
                    if (word != 0 && word != 1) {
                        throw new WrongUse("expected 0 or 1 for an element of bool, found " + word);
                    }
                    words[i] = word == 1;
                }
                return words;
            }
            default -> {
                return Arrays.copyOf(bytes.array(), bytes.limit());
            }
        }
    }
}
