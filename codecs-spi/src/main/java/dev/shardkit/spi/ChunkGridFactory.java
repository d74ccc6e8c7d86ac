package dev.shardkit.spi;

import dev.shardkit.spi.array.ChunkGrid;

/**
 * Makes chunk grids of one name. Register it in {@code META-INF/services/dev.shardkit.spi.ChunkGridFactory}.
 * Thread-safe: several threads call one factory.
 */
public interface ChunkGridFactory extends Extension {
    /**
     * Makes the grid of an array of {@code arrayShape}.
     *
     * @throws dev.shardkit.spi.error.MetadataException if the configuration is wrong or does not fit the shape
     */
    ChunkGrid create(Config config, long[] arrayShape);
}
