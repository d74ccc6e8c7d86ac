package dev.shardkit.neuroglancer;

import dev.shardkit.spi.Config;
import dev.shardkit.spi.error.UnsupportedException;

/**
 * The placeholder for the codec of a scale with an unsupported encoding: its name in the metadata, and the exception
 * that its factory throws. So a volume can be opened even if one of its scales cannot. Stateless.
 */
final class UnsupportedEncoding {
    static final String NAME = "neuroglancer.unsupported";

    private UnsupportedEncoding() {}

    /** Returns the exception that names the unsupported encoding. */
    static UnsupportedException error(Config config) {
        return new UnsupportedException(config.pointer() + ": encoding "
                + config.json("encoding").map(Object::toString).orElse("\"\"")
                + " is not supported; known are compressed_segmentation, jpeg, png and raw");
    }
}
