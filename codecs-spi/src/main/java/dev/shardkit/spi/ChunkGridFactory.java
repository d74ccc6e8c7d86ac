package dev.shardkit.spi;

import dev.shardkit.spi.array.ChunkGrid;

/**
 * Creates the chunk grids of one name. Register it in {@code META-INF/services/dev.shardkit.spi.ChunkGridFactory}.
 * Thread-safe: several threads share one factory.
 */
public interface ChunkGridFactory extends Extension {
    /**
     * Creates the grid of an array with shape {@code arrayShape}.
     *
     * @throws dev.shardkit.spi.error.MetadataException if the configuration is invalid or does not fit the shape
     */
    ChunkGrid create(Config config, long[] arrayShape);
}
