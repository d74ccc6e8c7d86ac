package dev.shardkit.codec.castvalue;

import dev.shardkit.codec.support.Elementwise;
import dev.shardkit.codec.support.NumberOrigin;
import dev.shardkit.codec.support.StoredNumbers;
import dev.shardkit.spi.array.ChunkType;
import dev.shardkit.spi.array.DataType;
import dev.shardkit.spi.array.FillValue;
import dev.shardkit.spi.array.FloatingFormat;
import dev.shardkit.spi.array.IntegerFormat;
import dev.shardkit.spi.array.NumberCast;
import dev.shardkit.spi.array.NumberFormat;
import dev.shardkit.spi.codec.ArrayToArrayCodec;
import dev.shardkit.spi.codec.BoundArrayToArrayCodec;
import dev.shardkit.spi.error.MetadataException;
import dev.shardkit.spi.json.Json;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Locale;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The {@code cast_value} codec (zarr-extensions): stores numbers as numbers of another type. The configuration selects
 * how to round, and whether to clamp or wrap numbers out of range. A number that the other type still cannot represent
 * is an error. Does not reinterpret bits as another type. Immutable and thread-safe.
 *
 * @param type the stored type
 * @param typeJson the stored type as the metadata states it
 * @param rounding how to round numbers that the other type cannot represent
 * @param range what to do with numbers out of range
 * @param map the member {@code scalar_map}, which states what some numbers become; null if it is missing
 */
record CastValueCodec(DataType type, Json typeJson, Rounding rounding, NumberCast.Range range, Json.@Nullable Obj map)
        implements ArrayToArrayCodec {
    static final String NAME = "cast_value";
    static final String DATA_TYPE = "data_type";
    static final String ROUNDING = "rounding";
    static final String OUT_OF_RANGE = "out_of_range";
    static final String SCALAR_MAP = "scalar_map";
    static final String ENCODE = "encode";
    static final String DECODE = "decode";

    static CastValueCodec of(
            DataType type, Json json, Rounding rounding, NumberCast.Range range, Json.@Nullable Obj map) {
        NumberFormat format = StoredNumbers.real(NAME, type);
        if (range == NumberCast.Range.WRAP && !(format instanceof IntegerFormat)) {
            throw new MetadataException("codec " + NAME + ": expected out_of_range clamp or none for " + type.name()
                    + ", found wrap, which is for integers only");
        }
        return new CastValueCodec(type, json, rounding, range, map);
    }

    /** Returns the name of a range in the metadata. */
    static String word(NumberCast.Range range) {
        return range.name().toLowerCase(Locale.ROOT);
    }

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public Json.Obj configuration() {
        Json.Obj json = Json.object().with(DATA_TYPE, typeJson);
        json = rounding == Rounding.NEAREST_EVEN ? json : json.with(ROUNDING, Json.of(rounding.word()));
        json = range == NumberCast.Range.REFUSE ? json : json.with(OUT_OF_RANGE, Json.of(word(range)));
        return map == null ? json : json.with(SCALAR_MAP, map);
    }

    @Override
    public BoundArrayToArrayCodec bind(ChunkType decoded) {
        DataType decodedType = decoded.dataType();
        StoredNumbers.real(NAME, decodedType); // throws if the type is not numeric
        ScalarMap forth = scalars(ENCODE, decodedType, type);
        ScalarMap back = scalars(DECODE, type, decodedType);
        FillValue fill = Elementwise.fill(cast(decodedType, type, forth, NumberOrigin.FILL), decoded.fill(), type);
        FillValue roundTripped = Elementwise.fill(cast(type, decodedType, back, NumberOrigin.FILL), fill, decodedType);
        if (comparable(decodedType, roundTripped) != comparable(decodedType, decoded.fill())
                && !(isNan(decodedType, roundTripped) && isNan(decodedType, decoded.fill()))) {
            throw new MetadataException("codec " + NAME + ": expected a fill value that survives a round trip through "
                    + type.name() + ", found " + decodedType.formatFill(decoded.fill()) + ", which becomes "
                    + decodedType.formatFill(roundTripped));
        }
        return new Elementwise(
                decoded,
                ChunkType.of(type, fill, decoded.shape()),
                cast(decodedType, type, forth, NumberOrigin.ENCODE),
                cast(type, decodedType, back, NumberOrigin.DECODE));
    }

    private ElementCast cast(DataType source, DataType target, ScalarMap scalars, NumberOrigin direction) {
        return new ElementCast(source, target, new NumberCast(rounding.mode(), range), scalars, direction);
    }

    private ScalarMap scalars(String direction, DataType source, DataType target) {
        Optional<Json> pairs = map == null ? Optional.empty() : map.get(direction);
        return pairs.isEmpty()
                ? ScalarMap.none()
                : ScalarMap.parse(
                        (Json.Arr) pairs.get(), "codec " + NAME + ": " + SCALAR_MAP + "/" + direction, source, target);
    }

    private static boolean isNan(DataType type, FillValue value) {
        return type.number().orElseThrow() instanceof FloatingFormat f && Double.isNaN(f.value(bits(value)));
    }

    /** Returns a number that is the same for equal fill values; adding 0.0 makes both zeros equal. */
    private static long comparable(DataType type, FillValue value) {
        return type.number().orElseThrow() instanceof FloatingFormat f
                ? Double.doubleToLongBits(f.value(bits(value)) + 0.0)
                : bits(value);
    }

    private static long bits(FillValue value) {
        ByteBuffer word = ByteBuffer.wrap(value.bytes()).order(ByteOrder.LITTLE_ENDIAN);
        return StoredNumbers.word(word, value.size(), 0);
    }
}
