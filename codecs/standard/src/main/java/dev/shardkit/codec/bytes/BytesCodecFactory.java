package dev.shardkit.codec.bytes;

import dev.shardkit.spi.CodecFactory;
import dev.shardkit.spi.Config;
import dev.shardkit.spi.Extension;
import dev.shardkit.spi.codec.Codec;
import java.nio.ByteOrder;
import java.util.Set;

/**
 * Creates the {@code bytes} codec, also under its old name {@code endian}. Whether the member {@code endian} is
 * required depends on the data type, so it is checked when the codec is bound. Stateless and thread-safe.
 */
public final class BytesCodecFactory implements CodecFactory {
    /** Creates the factory; called by the service loader. */
    public BytesCodecFactory() {}

    @Override
    public String name() {
        return BytesCodec.NAME;
    }

    @Override
    public Set<String> aliases() {
        return Set.of("endian");
    }

    @Override
    public int priority() {
        return Extension.BUILT_IN;
    }

    @Override
    public Codec create(Config config) {
        return new BytesCodec(config.oneOf(BytesCodec.ENDIAN, "little", "big")
                .map(e -> e.equals("big") ? ByteOrder.BIG_ENDIAN : ByteOrder.LITTLE_ENDIAN)
                .orElse(null));
    }
}
