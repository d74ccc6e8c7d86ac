package dev.shardkit.hdf5.file;

import dev.shardkit.spi.bytes.Lookup3;
import dev.shardkit.spi.bytes.Words;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Reads a fractal heap, which stores the links or attributes of an object that has many (HDF5 file format
 * specification, section III.G). An object lies at an offset of the heap, and the heap consists of blocks that follow
 * one another in these offsets. Direct blocks hold the objects; indirect blocks hold the addresses of other blocks, in
 * rows. All blocks of a row have the same size. The first two rows have the start size, and each further row doubles
 * it. Used by one thread.
 */
public final class FractalHeap {
    // The kinds of objects: in a block (managed), outside of the blocks (huge), in the ID itself (tiny).
    private static final int MANAGED = 0;

    private static final int HUGE = 1;
    private static final int TINY = 2;
    private static final int MAX_DEPTH = 64;
    private static final String BLOCK = "a block of a heap";
    /** The flag of heaps whose direct blocks have checksums. */
    private static final int CHECKSUMS = 2;

    private final FileBytes file;
    private final int idSize;
    /** The maximum size of a managed object. */
    private final long maxManaged;
    /** The address of the B-tree that finds huge objects. */
    private final long hugeTree;
    /** The number of blocks in a row. */
    private final int width;
    /** The size of the blocks in the first two rows. */
    private final long startBlock;
    /** The maximum size of a direct block. */
    private final long maxDirect;
    /** The number of bits of an offset in the heap. */
    private final int maxBits;
    /** The address of the root block. */
    private final long root;
    /** The number of rows of the root block; 0 if it is a direct block. */
    private final int rootRows;

    private final boolean hasChecksums;
    /** The addresses of blocks whose checksums have been checked, so that each is checked once. */
    private final Set<Long> checkedBlocks = new HashSet<>();

    private FractalHeap(FileBytes file, long address) {
        this.file = file;
        int offset = file.widths().offset();
        int length = file.widths().length();
        Cursor start = file.read(address, 9, "a heap");
        start.signature("FRHP");
        // the version and the size of IDs, then the size of the encoded filters, which compress the heap
        if (start.skip(3).u16() != 0) {
            throw Hdf5Errors.unsupported("a compressed heap of links or attributes");
        }
        // the whole header: fixed fields, 12 lengths and 3 addresses
        Cursor cursor = file.readBlock(address, 22 + 12L * length + 3L * offset, "FRHP", "a heap");
        this.idSize = cursor.u16();
        this.hasChecksums = (cursor.skip(2).u8() & CHECKSUMS) != 0;
        this.maxManaged = cursor.u32();
        // The skipped fields matter to writers only.
        cursor.skip(length);
        this.hugeTree = cursor.address();
        cursor.skip(length + offset + 8L * length);
        this.width = cursor.u16();
        this.startBlock = cursor.length();
        this.maxDirect = cursor.length();
        this.maxBits = cursor.u16();
        cursor.skip(2);
        this.root = cursor.address();
        this.rootRows = cursor.u16();
        if (!isPower(width) || !isPower(startBlock) || !isPower(maxDirect) || maxDirect < startBlock || maxBits > 64) {
            throw cursor.corrupt(
                    "powers of two as width and sizes of blocks", width + ", " + startBlock + " and " + maxDirect);
        }
    }

    /** Opens the heap at an address. */
    public static FractalHeap open(FileBytes file, long address) {
        return new FractalHeap(file, address);
    }

    private static boolean isPower(long value) {
        return value > 0 && (value & value - 1) == 0;
    }

    private static int log2(long value) {
        return 63 - Long.numberOfLeadingZeros(value);
    }

    /** Returns the size of the ID of an object in bytes. */
    public int idSize() {
        return idSize;
    }

    /**
     * Returns the bytes of an object.
     *
     * @param id the ID of the object, by which links and attributes refer to it
     * @param name the noun for the object in messages
     */
    public Cursor readObject(Cursor id, String name) {
        int flags = id.u8(); // two bits of version, two of the kind, four that depend on the kind
        if (flags >> 6 != 0) {
            throw id.corrupt("version 0", (flags >> 6) + "");
        }
        return switch (flags >> 4 & 3) {
            case MANAGED -> {
                long offset = id.unsigned((maxBits + 7) / 8);
                int offsetBytes = (log2(maxDirect) + 7) / 8;
                // The ID stores the length in as many bytes as the largest block or the largest object needs.
                long length = id.unsigned(Math.min(offsetBytes, log2(Math.max(1, maxManaged)) / 8 + 1));
                yield readManaged(offset, length, name);
            }
            case TINY -> idSize > 18 ? id.skip(1).slice(tinySize(flags, id), name) : id.slice((flags & 15) + 1, name);
            case HUGE -> readHuge(id, name);
            default -> throw id.corrupt("an object of kind 0 to 2", "3");
        };
    }

    /**
     * Returns the size of a tiny object in an ID of more than 18 bytes. Such IDs store the size minus 1 in 12 bits:
     * four of the flags and the next byte.
     */
    private static long tinySize(int flags, Cursor id) {
        Cursor duplicate = id.duplicate();
        return ((flags & 15) << 8 | duplicate.u8()) + 1L;
    }

    /** Returns a huge object. Searches the B-tree for its number. */
    private Cursor readHuge(Cursor id, String name) {
        long number = id.unsigned(Math.min(file.widths().length(), id.remaining()));
        List<Cursor> matches = new ArrayList<>();
        BTree2.visit(
                file,
                hugeTree,
                BTree2.HUGE,
                file.widths().offset() + 2 * file.widths().length(),
                record -> {
                    long address = record.address();
                    long length = record.length();
                    if (record.unsigned(file.widths().length()) == number) {
                        matches.add(file.read(address, length, name));
                    }
                });
        if (matches.isEmpty()) {
            throw id.corrupt("a large object", "none with number " + number);
        }
        return matches.get(0);
    }

    /** Returns the object at an offset of the heap. */
    private Cursor readManaged(long offset, long length, String name) {
        if (rootRows == 0) {
            return readInBlock(root, startBlock, offset, length, name);
        }
        return readIndirect(root, rootRows, offset, length, name, 0);
    }

    /**
     * Returns an object in a direct block.
     *
     * @param size the size of the block
     * @param offset the offset of the object from the start of the block, whose header counts
     */
    private Cursor readInBlock(long address, long size, long offset, long length, String name) {
        if (offset < 0 || length > size - offset || offset > size) {
            throw Hdf5Errors.corrupt(name + ": expected an object within a block of " + size + " bytes, found " + length
                    + " bytes at " + offset);
        }
        if (!checkedBlocks.contains(address)) {
            checkBlock(address, size);
            checkedBlocks.add(address);
        }
        return file.read(address + offset, length, name);
    }

    /** Checks a direct block. Its checksum is computed with zeros in place of the checksum field. */
    private void checkBlock(long address, long size) {
        file.read(address, 4, BLOCK).signature("FHDB");
        if (hasChecksums) {
            int checksumOffset = blockHeaderSize();
            byte[] block = file.read(address, size, BLOCK).bytes(size);
            if (block.length < checksumOffset + FileBytes.CHECKSUM) {
                throw Hdf5Errors.corrupt(BLOCK + ": expected more than " + checksumOffset + " bytes, found " + size);
            }
            int expected = Words.int32(block, checksumOffset);
            Words.int32(block, checksumOffset, 0);
            file.requireChecksum(address, Lookup3.of(block, 0, block.length, 0), expected, BLOCK);
        }
    }

    /** Returns the size of the header of a block: signature, version and offsets. */
    private int blockHeaderSize() {
        return 5 + file.widths().offset() + (maxBits + 7) / 8;
    }

    /** Returns the size of the blocks in a row. */
    private long blockSize(int row) {
        return row < 2 ? startBlock : startBlock << row - 1;
    }

    /**
     * Returns the object at an offset of an indirect block: finds the row and column, then reads in the block there.
     */
    private Cursor readIndirect(long address, int rowCount, long offset, long length, String name, int depth) {
        int directRows = log2(maxDirect) - log2(startBlock) + 2; // the blocks of later rows are indirect
        if (rowCount > 64 - log2(startBlock) - log2(width) || depth > MAX_DEPTH) {
            throw Hdf5Errors.corrupt(
                    name + ": expected a heap of at most 2^63 bytes, found " + rowCount + " rows of blocks");
        }
        long rowStart = 0;
        for (int row = 0; row < rowCount; row++) {
            long size = blockSize(row);
            long rowBytes = size * width;
            if (offset < rowStart + rowBytes) {
                long column = (offset - rowStart) / size;
                long entry = (long) row * width + column;
                int pointerSize = file.widths().offset();
                if (!checkedBlocks.contains(address)) {
                    file.readBlock(address, blockHeaderSize() + (long) rowCount * width * pointerSize, "FHIB", BLOCK);
                    checkedBlocks.add(address);
                }
                long child = file.read(address + blockHeaderSize() + entry * pointerSize, pointerSize, BLOCK)
                        .address();
                long offsetInBlock = offset - rowStart - column * size;
                if (row < directRows) {
                    return readInBlock(child, size, offsetInBlock, length, name);
                }
                // an indirect block has as many rows as fill its share of the offsets
                int childRows = log2(size) - log2(startBlock) - log2(width) + 1;
                return readIndirect(child, childRows, offsetInBlock, length, name, depth + 1);
            }
            rowStart += rowBytes;
        }
        throw Hdf5Errors.corrupt(
                name + ": expected an object within a heap of " + rowStart + " bytes, found one at " + offset);
    }
}
