package dev.shardkit.codec.ffm;

import dev.shardkit.codec.gzip.GzipCodec;
import dev.shardkit.codec.gzip.GzipCodecFactory;

/** Makes {@code gzip} over libdeflate; found by {@link java.util.ServiceLoader}. Stateless. */
public final class FfmGzipCodecFactory extends FfmCodecFactory {
    /** For the service loader; fails where natives cannot be loaded. */
    public FfmGzipCodecFactory() {
        super(new GzipCodecFactory(), plain -> new FfmGzipCodec((GzipCodec) plain));
    }
}
