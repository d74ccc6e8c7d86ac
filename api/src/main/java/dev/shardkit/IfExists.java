package dev.shardkit;

/** How creating an array or group treats an existing one. */
public enum IfExists {
    /** Creating fails. */
    REFUSE,
    /** The existing node is removed with everything below it. */
    OVERWRITE
}
