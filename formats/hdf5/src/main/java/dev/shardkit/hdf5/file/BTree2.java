package dev.shardkit.hdf5.file;

import java.util.function.Consumer;

/**
 * Walks a B-tree of version 2, which newer HDF5 files use (HDF5 file format specification, section III.A.2). Each
 * instance is one walk. The constants are types of trees.
 */
public final class BTree2 {
    /** Objects of a heap that are larger than a block. */
    static final int HUGE = 1;
    /** Links by name. */
    public static final int LINKS = 5;
    /** Attributes by name. */
    public static final int ATTRIBUTES = 8;
    /** Chunks without filters. */
    public static final int CHUNKS = 10;
    /** Chunks with filters. */
    public static final int FILTERED_CHUNKS = 11;

    /** The bytes of a node that are not records or pointers: signature, version, type and checksum. */
    private static final int NODE_OVERHEAD = 10;

    private static final int MAX_DEPTH = 32;

    private final FileBytes file;
    private final int type;
    private final int nodeSize;
    private final int recordSize;
    private final Consumer<Cursor> records;
    /** The size in bytes of the field "number of records in a node". */
    private final int countSize;
    /** The sizes in bytes of the field "total number of records below a node", by level. */
    private final int[] totalSizes;

    private BTree2(FileBytes file, int type, int nodeSize, int recordSize, int depth, Consumer<Cursor> records) {
        this.file = file;
        this.type = type;
        this.nodeSize = nodeSize;
        this.recordSize = recordSize;
        this.records = records;
        this.totalSizes = new int[depth + 1];
        // The sizes of two fields depend on the largest numbers of records that a node, and all nodes below it, can
        // have.
        long maxRecords = (nodeSize - NODE_OVERHEAD) / recordSize;
        long totalRecords = maxRecords;
        this.countSize = bytesFor(maxRecords);
        for (int level = 1; level <= depth; level++) {
            int pointerSize = file.widths().offset() + countSize + totalSizes[level - 1];
            long innerRecords = Math.max(0, (nodeSize - NODE_OVERHEAD - pointerSize) / (recordSize + pointerSize));
            long children = innerRecords + 1;
            totalRecords = totalRecords > (Long.MAX_VALUE - innerRecords) / children
                    ? Long.MAX_VALUE
                    : children * totalRecords + innerRecords;
            totalSizes[level] = bytesFor(totalRecords);
        }
    }

    /** Returns how many bytes a number up to {@code maxValue} needs. */
    private static int bytesFor(long maxValue) {
        return (63 - Long.numberOfLeadingZeros(Math.max(1, maxValue))) / Byte.SIZE + 1;
    }

    /** Visits the records of a tree. */
    static void visit(FileBytes file, long address, int type, Consumer<Cursor> records) {
        visit(file, address, type, 1, records);
    }

    /**
     * Visits the records of a tree.
     *
     * @param minRecordSize the minimum size of a record in bytes
     */
    public static void visit(FileBytes file, long address, int type, int minRecordSize, Consumer<Cursor> records) {
        if (address == Cursor.UNDEFINED) {
            return;
        }
        long size = 18L + file.widths().offset() + file.widths().length();
        Cursor cursor = file.readBlock(address, size, "BTHD", "the header of a B-tree");
        int treeType = cursor.u8();
        if (treeType != type) {
            throw cursor.corrupt("a tree of type " + type, treeType + "");
        }
        int nodeSize = cursor.intCount("size of a node");
        int recordSize = cursor.u16();
        int depth = cursor.u16();
        cursor.skip(2);
        long root = cursor.address();
        int count = cursor.u16();
        if (depth > MAX_DEPTH || recordSize < minRecordSize || nodeSize < NODE_OVERHEAD + recordSize) {
            throw cursor.corrupt(
                    "at most " + MAX_DEPTH + " levels of nodes with records of at least " + minRecordSize + " bytes",
                    depth + " levels, nodes of " + nodeSize + " and records of " + recordSize);
        }
        if (root != Cursor.UNDEFINED) {
            new BTree2(file, type, nodeSize, recordSize, depth, records).visitNode(root, count, depth);
        }
    }

    /** Visits the records of a node with {@code count} records, and of the nodes below it. */
    private void visitNode(long address, int count, int level) {
        String description = "a node of a B-tree";
        int pointerSize = level == 0 ? 0 : file.widths().offset() + countSize + totalSizes[level - 1];
        // Signature, version and type; the records; in an inner node, pointers to its children.
        long length = 6 + (long) count * recordSize + (level == 0 ? 0 : (count + 1L) * pointerSize);
        if (length + FileBytes.CHECKSUM > nodeSize) {
            throw Hdf5Errors.corrupt(description + " at address " + address + ": expected " + nodeSize
                    + " bytes, found " + (length + FileBytes.CHECKSUM));
        }
        Cursor cursor = file.readBlock(address, length, level == 0 ? "BTLF" : "BTIN", description);
        int treeType = cursor.u8();
        if (treeType != type) {
            throw cursor.corrupt("type " + type, treeType + "");
        }
        for (int i = 0; i < count; i++) {
            records.accept(cursor.slice(recordSize, "a record of a B-tree"));
        }
        for (int i = 0; level > 0 && i <= count; i++) {
            long child = cursor.address();
            int childRecords = (int) Math.min(Integer.MAX_VALUE, cursor.unsigned(countSize));
            cursor.skip(totalSizes[level - 1]);
            visitNode(child, childRecords, level - 1);
        }
    }
}
