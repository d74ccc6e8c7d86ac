package dev.shardkit.maintenance.staging;

import dev.shardkit.Zarr;
import dev.shardkit.ZarrArray;
import dev.shardkit.maintenance.chunks.ArrayInternals;
import dev.shardkit.maintenance.chunks.StoreCalls;
import dev.shardkit.maintenance.chunks.StoredObjects;
import dev.shardkit.metadata.ArrayMetadata;
import dev.shardkit.spi.StoreKeys;
import dev.shardkit.spi.error.UnsupportedException;
import dev.shardkit.spi.json.Json;
import dev.shardkit.store.Entry;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The stored objects of an array whose keys are chunk keys in the array's chunk key encoding, inside the grid or
 * outside. Immutable.
 */
public final class ChunkKeyObjects {
    private final ZarrArray array;

    /** Selects the objects by the chunk key encoding with which {@code array} was opened. */
    public ChunkKeyObjects(ZarrArray array) {
        this.array = array;
    }

    /**
     * Returns the first of these chunk key encodings for which the array has no stored object.
     *
     * @param document the document of the array
     * @throws UnsupportedException if there is none
     */
    static Json findUnusedEncoding(ZarrArray array, Json.Obj document, List<Json> encodings) {
        String usedKey = "";
        for (Json keys : encodings) {
            ArrayMetadata metadata = LayoutChange.read(array, LayoutMembers.withKeys(document, keys));
            Optional<String> first = new ChunkKeyObjects(
                            Zarr.openArray(ArrayInternals.of(array).store(), array.path(), metadata, array.options()))
                    .findFirst();
            if (first.isEmpty()) {
                return keys;
            }
            usedKey = first.get();
        }
        throw new UnsupportedException(array.location() + ": object " + usedKey
                + " has a key in the other chunk key encoding, which the new chunks need. No reader of the array reads"
                + " it; move it elsewhere, or delete it (Repair.droppingStrays)");
    }

    /** Returns the key of one of the objects; empty if there are none. */
    private Optional<String> findFirst() {
        List<String> found = new ArrayList<>();
        ArrayInternals.of(array).objects(key -> {
            if (found.isEmpty() && isChunkKey(key)) {
                found.add(key);
            }
        });
        return found.stream().findFirst();
    }

    private boolean isChunkKey(String key) {
        return ArrayInternals.of(array).cell(key).isPresent();
    }

    /** Deletes the objects. Deletes folders that contain only such objects as a whole. */
    public void deleteAll() {
        StoreCalls calls = new StoreCalls(array);
        List<Entry> top = new ArrayList<>();
        calls.run(store -> store.list(array.path(), top::add));
        for (Entry entry : top) {
            String key = StoreKeys.join(array.path(), entry.name());
            if (entry.kind() != Entry.Kind.PREFIX) {
                if (isChunkKey(key)) {
                    calls.run(store -> store.delete(key));
                }
                continue;
            }
            long[] counts = new long[2]; // the number of chunk keys and of other keys in the folder
            StoredObjects.visitKeys(calls, key, object -> counts[isChunkKey(object) ? 0 : 1]++);
            if (counts[0] > 0 && counts[1] == 0) {
                calls.run(store -> store.deleteAll(key));
            } else if (counts[0] > 0) {
                List<String> own = new ArrayList<>();
                StoredObjects.visitKeys(calls, key, object -> {
                    if (isChunkKey(object)) {
                        own.add(object);
                    }
                });
                own.forEach(object -> calls.run(store -> store.delete(object)));
            }
        }
    }
}
