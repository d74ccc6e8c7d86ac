package dev.shardkit.codec.ffm;

import dev.shardkit.codec.gzip.GzipCodec;
import dev.shardkit.codec.gzip.GzipCodecFactory;
import dev.shardkit.spi.CodecFactory;
import dev.shardkit.spi.Config;
import dev.shardkit.spi.codec.Codec;
import java.util.Set;

/** Makes {@code gzip} over libdeflate; found by {@link java.util.ServiceLoader}. Stateless. */
public final class FfmGzipCodecFactory implements CodecFactory {
  private final GzipCodecFactory plain = new GzipCodecFactory();

  /** For the service loader; fails where natives cannot be loaded. */
  public FfmGzipCodecFactory() {
    Natives.check();
  }

  @Override
  public String name() {
    return plain.name();
  }

  @Override
  public Set<String> aliases() {
    return plain.aliases();
  }

  @Override
  public int priority() {
    return NATIVE;
  }

  @Override
  public Codec create(Config config) {
    return new FfmGzipCodec((GzipCodec) plain.create(config));
  }
}
