package dev.shardkit;

/** What the creation of an array or group does if there is a node at its path already. */
public enum IfExists {
    /** The creation fails. */
    REFUSE,
    /** The existing node is removed with everything below it. */
    OVERWRITE
}
