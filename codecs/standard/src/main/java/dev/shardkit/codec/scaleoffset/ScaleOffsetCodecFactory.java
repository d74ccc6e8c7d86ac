package dev.shardkit.codec.scaleoffset;

import dev.shardkit.spi.CodecFactory;
import dev.shardkit.spi.Config;
import dev.shardkit.spi.Extension;
import dev.shardkit.spi.codec.Codec;

/**
 * Creates the {@code scale_offset} codec. The codec itself checks whether the scalars fit the data type, when it is
 * bound. Stateless and thread-safe.
 */
public final class ScaleOffsetCodecFactory implements CodecFactory {
    /** Creates the factory; called by the service loader. */
    public ScaleOffsetCodecFactory() {}

    @Override
    public String name() {
        return ScaleOffsetCodec.NAME;
    }

    @Override
    public int priority() {
        return Extension.BUILT_IN;
    }

    @Override
    public Codec create(Config config) {
        return new ScaleOffsetCodec(
                ScaleOffsetCodec.scalar(config, ScaleOffsetCodec.OFFSET),
                ScaleOffsetCodec.scalar(config, ScaleOffsetCodec.SCALE));
    }
}
