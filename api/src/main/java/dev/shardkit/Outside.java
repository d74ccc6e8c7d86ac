package dev.shardkit;

/** How a resize treats stored elements outside the new shape. */
public enum Outside {
    /**
     * Removes them: chunks outside are deleted, and elements outside in chunks on the edge become the fill value. If
     * the array grows again, they read as the fill value.
     */
    REMOVE,
    /**
     * Keeps them; only the metadata change. If the array grows again, they are visible again, except in chunks on the
     * edge that were overwritten as a whole meanwhile, and where a stream has appended slices meanwhile. A stream
     * appends at the stored length and overwrites what is kept there.
     */
    KEEP
}
