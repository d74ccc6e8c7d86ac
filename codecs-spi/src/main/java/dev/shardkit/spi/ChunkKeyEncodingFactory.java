package dev.shardkit.spi;

import dev.shardkit.spi.array.ChunkKeyEncoding;

/**
 * Creates the chunk key encodings of one name. Register it in
 * {@code META-INF/services/dev.shardkit.spi.ChunkKeyEncodingFactory}. Thread-safe: several threads share one factory.
 */
public interface ChunkKeyEncodingFactory extends Extension {
    /**
     * Creates the encoding.
     *
     * @throws dev.shardkit.spi.error.MetadataException if the configuration is invalid
     */
    ChunkKeyEncoding create(Config config);
}
