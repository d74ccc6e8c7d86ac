package dev.shardkit.codec.crc32c;

import dev.shardkit.spi.CodecFactory;
import dev.shardkit.spi.Config;
import dev.shardkit.spi.codec.Codec;

/** Creates {@link Crc32cCodec}s; found by {@link java.util.ServiceLoader}. Stateless. */
public final class Crc32cCodecFactory implements CodecFactory {
    /** Creates the factory; called by the service loader. */
    public Crc32cCodecFactory() {}

    @Override
    public String name() {
        return Crc32cCodec.NAME;
    }

    @Override
    public int priority() {
        return BUILT_IN;
    }

    @Override
    public Codec create(Config config) {
        return new Crc32cCodec();
    }
}
