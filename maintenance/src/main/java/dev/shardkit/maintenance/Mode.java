package dev.shardkit.maintenance;

/** Says whether a maintenance operation, such as a repair, changes stored data. */
public enum Mode {
    /** Changes nothing, and reports the changes that the operation would make. */
    DRY_RUN,
    /** Makes the changes. */
    APPLY
}
