package dev.shardkit.codec.shuffle;

import dev.shardkit.spi.CodecFactory;
import dev.shardkit.spi.Config;
import dev.shardkit.spi.codec.Codec;

/** Creates {@link ShuffleCodec}s; found by {@link java.util.ServiceLoader}. Stateless. */
public final class ShuffleCodecFactory implements CodecFactory {
    /** The default of numcodecs. */
    private static final int USUAL_SIZE = 4;

    /** Creates the factory; called by the service loader. */
    public ShuffleCodecFactory() {}

    @Override
    public String name() {
        return ShuffleCodec.NAME;
    }

    @Override
    public int priority() {
        return BUILT_IN;
    }

    @Override
    public Codec create(Config config) {
        return new ShuffleCodec((int)
                config.integer(ShuffleCodec.ELEMENT_SIZE, 1, Integer.MAX_VALUE).orElse(USUAL_SIZE));
    }
}
