package dev.shardkit.hdf5.index;

import dev.shardkit.hdf5.file.Cursor;
import dev.shardkit.hdf5.file.FileBytes;
import dev.shardkit.hdf5.file.Hdf5Errors;

/**
 * Reads an index of chunks that is an extensible array: the index of a dataset with one unlimited dimension (HDF5 file
 * format specification, section VI.B.4). An element describes a chunk. The index block contains the first elements.
 * Further elements are in data blocks, whose addresses are in the index block and in secondary blocks. Later blocks are
 * larger, so that few are needed. Used once.
 */
final class ExtensibleArray {
    private static final String DESCRIPTION = "an extensible array";

    private final FileBytes file;
    /** The size of an element in bytes. */
    private final int entrySize;
    /** The number of elements in the index block. */
    private final int indexElements;
    /** The number of elements in the smallest block. */
    private final int minElements;
    /** The number of addresses in the smallest secondary block. */
    private final int minPointers;
    /** The number of secondary blocks, including the first ones, whose content is in the index block itself. */
    private final int blockCount;
    /** The size in bytes of a block's field that says which element of the array is its first. */
    private final int blockOffsetSize;

    /** The number of elements in a page. A block with more elements consists of pages. */
    private final long pageSize;

    private final FixedArray.Pages pages;
    /** An upper bound of the number of elements ever set. Blocks after it are not read. */
    private final long usedElements;

    private ExtensibleArray(FileBytes file, Cursor cursor, FixedArray.EntryReceiver entries) {
        this.file = file;
        cursor.skip(1); // whether the chunks have filters
        this.entrySize = cursor.u8();
        int maxBits = cursor.u8(); // the array has at most 2^maxBits elements
        this.indexElements = cursor.u8();
        this.minElements = cursor.u8();
        this.minPointers = cursor.u8();
        int pageBits = cursor.u8();
        cursor.skip(4L * file.widths().length()); // the numbers and sizes of blocks
        this.usedElements = cursor.length();
        cursor.skip(file.widths().length()); // the number of elements for which there is space
        if (!isPower(minElements)
                || !isPower(minPointers)
                || minPointers < 2
                || maxBits > 62
                || pageBits > 31
                || entrySize < file.widths().offset()
                || maxBits < log2(minElements)) {
            throw cursor.corrupt(
                    "powers of two as numbers of elements and pointers, and entries of at least "
                            + file.widths().offset() + " bytes",
                    minElements + ", " + minPointers + " and " + entrySize);
        }
        this.blockCount = 1 + maxBits - log2(minElements);
        this.blockOffsetSize = (maxBits + 7) / 8;
        this.pageSize = 1L << pageBits;
        boolean isExtensible = true;
        this.pages = new FixedArray.Pages(file, entrySize, pageSize, entries, isExtensible);
    }

    private static boolean isPower(long value) {
        return value > 0 && (value & value - 1) == 0;
    }

    private static int log2(long value) {
        return 63 - Long.numberOfLeadingZeros(value);
    }

    /** Reads the entries of the array at an address. */
    static void read(FileBytes file, long address, FixedArray.EntryReceiver entries) {
        if (address == Cursor.UNDEFINED) {
            return;
        }
        long size = 12L + 6L * file.widths().length() + file.widths().offset();
        Cursor cursor = file.readBlock(address, size, "EAHD", DESCRIPTION);
        ExtensibleArray array = new ExtensibleArray(file, cursor, entries);
        long index = cursor.address();
        if (index != Cursor.UNDEFINED) {
            array.readIndexBlock(index);
        }
    }

    /** Returns the number of data blocks whose addresses a secondary block contains. */
    private static long blockCountOf(int secondaryNumber) {
        return 1L << secondaryNumber / 2;
    }

    /** Returns the number of elements in a data block of a secondary block. */
    private long elementsPerBlock(int secondaryNumber) {
        return (1L << (secondaryNumber + 1) / 2) * minElements;
    }

    /** Reads the index block. In place of the first secondary blocks, it contains the addresses that they would. */
    private void readIndexBlock(long address) {
        int offset = file.widths().offset();
        // the number of secondary blocks whose content is in the index block
        int directBlocks = Math.min(blockCount, 2 * log2(minPointers));
        long pointers = 2L * (minPointers - 1) + Math.max(0, blockCount - directBlocks);
        long size = 6L + offset + (long) indexElements * entrySize + pointers * offset;
        Cursor cursor = file.readBlock(address, size, "EAIB", DESCRIPTION).skip(1L + offset);
        pages.readEntries(cursor, indexElements, 0);
        long firstElement = indexElements;
        for (int secondaryNumber = 0; secondaryNumber < blockCount && firstElement < usedElements; secondaryNumber++) {
            long count = blockCountOf(secondaryNumber);
            if (secondaryNumber < directBlocks) {
                for (long i = 0; i < count; i++) {
                    readBlock(
                            cursor.address(),
                            elementsPerBlock(secondaryNumber),
                            firstElement + i * elementsPerBlock(secondaryNumber));
                }
            } else {
                readSecondaryBlock(cursor.address(), secondaryNumber, firstElement);
            }
            firstElement += count * elementsPerBlock(secondaryNumber);
        }
    }

    /** Reads a data block without pages. */
    private void readBlock(long address, long count, long firstElement) {
        if (address == Cursor.UNDEFINED) {
            return;
        } else if (count > pageSize) {
            throw Hdf5Errors.unsupported("an array of more than " + pageSize + " elements in a block without pages");
        }
        pages.readElements(head(address), count, firstElement);
    }

    /** Describes the head of the data block at an address: signature, version, class, address of the array, offset. */
    private FixedArray.Pages.Head head(long address) {
        return new FixedArray.Pages.Head(address, 6L + file.widths().offset() + blockOffsetSize, "EADB");
    }

    /** Reads a secondary block: bitmaps of the written pages if the data blocks have pages, then their addresses. */
    private void readSecondaryBlock(long address, int number, long firstElement) {
        if (address == Cursor.UNDEFINED) {
            return;
        }
        int offset = file.widths().offset();
        long count = blockCountOf(number);
        long elements = elementsPerBlock(number);
        boolean isPaged = elements > pageSize;
        long mapSize = isPaged ? (elements / pageSize - 1) / Byte.SIZE + 1 : 0;
        // Overflows only in a damaged file. readBlock() checks that the size fits into the file.
        long size = Math.addExact(6L + offset + blockOffsetSize, Math.multiplyExact(count, mapSize + offset));
        Cursor cursor = file.readBlock(address, size, "EASB", DESCRIPTION).skip(1L + offset + blockOffsetSize);
        Cursor bitMaps = cursor.slice(count * mapSize, DESCRIPTION);
        for (long i = 0; i < count; i++) {
            long blockAddress = cursor.address();
            Cursor bitMap = bitMaps.slice(mapSize, DESCRIPTION);
            long start = firstElement + i * elements;
            if (blockAddress != Cursor.UNDEFINED && isPaged) {
                pages.readHead(head(blockAddress));
                pages.readPages(blockAddress + head(blockAddress).size() + FileBytes.CHECKSUM, elements, start, bitMap);
            } else {
                readBlock(blockAddress, elements, start);
            }
        }
    }
}
