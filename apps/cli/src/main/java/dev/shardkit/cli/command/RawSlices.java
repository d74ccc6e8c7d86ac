package dev.shardkit.cli.command;

import dev.shardkit.NdArray;
import dev.shardkit.ZarrArray;
import dev.shardkit.cli.base.InputFile;
import dev.shardkit.cli.print.WrongUse;
import dev.shardkit.files.RawFiles;
import dev.shardkit.spi.array.Carrier;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import java.util.function.Consumer;

/**
 * The slices of a raw file across one dimension, a few at a time. The file holds elements of fixed size in C order,
 * little-endian, as {@code read --format raw} writes them. Used once.
 */
final class RawSlices implements AutoCloseable {
    private static final int BATCH_BYTES = 8 << 20;

    private final ZarrArray array;
    private final int axis;
    private final FileChannel file;
    private final int elementSize;
    /** The products of the lengths before and after the dimension. */
    private final long outer;

    private final long inner;
    private final long slices;

    private RawSlices(ZarrArray array, int axis, String name, FileChannel file) throws IOException {
        this.array = array;
        this.axis = axis;
        this.file = file;
        this.elementSize = array.dataType().elementSize().orElse(0);
        long[] shape = array.shape();
        this.outer = product(shape, 0, axis);
        this.inner = product(shape, axis + 1, shape.length);
        if (elementSize == 0 || array.dataType().carrier() == Carrier.UTF32) {
            throw new WrongUse("append takes numbers, found an array of "
                    + array.dataType().name());
        }
        long sliceBytes = Math.multiplyExact(Math.multiplyExact(outer, inner), (long) elementSize);
        if (sliceBytes == 0) {
            throw new WrongUse(
                    "a slice of shape " + Arrays.toString(shape) + " across dimension " + axis + " has no elements");
        }
        if (sliceBytes > Integer.MAX_VALUE - 8) {
            throw new WrongUse("a slice of " + sliceBytes + " bytes does not fit into memory; resize the array and "
                    + "write the new region");
        }
        if (file.size() % sliceBytes != 0) {
            throw new WrongUse(name + " does not hold whole slices: expected a multiple of " + sliceBytes
                    + " bytes, found " + file.size());
        }
        this.slices = file.size() / sliceBytes;
    }

    /**
     * Opens a file.
     *
     * @throws WrongUse if it does not hold whole slices of {@code array} across dimension {@code axis}
     */
    static RawSlices open(ZarrArray array, int axis, InputFile input) throws IOException {
        RawFiles.check(input.path());
        FileChannel file = FileChannel.open(input.path(), StandardOpenOption.READ);
        try {
            return new RawSlices(array, axis, input.name(), file);
        } catch (IOException | RuntimeException e) {
            file.close();
            throw e;
        }
    }

    private static long product(long[] lengths, int from, int to) {
        long all = 1;
        for (int d = from; d < to; d++) {
            all = Math.multiplyExact(all, lengths[d]);
        }
        return all;
    }

    /** Passes all slices to {@code target}, in order, as many at a time as fit into a batch. */
    void each(Consumer<NdArray> target) throws IOException {
        long batch = Math.max(1, BATCH_BYTES / (outer * inner * elementSize));
        for (long first = 0; first < slices; first += batch) {
            target.accept(read(first, (int) Math.min(batch, slices - first)));
        }
    }

    private NdArray read(long first, int count) throws IOException {
        ByteBuffer bytes = ByteBuffer.allocate(Math.toIntExact(outer * count * inner * elementSize));
        for (long o = 0; o < outer; o++) {
            bytes.limit(Math.toIntExact((o + 1) * count * inner * elementSize));
            long at = (o * slices + first) * inner * elementSize;
            while (bytes.hasRemaining()) {
                int n = file.read(bytes, at);
                if (n < 0) {
                    throw new EOFException("the file became shorter during the read");
                }
                at += n;
            }
        }
        long[] shape = array.shape();
        shape[axis] = count;
        return NdArray.of(
                array.dataType(),
                shape,
                words(array.dataType().carrier(), bytes.flip().order(ByteOrder.LITTLE_ENDIAN)));
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
                return bytes.array();
            }
        }
    }

    @Override
    public void close() throws IOException {
        file.close();
    }
}
