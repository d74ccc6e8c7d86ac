package dev.shardkit.hdf5;

/** An index of chunks that is an array of fixed length (section VI.B.3). */
final class ArrayIndex {
    private static final String WHAT = "an index of chunks";

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
        long size = 8L + file.widths().length() + offset;
        Cursor in =
                file.block(address, size, "FAHD", "the header of a fixed array").skip(1);
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
        Pages pages = new Pages(file, entrySize, 1L << pageBits, entries, false);
        Pages.Head head = new Pages.Head(block, 6L + offset, "FADB");
        if (count <= pages.pageSize()) {
            pages.elements(head, count, 0);
        } else {
            long maps = ((count - 1) / pages.pageSize()) / Byte.SIZE + 1;
            Cursor bits = pages.head(new Pages.Head(block, head.size() + maps, "FADB"));
            pages.paged(block + head.size() + maps + FileBytes.CHECKSUM, count, 0, bits.skip(head.size() - 5));
        }
    }

    /**
     * Reads the elements of a block, which may be in pages.
     *
     * @param pageSize the number of elements in a page
     * @param grows whether the array is extensible
     */
    record Pages(FileBytes file, int entrySize, long pageSize, Entries entries, boolean grows) {
        /**
         * What a block begins with.
         *
         * @param address the address of the block
         * @param size its size in bytes
         * @param signature its first four characters
         */
        record Head(long address, long size, String signature) {}

        /** Reads the start of a block whose elements are in pages. */
        Cursor head(Head head) {
            return file.block(head.address(), head.size(), head.signature(), WHAT);
        }

        /** Reads a block whose elements are behind its start. */
        void elements(Head head, long count, long first) {
            long size = head.size() + bytes(count);
            Cursor in = file.block(head.address(), size, head.signature(), WHAT);
            run(in.skip(head.size() - 5), count, first);
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
                    run(file.checked(at, n * entrySize, WHAT), n, first + done);
                }
                at += n * entrySize + FileBytes.CHECKSUM;
            }
        }

        private long bytes(long count) {
            if (count > Long.MAX_VALUE / 512) {
                throw Hdf5.corrupt(WHAT + ": expected fewer entries, found " + count);
            }
            return count * entrySize;
        }

        /** Passes on elements that lie together. */
        void run(Cursor in, long count, long first) {
            for (long i = 0; i < count; i++) {
                entries.entry(first + i, in.part(entrySize, "an entry of an index of chunks"), grows);
            }
        }
    }
}
