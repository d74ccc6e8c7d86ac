package dev.shardkit.spi.array;

import dev.shardkit.spi.json.Json;
import java.util.List;

/**
 * How an array is cut into chunks (Zarr core specification, section "Chunk grids"), bound to the array's shape. A
 * product of one partition per dimension, so the cells that a region touches form a box. Immutable.
 */
public interface ChunkGrid {
    /** The name in the metadata. */
    String name();

    /** The configuration in the metadata. */
    Json.Obj configuration();

    /** How many chunks there are in each dimension. */
    long[] cells();

    /**
     * Where the chunk at {@code cell} lies in the array; its shape is the stored one, which may reach past the edge.
     */
    Box chunk(long[] cell);

    /** The cells of the chunks that {@code region} touches; an empty region touches none. */
    Box touched(Box region);

    /**
     * Shapes that chunks have, by which codecs are checked when an array is opened: each length that occurs in some
     * dimension should be in one of them, as far as {@code most} shapes reach. Only asked of grids that have a chunk.
     * By default the shape of the first chunk, which is enough where all have it.
     */
    default List<long[]> sampleShapes(int most) {
        return List.of(chunk(new long[cells().length]).shape());
    }

    /** The same grid for an array of another shape. */
    ChunkGrid resize(long[] arrayShape);
}
