package dev.shardkit.hdf5;

/**
 * A shape (section IV.A.2.b). Immutable.
 *
 * @param shape the lengths; none for a single element
 * @param most the largest lengths; -1 if a dimension may grow without end
 * @param isNull whether there is no element at all
 */
record Dataspace(long[] shape, long[] most, boolean isNull) {
    private static final int MAX_RANK = 32;

    static Dataspace read(Cursor in) {
        int version = in.version(1, 2);
        int rank = in.u8();
        int flags = in.u8();
        boolean isNull = in.u8() == 2 && version == 2;
        in.skip(version == 1 ? 4 : 0);
        if (rank > MAX_RANK) {
            throw in.corrupt("at most " + MAX_RANK + " dimensions", rank + "");
        }
        long[] shape = new long[rank];
        for (int d = 0; d < rank; d++) {
            shape[d] = in.length();
        }
        long[] most = shape.clone();
        for (int d = 0; d < rank && (flags & 1) != 0; d++) {
            most[d] = in.unsigned(in.widths().length());
            most[d] = most[d] < 0
                            || in.widths().length() < 8
                                    && most[d] + 1 == 1L << 8 * in.widths().length()
                    ? -1
                    : most[d];
        }
        return new Dataspace(shape, most, isNull);
    }

    /** Returns the number of elements. */
    long count() {
        long count = isNull ? 0 : 1;
        for (long n : shape) {
            if (n != 0 && count > Long.MAX_VALUE / n) {
                throw Hdf5.corrupt("a shape: expected less than 2^63 elements, found more");
            }
            count *= n;
        }
        return count;
    }
}
