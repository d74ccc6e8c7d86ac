package dev.shardkit.cf;

import dev.shardkit.spi.json.Json;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;

/** Parses values of attributes in the forms in which NetCDF and xarray write them. Stateless. */
final class AttributeValues {
    /** The maximum number of names in one attribute. No sensible dataset has more. */
    static final int MAX_NAMES = 10_000;

    private AttributeValues() {}

    /** Returns a text; empty if the attribute is absent or has another type. */
    static Optional<String> text(Json.Obj attributes, String name) {
        return attributes.get(name).filter(Json.Str.class::isInstance).map(json -> ((Json.Str) json).value());
    }

    /** Returns the items of a list, or the value itself as a list of one. */
    static List<Json> items(Json value) {
        return value instanceof Json.Arr list ? list.items() : List.of(value);
    }

    /** Returns a number of an attribute that may also be a list of one number. */
    static Optional<Json.Num> number(Json value) {
        List<Json> items = items(value);
        return items.size() == 1 && items.get(0) instanceof Json.Num number ? Optional.of(number) : Optional.empty();
    }

    /**
     * Returns a number. xarray writes some floats not as JSON numbers but as base64 of their bytes, or as a name such
     * as "NaN".
     */
    static OptionalDouble real(Json value) {
        if (value instanceof Json.Num number) {
            return OptionalDouble.of(Double.parseDouble(number.lexeme()));
        }
        String text = value instanceof Json.Str string ? string.value() : "";
        if (text.matches("[A-Za-z0-9+/]{11}=")) { // base64 of 8 bytes
            return OptionalDouble.of(ByteBuffer.wrap(Base64.getDecoder().decode(text))
                    .order(ByteOrder.LITTLE_ENDIAN)
                    .getDouble());
        }
        return text.matches("NaN|-?Infinity") ? OptionalDouble.of(Double.parseDouble(text)) : OptionalDouble.empty();
    }

    /** Splits a text at spaces into names, and returns at most {@link #MAX_NAMES} of them. */
    static List<String> names(String text) {
        String[] words = text.strip().split("\\s+", MAX_NAMES + 1);
        return List.of(words).stream()
                .filter(word -> !word.isEmpty())
                .limit(MAX_NAMES)
                .toList();
    }
}
