package dev.shardkit.codec.blosc;

import dev.shardkit.spi.CodecFactory;
import dev.shardkit.spi.Config;
import dev.shardkit.spi.Extension;
import dev.shardkit.spi.codec.Codec;

/**
 * Creates the codec {@code numcodecs.blosc}: frames of {@code blosc} with the configuration of numcodecs, in which all
 * members are optional and {@code shuffle} is a number. Immutable and thread-safe.
 */
public final class NumcodecsBloscFactory implements CodecFactory {
    @Override
    public String name() {
        return "numcodecs." + BloscCodec.NAME;
    }

    @Override
    public int priority() {
        return Extension.BUILT_IN;
    }

    @Override
    public Codec create(Config config) {
        return new BloscCodec(BloscSettings.ofNumcodecs(config));
    }
}
