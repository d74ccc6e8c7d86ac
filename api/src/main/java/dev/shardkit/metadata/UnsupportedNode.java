package dev.shardkit.metadata;

import dev.shardkit.spi.error.UnsupportedException;
import dev.shardkit.spi.json.Json;

/**
 * A node of a consolidated hierarchy that needs an extension which no plug-in claims: it can be listed and written
 * back, and the rest of the hierarchy is as good as ever. Never the result of reading a document of its own. Immutable.
 *
 * @param document what the metadata says
 * @param reason the error that opening it gives
 */
public record UnsupportedNode(Json.Obj document, UnsupportedException reason) implements NodeMetadata {
    @Override
    public Json.Obj attributes() {
        return document.get("attributes")
                .filter(Json.Obj.class::isInstance)
                .map(Json.Obj.class::cast)
                .orElseGet(Json::object);
    }

    /** Equal when the documents are: an exception equals only itself. */
    @Override
    public boolean equals(Object other) {
        return other instanceof UnsupportedNode n && document.equals(n.document);
    }

    @Override
    public int hashCode() {
        return document.hashCode();
    }
}
