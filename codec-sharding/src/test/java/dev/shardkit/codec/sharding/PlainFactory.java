package dev.shardkit.codec.sharding;

import dev.shardkit.spi.CodecFactory;
import dev.shardkit.spi.Config;
import dev.shardkit.spi.codec.Codec;

/** The {@code bytes} codec of these tests, for configurations that name it. */
public final class PlainFactory implements CodecFactory {
    @Override
    public String name() {
        return "bytes";
    }

    @Override
    public int priority() {
        return BUILT_IN - 1;
    }

    @Override
    public Codec create(Config config) {
        return config.oneOf("endian", "little", "big").orElse("little").equals("big") ? Codecs.BIG : Codecs.LITTLE;
    }
}
