package dev.shardkit.neuroglancer;

/**
 * Computes the ids of chunks in sharded scales. An id is a compressed Morton code: the bits of the indexes x, y and z
 * interleaved, without the bits that the grid does not need (volume.md, "Compressed morton code"). Stateless.
 */
final class ChunkIds {
    private ChunkIds() {}

    /** Returns the number of bits of the ids in a grid. */
    static int bitCount(VolumeGrid grid) {
        int bitCount = 0;
        for (int d = 0; d < VolumeGrid.SPACE; d++) {
            bitCount += Long.SIZE - Long.numberOfLeadingZeros(grid.chunkCount(d) - 1);
        }
        return bitCount;
    }

    /** Returns the id of a cell as an unsigned number. The grid must need at most 64 bits. */
    static long idOf(VolumeGrid grid, long[] cell) {
        long id = 0;
        int bit = 0;
        for (int i = 0; i < Long.SIZE - 1; i++) {
            for (int d = 0; d < VolumeGrid.SPACE; d++) {
                if (1L << i < grid.chunkCount(d)) { // the index needs this bit
                    id |= (cell[d] >>> i & 1) << bit++;
                }
            }
        }
        return id;
    }
}
