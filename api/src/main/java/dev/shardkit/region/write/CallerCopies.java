package dev.shardkit.region.write;

import dev.shardkit.javaarray.JavaArrayAdapters;
import dev.shardkit.spi.array.DataType;
import java.util.Arrays;

/**
 * Copies the elements that a caller passes to a write, and estimates the memory of the copy. Stateless, thread-safe.
 */
public final class CallerCopies {
    /** The approximate number of bytes of a string or a byte array in memory, without its content. */
    private static final long PER_OBJECT = 48;

    private CallerCopies() {}

    /** Copies the elements of {@code shape} that begin at {@code offset}. */
    public static Object of(DataType type, long[] shape, Object array, int offset) {
        JavaArrayAdapters.check(type, shape, array, offset);
        Object copy = JavaArrayAdapters.allocate(type, shape);
        System.arraycopy(array, offset, copy, 0, JavaArrayAdapters.length(type, shape));
        if (copy instanceof byte[][] values) {
            Arrays.setAll(values, i -> values[i].clone());
        }
        return copy;
    }

    /**
     * Estimates the bytes of the elements of {@code shape} from {@code offset} on.
     *
     * @throws IllegalArgumentException if an element is null, or there are too few
     */
    public static long bytes(DataType type, long[] shape, Object array, int offset) {
        JavaArrayAdapters.check(type, shape, array, offset);
        int length = JavaArrayAdapters.length(type, shape);
        long bytes = 0;
        if (array instanceof String[] strings) {
            for (int i = offset; i < offset + length; i++) {
                bytes += PER_OBJECT + 2L * present(strings, i).length();
            }
        } else if (array instanceof byte[][] values) {
            for (int i = offset; i < offset + length; i++) {
                bytes += PER_OBJECT + present(values, i).length;
            }
        } else {
            bytes = (long) length * type.carrier().wordSize();
        }
        return bytes;
    }

    private static <V> V present(V[] values, int i) {
        if (values[i] == null) {
            throw new IllegalArgumentException("element " + i + " is null");
        }
        return values[i];
    }
}
