package dev.shardkit.metadata;

import dev.shardkit.spi.DocumentRemarks;
import dev.shardkit.spi.error.UnsupportedException;
import dev.shardkit.spi.json.Json;
import java.util.List;

/**
 * A node of a consolidated hierarchy that needs an extension without a plug-in. It can be listed and written back; the
 * rest of the hierarchy is usable. Reading a document of its own never returns this. Immutable.
 *
 * @param document its metadata
 * @param reason the error on opening it
 */
public record UnsupportedNode(Json.Obj document, UnsupportedException reason) implements NodeMetadata {
    @Override
    public Json.Obj attributes() {
        return document.get("attributes")
                .filter(Json.Obj.class::isInstance)
                .map(Json.Obj.class::cast)
                .orElseGet(Json::object);
    }

    @Override
    public List<String> remarks() {
        return DocumentRemarks.of(document);
    }

    /** Compares the documents only, because an exception equals only itself. */
    @Override
    public boolean equals(Object other) {
        return other instanceof UnsupportedNode n && document.equals(n.document);
    }

    @Override
    public int hashCode() {
        return document.hashCode();
    }
}
