package dev.shardkit.hdf5.message;

import dev.shardkit.hdf5.file.Cursor;

/** The storage layout of a dataset's elements (HDF5 file format specification, section IV.A.2.i). Immutable. */
public sealed interface Layout {
    /** Elements are in the header of the object. */
    record Compact(byte[] bytes) implements Layout {}

    /** Elements are in one piece of the file. The address is undefined if nothing was written. */
    record Contiguous(long address) implements Layout {}

    /**
     * Elements are in chunks.
     *
     * @param shape the shape of a chunk, without the dimension that HDF5 adds for the bytes of an element
     * @param index the index of chunks
     * @param plainEdges whether chunks at the edge of the shape have no filters
     */
    record Chunked(long[] shape, Index index, boolean plainEdges) implements Layout {}

    /** Elements are in other datasets. */
    record Virtual() implements Layout {}

    /** An index of chunks. */
    sealed interface Index {
        /** A B-tree of version 1 or 2. */
        record Tree(long address, int version) implements Index {}

        /**
         * A single chunk.
         *
         * @param lengthSize the size of the encoded chunk; negative if it has no filters
         * @param mask the filters that HDF5 skipped: bit i stands for filter i
         */
        record Single(long address, long lengthSize, int mask) implements Index {}

        /** No index: chunks follow one another. */
        record Implicit(long address) implements Index {}

        /** An array of addresses, for shapes without unlimited dimensions. */
        record Fixed(long address) implements Index {}

        /** An extensible array of addresses, for shapes with one unlimited dimension. */
        record Extensible(long address) implements Index {}
    }

    /** Reads the message of a dataset with this number of dimensions. */
    static Layout read(Cursor cursor, int rank) {
        return switch (cursor.version(1, 5)) {
            case 1, 2 -> readVersion1And2(cursor, rank);
            case 3 -> readVersion3(cursor, rank);
            default -> readVersion4And5(cursor, rank);
        };
    }

    private static Layout readVersion1And2(Cursor cursor, int rank) {
        int dimensions = cursor.u8();
        int layoutClass = cursor.u8();
        cursor.skip(5);
        long address = layoutClass == 0 ? Cursor.UNDEFINED : cursor.address();
        if (layoutClass == 2) {
            return new Chunked(readChunkShape(cursor, dimensions, rank, 4), new Index.Tree(address, 1), false);
        }
        cursor.skip(4L * dimensions);
        return layoutClass == 0 ? new Compact(cursor.bytes(cursor.u32())) : new Contiguous(address);
    }

    private static Layout readVersion3(Cursor cursor, int rank) {
        int layoutClass = cursor.u8();
        switch (layoutClass) {
            case 0:
                return new Compact(cursor.bytes(cursor.u16()));
            case 1:
                return new Contiguous(cursor.address());
            case 2:
                int dimensions = cursor.u8();
                long address = cursor.address();
                return new Chunked(readChunkShape(cursor, dimensions, rank, 4), new Index.Tree(address, 1), false);
            default:
                throw cursor.corrupt("a layout of class 0 to 2", layoutClass + "");
        }
    }

    private static Layout readVersion4And5(Cursor cursor, int rank) {
        int layoutClass = cursor.u8();
        switch (layoutClass) {
            case 0:
                return new Compact(cursor.bytes(cursor.u16()));
            case 1:
                return new Contiguous(cursor.address());
            case 2:
                int flags = cursor.u8();
                int dimensions = cursor.u8();
                int lengthSize = cursor.u8();
                long[] shape = readChunkShape(cursor, dimensions, rank, lengthSize);
                return new Chunked(shape, readIndex(cursor, (flags & 2) != 0), (flags & 1) != 0);
            case 3:
                return new Virtual();
            default:
                throw cursor.corrupt("a layout of class 0 to 3", layoutClass + "");
        }
    }

    private static Index readIndex(Cursor cursor, boolean isFiltered) {
        int indexType = cursor.u8();
        switch (indexType) {
            case 1:
                long chunkSize = isFiltered ? cursor.length() : -1;
                int mask = isFiltered ? (int) cursor.u32() : 0;
                return new Index.Single(cursor.address(), chunkSize, mask);
            case 2:
                return new Index.Implicit(cursor.address());
            case 3:
                cursor.skip(1); // parameters of the array, which its header repeats
                return new Index.Fixed(cursor.address());
            case 4:
                cursor.skip(5); // parameters of the array, which its header repeats
                return new Index.Extensible(cursor.address());
            case 5:
                cursor.skip(6); // parameters of the tree, which its header repeats
                return new Index.Tree(cursor.address(), 2);
            default:
                throw cursor.corrupt("an index of chunks of type 1 to 5", indexType + "");
        }
    }

    /** Reads the shape of a chunk. Skips its last length, which is the size of an element. */
    private static long[] readChunkShape(Cursor cursor, int dimensions, int rank, int lengthSize) {
        if (dimensions != rank + 1 || lengthSize < 1 || lengthSize > 8) {
            throw cursor.corrupt((rank + 1) + " lengths of chunks", dimensions + " of " + lengthSize + " bytes");
        }
        long[] shape = new long[rank];
        for (int d = 0; d < rank; d++) {
            shape[d] = cursor.unsigned(lengthSize);
            if (shape[d] < 1) {
                throw cursor.corrupt("chunks of at least one element", shape[d] + "");
            }
        }
        cursor.skip(lengthSize);
        return shape;
    }
}
