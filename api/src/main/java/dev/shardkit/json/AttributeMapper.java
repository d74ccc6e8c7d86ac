package dev.shardkit.json;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.module.kotlin.ExtensionsKt;
import dev.shardkit.spi.error.MetadataException;
import dev.shardkit.spi.json.Json;
import java.util.Optional;

/** Maps attributes to Java and Kotlin classes. Loaded only on demand, because its start is slow. */
public final class AttributeMapper {
    private static final ObjectMapper MAPPER = ExtensionsKt.jacksonObjectMapper();

    private AttributeMapper() {}

    public static <T> T map(Json.Obj attributes, Class<T> type, String location) {
        try {
            return MAPPER.readValue(attributes.toString(), type);
        } catch (JsonProcessingException e) {
            throw new MetadataException("/attributes do not fit " + type.getName() + ": " + e.getOriginalMessage(), e)
                    .locate(Optional.of(location), Optional.empty(), Optional.empty());
        }
    }
}
