package dev.shardkit.blosc2;

import dev.shardkit.spi.CodecFactory;
import dev.shardkit.spi.Config;
import dev.shardkit.spi.Extension;
import dev.shardkit.spi.codec.Codec;

/** Creates {@link Blosc2Codec}. Stateless and thread-safe. */
public final class Blosc2CodecFactory implements CodecFactory {
    /** Called by the service loader. */
    public Blosc2CodecFactory() {}

    @Override
    public String name() {
        return Blosc2Codec.NAME;
    }

    @Override
    public int priority() {
        return Extension.BUILT_IN;
    }

    @Override
    public Codec create(Config config) {
        return Blosc2Codec.create(config);
    }
}
