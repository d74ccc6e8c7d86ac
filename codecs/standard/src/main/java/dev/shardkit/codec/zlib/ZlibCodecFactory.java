package dev.shardkit.codec.zlib;

import dev.shardkit.spi.CodecFactory;
import dev.shardkit.spi.Config;
import dev.shardkit.spi.codec.Codec;

/** Creates {@link ZlibCodec}s; found by {@link java.util.ServiceLoader}. Stateless. */
public final class ZlibCodecFactory implements CodecFactory {
    /** The default of numcodecs. */
    private static final int USUAL_LEVEL = 1;

    /** Creates the factory; called by the service loader. */
    public ZlibCodecFactory() {}

    @Override
    public String name() {
        return ZlibCodec.NAME;
    }

    @Override
    public int priority() {
        return BUILT_IN;
    }

    @Override
    public Codec create(Config config) {
        return new ZlibCodec((int) config.integer("level", ZlibCodec.LOWEST_LEVEL, ZlibCodec.HIGHEST_LEVEL)
                .orElse(USUAL_LEVEL));
    }
}
