package dev.shardkit.store;

import dev.shardkit.spi.codec.Edit;
import java.io.IOException;
import java.util.Optional;

/** Changes objects in place. For near stores: calls block. Thread-safe. */
public interface Patches extends Ability {
    /**
     * Changes an object in place. The caller holds the object's lock or owns these bytes, so no other writer changes
     * them meanwhile. After a killed patch, {@link #recover} restores the old content or completes the new one, unless
     * {@code durability} is {@link Durability#NONE}. {@link Snapshot#confirm} fails for snapshots that were open.
     *
     * @param array the key of the array's node, below which journals may lie
     * @throws ObjectChangedException if the object is shorter than the patch assumes, or does not exist
     * @throws dev.shardkit.spi.error.UnsupportedException if this one object cannot be patched; nothing has changed
     */
    void patch(String array, String key, Edit.Patch patch, Durability durability) throws IOException;

    /**
     * Opens an object for its owner, who needs no {@link Durability}: the caller promises that nobody else changes the
     * bytes that it changes. Only for stores that are faster then; others return nothing, and the caller uses
     * {@link NearReads#openToChange} and {@link #patch}.
     *
     * @return empty if there is no such object, or if this one is not changed faster
     */
    default Optional<Owned> openOwned(String key) throws IOException {
        return Optional.empty();
    }

    /** An object that its owner may change. Used by one thread. */
    interface Owned extends Snapshot {
        /**
         * Changes the object in place, once, without a journal. If the process is killed meanwhile, the object stays
         * torn. A reader that reads the object meanwhile reads it again, or sees it torn if the change stalls.
         *
         * @throws ObjectChangedException if the object is shorter than the patch assumes
         */
        void patch(Edit.Patch patch) throws IOException;
    }

    /** Completes or rolls back a killed patch, if the store can. The caller holds the object's lock. */
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
