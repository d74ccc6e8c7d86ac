package dev.shardkit.spi;

import dev.shardkit.spi.codec.StorageTransformer;

/**
 * Makes storage transformers of one name. Register it in
 * {@code META-INF/services/dev.shardkit.spi.StorageTransformerFactory}. Thread-safe: several threads call one factory.
 */
public interface StorageTransformerFactory extends Extension {
    /**
     * Makes the transformer.
     *
     * @throws dev.shardkit.spi.error.MetadataException if the configuration is wrong
     */
    StorageTransformer create(Config config);
}
