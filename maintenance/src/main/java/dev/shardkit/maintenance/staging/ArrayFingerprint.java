package dev.shardkit.maintenance.staging;

import dev.shardkit.ZarrArray;
import dev.shardkit.maintenance.chunks.ArrayInternals;
import dev.shardkit.maintenance.chunks.StoreCalls;
import dev.shardkit.maintenance.chunks.StoredChunkList;
import dev.shardkit.maintenance.chunks.StoredObjects;
import dev.shardkit.maintenance.source.StateDigest;
import dev.shardkit.store.ObjectSnapshot;
import java.util.HexFormat;
import java.util.Optional;

/** Fingerprints of an array's stored objects: of their keys and versions. Stateless. */
public final class ArrayFingerprint {
    private ArrayFingerprint() {}

    /**
     * Returns a fingerprint of the contents of all objects whose keys are chunk keys of the array, inside its grid or
     * not. Changes of the objects' names, such as further links, and of the array's shape keep it.
     */
    static String ofContents(ZarrArray array) {
        byte[] all = new byte[StateDigest.LENGTH / 2];
        StoreCalls calls = new StoreCalls(array);
        ArrayInternals.of(array).objects(key -> {
            if (ArrayInternals.of(array).cell(key).isPresent()) {
                calls.get(store -> StoredObjects.find(store, key, ObjectSnapshot::contentVersion))
                        .ifPresent(version -> combine(all, key, version));
            }
        });
        return HexFormat.of().formatHex(all);
    }

    /** Adds an object to a fingerprint that does not depend on the order of the objects. */
    private static void combine(byte[] all, String key, String version) {
        StateDigest digest = new StateDigest();
        digest.add(key);
        digest.add(version);
        byte[] one = HexFormat.of().parseHex(digest.text());
        for (int i = 0; i < all.length; i++) {
            all[i] ^= one[i];
        }
    }

    /** Returns a fingerprint of the chunks in the array's grid. */
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
