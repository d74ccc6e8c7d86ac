package dev.shardkit.store;

import dev.shardkit.store.policy.Durability;
import java.io.IOException;

/**
 * Moves objects into this store, by renaming them, from another store of the same kind or from another key of this one.
 * Thread-safe.
 */
public interface Moves extends Ability {
    /**
     * Renames the object {@code sourceKey} of {@code source}, which may be this store, to {@code key} of this store,
     * atomically: at every moment the object is in one of the two places, and its bytes do not change. The caller makes
     * sure that no other writer changes either of them meanwhile.
     *
     * @return false if there is no object {@code sourceKey}
     * @throws dev.shardkit.spi.error.UnsupportedException if objects of that store cannot be moved here; nothing has
     *     changed
     * @throws dev.shardkit.spi.error.StoreException if there already is an object under {@code key}
     */
    boolean takeOver(Store source, String sourceKey, String key, Durability durability) throws IOException;

    /**
     * Renames the root of {@code source}, with everything below it, to the root of this store, atomically. The caller
     * makes sure that nothing lies there and that no other writer changes anything at the source meanwhile.
     *
     * @return false, with nothing changed, if one rename cannot do it: the stores are of different kinds or on
     *     different devices, or this store cannot rename a tree at all, as by default
     */
    default boolean takeOverTree(Store source) throws IOException {
        return false;
    }
}
