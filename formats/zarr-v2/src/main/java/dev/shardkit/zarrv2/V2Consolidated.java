package dev.shardkit.zarrv2;

import dev.shardkit.spi.Config;
import dev.shardkit.spi.DocumentRemarks;
import dev.shardkit.spi.StoreKeys;
import dev.shardkit.spi.error.UnsupportedException;
import dev.shardkit.spi.json.Json;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Converts the consolidated metadata of a group, the document {@code .zmetadata}, to documents of Zarr v3 for the nodes
 * below the group.
 */
final class V2Consolidated {
    private V2Consolidated() {}

    /** Returns an object whose members are the documents of the nodes, by path. */
    static Json.Obj toDocuments(Json json) {
        V2Members consolidated = V2Members.parse(json, V2Format.CONSOLIDATED);
        Json version = consolidated.required("zarr_consolidated_format");
        if (!version.equals(Json.of(1))) {
            throw Config.expected(consolidated.at("zarr_consolidated_format"), "1", version);
        }
        V2Members keys = V2Members.parse(consolidated.required("metadata"), consolidated.at("metadata"));
        Map<String, Json> nodes = new LinkedHashMap<>();
        keys.object().members().forEach((key, document) -> {
            nodePath(key, V2Format.ARRAY)
                    .ifPresent(p -> nodes.put(p, toArrayDocument(keys, key, document, attributesOf(keys, p))));
            nodePath(key, V2Format.GROUP).ifPresent(p -> {
                List<String> remarks = V2Members.parse(document, keys.at(key)).checkVersion();
                nodes.put(p, DocumentRemarks.add(V2Format.groupDocument(attributesOf(keys, p)), remarks));
            });
        });
        return new Json.Obj(nodes);
    }

    /**
     * Returns the path of the node with a document named {@code name} and stored under {@code key}. Empty for other
     * documents and for the group itself.
     */
    private static Optional<String> nodePath(String key, String name) {
        return key.endsWith("/" + name) ? Optional.of(StoreKeys.parent(key)) : Optional.empty();
    }

    private static Json.Obj attributesOf(V2Members keys, String path) {
        String key = StoreKeys.join(path, V2Format.ATTRIBUTES);
        return keys.get(key)
                .map(json -> V2Members.parse(json, keys.at(key)).object())
                .orElseGet(Json::object);
    }

    private static Json toArrayDocument(V2Members keys, String key, Json document, Json.Obj attributes) {
        V2Members array = V2Members.parse(document, keys.at(key));
        try {
            return V2Array.toDocument(array, attributes);
        } catch (UnsupportedException e) {
            return V2Array.unsupported(array.required("dtype")); // the other nodes can still be opened
        }
    }
}
