package dev.shardkit.codec.blosc;

import dev.shardkit.spi.CodecFactory;
import dev.shardkit.spi.Config;
import dev.shardkit.spi.Extension;
import dev.shardkit.spi.codec.Codec;

/**
 * Creates the {@code blosc} codec. The members {@code cname} and {@code clevel} are required. The default of
 * {@code typesize} is the element size of the data type. The default of {@code blocksize} is 0. The default of
 * {@code shuffle} is that of zarr-python: {@code bitshuffle} for elements of one byte, otherwise {@code shuffle}.
 * Immutable and thread-safe.
 */
public final class BloscCodecFactory implements CodecFactory {
    @Override
    public String name() {
        return BloscCodec.NAME;
    }

    @Override
    public int priority() {
        return Extension.BUILT_IN;
    }

    @Override
    public Codec create(Config config) {
        return new BloscCodec(BloscSettings.of(config));
    }
}
