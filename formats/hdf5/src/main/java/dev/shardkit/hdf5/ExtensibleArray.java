package dev.shardkit.hdf5;

/**
 * An index of chunks that is an array which grows (section VI.B.4): an index block with the first elements, then blocks
 * of elements, whose addresses are in the index block and in secondary blocks. Used once.
 */
final class ExtensibleArray {
    private static final String WHAT = "an extensible array";

    private final FileBytes file;
    private final int entrySize;
    private final int indexElements;
    private final int minElements;
    private final int minPointers;
    private final int blocks;
    /** The size of the place of a block within the array. */
    private final int placeSize;

    private final long pageSize;
    private final ArrayIndex.Pages pages;
    /** The number of elements that were ever set, or more; the blocks behind are not read. */
    private final long used;

    private ExtensibleArray(FileBytes file, Cursor in, ArrayIndex.Entries entries) {
        this.file = file;
        in.skip(1);
        this.entrySize = in.u8();
        int maxBits = in.u8();
        this.indexElements = in.u8();
        this.minElements = in.u8();
        this.minPointers = in.u8();
        int pageBits = in.u8();
        in.skip(4L * file.widths().length());
        this.used = in.length();
        in.skip(file.widths().length());
        if (!isPower(minElements)
                || !isPower(minPointers)
                || minPointers < 2
                || maxBits > 62
                || pageBits > 31
                || entrySize < file.widths().offset()
                || maxBits < log2(minElements)) {
            throw in.corrupt(
                    "powers of two as numbers of elements and pointers, and entries of at least "
                            + file.widths().offset() + " bytes",
                    minElements + ", " + minPointers + " and " + entrySize);
        }
        this.blocks = 1 + maxBits - log2(minElements);
        this.placeSize = (maxBits + 7) / 8;
        this.pageSize = 1L << pageBits;
        this.pages = new ArrayIndex.Pages(file, entrySize, pageSize, entries, true);
    }

    private static boolean isPower(long n) {
        return n > 0 && (n & n - 1) == 0;
    }

    private static int log2(long n) {
        return 63 - Long.numberOfLeadingZeros(n);
    }

    static void read(FileBytes file, long address, ArrayIndex.Entries entries) {
        if (address == Cursor.UNDEFINED) {
            return;
        }
        long size = 12L + 6L * file.widths().length() + file.widths().offset();
        Cursor in = file.block(address, size, "EAHD", WHAT);
        ExtensibleArray array = new ExtensibleArray(file, in, entries);
        long index = in.address();
        if (index != Cursor.UNDEFINED) {
            array.indexBlock(index);
        }
    }

    /** The number of blocks of a secondary block. */
    private static long blocksOf(int secondary) {
        return 1L << secondary / 2;
    }

    /** The number of elements in a block of a secondary block. */
    private long elementsOf(int secondary) {
        return (1L << (secondary + 1) / 2) * minElements;
    }

    private void indexBlock(long address) {
        int offset = file.widths().offset();
        int direct = Math.min(blocks, 2 * log2(minPointers));
        long pointers = 2L * (minPointers - 1) + Math.max(0, blocks - direct);
        long size = 6L + offset + (long) indexElements * entrySize + pointers * offset;
        Cursor in = file.block(address, size, "EAIB", WHAT).skip(1L + offset);
        pages.run(in, indexElements, 0);
        long first = indexElements;
        for (int secondary = 0; secondary < blocks && first < used; secondary++) {
            long count = blocksOf(secondary);
            if (secondary < direct) {
                for (long i = 0; i < count; i++) {
                    block(in.address(), elementsOf(secondary), first + i * elementsOf(secondary));
                }
            } else {
                secondary(in.address(), secondary, first);
            }
            first += count * elementsOf(secondary);
        }
    }

    private void block(long address, long count, long first) {
        if (address == Cursor.UNDEFINED) {
            return;
        } else if (count > pageSize) {
            throw Hdf5.unsupported("an array of more than " + pageSize + " elements in a block without pages");
        }
        pages.elements(head(address), count, first);
    }

    private ArrayIndex.Pages.Head head(long address) {
        return new ArrayIndex.Pages.Head(address, 6L + file.widths().offset() + placeSize, "EADB");
    }

    private void secondary(long address, int number, long first) {
        if (address == Cursor.UNDEFINED) {
            return;
        }
        int offset = file.widths().offset();
        long count = blocksOf(number);
        long elements = elementsOf(number);
        boolean isPaged = elements > pageSize;
        long mapSize = isPaged ? (elements / pageSize - 1) / Byte.SIZE + 1 : 0;
        // The first factor is bounded by the bits of the array, and the product is checked against the file.
        long size = Math.addExact(6L + offset + placeSize, Math.multiplyExact(count, mapSize + offset));
        Cursor in = file.block(address, size, "EASB", WHAT).skip(1L + offset + placeSize);
        Cursor maps = in.part(count * mapSize, WHAT);
        for (long i = 0; i < count; i++) {
            long block = in.address();
            Cursor map = maps.part(mapSize, WHAT);
            long start = first + i * elements;
            if (block != Cursor.UNDEFINED && isPaged) {
                pages.head(head(block));
                pages.paged(block + head(block).size() + FileBytes.CHECKSUM, elements, start, map);
            } else {
                block(block, elements, start);
            }
        }
    }
}
