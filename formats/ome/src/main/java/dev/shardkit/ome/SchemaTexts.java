package dev.shardkit.ome;

import dev.shardkit.spi.json.Json;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/** Describes in words the value that a JSON schema expects. Stateless. */
final class SchemaTexts {
    /** The keywords that apply to some kind of value. */
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

    private SchemaTexts() {}

    static String type(Json type) {
        String name = ((Json.Str) type).value();
        return switch (name) {
            case "array", "integer", "object" -> "an " + name;
            case "boolean" -> "true or false";
            default -> "a " + name;
        };
    }

    static String oneOf(List<Json> values) {
        return values.size() == 1
                ? values.get(0).toString()
                : "one of " + values.stream().map(Json::toString).collect(Collectors.joining(", "));
    }

    /** What a member that is missing would be. */
    static String member(Json.Obj schema, String name) {
        return property(schema, name)
                .flatMap(member -> member.get(TYPE))
                .filter(Json.Str.class::isInstance)
                .map(SchemaTexts::type)
                .orElse("a member");
    }

    /** The number of items, and what they are. */
    static String items(long least, long most, Json.Obj item) {
        List<String> kinds = types(List.of(item));
        String count =
                most == Long.MAX_VALUE ? "at least " + least : least == most ? "" + least : least + " to " + most;
        return count + " items" + (kinds.isEmpty() ? "" : " of type " + String.join(", ", kinds));
    }

    /** The values of the member {@code type} in some schemas, quoted. */
    static List<String> types(List<Json.Obj> schemas) {
        List<String> types = new ArrayList<>();
        for (Json.Obj schema : schemas) {
            Optional<Json.Obj> type = property(schema, TYPE);
            type.flatMap(t -> t.get("const")).ifPresent(value -> types.add(value.toString()));
            type.flatMap(t -> t.get("enum"))
                    .ifPresent(values -> ((Json.Arr) values).items().forEach(v -> types.add(v.toString())));
        }
        return types;
    }

    private static Optional<Json.Obj> property(Json.Obj schema, String name) {
        return schema.get("properties")
                .flatMap(all -> ((Json.Obj) all).get(name))
                .filter(Json.Obj.class::isInstance)
                .map(Json.Obj.class::cast);
    }

    static String found(Json value) {
        return value instanceof Json.Obj object && object.get(TYPE).isPresent()
                ? "type " + Members.shown(object.get(TYPE).get())
                : Members.shown(value);
    }
}
