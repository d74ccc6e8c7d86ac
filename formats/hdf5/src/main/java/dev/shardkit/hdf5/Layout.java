package dev.shardkit.hdf5;

/** Where the elements of a dataset are (section IV.A.2.i). Immutable. */
sealed interface Layout {
    /** In the header of the object. */
    record Compact(byte[] bytes) implements Layout {}

    /** In one piece of the file; at no address if nothing was written. */
    record Contiguous(long address) implements Layout {}

    /**
     * In chunks.
     *
     * @param shape the shape of a chunk, without the dimension that HDF5 adds for the bytes of an element
     * @param index where the chunks are
     * @param plainEdges whether chunks that the shape cuts have no filters
     */
    record Chunked(long[] shape, Index index, boolean plainEdges) implements Layout {}

    /** In other datasets. */
    record Virtual() implements Layout {}

    /** An index of chunks. */
    sealed interface Index {
        /** A B-tree of version 1 or 2. */
        record Tree(long address, int version) implements Index {}

        /** One chunk; its size is negative if it has no filters. */
        record Single(long address, long size, int mask) implements Index {}

        /** Chunks one after the other. */
        record Implicit(long address) implements Index {}

        /** An array of places, for shapes that cannot grow without end. */
        record Fixed(long address) implements Index {}

        /** An array of places that grows, for shapes that can grow in one dimension. */
        record Extensible(long address) implements Index {}
    }

    static Layout read(Cursor in, int rank) {
        int version = in.version(1, 5);
        return version < 3 ? old(in, rank) : version == 3 ? third(in, rank) : fourth(in, rank);
    }

    private static Layout old(Cursor in, int rank) {
        int dimensions = in.u8();
        int kind = in.u8();
        in.skip(5);
        long address = kind == 0 ? Cursor.UNDEFINED : in.address();
        if (kind == 2) {
            return new Chunked(chunk(in, dimensions, rank, 4), new Index.Tree(address, 1), false);
        }
        in.skip(4L * dimensions);
        return kind == 0 ? new Compact(in.bytes(in.u32())) : new Contiguous(address);
    }

    private static Layout third(Cursor in, int rank) {
        int kind = in.u8();
        switch (kind) {
            case 0:
                return new Compact(in.bytes(in.u16()));
            case 1:
                return new Contiguous(in.address());
            case 2:
                int dimensions = in.u8();
                long address = in.address();
                return new Chunked(chunk(in, dimensions, rank, 4), new Index.Tree(address, 1), false);
            default:
                throw in.corrupt("a layout of class 0 to 2", kind + "");
        }
    }

    private static Layout fourth(Cursor in, int rank) {
        int kind = in.u8();
        switch (kind) {
            case 0:
                return new Compact(in.bytes(in.u16()));
            case 1:
                return new Contiguous(in.address());
            case 2:
                int flags = in.u8();
                int dimensions = in.u8();
                int size = in.u8();
                long[] shape = chunk(in, dimensions, rank, size);
                return new Chunked(shape, index(in, (flags & 2) != 0), (flags & 1) != 0);
            case 3:
                return new Virtual();
            default:
                throw in.corrupt("a layout of class 0 to 3", kind + "");
        }
    }

    private static Index index(Cursor in, boolean filtered) {
        int type = in.u8();
        switch (type) {
            case 1:
                long size = filtered ? in.length() : -1;
                int mask = filtered ? (int) in.u32() : 0;
                return new Index.Single(in.address(), size, mask);
            case 2:
                return new Index.Implicit(in.address());
            case 3:
                in.skip(1);
                return new Index.Fixed(in.address());
            case 4:
                in.skip(5);
                return new Index.Extensible(in.address());
            case 5:
                in.skip(6);
                return new Index.Tree(in.address(), 2);
            default:
                throw in.corrupt("an index of chunks of type 1 to 5", type + "");
        }
    }

    /** Reads the shape of a chunk; its last length is the size of an element. */
    private static long[] chunk(Cursor in, int dimensions, int rank, int size) {
        if (dimensions != rank + 1 || size < 1 || size > 8) {
            throw in.corrupt((rank + 1) + " lengths of chunks", dimensions + " of " + size + " bytes");
        }
        long[] shape = new long[rank];
        for (int d = 0; d < rank; d++) {
            shape[d] = in.unsigned(size);
            if (shape[d] < 1) {
                throw in.corrupt("chunks of at least one element", shape[d] + "");
            }
        }
        in.skip(size);
        return shape;
    }
}
