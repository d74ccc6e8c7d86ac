package dev.shardkit.store.file;

/**
 * Says how far a {@link FileStore} follows symbolic links. Protects against malicious data (such as an unpacked
 * archive), not against a program that changes links during a call.
 */
public enum LinkPolicy {
    /**
     * Links are followed to places below the root. A link that leads elsewhere is an error, and is listed as
     * {@code OTHER}.
     */
    INSIDE_ROOT,
    /** Links are followed anywhere. */
    ANYWHERE
}
