package dev.shardkit.hdf5.message;

import dev.shardkit.hdf5.file.Cursor;
import dev.shardkit.hdf5.file.Hdf5Errors;

/**
 * The shape of a dataset or attribute (HDF5 file format specification, section IV.A.2.b). Immutable.
 *
 * @param shape the lengths; empty for a single element
 * @param maxShape the maximum lengths; -1 for an unlimited dimension
 * @param isNull whether this is a null dataspace, which has no element and no dimensions
 */
public record Dataspace(long[] shape, long[] maxShape, boolean isNull) {
    private static final int MAX_RANK = 32;

    /** Reads the message. */
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
            int size = cursor.widths().length();
            long length = cursor.unsigned(size);
            // All bits are set for an unlimited dimension.
            boolean isUnlimited = length < 0 || size < 8 && length + 1 == 1L << 8 * size;
            maxShape[d] = isUnlimited ? -1 : length;
        }
        return new Dataspace(shape, maxShape, isNull);
    }

    /** Returns the number of elements. */
    public long count() {
        long count = isNull ? 0 : 1;
        for (long length : shape) {
            if (length != 0 && count > Long.MAX_VALUE / length) {
                throw Hdf5Errors.corrupt("a shape: expected less than 2^63 elements, found more");
            }
            count *= length;
        }
        return count;
    }
}
