package dev.shardkit.maintenance;

import dev.shardkit.ZarrArray;
import dev.shardkit.region.StoredArray;
import dev.shardkit.session.Handles;

/** Access to the internals of an array. Stateless. */
final class ArrayInternals {
    private ArrayInternals() {}

    static StoredArray of(ZarrArray array) {
        return Handles.inside(array, StoredArray.class);
    }
}
