package dev.shardkit.maintenance.staging;

import dev.shardkit.ZarrArray;
import dev.shardkit.maintenance.chunks.ArrayInternals;
import dev.shardkit.maintenance.chunks.StoreCalls;
import dev.shardkit.maintenance.chunks.StoredChunkList;
import dev.shardkit.maintenance.chunks.StoredObjects;
import dev.shardkit.maintenance.source.StateDigest;
import dev.shardkit.store.ObjectSnapshot;
import java.util.Optional;

/** A fingerprint of an array's stored objects: their keys and versions. Stateless. */
public final class ArrayFingerprint {
    private ArrayFingerprint() {}

    public static String of(ZarrArray array) {
        StateDigest digest = new StateDigest();
        StoreCalls calls = new StoreCalls(array);
        StoredChunkList cells = StoredChunkList.of(array);
        for (long i = 0; i < cells.count(); i++) {
            String key = ArrayInternals.of(array).key(cells.cell(i));
            Optional<String> version = calls.get(store -> StoredObjects.find(store, key, ObjectSnapshot::version));
            if (version.isPresent()) {
                digest.add(key);
                digest.add(version.get());
            }
        }
        return digest.text();
    }
}
