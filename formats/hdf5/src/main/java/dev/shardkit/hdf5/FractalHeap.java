package dev.shardkit.hdf5;

import dev.shardkit.spi.kernel.Lookup3;
import dev.shardkit.spi.kernel.Words;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** A fractal heap: the links and attributes of objects that have many (section III.G). Used by one thread. */
final class FractalHeap {
    private static final int MANAGED = 0;
    private static final int HUGE = 1;
    private static final int TINY = 2;
    private static final int MAX_DEPTH = 64;
    private static final String BLOCK = "a block of a heap";
    /** The flag of heaps whose direct blocks have checksums. */
    private static final int CHECKSUMS = 2;

    private final FileBytes file;
    private final int idSize;
    private final long maxManaged;
    private final long hugeTree;
    private final int width;
    private final long startBlock;
    private final long maxDirect;
    private final int maxBits;
    private final long root;
    private final int rows;
    private final boolean hasChecksums;
    /** The blocks whose checksums were checked. */
    private final Set<Long> checked = new HashSet<>();

    private FractalHeap(FileBytes file, long address) {
        this.file = file;
        int offset = file.widths().offset();
        int length = file.widths().length();
        Cursor start = file.at(address, 9, "a heap");
        start.signature("FRHP");
        if (start.skip(3).u16() != 0) {
            throw Hdf5.unsupported("a compressed heap of links or attributes");
        }
        Cursor in = file.block(address, 22 + 12L * length + 3L * offset, "FRHP", "a heap");
        this.idSize = in.u16();
        this.hasChecksums = (in.skip(2).u8() & CHECKSUMS) != 0;
        this.maxManaged = in.u32();
        in.skip(length);
        this.hugeTree = in.address();
        in.skip(length + offset + 8L * length);
        this.width = in.u16();
        this.startBlock = in.length();
        this.maxDirect = in.length();
        this.maxBits = in.u16();
        in.skip(2);
        this.root = in.address();
        this.rows = in.u16();
        if (!isPower(width) || !isPower(startBlock) || !isPower(maxDirect) || maxDirect < startBlock || maxBits > 64) {
            throw in.corrupt(
                    "powers of two as width and sizes of blocks", width + ", " + startBlock + " and " + maxDirect);
        }
    }

    static FractalHeap at(FileBytes file, long address) {
        return new FractalHeap(file, address);
    }

    private static boolean isPower(long n) {
        return n > 0 && (n & n - 1) == 0;
    }

    private static int log2(long n) {
        return 63 - Long.numberOfLeadingZeros(n);
    }

    int idSize() {
        return idSize;
    }

    /** Returns the bytes of the object with an ID. */
    Cursor object(Cursor id, String what) {
        int first = id.u8();
        if (first >> 6 != 0) {
            throw id.corrupt("version 0", (first >> 6) + "");
        }
        return switch (first >> 4 & 3) {
            case MANAGED -> {
                long offset = id.unsigned((maxBits + 7) / 8);
                int direct = (log2(maxDirect) + 7) / 8;
                long length = id.unsigned(Math.min(direct, log2(Math.max(1, maxManaged)) / 8 + 1));
                yield managed(offset, length, what);
            }
            case TINY -> idSize > 18 ? id.skip(1).part(tiny(first, id), what) : id.part((first & 15) + 1, what);
            case HUGE -> huge(id, what);
            default -> throw id.corrupt("an object of kind 0 to 2", "3");
        };
    }

    private static long tiny(int first, Cursor id) {
        Cursor again = id.again();
        return ((first & 15) << 8 | again.u8()) + 1L;
    }

    private Cursor huge(Cursor id, String what) {
        long number = id.unsigned(Math.min(file.widths().length(), id.left()));
        List<Cursor> found = new ArrayList<>();
        BTree2.walk(
                file,
                hugeTree,
                BTree2.HUGE,
                file.widths().offset() + 2 * file.widths().length(),
                record -> {
                    long address = record.address();
                    long length = record.length();
                    if (record.unsigned(file.widths().length()) == number) {
                        found.add(file.at(address, length, what));
                    }
                });
        if (found.isEmpty()) {
            throw id.corrupt("a large object", "none with number " + number);
        }
        return found.get(0);
    }

    private Cursor managed(long offset, long length, String what) {
        if (rows == 0) {
            return inBlock(root, startBlock, offset, length, what);
        }
        return indirect(root, rows, offset, length, what, 0);
    }

    /** Offsets count from the start of a block, its own header included. */
    private Cursor inBlock(long address, long size, long offset, long length, String what) {
        if (offset < 0 || length > size - offset || offset > size) {
            throw Hdf5.corrupt(what + ": expected an object within a block of " + size + " bytes, found " + length
                    + " bytes at " + offset);
        }
        if (!checked.contains(address)) {
            check(address, size);
            checked.add(address);
        }
        return file.at(address + offset, length, what);
    }

    /** Checks a direct block; its checksum is that of the block with zeros in the place of the checksum. */
    private void check(long address, long size) {
        file.at(address, 4, BLOCK).signature("FHDB");
        if (hasChecksums) {
            int place = blockHead();
            byte[] block = file.at(address, size, BLOCK).bytes(size);
            if (block.length < place + FileBytes.CHECKSUM) {
                throw Hdf5.corrupt(BLOCK + ": expected more than " + place + " bytes, found " + size);
            }
            int expected = Words.int32(block, place);
            Words.int32(block, place, 0);
            file.check(address, Lookup3.of(block, 0, block.length, 0), expected, BLOCK);
        }
    }

    /** Returns the number of bytes with which each block begins: signature, version and places. */
    private int blockHead() {
        return 5 + file.widths().offset() + (maxBits + 7) / 8;
    }

    private long blockSize(int row) {
        return row < 2 ? startBlock : startBlock << row - 1;
    }

    private Cursor indirect(long address, int count, long offset, long length, String what, int depth) {
        int maxRows = log2(maxDirect) - log2(startBlock) + 2;
        if (count > 64 - log2(startBlock) - log2(width) || depth > MAX_DEPTH) {
            throw Hdf5.corrupt(what + ": expected a heap of at most 2^63 bytes, found " + count + " rows of blocks");
        }
        long before = 0;
        for (int row = 0; row < count; row++) {
            long size = blockSize(row);
            long all = size * width;
            if (offset < before + all) {
                long column = (offset - before) / size;
                long entry = (long) row * width + column;
                int pointer = file.widths().offset();
                if (!checked.contains(address)) {
                    file.block(address, blockHead() + (long) count * width * pointer, "FHIB", BLOCK);
                    checked.add(address);
                }
                long child = file.at(address + blockHead() + entry * pointer, pointer, BLOCK)
                        .address();
                long rest = offset - before - column * size;
                if (row < maxRows) {
                    return inBlock(child, size, rest, length, what);
                }
                int rows = log2(size) - log2(startBlock) - log2(width) + 1;
                return indirect(child, rows, rest, length, what, depth + 1);
            }
            before += all;
        }
        throw Hdf5.corrupt(what + ": expected an object within a heap of " + before + " bytes, found one at " + offset);
    }
}
