package dev.shardkit.codec.ffm;

import dev.shardkit.codec.blosc.BloscCodec;
import dev.shardkit.codec.blosc.BloscCodecFactory;
import dev.shardkit.codec.blosc.BloscKernels;
import dev.shardkit.spi.CodecFactory;
import dev.shardkit.spi.Config;
import dev.shardkit.spi.codec.Codec;
import java.util.function.Supplier;

/** Makes {@code blosc} with native compressors inside; found by {@link java.util.ServiceLoader}. Stateless. */
public final class FfmBloscCodecFactory implements CodecFactory {
  private static final Supplier<BloscKernels> KERNELS = FfmBloscKernels::new;

  private final BloscCodecFactory plain = new BloscCodecFactory();

  /** For the service loader; fails where natives cannot be loaded. */
  public FfmBloscCodecFactory() {
    Natives.check();
  }

  @Override
  public String name() {
    return plain.name();
  }

  @Override
  public int priority() {
    return NATIVE;
  }

  @Override
  public Codec create(Config config) {
    return ((BloscCodec) plain.create(config)).withKernels(KERNELS);
  }
}
