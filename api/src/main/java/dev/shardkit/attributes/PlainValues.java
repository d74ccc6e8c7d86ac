package dev.shardkit.attributes;

import dev.shardkit.spi.json.Json;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Converts attributes to maps and lists of Java, with the types that Jackson's databind chooses. An integer becomes an
 * {@code Integer}, {@code Long} or {@code BigInteger}, the first that holds it; any other number becomes a
 * {@code Double}.
 */
final class PlainValues {
    private PlainValues() {}

    /** Returns the members of an object, in their order. */
    static Map<String, @Nullable Object> map(Json.Obj object) {
        Map<String, @Nullable Object> map = new LinkedHashMap<>();
        object.members().forEach((name, value) -> map.put(name, of(value)));
        return map;
    }

    private static @Nullable Object of(Json json) {
        if (json instanceof Json.Obj object) {
            return map(object);
        } else if (json instanceof Json.Arr array) {
            List<@Nullable Object> list = new ArrayList<>();
            array.items().forEach(item -> list.add(of(item)));
            return list;
        } else if (json instanceof Json.Str text) {
            return text.value();
        } else if (json instanceof Json.Bool bool) {
            return bool.value();
        } else if (json instanceof Json.Num number) {
            return number(number);
        }
        return null;
    }

    /** Returns a number in the type that the class describes. */
    private static Number number(Json.Num number) {
        if (!number.isInteger()) {
            return Double.valueOf(number.lexeme());
        }
        BigInteger value = new BigInteger(number.lexeme());
        if (value.bitLength() < Integer.SIZE) {
            return value.intValue();
        } else if (value.bitLength() < Long.SIZE) {
            return value.longValue();
        }
        return value;
    }
}
