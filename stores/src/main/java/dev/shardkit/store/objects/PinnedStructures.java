package dev.shardkit.store.objects;

import dev.shardkit.spi.error.StoreException;
import dev.shardkit.store.ObjectSnapshot;
import java.util.Map;

/** The versions of objects whose structures were read, so that the rest of them is read from the same versions. */
public final class PinnedStructures {
    private PinnedStructures() {}

    /** Returns the version of an object by its key; none if a server does not report versions. */
    public static Map<String, String> of(String key, ObjectSnapshot object) {
        try {
            return Map.of(key, object.version());
        } catch (StoreException e) {
            return Map.of();
        }
    }
}
