package dev.shardkit.hdf5;

import java.util.function.Consumer;

/** Walks a B-tree of version 2 (section III.A.2). */
final class BTree2 {
    /** Objects of a heap that are larger than a block. */
    static final int HUGE = 1;
    /** Links by name. */
    static final int LINKS = 5;
    /** Attributes by name. */
    static final int ATTRIBUTES = 8;
    /** Chunks without filters. */
    static final int CHUNKS = 10;
    /** Chunks with filters. */
    static final int FILTERED_CHUNKS = 11;

    private static final int PREFIX = 10;
    private static final int MAX_DEPTH = 32;

    private final FileBytes file;
    private final int type;
    private final int nodeSize;
    private final int recordSize;
    private final Consumer<Cursor> records;
    private final int countSize;
    /** The sizes of the total number of records below a node, by its level. */
    private final int[] totalSizes;

    private BTree2(FileBytes file, int type, int nodeSize, int recordSize, int depth, Consumer<Cursor> records) {
        this.file = file;
        this.type = type;
        this.nodeSize = nodeSize;
        this.recordSize = recordSize;
        this.records = records;
        this.totalSizes = new int[depth + 1];
        long most = (nodeSize - PREFIX) / recordSize;
        long total = most;
        this.countSize = bytes(most);
        for (int level = 1; level <= depth; level++) {
            int pointer = file.widths().offset() + countSize + totalSizes[level - 1];
            long inner = Math.max(0, (nodeSize - PREFIX - pointer) / (recordSize + pointer));
            long children = inner + 1;
            total = total > (Long.MAX_VALUE - inner) / children ? Long.MAX_VALUE : children * total + inner;
            totalSizes[level] = bytes(total);
        }
    }

    private static int bytes(long most) {
        return (63 - Long.numberOfLeadingZeros(Math.max(1, most))) / Byte.SIZE + 1;
    }

    /** Passes on the records of a tree. */
    static void walk(FileBytes file, long address, int type, Consumer<Cursor> records) {
        walk(file, address, type, 1, records);
    }

    /**
     * Passes on the records of a tree.
     *
     * @param least the smallest size of a record in bytes
     */
    static void walk(FileBytes file, long address, int type, int least, Consumer<Cursor> records) {
        if (address == Cursor.UNDEFINED) {
            return;
        }
        long size = 18L + file.widths().offset() + file.widths().length();
        Cursor in = file.block(address, size, "BTHD", "the header of a B-tree");
        int found = in.u8();
        if (found != type) {
            throw in.corrupt("a tree of type " + type, found + "");
        }
        int nodeSize = in.count("size of a node");
        int recordSize = in.u16();
        int depth = in.u16();
        in.skip(2);
        long root = in.address();
        int count = in.u16();
        if (depth > MAX_DEPTH || recordSize < least || nodeSize < PREFIX + recordSize) {
            throw in.corrupt(
                    "at most " + MAX_DEPTH + " levels of nodes with records of at least " + least + " bytes",
                    depth + " levels, nodes of " + nodeSize + " and records of " + recordSize);
        }
        if (root != Cursor.UNDEFINED) {
            new BTree2(file, type, nodeSize, recordSize, depth, records).node(root, count, depth);
        }
    }

    private void node(long address, int count, int level) {
        String what = "a node of a B-tree";
        int pointer = level == 0 ? 0 : file.widths().offset() + countSize + totalSizes[level - 1];
        long length = 6 + (long) count * recordSize + (level == 0 ? 0 : (count + 1L) * pointer);
        if (length + FileBytes.CHECKSUM > nodeSize) {
            throw Hdf5.corrupt(what + " at address " + address + ": expected " + nodeSize + " bytes, found "
                    + (length + FileBytes.CHECKSUM));
        }
        Cursor in = file.block(address, length, level == 0 ? "BTLF" : "BTIN", what);
        int found = in.u8();
        if (found != type) {
            throw in.corrupt("type " + type, found + "");
        }
        for (int i = 0; i < count; i++) {
            records.accept(in.part(recordSize, "a record of a B-tree"));
        }
        for (int i = 0; level > 0 && i <= count; i++) {
            long child = in.address();
            int below = (int) Math.min(Integer.MAX_VALUE, in.unsigned(countSize));
            in.skip(totalSizes[level - 1]);
            node(child, below, level - 1);
        }
    }
}
