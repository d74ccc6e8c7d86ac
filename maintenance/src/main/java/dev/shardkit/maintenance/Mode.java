package dev.shardkit.maintenance;

/** Whether an operation changes stored data. */
public enum Mode {
    /** Only report what would be done. */
    DRY_RUN,
    /** Make the changes. */
    APPLY
}
