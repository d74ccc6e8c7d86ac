package dev.shardkit.arrow;

import dev.shardkit.spi.json.Json;
import java.util.Map;
import java.util.TreeMap;

/**
 * Converts the string attributes of a group or an array to the metadata of an Arrow schema or field, and back.
 * Attributes that are not strings are left out.
 */
final class Metadata {
    private Metadata() {}

    /** Returns the attributes that are strings. */
    static Map<String, String> of(Json.Obj attributes) {
        Map<String, String> metadata = new TreeMap<>();
        attributes.members().forEach((key, value) -> {
            if (value instanceof Json.Str text) {
                metadata.put(key, text.value());
            }
        });
        return metadata;
    }

    /** Adds metadata to attributes, except the entry in which this module stores the column order and time zones. */
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
