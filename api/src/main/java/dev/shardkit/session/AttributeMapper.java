package dev.shardkit.session;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonSetter;
import com.fasterxml.jackson.annotation.Nulls;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.json.JsonReadFeature;
import com.fasterxml.jackson.core.json.JsonWriteFeature;
import com.fasterxml.jackson.databind.AnnotationIntrospector;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.introspect.Annotated;
import com.fasterxml.jackson.databind.introspect.AnnotatedParameter;
import com.fasterxml.jackson.databind.introspect.NopAnnotationIntrospector;
import com.fasterxml.jackson.module.kotlin.ExtensionsKt;
import dev.shardkit.json.JsonReader;
import dev.shardkit.spi.codec.Limits;
import dev.shardkit.spi.error.MetadataException;
import dev.shardkit.spi.json.Json;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.OptionalLong;
import kotlin.Metadata;
import org.jspecify.annotations.Nullable;

/** Maps attributes to Java and Kotlin classes and back. Loaded only on demand, because its start is slow. */
public final class AttributeMapper {
    private static final ObjectMapper MAPPER = mapper();

    private AttributeMapper() {}

    private static ObjectMapper mapper() {
        // NaN and infinities are numbers, as they are in attributes that Python wrote
        ObjectMapper mapper = ExtensionsKt.jacksonObjectMapper()
                .enable(JsonReadFeature.ALLOW_NON_NUMERIC_NUMBERS.mappedFeature())
                .disable(JsonWriteFeature.WRITE_NAN_AS_STRINGS.mappedFeature())
                .disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
                .disable(DeserializationFeature.ACCEPT_FLOAT_AS_INT) // in arrays; see WholeReader
                .registerModule(AttributeValues.module());
        for (Class<?> optional : List.of(Optional.class, OptionalInt.class, OptionalLong.class, OptionalDouble.class)) {
            mapper.configOverride(optional)
                    .setInclude(JsonInclude.Value.construct(
                            JsonInclude.Include.NON_EMPTY, JsonInclude.Include.USE_DEFAULTS));
        }
        return mapper.setAnnotationIntrospector(AnnotationIntrospector.pair(
                new KotlinNumbers(), mapper.getDeserializationConfig().getAnnotationIntrospector()));
    }

    /**
     * Refuses {@code null} for numbers and booleans of Kotlin classes, whose types exclude it. Without this, they would
     * become 0 and {@code false}, as in Java classes.
     */
    private static final class KotlinNumbers extends NopAnnotationIntrospector {
        private static final long serialVersionUID = 1L;

        @Override
        public JsonSetter.Value findSetterInfo(Annotated a) {
            return a instanceof AnnotatedParameter parameter
                            && parameter.getRawType().isPrimitive()
                            && parameter.getDeclaringClass().isAnnotationPresent(Metadata.class)
                    ? JsonSetter.Value.forValueNulls(Nulls.FAIL)
                    : JsonSetter.Value.empty();
        }
    }

    /**
     * Maps attributes to an object. Members that the class does not have are ignored.
     *
     * @throws MetadataException if they do not fit the class
     */
    public static <T> T map(Json.Obj attributes, Class<T> type, String location) {
        try {
            return MAPPER.readValue(attributes.toString(), type);
        } catch (JsonProcessingException e) {
            throw new MetadataException(AttributeMismatch.message(attributes, type, e), e)
                    .locate(Optional.of(location), Optional.empty(), Optional.empty());
        }
    }

    /**
     * Returns the attributes of {@code value}: a record, a bean, a data class, a map, or JSON.
     *
     * @throws IllegalArgumentException if its JSON form is not an object
     */
    public static Json.Obj attributes(Object value) {
        if (json(value) instanceof Json.Obj object) {
            return object;
        }
        throw new IllegalArgumentException("expected an object for the attributes, found a JSON "
                + json(value).kind() + " from a " + value.getClass().getName());
    }

    /** Converts maps and lists item by item, because the mapper would change the text of numbers in them. */
    private static Json json(@Nullable Object value) {
        if (value instanceof Map<?, ?> map) {
            Map<String, Json> members = new LinkedHashMap<>();
            map.forEach((name, item) -> {
                if (!(name instanceof String text)) {
                    throw new IllegalArgumentException("attributes have text as names, found the name " + name);
                }
                members.put(text, json(item));
            });
            return new Json.Obj(members);
        } else if (value instanceof List<?> list) {
            List<Json> items = new ArrayList<>();
            list.forEach(item -> items.add(json(item)));
            return new Json.Arr(items);
        } else if (isNonFinite(value)) {
            return new Json.Num(value.toString());
        } else if (value == null
                || value instanceof Json
                || value instanceof String
                || value instanceof Boolean
                || value instanceof Number) {
            return Json.of(Collections.singletonList(value)).items().get(0);
        }
        return written(value);
    }

    private static boolean isNonFinite(@Nullable Object value) {
        return value instanceof Double number && !Double.isFinite(number)
                || value instanceof Float single && !Float.isFinite(single);
    }

    private static Json written(Object value) {
        try {
            return JsonReader.readWithNonNumbers(MAPPER.writeValueAsBytes(value), Limits.defaults());
        } catch (JsonProcessingException e) {
            throw new IllegalArgumentException(AttributeMismatch.unwritable(value, e), e);
        }
    }
}
