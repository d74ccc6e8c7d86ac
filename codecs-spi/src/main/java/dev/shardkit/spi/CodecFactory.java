package dev.shardkit.spi;

import dev.shardkit.spi.codec.Codec;

/**
 * Makes codecs of one name. Register it in {@code META-INF/services/dev.shardkit.spi.CodecFactory}. Thread-safe:
 * several threads call one factory.
 */
public interface CodecFactory extends Extension {
    /**
     * Makes a codec of its configuration; members that are not read are refused by the caller.
     *
     * @throws dev.shardkit.spi.error.MetadataException if the configuration is wrong
     */
    Codec create(Config config);
}
