package dev.shardkit.store.objects;

import dev.shardkit.spi.error.StoreException;
import dev.shardkit.store.ObjectSnapshot;
import java.util.Map;

/**
 * Pins the version of a file whose structure (headers, tables of contents) was read, so that the file's data are later
 * read from the same version.
 */
public final class PinnedStructures {
    private PinnedStructures() {}

    /** Returns a map from the object's key to its version; an empty map if the server does not report versions. */
    public static Map<String, String> of(String key, ObjectSnapshot object) {
        try {
            return Map.of(key, object.version());
        } catch (StoreException e) {
            return Map.of();
        }
    }
}
