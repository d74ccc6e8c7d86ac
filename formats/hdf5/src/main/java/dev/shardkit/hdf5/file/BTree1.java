package dev.shardkit.hdf5.file;

import java.util.function.Consumer;

/**
 * Walks a B-tree of version 1, which older HDF5 files use for groups and chunks (HDF5 file format specification,
 * section III.A.1).
 */
public final class BTree1 {
    /** The types of nodes. */
    private static final int GROUPS = 0;

    private static final int CHUNKS = 1;
    /** A node has the addresses of its left and its right sibling. */
    private static final int SIBLINGS = 2;

    private BTree1() {}

    /** Receives the stored chunks of a dataset. */
    public interface ChunkReceiver {
        /**
         * Receives a chunk.
         *
         * @param offset the index of its first element in each dimension
         * @param address the address of its bytes
         * @param size the size of its bytes
         * @param mask bit i is set if filter i was not applied
         */
        void accept(long[] offset, long address, long size, int mask);
    }

    /** Visits the addresses of the symbol nodes of a group, which hold its links. */
    public static void visitGroup(FileBytes file, long address, Consumer<Long> receiver) {
        visitNode(file, address, GROUPS, file.widths().length(), -1, (key, child) -> receiver.accept(child));
    }

    /** Visits the chunks of a dataset. */
    public static void visitChunks(FileBytes file, long address, int rank, ChunkReceiver receiver) {
        visitNode(file, address, CHUNKS, 8 + 8 * (rank + 1), -1, (key, child) -> {
            long size = key.u32();
            int mask = (int) key.u32();
            long[] offset = new long[rank];
            for (int d = 0; d < rank; d++) {
                offset[d] = key.unsigned(8);
            }
            receiver.accept(offset, child, size, mask);
        });
    }

    /** Receives an entry of a leaf: its key and the address of its content. */
    private interface EntryReceiver {
        void accept(Cursor key, long child);
    }

    /**
     * Visits a node and the nodes below it. Levels must decrease, so the walk ends.
     *
     * @param level the expected level of the node; -1 for the root
     */
    private static void visitNode(
            FileBytes file, long address, int expectedType, int keySize, int level, EntryReceiver entries) {
        int headSize = 8 + SIBLINGS * file.widths().offset();
        Cursor cursor = file.read(address, headSize, "a node of a B-tree");
        cursor.signature("TREE");
        int type = cursor.u8();
        int nodeLevel = cursor.u8();
        if (type != expectedType || level >= 0 && nodeLevel != level) {
            throw cursor.corrupt(
                    "a node of type " + expectedType + (level < 0 ? "" : " at level " + level),
                    type + " at " + nodeLevel);
        }
        int count = cursor.u16();
        long length = (long) count * (keySize + file.widths().offset());
        Cursor entryCursor = file.read(address + headSize, length, "a node of a B-tree");
        for (int i = 0; i < count; i++) {
            Cursor key = entryCursor.slice(keySize, "a key of a B-tree");
            long child = entryCursor.address();
            if (nodeLevel == 0) {
                entries.accept(key, child);
            } else {
                visitNode(file, child, expectedType, keySize, nodeLevel - 1, entries);
            }
        }
    }
}
