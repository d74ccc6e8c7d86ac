package dev.shardkit.neuroglancer;

/**
 * Numbers of chunks in sharded scales: compressed Morton codes of cells (volume.md, "Compressed morton code").
 * Stateless.
 */
final class ChunkIds {
    private ChunkIds() {}

    /** Returns the number of bits that the codes of a grid need. */
    static int bits(VolumeGrid grid) {
        int bits = 0;
        for (int d = 0; d < VolumeGrid.SPACE; d++) {
            bits += Long.SIZE - Long.numberOfLeadingZeros(grid.cells(d) - 1);
        }
        return bits;
    }

    /** Returns the code of a cell, whose bits are unsigned. The grid needs at most 64 bits. */
    static long id(VolumeGrid grid, long[] cell) {
        long id = 0;
        int bit = 0;
        for (int i = 0; i < Long.SIZE - 1; i++) {
            for (int d = 0; d < VolumeGrid.SPACE; d++) {
                if (1L << i < grid.cells(d)) {
                    id |= (cell[d] >>> i & 1) << bit++;
                }
            }
        }
        return id;
    }
}
