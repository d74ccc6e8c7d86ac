package dev.shardkit.codec.ffm;

import dev.shardkit.codec.zstd.ZstdCodec;
import dev.shardkit.codec.zstd.ZstdCodecFactory;
import dev.shardkit.spi.CodecFactory;
import dev.shardkit.spi.Config;
import dev.shardkit.spi.codec.Codec;
import java.util.Set;

/** Makes {@code zstd} over the native library; found by {@link java.util.ServiceLoader}. Stateless. */
public final class FfmZstdCodecFactory implements CodecFactory {
  private final ZstdCodecFactory plain = new ZstdCodecFactory();

  /** For the service loader; fails where natives cannot be loaded. */
  public FfmZstdCodecFactory() {
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
    return new FfmZstdCodec((ZstdCodec) plain.create(config));
  }
}
