package dev.shardkit.hdf5;

import java.util.function.Consumer;

/** Walks a B-tree of version 1 (section III.A.1). */
final class BTree1 {
    private static final int GROUPS = 0;
    private static final int CHUNKS = 1;
    private static final int SIBLINGS = 2;

    private BTree1() {}

    /** Receives the stored chunks of a dataset. */
    interface Chunks {
        /**
         * Receives a chunk.
         *
         * @param offset its first element in each dimension
         * @param address where its bytes are
         * @param size the number of its bytes
         * @param mask bit i is set if filter i was not applied
         */
        void chunk(long[] offset, long address, long size, int mask);
    }

    /** Passes on the addresses of the nodes of symbols. */
    static void groups(FileBytes file, long address, Consumer<Long> nodes) {
        node(file, address, GROUPS, file.widths().length(), -1, (key, child) -> nodes.accept(child));
    }

    /** Passes on the chunks of a dataset. */
    static void chunks(FileBytes file, long address, int rank, Chunks chunks) {
        node(file, address, CHUNKS, 8 + 8 * (rank + 1), -1, (key, child) -> {
            long size = key.u32();
            int mask = (int) key.u32();
            long[] offset = new long[rank];
            for (int d = 0; d < rank; d++) {
                offset[d] = key.unsigned(8);
            }
            chunks.chunk(offset, child, size, mask);
        });
    }

    private interface Entries {
        void entry(Cursor key, long child);
    }

    /** Visits a node. {@code level} is that of the node, or -1 for the root; levels decrease, so the walk ends. */
    private static void node(FileBytes file, long address, int type, int keySize, int level, Entries entries) {
        int head = 8 + SIBLINGS * file.widths().offset();
        Cursor in = file.at(address, head, "a node of a B-tree");
        in.signature("TREE");
        int found = in.u8();
        int depth = in.u8();
        if (found != type || level >= 0 && depth != level) {
            throw in.corrupt(
                    "a node of type " + type + (level < 0 ? "" : " at level " + level), found + " at " + depth);
        }
        int count = in.u16();
        long length = (long) count * (keySize + file.widths().offset());
        Cursor items = file.at(address + head, length, "a node of a B-tree");
        for (int i = 0; i < count; i++) {
            Cursor key = items.part(keySize, "a key of a B-tree");
            long child = items.address();
            if (depth == 0) {
                entries.entry(key, child);
            } else {
                node(file, child, type, keySize, depth - 1, entries);
            }
        }
    }
}
