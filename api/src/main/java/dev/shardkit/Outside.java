package dev.shardkit;

/** What a resize does with the elements that are stored outside of the new shape. */
public enum Outside {
    /**
     * It goes: chunks outside are deleted, and what chunks on the edge hold outside becomes the fill value. An array
     * that grows again shows fill there.
     */
    REMOVE,
    /**
     * It stays, unseen: only the metadata change. An array that grows again shows it, except in chunks on the edge that
     * were written as a whole meanwhile.
     */
    KEEP
}
