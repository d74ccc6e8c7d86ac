package dev.shardkit.codec.zstd;

import dev.shardkit.spi.CodecFactory;
import dev.shardkit.spi.Config;
import dev.shardkit.spi.codec.Codec;
import java.util.Set;

/**
 * Creates {@link ZstdCodec}s; found by {@link java.util.ServiceLoader}. {@code level} is required, {@code checksum}
 * defaults to false (Zarr extension codec {@code zstd}, schema). Stateless.
 */
public final class ZstdCodecFactory implements CodecFactory {
    /** Creates the factory; called by the service loader. */
    public ZstdCodecFactory() {}

    @Override
    public String name() {
        return ZstdCodec.NAME;
    }

    @Override
    public Set<String> aliases() {
        return Set.of("numcodecs.zstd");
    }

    @Override
    public int priority() {
        return BUILT_IN;
    }

    @Override
    public Codec create(Config config) {
        ZstdCodec codec = ZstdCodec.ofLevel(
                (int) config.requiredInteger("level", ZstdCodec.LOWEST_LEVEL, ZstdCodec.HIGHEST_LEVEL));
        return config.bool("checksum").orElse(false) ? codec.withChecksum() : codec;
    }
}
