package dev.shardkit.arrow;

import dev.shardkit.spi.json.Json;
import java.util.Map;
import java.util.TreeMap;

/** Attributes that are strings as metadata of a schema, and back. */
final class Metadata {
    private Metadata() {}

    static Map<String, String> of(Json.Obj attributes) {
        Map<String, String> metadata = new TreeMap<>();
        attributes.members().forEach((key, value) -> {
            if (value instanceof Json.Str text) {
                metadata.put(key, text.value());
            }
        });
        return metadata;
    }

    /** Adds metadata to attributes. The key of the attribute for the order of columns and time zones is left out. */
    static Json.Obj add(Json.Obj attributes, Map<String, String> metadata) {
        Json.Obj all = attributes;
        for (Map.Entry<String, String> entry : new TreeMap<>(metadata).entrySet()) {
            if (!entry.getKey().equals(ZarrTable.ARROW)) {
                all = all.with(entry.getKey(), Json.of(entry.getValue()));
            }
        }
        return all;
    }
}
