package dev.shardkit.maintenance.chunks;

import dev.shardkit.ZarrArray;
import dev.shardkit.region.StoredArray;
import dev.shardkit.session.InternalAccess;
import dev.shardkit.store.policy.MissingChunks;

/** Gives maintenance access to the internals of an array: its stored objects, chunk plans and store. Stateless. */
public final class ArrayInternals {
    private ArrayInternals() {}

    /** Returns the stored objects of an array. */
    public static StoredArray of(ZarrArray array) {
        return InternalAccess.inside(array, StoredArray.class);
    }

    /** Returns whether absent chunks read as the fill value, so that a job may skip them. */
    public static boolean fillsMissingChunks(ZarrArray array) {
        return of(array).node().session().options().reading().missing() == MissingChunks.FILL;
    }
}
