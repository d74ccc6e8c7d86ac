package dev.shardkit.session;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.json.JsonReadFeature;
import com.fasterxml.jackson.core.json.JsonWriteFeature;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.module.kotlin.ExtensionsKt;
import dev.shardkit.json.JsonReader;
import dev.shardkit.spi.codec.Limits;
import dev.shardkit.spi.error.MetadataException;
import dev.shardkit.spi.json.Json;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Maps attributes to Java and Kotlin classes and back. Loaded only on demand, because its start is slow. */
public final class AttributeMapper {
    /** Writes {@code NaN} and infinities as numbers, as they are in attributes that Python wrote. */
    private static final ObjectMapper MAPPER = ExtensionsKt.jacksonObjectMapper()
            .enable(JsonReadFeature.ALLOW_NON_NUMERIC_NUMBERS.mappedFeature())
            .disable(JsonWriteFeature.WRITE_NAN_AS_STRINGS.mappedFeature())
            .disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
            .enable(DeserializationFeature.FAIL_ON_MISSING_CREATOR_PROPERTIES);

    private AttributeMapper() {}

    /**
     * Maps attributes to an object. Members that the class does not have are ignored.
     *
     * @throws MetadataException if they do not fit the class
     */
    public static <T> T map(Json.Obj attributes, Class<T> type, String location) {
        try {
            return MAPPER.readValue(attributes.toString(), type);
        } catch (JsonProcessingException e) {
            throw new MetadataException("/attributes do not fit " + type.getName() + ": " + e.getOriginalMessage(), e)
                    .locate(Optional.of(location), Optional.empty(), Optional.empty());
        }
    }

    /**
     * Returns the attributes of {@code value}: a record, a bean, a data class, a map, or JSON.
     *
     * @throws IllegalArgumentException if its JSON form is not an object
     */
    public static Json.Obj attributes(Object value) {
        if (value instanceof Json.Obj own) {
            return own;
        } else if (value instanceof Map<?, ?> map) {
            return (Json.Obj) Json.of(List.of(map)).items().get(0);
        }
        try {
            return object(JsonReader.readWithNonNumbers(MAPPER.writeValueAsBytes(value), Limits.defaults()), value);
        } catch (JsonProcessingException e) {
            throw new IllegalArgumentException(
                    "no attributes can be made of a " + value.getClass().getName() + ": " + e.getOriginalMessage(), e);
        }
    }

    private static Json.Obj object(Json json, Object from) {
        if (json instanceof Json.Obj o) {
            return o;
        }
        throw new IllegalArgumentException("expected an object for the attributes, found a JSON " + json.kind()
                + " from a " + from.getClass().getName());
    }
}
