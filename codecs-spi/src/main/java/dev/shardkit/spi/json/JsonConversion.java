package dev.shardkit.spi.json;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Creates {@link Json} from plain Java values. Stateless. */
final class JsonConversion {
    /** The maximum nesting depth, because trees are walked recursively. */
    private static final int MAX_DEPTH = 1000;

    private JsonConversion() {}

    private static Json of(@Nullable Object value, int level) {
        if (level > MAX_DEPTH) {
            throw new IllegalArgumentException("no JSON form: the lists and maps are nested more than " + MAX_DEPTH
                    + " deep, or one of them contains itself");
        } else if (value == null) {
            return new Json.Null();
        } else if (value instanceof Json json) {
            return json;
        } else if (value instanceof String text) {
            return Json.of(text);
        } else if (value instanceof Boolean bool) {
            return Json.of((boolean) bool);
        } else if (value instanceof Double || value instanceof Float) {
            return number((Number) value);
        } else if (value instanceof Number number && hasJsonText(number)) {
            return new Json.Num(number.toString());
        } else if (value instanceof List<?> list) {
            return array(list, level);
        } else if (value instanceof Map<?, ?> map) {
            return object(map, level);
        }
        throw new IllegalArgumentException(
                "no JSON form: a " + value.getClass().getName() + "; expected text, a number, a list, a map or Json");
    }

    /** Returns whether the text of a number is a number of JSON. */
    private static boolean hasJsonText(Number number) {
        return number instanceof Long
                || number instanceof Integer
                || number instanceof Short
                || number instanceof Byte
                || number instanceof BigInteger
                || number instanceof BigDecimal;
    }

    static Json number(Number value) {
        if (!Double.isFinite(value.doubleValue())) {
            throw new IllegalArgumentException("JSON has no number " + value
                    + ". Attributes may have it, as Python writes it:"
                    + " pass the map or the record itself as attributes, or use new Json.Num(\"" + value + "\"). Fill"
                    + " values are the text \"" + value + "\"");
        }
        return new Json.Num(value.toString());
    }

    static Json.Arr array(List<?> values) {
        return array(values, 0);
    }

    private static Json.Arr array(List<?> values, int level) {
        List<Json> items = new ArrayList<>(values.size());
        for (Object value : values) {
            items.add(of(value, level + 1));
        }
        return new Json.Arr(items);
    }

    static Json.Obj object(Map<?, ?> values) {
        return object(values, 0);
    }

    private static Json.Obj object(Map<?, ?> values, int level) {
        Map<String, Json> members = new LinkedHashMap<>();
        values.forEach((name, value) -> {
            if (!(name instanceof String text)) {
                throw new IllegalArgumentException("no JSON form: a map with the key " + name);
            }
            members.put(text, of(value, level + 1));
        });
        return new Json.Obj(members);
    }
}
