package dev.shardkit.codec.bitround;

import dev.shardkit.spi.CodecFactory;
import dev.shardkit.spi.Config;
import dev.shardkit.spi.Extension;
import dev.shardkit.spi.codec.Codec;
import java.util.Set;

/**
 * Creates the {@code bitround} codec, also under its old name {@code numcodecs.bitround}. Stateless and thread-safe.
 */
public final class BitroundCodecFactory implements CodecFactory {
    /** Creates the factory; called by the service loader. */
    public BitroundCodecFactory() {}

    @Override
    public String name() {
        return BitroundCodec.NAME;
    }

    @Override
    public Set<String> aliases() {
        return Set.of("numcodecs.bitround");
    }

    @Override
    public int priority() {
        return Extension.BUILT_IN;
    }

    @Override
    public Codec create(Config config) {
        return new BitroundCodec((int) config.requiredInteger(BitroundCodec.KEEPBITS, 1, Integer.MAX_VALUE));
    }
}
