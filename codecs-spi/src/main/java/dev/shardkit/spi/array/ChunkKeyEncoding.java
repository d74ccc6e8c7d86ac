package dev.shardkit.spi.array;

import dev.shardkit.spi.json.Json;

/**
 * How a chunk's cell becomes a key below the array (Zarr core specification, section "Chunk key encoding"). Immutable.
 */
public interface ChunkKeyEncoding {
    /** The name in the metadata. */
    String name();

    /** The configuration in the metadata. */
    Json.Obj configuration();

    /** The key of the chunk at {@code cell}, relative to the array. */
    String encode(long[] cell);
}
