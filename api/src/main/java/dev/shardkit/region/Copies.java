package dev.shardkit.region;

import dev.shardkit.carrier.JavaArrays;
import dev.shardkit.spi.array.DataType;
import java.util.Arrays;

/** Copies elements of callers and estimates their memory. Stateless, thread-safe. */
public final class Copies {
    /** The approximate memory of an object in an array, without its content. */
    private static final long PER_OBJECT = 48;

    private Copies() {}

    /** Copies the elements of {@code shape} that begin at {@code offset}. */
    public static Object of(DataType type, long[] shape, Object array, int offset) {
        JavaArrays.check(type, shape, array, offset);
        Object copy = JavaArrays.allocate(type, shape);
        System.arraycopy(array, offset, copy, 0, JavaArrays.length(type, shape));
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
        JavaArrays.check(type, shape, array, offset);
        int n = JavaArrays.length(type, shape);
        long bytes = 0;
        if (array instanceof String[] strings) {
            for (int i = offset; i < offset + n; i++) {
                bytes += PER_OBJECT + 2L * present(strings, i).length();
            }
        } else if (array instanceof byte[][] values) {
            for (int i = offset; i < offset + n; i++) {
                bytes += PER_OBJECT + present(values, i).length;
            }
        } else {
            bytes = (long) n * type.carrier().wordSize();
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
