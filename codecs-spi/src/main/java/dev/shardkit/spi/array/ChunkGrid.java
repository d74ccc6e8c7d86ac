package dev.shardkit.spi.array;

import dev.shardkit.spi.json.Json;
import java.util.List;

/**
 * How an array is divided into chunks (Zarr core specification, section "Chunk grids"), bound to the array's shape. A
 * grid is the product of one partition for each dimension, so the chunks that intersect a region form a box. Immutable.
 */
public interface ChunkGrid {
    /** Returns the name in the metadata. */
    String name();

    /** Returns the configuration in the metadata. */
    Json.Obj configuration();

    /** Returns the number of chunks in each dimension. */
    long[] gridShape();

    /**
     * Returns the box of the chunk at {@code cell} in array coordinates. Its shape is the stored shape, which may
     * extend past the array's edge.
     */
    Box chunk(long[] cell);

    /** Returns the box of the cells whose chunks intersect {@code region}; an empty region intersects no chunks. */
    Box touched(Box region);

    /**
     * Returns sample chunk shapes, which shardkit uses to check the codecs when it opens an array. Each length that
     * occurs in a dimension should appear in one of the shapes, as far as {@code maxCount} shapes allow. Called only
     * for grids with at least one chunk. The default is the shape of the first chunk, which suffices if all chunks have
     * the same shape.
     */
    default List<long[]> sampleShapes(int maxCount) {
        return List.of(chunk(new long[gridShape().length]).shape());
    }

    /** Returns the same grid for an array of another shape. */
    ChunkGrid resize(long[] arrayShape);
}
