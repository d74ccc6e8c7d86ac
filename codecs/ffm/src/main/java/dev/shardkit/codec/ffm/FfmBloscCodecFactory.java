package dev.shardkit.codec.ffm;

import dev.shardkit.codec.blosc.BloscCodec;
import dev.shardkit.codec.blosc.BloscCodecFactory;
import dev.shardkit.codec.blosc.BloscKernels;
import java.util.function.Supplier;

/** Creates {@code blosc} codecs with native compressors; found by {@link java.util.ServiceLoader}. Stateless. */
public final class FfmBloscCodecFactory extends FfmCodecFactory {
    private static final Supplier<BloscKernels> KERNELS = FfmBloscKernels::new;

    /** Creates the factory; called by the service loader. Fails if the native libraries cannot be loaded. */
    public FfmBloscCodecFactory() {
        super(new BloscCodecFactory(), plain -> ((BloscCodec) plain).withKernels(KERNELS));
    }
}
