package dev.shardkit.codec.conditional;

import dev.shardkit.spi.CodecFactory;
import dev.shardkit.spi.Config;
import dev.shardkit.spi.codec.BytesToBytesCodec;
import dev.shardkit.spi.codec.Codec;
import dev.shardkit.spi.error.MetadataException;
import dev.shardkit.spi.json.Json;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;

/** Creates {@link ConditionalCodec}s; found by {@link java.util.ServiceLoader}. Stateless. */
public final class ConditionalCodecFactory implements CodecFactory {
    /** A bound on the header, which each chunk repeats: 8 KiB. */
    private static final int MAX_BITS = 1 << 16;

    /** Creates the factory; called by the service loader. */
    public ConditionalCodecFactory() {}

    @Override
    public String name() {
        return ConditionalCodec.NAME;
    }

    @Override
    public int priority() {
        return BUILT_IN;
    }

    @Override
    public Codec create(Config config) {
        List<BytesToBytesCodec> codecs = codecs(config);
        String bits = ConditionalCodec.HEADER_BITS;
        OptionalLong configured = config.integer(bits, codecs.size(), MAX_BITS);
        if (configured.orElse(0) % Byte.SIZE != 0) {
            throw Config.expected(
                    config.at(bits), "a multiple of 8", config.json(bits).orElseThrow());
        }
        return new ConditionalCodec(codecs, (int) configured.orElse(ConditionalCodec.smallestHeader(codecs.size())));
    }

    /** Reads the inner codecs. All must be known, because the bits of the header are numbered by them. */
    private static List<BytesToBytesCodec> codecs(Config config) {
        String name = ConditionalCodec.CODECS;
        if (!(config.json(name).orElseGet(Json.Null::new) instanceof Json.Arr list)
                || list.items().size() > MAX_BITS) {
            throw Config.expected(
                    config.at(name),
                    "a list of at most " + MAX_BITS + " codecs",
                    config.json(name).orElseGet(Json.Null::new));
        }
        List<BytesToBytesCodec> codecs = new ArrayList<>();
        for (int i = 0; i < list.items().size(); i++) {
            String pointer = config.at(name) + "/" + i;
            Codec codec = config.extensions().codec(list.items().get(i), pointer);
            if (!(codec instanceof BytesToBytesCodec filter)) {
                throw new MetadataException(pointer + ": expected a codec from bytes to bytes, found " + codec.name());
            }
            codecs.add(filter);
        }
        return codecs;
    }
}
