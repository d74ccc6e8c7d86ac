package dev.shardkit.spi.array;

import dev.shardkit.spi.json.Json;

/**
 * Maps a chunk's cell to a key relative to the array (Zarr core specification, section "Chunk key encoding").
 * Immutable.
 */
public interface ChunkKeyEncoding {
    /** Returns the name in the metadata. */
    String name();

    /** Returns the configuration in the metadata. */
    Json.Obj configuration();

    /** Returns the key of the chunk at {@code cell}, relative to the array. */
    String encode(long[] cell);
}
