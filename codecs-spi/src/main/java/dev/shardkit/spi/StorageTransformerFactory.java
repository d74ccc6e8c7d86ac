package dev.shardkit.spi;

import dev.shardkit.spi.codec.StorageTransformer;

/**
 * Creates the storage transformers of one name. Register it in
 * {@code META-INF/services/dev.shardkit.spi.StorageTransformerFactory}. Thread-safe: several threads share one factory.
 */
public interface StorageTransformerFactory extends Extension {
    /**
     * Creates the transformer.
     *
     * @throws dev.shardkit.spi.error.MetadataException if the configuration is invalid
     */
    StorageTransformer create(Config config);
}
