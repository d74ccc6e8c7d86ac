package dev.shardkit.store;

import dev.shardkit.spi.codec.Edit;
import java.io.IOException;

/** Changes objects where they lie. For near stores: calls return when they are done. Thread-safe. */
public interface Patches extends Ability {
    /**
     * Changes an object where it lies. Nobody else changes these bytes meanwhile: the caller holds the object's lock,
     * or owns them. Unless {@code durability} is {@link Durability#NONE}, a killed patch leaves what {@link #recover}
     * brings to the old content or the new. Snapshots that were open before are told by {@link Snapshot#confirm}.
     *
     * @param array the key of the array's node, below which journals may lie
     * @throws ObjectChangedException if the object is shorter than the patch supposes, or gone
     * @throws dev.shardkit.spi.error.UnsupportedException if this object cannot be patched, which only a look at it
     *     shows; nothing was touched
     */
    void patch(String array, String key, Edit.Patch patch, Durability durability) throws IOException;

    /** Ends what a killed patch left undone, as far as the store can. The caller holds the object's lock. */
    Recovered recover(String array, String key) throws IOException;

    /** What {@link #recover} found. */
    enum Recovered {
        /** Nothing was undone. */
        NOTHING,
        /** A journal was carried out: the object is what it was before the patch, or after it. */
        FROM_JOURNAL,
        /** A patch with {@link Edit.Recovery#LAST_INDEX} was cut short; a patch that cuts the object ends it. */
        CUT_SHORT
    }
}
