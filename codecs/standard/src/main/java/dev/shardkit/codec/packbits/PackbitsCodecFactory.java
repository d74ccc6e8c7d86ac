package dev.shardkit.codec.packbits;

import dev.shardkit.spi.CodecFactory;
import dev.shardkit.spi.Config;
import dev.shardkit.spi.Extension;
import dev.shardkit.spi.codec.Codec;
import dev.shardkit.spi.json.Json;
import java.util.OptionalInt;

/**
 * Creates the {@code packbits} codec. The codec itself checks whether the data type has the configured bits, when it is
 * bound. Stateless and thread-safe.
 */
public final class PackbitsCodecFactory implements CodecFactory {
    /** Creates the factory; called by the service loader. */
    public PackbitsCodecFactory() {}

    @Override
    public String name() {
        return PackbitsCodec.NAME;
    }

    @Override
    public int priority() {
        return Extension.BUILT_IN;
    }

    @Override
    public Codec create(Config config) {
        PackbitsCodec.Padding padding = config.oneOf(PackbitsCodec.PADDING_ENCODING, PackbitsCodec.Padding.words())
                .map(PackbitsCodec.Padding::of)
                .orElse(PackbitsCodec.Padding.NONE);
        OptionalInt first = bit(config, PackbitsCodec.FIRST_BIT);
        OptionalInt last = bit(config, PackbitsCodec.LAST_BIT);
        if (last.isPresent() && last.getAsInt() < first.orElse(0)) {
            throw Config.expected(
                    config.at(PackbitsCodec.LAST_BIT),
                    "a bit that is not before " + first.orElse(0),
                    Json.of(last.getAsInt()));
        }
        return new PackbitsCodec(padding, first, last);
    }

    private static OptionalInt bit(Config config, String name) {
        if (config.json(name).orElseGet(Json.Null::new) instanceof Json.Null) {
            return OptionalInt.empty();
        }
        return OptionalInt.of((int) config.requiredInteger(name, 0, 63));
    }
}
