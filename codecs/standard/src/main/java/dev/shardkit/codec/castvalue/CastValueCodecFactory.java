package dev.shardkit.codec.castvalue;

import dev.shardkit.spi.CodecFactory;
import dev.shardkit.spi.Config;
import dev.shardkit.spi.Extension;
import dev.shardkit.spi.array.DataType;
import dev.shardkit.spi.array.NumberCast;
import dev.shardkit.spi.codec.Codec;
import dev.shardkit.spi.error.MetadataException;
import dev.shardkit.spi.json.Json;
import java.util.Map;
import java.util.Set;

/**
 * Creates the {@code cast_value} codec. The codec itself checks whether the scalars of {@code scalar_map} fit the data
 * types, when it is bound. Stateless and thread-safe.
 */
public final class CastValueCodecFactory implements CodecFactory {
    private static final Set<String> DIRECTIONS = Set.of(CastValueCodec.ENCODE, CastValueCodec.DECODE);

    /** Creates the factory; called by the service loader. */
    public CastValueCodecFactory() {}

    @Override
    public String name() {
        return CastValueCodec.NAME;
    }

    @Override
    public int priority() {
        return Extension.BUILT_IN;
    }

    @Override
    public Codec create(Config config) {
        Json json = config.json(CastValueCodec.DATA_TYPE)
                .orElseThrow(() ->
                        new MetadataException(config.at(CastValueCodec.DATA_TYPE) + ": is required, but missing"));
        DataType type = config.extensions().dataType(json, config.at(CastValueCodec.DATA_TYPE));
        Rounding rounding = config.oneOf(CastValueCodec.ROUNDING, Rounding.words())
                .map(Rounding::of)
                .orElse(Rounding.NEAREST_EVEN);
        NumberCast.Range range = config.oneOf(
                        CastValueCodec.OUT_OF_RANGE,
                        CastValueCodec.word(NumberCast.Range.CLAMP),
                        CastValueCodec.word(NumberCast.Range.WRAP))
                .map(w -> w.equals(CastValueCodec.word(NumberCast.Range.CLAMP))
                        ? NumberCast.Range.CLAMP
                        : NumberCast.Range.WRAP)
                .orElse(NumberCast.Range.REFUSE);
        Json.Obj map = config.json(CastValueCodec.SCALAR_MAP)
                .map(j -> scalarMap(j, config.at(CastValueCodec.SCALAR_MAP)))
                .orElse(null);
        return CastValueCodec.of(type, json, rounding, range, map);
    }

    /** Checks the form of {@code scalar_map}: lists of pairs for {@code encode} and {@code decode}. */
    private static Json.Obj scalarMap(Json json, String location) {
        if (!(json instanceof Json.Obj map)) {
            throw Config.expected(location, "an object with \"encode\" and \"decode\"", json);
        }
        for (Map.Entry<String, Json> member : map.members().entrySet()) {
            if (!DIRECTIONS.contains(member.getKey())) {
                throw new MetadataException(location + ": unknown member; known are [decode, encode]");
            }
            boolean pairs = member.getValue() instanceof Json.Arr list
                    && list.items().stream()
                            .allMatch(p ->
                                    p instanceof Json.Arr pair && pair.items().size() == 2);
            if (!pairs) {
                throw Config.expected(location + "/" + member.getKey(), "a list of pairs", member.getValue());
            }
        }
        return map;
    }
}
