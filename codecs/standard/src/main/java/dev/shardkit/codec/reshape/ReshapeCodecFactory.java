package dev.shardkit.codec.reshape;

import dev.shardkit.spi.CodecFactory;
import dev.shardkit.spi.Config;
import dev.shardkit.spi.Extension;
import dev.shardkit.spi.codec.Codec;
import dev.shardkit.spi.json.Json;
import java.util.ArrayList;
import java.util.List;

/**
 * Creates the {@code reshape} codec. The codec itself checks whether its shape fits a chunk, when it is bound.
 * Stateless and thread-safe.
 */
public final class ReshapeCodecFactory implements CodecFactory {
    /** Creates the factory; called by the service loader. */
    public ReshapeCodecFactory() {}

    @Override
    public String name() {
        return ReshapeCodec.NAME;
    }

    @Override
    public int priority() {
        return Extension.BUILT_IN;
    }

    @Override
    public Codec create(Config config) {
        Json json = config.json(ReshapeCodec.SHAPE).orElseGet(Json.Null::new);
        String location = config.at(ReshapeCodec.SHAPE);
        if (!(json instanceof Json.Arr list)) {
            throw Config.expected(location, "a list of lengths, lists of dimensions and -1", json);
        }
        List<EncodedDimension> extents = new ArrayList<>();
        long previous = -1;
        for (int i = 0; i < list.items().size(); i++) {
            EncodedDimension extent = EncodedDimension.parse(list.items().get(i), location + "/" + i);
            if (extent instanceof EncodedDimension.Rest
                    && extents.stream().anyMatch(e -> e instanceof EncodedDimension.Rest)) {
                throw Config.expected(location + "/" + i, "-1 only once", json);
            } else if (extent instanceof EncodedDimension.Of o) {
                for (long d : o.dimensions()) {
                    if (d <= previous) {
                        throw Config.expected(location + "/" + i, "dimensions in increasing order", json);
                    }
                    previous = d;
                }
            }
            extents.add(extent);
        }
        return new ReshapeCodec(extents);
    }
}
