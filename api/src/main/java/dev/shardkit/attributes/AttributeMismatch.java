package dev.shardkit.attributes;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.exc.InputCoercionException;
import com.fasterxml.jackson.databind.JsonMappingException;
import com.fasterxml.jackson.databind.exc.InvalidDefinitionException;
import com.fasterxml.jackson.databind.exc.MismatchedInputException;
import com.fasterxml.jackson.databind.exc.ValueInstantiationException;
import dev.shardkit.spi.json.Json;
import java.time.temporal.Temporal;
import java.time.temporal.TemporalAmount;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/**
 * Builds the messages of exceptions for attributes that cannot be mapped to a class: the member, the expected type and
 * the value that was found. Not an exception itself.
 */
final class AttributeMismatch {
    private static final int LONGEST_VALUE = 60;

    private AttributeMismatch() {}

    /** Returns the message for attributes that cannot become a {@code type}. */
    static String message(Json.Obj attributes, Class<?> type, JsonProcessingException e) {
        List<JsonMappingException.Reference> path =
                e instanceof JsonMappingException mapping ? mapping.getPath() : List.of();
        String prefix = "the attributes do not fit " + type.getName() + ": " + pointer(path) + ": ";
        if (e instanceof InvalidDefinitionException definition) {
            return prefix + "cannot make a "
                    + definition.getType().getRawClass().getName()
                    + "; expected a record, a data class, or a class with a constructor without parameters, neither "
                    + "an inner class nor abstract";
        } else if (e instanceof ValueInstantiationException failure && failure.getCause() != null) {
            return prefix + failure.getType().getRawClass().getSimpleName() + " refuses the value: "
                    + Optional.ofNullable(failure.getCause().getMessage())
                            .orElse(failure.getCause().getClass().getName());
        }
        return prefix + "expected " + expected(e) + ", found " + found(attributes, path);
    }

    private static String expected(JsonProcessingException e) {
        if (e instanceof MismatchedInputException mismatch && mismatch.getTargetType() != null) {
            return name(mismatch.getTargetType());
        }
        Throwable cause = e instanceof InputCoercionException ? e : e.getCause();
        return cause instanceof InputCoercionException overflow && overflow.getTargetType() != null
                ? name(overflow.getTargetType()) + " in its range"
                : "another value";
    }

    /** Returns the message for an object that has no JSON form. */
    static String unwritable(Object value, JsonProcessingException e) {
        List<JsonMappingException.Reference> path =
                e instanceof JsonMappingException mapping ? mapping.getPath() : List.of();
        String member =
                path.isEmpty() ? "" : ", because of its member " + pointer(path).substring("/attributes".length());
        String cause = "";
        if (e instanceof InvalidDefinitionException definition && definition.getType() != null) {
            cause = ": a " + definition.getType().getRawClass().getName() + " has no members that can be read";
        } else if (e.getCause() != null) {
            cause = ": " + e.getCause();
        }
        return "no attributes can be made of a " + value.getClass().getName() + member + cause
                + "; expected a record, a data class, a class with getters, a map or Json";
    }

    /** Returns the JSON pointer of a member in {@code zarr.json}. */
    private static String pointer(List<JsonMappingException.Reference> path) {
        StringBuilder text = new StringBuilder("/attributes");
        for (JsonMappingException.Reference step : path) {
            text.append('/').append(step.getFieldName() != null ? step.getFieldName() : step.getIndex());
        }
        return text.toString();
    }

    /** Describes the value at a path in the attributes. */
    private static String found(Json.Obj attributes, List<JsonMappingException.Reference> path) {
        Json value = attributes;
        for (JsonMappingException.Reference step : path) {
            Optional<Json> next = Optional.empty();
            if (value instanceof Json.Obj object && step.getFieldName() != null) {
                next = object.get(step.getFieldName());
            } else if (value instanceof Json.Arr list
                    && step.getIndex() >= 0
                    && step.getIndex() < list.items().size()) {
                next = Optional.of(list.items().get(step.getIndex()));
            }
            if (next.isEmpty()) {
                return "no such member";
            }
            value = next.get();
        }
        String text = value.toString();
        return value instanceof Json.Null
                ? "null"
                : "the " + value.kind() + " "
                        + (text.length() <= LONGEST_VALUE ? text : text.substring(0, LONGEST_VALUE) + "...");
    }

    /** Describes the JSON value that a class is made of. */
    private static String name(Class<?> type) {
        if (type.isEnum()) {
            return "one of " + Arrays.toString(type.getEnumConstants());
        } else if (Temporal.class.isAssignableFrom(type) || TemporalAmount.class.isAssignableFrom(type)) {
            return "an ISO 8601 text (" + type.getSimpleName() + ")";
        } else if (CharSequence.class.isAssignableFrom(type)) {
            return "a string";
        } else if (type == boolean.class || type == Boolean.class) {
            return "a boolean";
        } else if (type.isPrimitive() || Number.class.isAssignableFrom(type)) {
            return "a number (" + type.getSimpleName().toLowerCase(Locale.ROOT) + ")";
        } else if (type.isArray() || Collection.class.isAssignableFrom(type)) {
            return "a list";
        } else if (Map.class.isAssignableFrom(type)) {
            return "an object";
        }
        return "an object for " + type.getName();
    }
}
