package dev.shardkit.hdf5.message;

import dev.shardkit.hdf5.file.Cursor;
import dev.shardkit.hdf5.file.Hdf5Errors;

/**
 * The shape of a dataset or attribute (section IV.A.2.b). Immutable.
 *
 * @param shape the lengths; none for a single element
 * @param maxShape the maximum lengths; -1 for an unlimited dimension
 * @param isNull whether there is no element at all
 */
public record Dataspace(long[] shape, long[] maxShape, boolean isNull) {
    private static final int MAX_RANK = 32;

    public static Dataspace read(Cursor cursor) {
        int version = cursor.version(1, 2);
        int rank = cursor.u8();
        int flags = cursor.u8();
        boolean isNull = cursor.u8() == 2 && version == 2;
        cursor.skip(version == 1 ? 4 : 0);
        if (rank > MAX_RANK) {
            throw cursor.corrupt("at most " + MAX_RANK + " dimensions", rank + "");
        }
        long[] shape = new long[rank];
        for (int d = 0; d < rank; d++) {
            shape[d] = cursor.length();
        }
        long[] maxShape = shape.clone();
        for (int d = 0; d < rank && (flags & 1) != 0; d++) {
            maxShape[d] = cursor.unsigned(cursor.widths().length());
            maxShape[d] = maxShape[d] < 0
                            || cursor.widths().length() < 8
                                    && maxShape[d] + 1
                                            == 1L << 8 * cursor.widths().length()
                    ? -1
                    : maxShape[d];
        }
        return new Dataspace(shape, maxShape, isNull);
    }

    /** Returns the number of elements. */
    public long count() {
        long count = isNull ? 0 : 1;
        for (long n : shape) {
            if (n != 0 && count > Long.MAX_VALUE / n) {
                throw Hdf5Errors.corrupt("a shape: expected less than 2^63 elements, found more");
            }
            count *= n;
        }
        return count;
    }
}
