package dev.shardkit.metadata;

import dev.shardkit.spi.DocumentRemarks;
import dev.shardkit.spi.error.UnsupportedException;
import dev.shardkit.spi.json.Json;
import java.util.List;

/**
 * A node in consolidated metadata that needs an extension for which there is no plug-in. It can be listed and written
 * back, and the other nodes are usable. Reading the {@code zarr.json} of such a node throws {@code reason} instead.
 * Immutable.
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
