package dev.shardkit.codec.ffm;

import dev.shardkit.codec.zstd.ZstdCodec;
import dev.shardkit.codec.zstd.ZstdCodecFactory;

/** Makes {@code zstd} over the native library; found by {@link java.util.ServiceLoader}. Stateless. */
public final class FfmZstdCodecFactory extends FfmCodecFactory {
    /** For the service loader; fails where natives cannot be loaded. */
    public FfmZstdCodecFactory() {
        super(new ZstdCodecFactory(), plain -> new FfmZstdCodec((ZstdCodec) plain));
    }
}
