package dev.shardkit.v2;

import dev.shardkit.spi.Config;
import dev.shardkit.spi.DocumentRemarks;
import dev.shardkit.spi.StoreKeys;
import dev.shardkit.spi.error.UnsupportedException;
import dev.shardkit.spi.json.Json;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Converts consolidated metadata: the nodes below the group, by their paths. */
final class V2Consolidated {
    private V2Consolidated() {}

    static Json.Obj documents(Json json) {
        V2Members consolidated = V2Members.of(json, V2Format.CONSOLIDATED);
        Json version = consolidated.required("zarr_consolidated_format");
        if (!version.equals(Json.of(1))) {
            throw Config.expected(consolidated.at("zarr_consolidated_format"), "1", version);
        }
        V2Members keys = V2Members.of(consolidated.required("metadata"), consolidated.at("metadata"));
        Map<String, Json> nodes = new LinkedHashMap<>();
        keys.object().members().forEach((key, document) -> {
            path(key, V2Format.ARRAY).ifPresent(p -> nodes.put(p, array(keys, key, document, attributes(keys, p))));
            path(key, V2Format.GROUP).ifPresent(p -> {
                List<String> remarks = V2Members.of(document, keys.at(key)).checkFormat();
                nodes.put(p, DocumentRemarks.add(V2Format.groupDocument(attributes(keys, p)), remarks));
            });
        });
        return new Json.Obj(nodes);
    }

    /**
     * Returns the path of the node whose document {@code name} is stored under {@code key}; empty also for the group
     * itself.
     */
    private static Optional<String> path(String key, String name) {
        return key.endsWith("/" + name) ? Optional.of(StoreKeys.parent(key)) : Optional.empty();
    }

    private static Json.Obj attributes(V2Members keys, String path) {
        String key = StoreKeys.join(path, V2Format.ATTRIBUTES);
        return keys.get(key)
                .map(json -> V2Members.of(json, keys.at(key)).object())
                .orElseGet(Json::object);
    }

    private static Json array(V2Members keys, String key, Json document, Json.Obj attributes) {
        V2Members array = V2Members.of(document, keys.at(key));
        try {
            return V2Array.document(array, attributes);
        } catch (UnsupportedException e) {
            return V2Array.refused(array.required("dtype")); // the other nodes can still be opened
        }
    }
}
