package dev.shardkit.hdf5.index;

import dev.shardkit.hdf5.file.Cursor;
import dev.shardkit.hdf5.file.FileBytes;
import dev.shardkit.hdf5.file.Hdf5Errors;

/**
 * Reads an index of chunks that is an array of fixed length: the index of a dataset without unlimited dimensions (HDF5
 * file format specification, section VI.B.3).
 */
final class FixedArray {
    private static final String DESCRIPTION = "an index of chunks";

    private FixedArray() {}

    /** Receives the entries of an array. */
    interface EntryReceiver {
        /**
         * Receives an entry.
         *
         * @param number the number of the chunk
         * @param cursor the entry: an address; with filters, also a size and a mask
         * @param isExtensible whether the array is extensible
         */
        void accept(long number, Cursor cursor, boolean isExtensible);
    }

    /** Reads the entries of a fixed array. */
    static void readFixed(FileBytes file, long address, EntryReceiver entries) {
        if (address == Cursor.UNDEFINED) {
            return;
        }
        int offset = file.widths().offset();
        long size = 8L + file.widths().length() + offset;
        Cursor cursor = file.readBlock(address, size, "FAHD", "the header of a fixed array")
                .skip(1); // whether the chunks have filters
        int entrySize = cursor.u8();
        int pageBits = cursor.u8();
        long count = cursor.length();
        long block = cursor.address();
        if (block == Cursor.UNDEFINED) {
            return;
        }
        if (entrySize < offset || pageBits > 31) {
            throw cursor.corrupt("entries of at least " + offset + " bytes and pages", entrySize + " and " + pageBits);
        }
        Pages pages = new Pages(file, entrySize, 1L << pageBits, entries, false);
        Pages.Head head = new Pages.Head(block, 6L + offset, "FADB");
        if (count <= pages.pageSize()) {
            pages.readElements(head, count, 0);
        } else { // elements in pages, after a bitmap of the pages that were written
            long mapSize = ((count - 1) / pages.pageSize()) / Byte.SIZE + 1;
            Cursor bits = pages.readHead(new Pages.Head(block, head.size() + mapSize, "FADB"));
            pages.readPages(block + head.size() + mapSize + FileBytes.CHECKSUM, count, 0, bits.skip(head.size() - 5));
        }
    }

    /**
     * Reads the elements of a block, which may be in pages. Also used for extensible arrays.
     *
     * @param pageSize the number of elements in a page
     * @param isExtensible whether the array is extensible
     */
    record Pages(FileBytes file, int entrySize, long pageSize, EntryReceiver entries, boolean isExtensible) {
        /**
         * The start of a block.
         *
         * @param address the address of the block
         * @param size its size in bytes
         * @param signature its first four characters
         */
        record Head(long address, long size, String signature) {}

        /** Reads the start of a block whose elements are in pages. */
        Cursor readHead(Head head) {
            return file.readBlock(head.address(), head.size(), head.signature(), DESCRIPTION);
        }

        /** Reads a block whose elements follow its start. */
        void readElements(Head head, long count, long firstNumber) {
            long size = head.size() + checkedSize(count);
            Cursor cursor = file.readBlock(head.address(), size, head.signature(), DESCRIPTION);
            readEntries(cursor.skip(head.size() - 5), count, firstNumber);
        }

        /** Reads the pages of a block. Skips pages whose bit is not set, because they were never written. */
        void readPages(long address, long count, long firstNumber, Cursor bits) {
            int bitMap = 0;
            long pageAddress = address;
            for (long elementsRead = 0; elementsRead < count; elementsRead += pageSize) {
                int bit = (int) (elementsRead / pageSize % Byte.SIZE);
                bitMap = bit == 0 ? bits.u8() : bitMap;
                long pageElements = Math.min(pageSize, count - elementsRead);
                if ((bitMap & 0x80 >> bit) != 0) {
                    readEntries(
                            file.readChecked(pageAddress, pageElements * entrySize, DESCRIPTION),
                            pageElements,
                            firstNumber + elementsRead);
                }
                pageAddress += pageElements * entrySize + FileBytes.CHECKSUM;
            }
        }

        /** Returns the size of {@code count} elements in bytes. */
        private long checkedSize(long count) {
            if (count > Long.MAX_VALUE / 512) {
                throw Hdf5Errors.corrupt(DESCRIPTION + ": expected fewer entries, found " + count);
            }
            return count * entrySize;
        }

        /** Reads contiguous elements. */
        void readEntries(Cursor cursor, long count, long firstNumber) {
            for (long i = 0; i < count; i++) {
                entries.accept(
                        firstNumber + i, cursor.slice(entrySize, "an entry of an index of chunks"), isExtensible);
            }
        }
    }
}
