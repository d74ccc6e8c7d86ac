package dev.shardkit.codec.gzip;

import dev.shardkit.spi.CodecFactory;
import dev.shardkit.spi.Config;
import dev.shardkit.spi.codec.Codec;
import java.util.Set;

/** Creates {@link GzipCodec}s; found by {@link java.util.ServiceLoader}. Stateless. */
public final class GzipCodecFactory implements CodecFactory {
    /** Creates the factory; called by the service loader. */
    public GzipCodecFactory() {}

    @Override
    public String name() {
        return GzipCodec.NAME;
    }

    @Override
    public Set<String> aliases() {
        return Set.of("numcodecs.gzip");
    }

    @Override
    public int priority() {
        return BUILT_IN;
    }

    @Override
    public Codec create(Config config) {
        return new GzipCodec((int) config.requiredInteger("level", 0, GzipCodec.HIGHEST_LEVEL));
    }
}
