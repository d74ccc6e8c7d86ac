package dev.shardkit.maintenance;

import dev.shardkit.ZarrArray;
import dev.shardkit.region.StoredArray;
import dev.shardkit.session.Handles;

/** What an array that a user holds is made of. Stateless. */
final class Inside {
    private Inside() {}

    static StoredArray of(ZarrArray array) {
        return Handles.inside(array, StoredArray.class);
    }
}
