package dev.shardkit.spi;

import dev.shardkit.spi.array.ChunkKeyEncoding;

/**
 * Makes chunk key encodings of one name. Register it in
 * {@code META-INF/services/dev.shardkit.spi.ChunkKeyEncodingFactory}. Thread-safe: several threads call one factory.
 */
public interface ChunkKeyEncodingFactory extends Extension {
    /**
     * Makes the encoding.
     *
     * @throws dev.shardkit.spi.error.MetadataException if the configuration is wrong
     */
    ChunkKeyEncoding create(Config config);
}
