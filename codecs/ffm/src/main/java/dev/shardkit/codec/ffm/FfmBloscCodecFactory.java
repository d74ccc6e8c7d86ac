package dev.shardkit.codec.ffm;

import dev.shardkit.codec.blosc.BloscCodec;
import dev.shardkit.codec.blosc.BloscCodecFactory;
import dev.shardkit.codec.blosc.BloscKernels;
import java.util.function.Supplier;

/** Makes {@code blosc} with native compressors inside; found by {@link java.util.ServiceLoader}. Stateless. */
public final class FfmBloscCodecFactory extends FfmCodecFactory {
    private static final Supplier<BloscKernels> KERNELS = FfmBloscKernels::new;

    /** For the service loader; fails where natives cannot be loaded. */
    public FfmBloscCodecFactory() {
        super(new BloscCodecFactory(), plain -> ((BloscCodec) plain).withKernels(KERNELS));
    }
}
