package dev.shardkit.metadata;

import dev.shardkit.json.JsonPrinter;
import dev.shardkit.json.JsonReader;
import dev.shardkit.spi.codec.Limits;
import dev.shardkit.spi.json.Json;

/**
 * Reads and prints JSON for callers that exchange JSON with shardkit. Reads as strictly as for metadata. Not a general
 * JSON library. Stateless, thread-safe.
 */
public final class JsonDocuments {
    private JsonDocuments() {}

    /**
     * Reads a document: UTF-8, no duplicate members, no text after it.
     *
     * @throws dev.shardkit.spi.error.MetadataException with line and column, if the document is invalid
     */
    public static Json read(byte[] utf8, Limits limits) {
        return JsonReader.read(utf8, limits);
    }

    /**
     * Reads a document.
     *
     * @throws dev.shardkit.spi.error.MetadataException with line and column, if the document is invalid
     */
    public static Json read(String text, Limits limits) {
        return JsonReader.read(text, limits);
    }

    /** Returns the text of {@code json}, indented by two spaces per level. */
    public static String text(Json json) {
        return JsonPrinter.text(json);
    }
}
