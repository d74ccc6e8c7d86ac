package dev.shardkit.maintenance.chunks;

import dev.shardkit.ZarrArray;
import dev.shardkit.region.StoredArray;
import dev.shardkit.session.InternalAccess;
import dev.shardkit.store.policy.MissingChunks;

/** Access to the internals of an array. Stateless. */
public final class ArrayInternals {
    private ArrayInternals() {}

    public static StoredArray of(ZarrArray array) {
        return InternalAccess.inside(array, StoredArray.class);
    }

    /** Whether chunks that are not stored read as the fill value, so that a job may skip them. */
    public static boolean fillsMissingChunks(ZarrArray array) {
        return of(array).node().session().options().reading().missing() == MissingChunks.FILL;
    }
}
