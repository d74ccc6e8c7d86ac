package dev.shardkit.maintenance.publish;

import dev.shardkit.session.PublicationRecord;
import dev.shardkit.spi.error.MetadataException;
import dev.shardkit.spi.json.Json;
import java.util.List;

/**
 * An existing array whose document is swapped, as a record has it. Immutable.
 *
 * @param path its path in the store
 * @param from its document at the beginning
 * @param to its new document
 */
public record ArrayChange(String path, Json.Obj from, Json.Obj to) {
    private static final String ARRAYS = "arrays";
    private static final String KEYS = "chunk_key_encoding";

    public Json fromKeys() {
        return from.get(KEYS).orElseThrow();
    }

    public Json toKeys() {
        return to.get(KEYS).orElseThrow();
    }

    /** Returns the details of a record of these changes. */
    public static Json.Obj details(List<ArrayChange> changes) {
        return Json.object()
                .with(
                        ARRAYS,
                        new Json.Arr(changes.stream()
                                .<Json>map(change -> Json.object()
                                        .with("path", Json.of(change.path))
                                        .with("from", change.from)
                                        .with("to", change.to))
                                .toList()));
    }

    /** Whether a record has changes of arrays. */
    static boolean isIn(PublicationRecord record) {
        return record.details().get(ARRAYS).isPresent();
    }

    /**
     * Reads the changes of a record.
     *
     * @param location the location of the record, for messages
     * @throws MetadataException if it has none
     */
    public static List<ArrayChange> of(PublicationRecord record, String location) {
        if (record.details().get(ARRAYS).orElse(record.details()) instanceof Json.Arr arrays
                && !arrays.items().isEmpty()) {
            return arrays.items().stream().map(item -> change(item, location)).toList();
        }
        throw unexpected(location);
    }

    private static ArrayChange change(Json json, String location) {
        if (json instanceof Json.Obj o
                && o.get("path").orElse(json) instanceof Json.Str path
                && o.get("from").orElse(json) instanceof Json.Obj from
                && from.get(KEYS).isPresent()
                && o.get("to").orElse(json) instanceof Json.Obj to
                && to.get(KEYS).isPresent()) {
            return new ArrayChange(path.value(), from, to);
        }
        throw unexpected(location);
    }

    /** Returns the error of a record that lacks what this work records. */
    public static MetadataException unexpected(String location) {
        return new MetadataException(location + ": expected the record of a change of arrays; delete it to begin again,"
                + " and then the stray chunks that repair names");
    }
}
