package dev.shardkit.spi.grid;

import dev.shardkit.spi.array.Box;
import dev.shardkit.spi.array.ChunkGrid;
import dev.shardkit.spi.error.MetadataException;
import dev.shardkit.spi.json.Json;
import java.util.Arrays;

/**
 * The {@code regular} chunk grid (Zarr core specification, section "Regular grids"): all chunks have the same shape,
 * and chunks at the edge are stored whole. An immutable value.
 */
public final class RegularGrid implements ChunkGrid {
    static final String NAME = "regular";
    static final String CHUNK_SHAPE = "chunk_shape";

    private final long[] arrayShape;
    private final long[] chunkShape;
    /** The number of chunks in each dimension. */
    private final long[] cells;

    private RegularGrid(long[] arrayShape, long[] chunkShape, long[] cells) {
        this.arrayShape = arrayShape;
        this.chunkShape = chunkShape;
        this.cells = cells;
    }

    /**
     * Creates the grid that divides an array of {@code arrayShape} into chunks of {@code chunkShape}.
     *
     * @throws MetadataException if the ranks differ, a chunk length is not positive, or whole chunks extend beyond
     *     2^63-1
     */
    public static RegularGrid of(long[] arrayShape, long[] chunkShape) {
        if (arrayShape.length != chunkShape.length) {
            throw new MetadataException("chunk_shape: expected " + arrayShape.length
                    + " lengths, one for each dimension, found " + Arrays.toString(chunkShape));
        }
        long[] cells = new long[arrayShape.length];
        for (int d = 0; d < cells.length; d++) {
            if (chunkShape[d] <= 0 || arrayShape[d] < 0) {
                throw new MetadataException(
                        "chunk_shape: expected lengths of at least 1, and of the array at least 0, found "
                                + chunkShape[d] + " and " + arrayShape[d] + " in dimension " + d);
            }
            cells[d] = arrayShape[d] == 0 ? 0 : (arrayShape[d] - 1) / chunkShape[d] + 1;
            if (Math.multiplyHigh(cells[d], chunkShape[d]) != 0 || cells[d] * chunkShape[d] < 0) {
                throw new MetadataException("chunk_shape: expected whole chunks to end within 2^63-1, found " + cells[d]
                        + " chunks of " + chunkShape[d] + " in dimension " + d);
            }
        }
        return new RegularGrid(arrayShape.clone(), chunkShape.clone(), cells);
    }

    /** Returns the metadata of the grid whose chunks have the shape {@code chunkShape}. */
    public static Json metadata(long... chunkShape) {
        return Json.extension(NAME, Json.object().with(CHUNK_SHAPE, Json.of(chunkShape)));
    }

    /** Returns the shape of every chunk. */
    public long[] chunkShape() {
        return chunkShape.clone();
    }

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public Json.Obj configuration() {
        return Json.object().with(CHUNK_SHAPE, Json.of(chunkShape));
    }

    @Override
    public long[] gridShape() {
        return cells.clone();
    }

    @Override
    public Box chunk(long[] cell) {
        for (int d = 0; d < cells.length; d++) {
            if (cell[d] < 0 || cell[d] >= cells[d]) {
                throw new IllegalArgumentException(
                        "no chunk " + Arrays.toString(cell) + " in a grid of " + Arrays.toString(cells));
            }
        }
        return Box.cell(cell, chunkShape);
    }

    @Override
    public Box touched(Box region) {
        return region.cells(chunkShape);
    }

    @Override
    public RegularGrid resize(long[] newShape) {
        return of(newShape, chunkShape);
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof RegularGrid g
                && Arrays.equals(arrayShape, g.arrayShape)
                && Arrays.equals(chunkShape, g.chunkShape);
    }

    @Override
    public int hashCode() {
        return 31 * Arrays.hashCode(arrayShape) + Arrays.hashCode(chunkShape);
    }

    @Override
    public String toString() {
        return NAME + Arrays.toString(chunkShape);
    }
}
