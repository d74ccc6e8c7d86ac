package dev.shardkit.codec.ffm;

import dev.shardkit.codec.zstd.ZstdCodec;
import dev.shardkit.codec.zstd.ZstdCodecFactory;

/** Creates {@code zstd} codecs with the native library; found by {@link java.util.ServiceLoader}. Stateless. */
public final class FfmZstdCodecFactory extends FfmCodecFactory {
    /** Creates the factory; called by the service loader. Fails if the native libraries cannot be loaded. */
    public FfmZstdCodecFactory() {
        super(new ZstdCodecFactory(), plain -> new FfmZstdCodec((ZstdCodec) plain));
    }
}
