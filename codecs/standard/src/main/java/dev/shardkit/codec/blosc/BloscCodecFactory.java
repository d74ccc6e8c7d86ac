package dev.shardkit.codec.blosc;

import dev.shardkit.spi.CodecFactory;
import dev.shardkit.spi.Config;
import dev.shardkit.spi.Extension;
import dev.shardkit.spi.codec.Codec;

/**
 * Makes the {@code blosc} codec. The members {@code cname} and {@code clevel} must be there. A missing {@code typesize}
 * is the element size of the data type, a missing {@code blocksize} 0, a missing {@code shuffle} what zarr-python
 * takes: {@code bitshuffle} for elements of one byte, otherwise {@code shuffle}. Immutable, thread-safe.
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
