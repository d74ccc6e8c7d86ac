package dev.shardkit.neuroglancer;

import dev.shardkit.spi.Config;
import dev.shardkit.spi.error.UnsupportedException;

/**
 * The name of the placeholder codec of a scale with an unsupported encoding, and its error. The codec is never created.
 * Stateless.
 */
final class UnsupportedEncoding {
    static final String NAME = "neuroglancer.unsupported";

    private UnsupportedEncoding() {}

    static UnsupportedException error(Config config) {
        return new UnsupportedException(config.pointer() + ": encoding "
                + config.json("encoding").map(Object::toString).orElse("\"\"")
                + " is not supported; known are compressed_segmentation, jpeg, png and raw");
    }
}
