package dev.shardkit.codec.ffm;

import dev.shardkit.codec.gzip.GzipCodec;
import dev.shardkit.codec.gzip.GzipCodecFactory;

/** Creates {@code gzip} codecs with libdeflate; found by {@link java.util.ServiceLoader}. Stateless. */
public final class FfmGzipCodecFactory extends FfmCodecFactory {
    /** Creates the factory; called by the service loader. Fails if the native libraries cannot be loaded. */
    public FfmGzipCodecFactory() {
        super(new GzipCodecFactory(), plain -> new FfmGzipCodec((GzipCodec) plain));
    }
}
