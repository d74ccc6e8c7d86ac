package dev.shardkit.spi;

import dev.shardkit.spi.codec.Codec;

/**
 * Creates the codecs of one name. Register it in {@code META-INF/services/dev.shardkit.spi.CodecFactory}. Thread-safe:
 * several threads share one factory.
 */
public interface CodecFactory extends Extension {
    /**
     * Creates a codec from its configuration. The caller rejects members that this method does not read.
     *
     * @throws dev.shardkit.spi.error.MetadataException if the configuration is invalid
     */
    Codec create(Config config);
}
