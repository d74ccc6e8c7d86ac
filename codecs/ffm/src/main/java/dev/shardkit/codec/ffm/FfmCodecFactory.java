package dev.shardkit.codec.ffm;

import dev.shardkit.spi.CodecFactory;
import dev.shardkit.spi.Config;
import dev.shardkit.spi.codec.Codec;
import java.util.Set;
import java.util.function.UnaryOperator;

/** Makes codecs over native libraries of the pure-Java ones of the same name, which it comes before. Stateless. */
abstract class FfmCodecFactory implements CodecFactory {
    private final CodecFactory plain;
    private final UnaryOperator<Codec> over;

    /**
     * Fails where natives cannot be loaded.
     *
     * @param plain makes the pure-Java codecs
     * @param over makes a native codec of one of those
     */
    FfmCodecFactory(CodecFactory plain, UnaryOperator<Codec> over) {
        Natives.check();
        this.plain = plain;
        this.over = over;
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
        return over.apply(plain.create(config));
    }
}
