package dev.shardkit.conformance;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.StreamSupport;

/** As much of JSON Schema as the fixtures' schemas use; other keywords are refused, so none is overlooked. */
final class SchemaCheck {
    private static final Set<String> KNOWN = Set.of(
            "$schema",
            "title",
            "type",
            "required",
            "properties",
            "additionalProperties",
            "items",
            "enum",
            "const",
            "pattern",
            "minLength",
            "minItems",
            "maxItems");

    private final List<String> complaints = new ArrayList<>();

    private SchemaCheck() {}

    static List<String> complaints(JsonNode schema, JsonNode value) {
        SchemaCheck check = new SchemaCheck();
        check.check("$", schema, value);
        return check.complaints;
    }

    private void check(String at, JsonNode schema, JsonNode value) {
        if (schema.isBoolean()) {
            require(schema.booleanValue(), at, schema, value);
            return;
        }
        schema.fieldNames().forEachRemaining(k -> {
            if (!KNOWN.contains(k)) {
                throw new IllegalArgumentException("keyword " + k);
            }
        });
        if (schema.has("type")) {
            JsonNode type = schema.get("type");
            require(type.isTextual() ? isA(type, value) : any(type, t -> isA(t, value)), at, schema, value);
        }
        require(!schema.has("const") || schema.get("const").equals(value), at, schema, value);
        require(!schema.has("enum") || any(schema.get("enum"), value::equals), at, schema, value);
        if (value.isTextual()) {
            require(value.textValue().length() >= schema.path("minLength").asInt(0), at, schema, value);
            require(
                    !schema.has("pattern")
                            || Pattern.compile(schema.get("pattern").asText())
                                    .matcher(value.textValue())
                                    .find(),
                    at,
                    schema,
                    value);
        } else if (value.isArray()) {
            require(value.size() >= schema.path("minItems").asInt(0), at, schema, value);
            require(value.size() <= schema.path("maxItems").asInt(Integer.MAX_VALUE), at, schema, value);
            for (int i = 0; i < value.size() && schema.has("items"); i++) {
                check(at + "[" + i + "]", schema.get("items"), value.get(i));
            }
        } else if (value.isObject()) {
            members(at, schema, value);
        }
    }

    private void members(String at, JsonNode schema, JsonNode value) {
        schema.path("required").forEach(name -> require(value.has(name.asText()), at, schema.get("required"), name));
        for (Map.Entry<String, JsonNode> member : value.properties()) {
            JsonNode own = schema.path("properties").path(member.getKey());
            JsonNode use = own.isMissingNode() ? schema.path("additionalProperties") : own;
            if (!use.isMissingNode()) {
                check(at + "." + member.getKey(), use, member.getValue());
            }
        }
    }

    private void require(boolean good, String at, JsonNode schema, JsonNode value) {
        if (!good) {
            complaints.add(at + ": " + value + " does not fit " + schema);
        }
    }

    private interface Test {
        boolean of(JsonNode node);
    }

    private static boolean any(JsonNode list, Test test) {
        return StreamSupport.stream(list.spliterator(), false).anyMatch(test::of);
    }

    private static boolean isA(JsonNode type, JsonNode value) {
        return switch (type.asText()) {
            case "object" -> value.isObject();
            case "array" -> value.isArray();
            case "string" -> value.isTextual();
            case "integer" -> value.isIntegralNumber();
            case "null" -> value.isNull();
            default -> throw new IllegalArgumentException("type " + type);
        };
    }
}
