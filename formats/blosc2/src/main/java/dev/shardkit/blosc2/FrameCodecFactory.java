package dev.shardkit.blosc2;

import dev.shardkit.spi.CodecFactory;
import dev.shardkit.spi.Config;
import dev.shardkit.spi.Extension;
import dev.shardkit.spi.codec.Codec;

/** Creates {@link FrameCodec}. Stateless and thread-safe. */
public final class FrameCodecFactory implements CodecFactory {
    /** Called by the service loader. */
    public FrameCodecFactory() {}

    @Override
    public String name() {
        return FrameCodec.NAME;
    }

    @Override
    public int priority() {
        return Extension.BUILT_IN;
    }

    @Override
    public Codec create(Config config) {
        return new FrameCodec();
    }
}
