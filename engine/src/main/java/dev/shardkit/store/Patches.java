package dev.shardkit.store;

import dev.shardkit.spi.codec.Edit;
import dev.shardkit.store.policy.Durability;
import java.io.IOException;
import java.util.Optional;

/** Changes objects in place. For local stores: calls block. Thread-safe. */
public interface Patches extends Ability {
    /**
     * Changes an object in place. The caller holds the object's lock or owns these bytes, so no other writer changes
     * them meanwhile. If the process is killed during the patch, {@link #recover} restores the old content or completes
     * the new one, unless {@code durability} is {@link Durability#NONE}. {@link ObjectSnapshot#confirm} fails for
     * snapshots that were open during the patch.
     *
     * @param array the key of the array's node, below which journals may lie
     * @throws ObjectChangedException if the object is shorter than the patch assumes, or does not exist
     * @throws dev.shardkit.spi.error.UnsupportedException if this one object cannot be patched; nothing has changed
     */
    void patch(String array, String key, Edit.Patch patch, Durability durability) throws IOException;

    /**
     * Opens an object for changes by its owner with {@link Durability#NONE}. The caller promises that no other writer
     * changes the same bytes.
     *
     * @return empty if there is no such object, or if the store has no faster way to change it, which is the default:
     *     the caller then uses {@link LocalReads#openToChange} and {@link #patch}
     */
    default Optional<Owned> openOwned(String key) throws IOException {
        return Optional.empty();
    }

    /** An object that its owner may change. Used by one thread. */
    interface Owned extends ObjectSnapshot {
        /**
         * Changes the object in place without a journal. May be called once. If the process is killed meanwhile, the
         * object may be permanently corrupt. A concurrent reader retries, but may see a mixture if the change pauses.
         *
         * @throws ObjectChangedException if the object is shorter than the patch assumes
         */
        void patch(Edit.Patch patch) throws IOException;
    }

    /** Completes or rolls back an interrupted patch, if the store can. The caller holds the object's lock. */
    Recovered recover(String array, String key) throws IOException;

    /** What {@link #recover} found. */
    enum Recovered {
        /** There was no interrupted patch. */
        NOTHING,
        /** A journal was applied: the object has its content from before the patch, or from after it. */
        FROM_JOURNAL,
        /**
         * A patch with {@link Edit.Recovery#LAST_INDEX} was interrupted; the caller recovers by truncating the object.
         */
        CUT_SHORT
    }
}
