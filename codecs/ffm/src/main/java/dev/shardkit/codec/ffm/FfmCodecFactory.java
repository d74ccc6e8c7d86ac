package dev.shardkit.codec.ffm;

import dev.shardkit.spi.CodecFactory;
import dev.shardkit.spi.Config;
import dev.shardkit.spi.codec.Codec;
import java.util.Set;
import java.util.function.UnaryOperator;

/**
 * Creates codecs that use native libraries. They have the names of the pure-Java codecs and a higher priority, so the
 * registry prefers them. Stateless.
 */
abstract class FfmCodecFactory implements CodecFactory {
    private final CodecFactory plain;
    private final UnaryOperator<Codec> toNative;

    /**
     * Fails if the native libraries cannot be loaded.
     *
     * @param plain creates the pure-Java codecs
     * @param toNative creates a native codec from the pure-Java codec with the same configuration
     */
    FfmCodecFactory(CodecFactory plain, UnaryOperator<Codec> toNative) {
        NativeAvailability.check();
        this.plain = plain;
        this.toNative = toNative;
    }

    @Override
    public final String name() {
        return plain.name();
    }

    @Override
    public final Set<String> aliases() {
        return plain.aliases();
    }

    @Override
    public final int priority() {
        return NATIVE;
    }

    @Override
    public final Codec create(Config config) {
        return toNative.apply(plain.create(config));
    }
}
