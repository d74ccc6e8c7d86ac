package dev.shardkit.maintenance.staging;

import dev.shardkit.ZarrArray;
import dev.shardkit.ZarrGroup;
import dev.shardkit.maintenance.base.StoreCalls;
import dev.shardkit.maintenance.base.StoredObjects;
import dev.shardkit.spi.StoreKeys;
import dev.shardkit.spi.plan.Bytes;
import dev.shardkit.store.Content;

/**
 * Marks a group whose consolidated metadata was removed while arrays below it change. After a crash, the mark says that
 * the metadata must be consolidated again. Stateless.
 */
public final class ConsolidatedMetadataMarker {
    private ConsolidatedMetadataMarker() {}

    private static String key(ZarrGroup group) {
        return StoreKeys.join(group.path(), Staging.FOLDER + "/consolidated");
    }

    /** Marks {@code group}; {@code array} is one of its descendants. */
    public static void mark(ZarrGroup group, ZarrArray array) {
        new StoreCalls(array)
                .run(store -> store.put(
                        key(group), Content.of(Bytes.EMPTY), array.options().durability()));
    }

    /** Whether {@code group} is marked. */
    public static boolean isMarked(ZarrGroup group, ZarrArray array) {
        return new StoreCalls(array).get(store -> StoredObjects.has(store, key(group)));
    }

    /** Removes the mark. */
    public static void unmark(ZarrGroup group, ZarrArray array) {
        new StoreCalls(array).run(store -> store.deleteAll(StoreKeys.join(group.path(), Staging.FOLDER)));
    }
}
