package dev.shardkit.maintenance.convert;

import dev.shardkit.metadata.ArrayMetadata;
import dev.shardkit.spi.array.Box;
import dev.shardkit.spi.array.ChunkGrid;
import dev.shardkit.spi.grid.RegularGrid;
import java.util.Arrays;

/**
 * Converts grids of equal chunks whose last chunks are clipped at the array's edge to regular grids, whose last chunks
 * extend past the edge. Formats such as N5 clip chunks. Stateless.
 */
final class ClippedEdgeDetection {
    /** Grids with more chunks in a dimension are not checked, and stay unchanged. */
    private static final long MAX_CELLS = 1 << 20;

    private ClippedEdgeDetection() {}

    /**
     * Returns the array with a regular grid, whose edge chunks extend past the array's edge. Returns other grids
     * unchanged.
     */
    static ArrayMetadata toRegular(ArrayMetadata metadata) {
        ChunkGrid grid = metadata.chunkGrid();
        if (grid instanceof RegularGrid || Box.of(metadata.shape()).isEmpty()) {
            return metadata;
        }
        long[] first = grid.chunk(new long[metadata.shape().length]).shape();
        RegularGrid regular = RegularGrid.of(metadata.shape(), first);
        if (!isClipped(grid, regular)) {
            return metadata;
        }
        ArrayMetadata.Builder whole = ArrayMetadata.builder(
                        metadata.shape(), metadata.dataType(), regular, metadata.chunkKeyEncoding(), metadata.codecs())
                .fillValueOf(metadata)
                .attributes(metadata.attributes());
        metadata.dimensionNames().ifPresent(whole::dimensionNames);
        return whole.build();
    }

    /**
     * Returns whether all chunks begin where those of {@code regular} begin. Checks each dimension alone, because a
     * grid is the product of its dimensions.
     */
    private static boolean isClipped(ChunkGrid grid, RegularGrid regular) {
        long[] cells = grid.gridShape();
        if (!Arrays.equals(cells, regular.gridShape()) || Arrays.stream(cells).anyMatch(n -> n > MAX_CELLS)) {
            return false;
        }
        for (int d = 0; d < cells.length; d++) {
            long[] cell = new long[cells.length];
            for (cell[d] = 0; cell[d] < cells[d]; cell[d]++) {
                if (grid.chunk(cell).origin(d) != regular.chunk(cell).origin(d)) {
                    return false;
                }
            }
        }
        return true;
    }
}
