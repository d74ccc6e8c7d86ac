package dev.shardkit.hdf5;

/** An index of chunks that is an array of fixed length (section VI.B.3). */
final class ArrayIndex {
    private static final int CHECKSUM = 4;

    private ArrayIndex() {}

    /** Receives the entries of an array. */
    interface Entries {
        /**
         * Receives an entry.
         *
         * @param number the number of the chunk
         * @param in the entry: an address and, with filters, a size and a mask
         * @param grows whether the array is extensible
         */
        void entry(long number, Cursor in, boolean grows);
    }

    /** Passes on the entries of a fixed array. */
    static void fixed(FileBytes file, long address, Entries entries) {
        if (address == Cursor.UNDEFINED) {
            return;
        }
        int offset = file.widths().offset();
        Cursor in = file.at(address, 8L + file.widths().length() + offset, "the header of a fixed array");
        in.signature("FAHD");
        in.version(0, 0);
        in.skip(1);
        int entrySize = in.u8();
        int pageBits = in.u8();
        long count = in.length();
        long block = in.address();
        if (block == Cursor.UNDEFINED) {
            return;
        }
        if (entrySize < offset || pageBits > 31) {
            throw in.corrupt("entries of at least " + offset + " bytes and pages", entrySize + " and " + pageBits);
        }
        file.at(block, 4, "a block of a fixed array").signature("FADB");
        new Pages(file, entrySize, 1L << pageBits, entries, false).elements(block + 6L + offset, count, 0, true);
    }

    /**
     * Reads the elements of a block, which may be in pages.
     *
     * @param pageSize the number of elements in a page
     * @param grows whether the array is extensible
     */
    record Pages(FileBytes file, int entrySize, long pageSize, Entries entries, boolean grows) {
        /**
         * Reads elements.
         *
         * @param address where they begin
         * @param count how many there are
         * @param first the number of the first element
         * @param bitmap whether a bitmap of the pages comes first; it is elsewhere otherwise
         */
        void elements(long address, long count, long first, boolean bitmap) {
            if (count <= pageSize) {
                run(address, count, first);
                return;
            }
            long pages = (count - 1) / pageSize + 1;
            long size = (pages - 1) / Byte.SIZE + 1;
            Cursor bits = bitmap ? file.at(address, size, "the pages of an array") : all(size);
            paged(address + (bitmap ? size : 0) + CHECKSUM, count, first, bits);
        }

        private Cursor all(long size) {
            throw Hdf5.unsupported("an array of " + size + " pages without a map of them");
        }

        /** Reads the pages of a block; a page whose bit is not set was never written. */
        void paged(long address, long count, long first, Cursor bits) {
            int map = 0;
            long at = address;
            for (long done = 0; done < count; done += pageSize) {
                int bit = (int) (done / pageSize % Byte.SIZE);
                map = bit == 0 ? bits.u8() : map;
                long n = Math.min(pageSize, count - done);
                if ((map & 0x80 >> bit) != 0) {
                    run(at, n, first + done);
                }
                at += n * entrySize + CHECKSUM;
            }
        }

        /** Reads elements that lie together. */
        void run(long address, long count, long first) {
            if (count > Long.MAX_VALUE / 256) {
                throw Hdf5.corrupt("an index of chunks: expected fewer entries, found " + count);
            }
            Cursor in = file.at(address, count * entrySize, "an index of chunks");
            for (long i = 0; i < count; i++) {
                entries.entry(first + i, in.part(entrySize, "an entry of an index of chunks"), grows);
            }
        }
    }
}
