package dev.shardkit.maintenance.staging;

import dev.shardkit.json.JsonPrinter;
import dev.shardkit.json.JsonReader;
import dev.shardkit.maintenance.relayout.Replacement;
import dev.shardkit.spi.codec.Limits;
import dev.shardkit.spi.error.MetadataException;
import dev.shardkit.spi.json.Json;
import dev.shardkit.spi.plan.Bytes;
import java.util.ArrayList;
import java.util.List;

/**
 * The record of a {@link Replacement}. Immutable.
 *
 * @param id text that no other replacement has
 * @param committed whether all new objects are stored, so that the replacement can only be completed
 * @param arrays the arrays
 */
public record ReplacementRecord(String id, boolean committed, List<Item> arrays) {
    /**
     * An array.
     *
     * @param path its path in the store
     * @param from its document at the beginning
     * @param to its new document, with another chunk key encoding
     */
    public record Item(String path, Json.Obj from, Json.Obj to) {
        public Json fromKeys() {
            return from.get("chunk_key_encoding").orElseThrow();
        }

        public Json toKeys() {
            return to.get("chunk_key_encoding").orElseThrow();
        }
    }

    public ReplacementRecord ofCommit() {
        return new ReplacementRecord(id, true, arrays);
    }

    public Bytes print() {
        List<Json> items = new ArrayList<>();
        arrays.forEach(item -> items.add(Json.object()
                .with("path", Json.of(item.path))
                .with("from", item.from)
                .with("to", item.to)));
        return Bytes.of(JsonPrinter.print(Json.object()
                .with("id", Json.of(id))
                .with("committed", Json.of(committed))
                .with("arrays", new Json.Arr(items))));
    }

    /**
     * Reads a record.
     *
     * @param key its key, for messages
     */
    static ReplacementRecord parse(byte[] bytes, String key, Limits limits) {
        if (JsonReader.read(bytes, limits) instanceof Json.Obj o
                && o.get("id").orElse(o) instanceof Json.Str id
                && o.get("committed").orElse(o) instanceof Json.Bool committed
                && o.get("arrays").orElse(o) instanceof Json.Arr arrays) {
            return new ReplacementRecord(
                    id.value(),
                    committed.value(),
                    arrays.items().stream().map(item -> item(item, key)).toList());
        }
        throw unexpected(key);
    }

    private static Item item(Json json, String key) {
        if (json instanceof Json.Obj o
                && o.get("path").orElse(json) instanceof Json.Str path
                && o.get("from").orElse(json) instanceof Json.Obj from
                && from.get("chunk_key_encoding").isPresent()
                && o.get("to").orElse(json) instanceof Json.Obj to
                && to.get("chunk_key_encoding").isPresent()) {
            return new Item(path.value(), from, to);
        }
        throw unexpected(key);
    }

    private static MetadataException unexpected(String key) {
        return new MetadataException(key + ": expected the record of a replacement of arrays; delete it, and then the"
                + " stray chunks that repair names");
    }
}
