package dev.shardkit.maintenance;

import dev.shardkit.ZarrArray;
import dev.shardkit.ZarrGroup;
import dev.shardkit.spi.StoreKeys;
import dev.shardkit.spi.plan.Bytes;
import dev.shardkit.store.Content;

/**
 * Marks a group whose consolidated metadata was removed while arrays below it change. After a crash, the mark says that
 * the metadata must be consolidated again. Stateless.
 */
final class ConsolidatedMetadataMarker {
    private ConsolidatedMetadataMarker() {}

    private static String key(ZarrGroup group) {
        return StoreKeys.join(group.path(), Staging.FOLDER + "/consolidated");
    }

    /** Marks {@code group}; {@code array} is one of its descendants. */
    static void mark(ZarrGroup group, ZarrArray array) {
        new StoreCalls(array)
                .run(store -> store.put(
                        key(group), Content.of(Bytes.EMPTY), array.options().durability()));
    }

    /** Whether {@code group} is marked. */
    static boolean isMarked(ZarrGroup group, ZarrArray array) {
        return new StoreCalls(array).get(store -> StoredObjects.has(store, key(group)));
    }

    /** Removes the mark. */
    static void unmark(ZarrGroup group, ZarrArray array) {
        new StoreCalls(array).run(store -> store.deleteAll(StoreKeys.join(group.path(), Staging.FOLDER)));
    }
}
