package dev.shardkit.metadata;

import dev.shardkit.json.JsonPrinter;
import dev.shardkit.json.JsonReader;
import dev.shardkit.spi.codec.Limits;
import dev.shardkit.spi.json.Json;

/**
 * JSON text for those who hand JSON to shardkit or get it back, read as strictly as metadata. Not a general JSON
 * library. Without state, so thread-safe.
 */
public final class JsonDocuments {
    private JsonDocuments() {}

    /**
     * Reads a document: UTF-8, no duplicate members, nothing behind it.
     *
     * @throws dev.shardkit.spi.error.MetadataException saying line and column
     */
    public static Json read(byte[] utf8, Limits limits) {
        return JsonReader.read(utf8, limits);
    }

    /**
     * Reads a text.
     *
     * @throws dev.shardkit.spi.error.MetadataException saying line and column
     */
    public static Json read(String text, Limits limits) {
        return JsonReader.read(text, limits);
    }

    /** The text of {@code json}, two spaces a level. */
    public static String text(Json json) {
        return JsonPrinter.text(json);
    }
}
