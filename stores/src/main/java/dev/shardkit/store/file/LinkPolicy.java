package dev.shardkit.store.file;

/**
 * How far symbolic links are followed. A guard against data that was laid out to trick (an unpacked archive, say), not
 * against somebody who changes links while a call runs.
 */
public enum LinkPolicy {
    /**
     * Links are followed to places below the root; one that leads elsewhere is an error, and is listed as
     * {@code OTHER}.
     */
    INSIDE_ROOT,
    /** Links are followed anywhere. */
    ANYWHERE
}
