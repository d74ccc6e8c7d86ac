package dev.shardkit.ome.validation;

import dev.shardkit.ome.json.Members;
import dev.shardkit.spi.json.Json;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/** Describes, in the messages of findings, the value that a JSON schema expects. Stateless. */
final class ExpectedValueText {
    /** Keywords that apply only to some kinds of values. */
    static final Set<String> KEYWORDS = Set.of(
            "properties",
            "required",
            "additionalProperties",
            "items",
            "minItems",
            "maxItems",
            "uniqueItems",
            "contains",
            "minimum",
            "maximum",
            "exclusiveMinimum",
            "minLength",
            "pattern");

    private static final String TYPE = "type";

    private ExpectedValueText() {}

    /** Describes a value of a type, such as "an array". */
    static String type(Json type) {
        String name = ((Json.Str) type).value();
        return switch (name) {
            case "array", "integer", "object" -> "an " + name;
            case "boolean" -> "true or false";
            default -> "a " + name;
        };
    }

    /** Describes one of several values. */
    static String oneOf(List<Json> values) {
        return values.size() == 1
                ? values.get(0).toString()
                : "one of " + values.stream().map(Json::toString).collect(Collectors.joining(", "));
    }

    /** Describes the value that a missing member should have. */
    static String member(Json.Obj schema, String name) {
        return property(schema, name)
                .flatMap(member -> member.get(TYPE))
                .filter(Json.Str.class::isInstance)
                .map(ExpectedValueText::type)
                .orElse("a member");
    }

    /** Describes the number and type of items. */
    static String items(long min, long max, Json.Obj item) {
        List<String> typeNames = types(List.of(item));
        String count;
        if (max == Long.MAX_VALUE) {
            count = "at least " + min;
        } else {
            count = min == max ? "" + min : min + " to " + max;
        }
        return count + " items" + (typeNames.isEmpty() ? "" : " of type " + String.join(", ", typeNames));
    }

    /** Returns the values that schemas allow for the member {@code type}, quoted. */
    static List<String> types(List<Json.Obj> schemas) {
        List<String> types = new ArrayList<>();
        for (Json.Obj schema : schemas) {
            Optional<Json.Obj> type = property(schema, TYPE);
            type.flatMap(typeSchema -> typeSchema.get("const")).ifPresent(value -> types.add(value.toString()));
            type.flatMap(typeSchema -> typeSchema.get("enum"))
                    .ifPresent(values -> ((Json.Arr) values).items().forEach(v -> types.add(v.toString())));
        }
        return types;
    }

    /** Returns the schema of a member. */
    private static Optional<Json.Obj> property(Json.Obj schema, String name) {
        return schema.get("properties")
                .flatMap(properties -> ((Json.Obj) properties).get(name))
                .filter(Json.Obj.class::isInstance)
                .map(Json.Obj.class::cast);
    }

    /** Describes a found value: objects by their member {@code type}, if they have one. */
    static String describe(Json value) {
        return value instanceof Json.Obj object && object.get(TYPE).isPresent()
                ? "type " + Members.describe(object.get(TYPE).get())
                : Members.describe(value);
    }
}
