package dev.shardkit.maintenance;

/** Whether an operation changes what is stored. */
public enum Mode {
    /** It tells what it would do and changes nothing. */
    DRY_RUN,
    /** It makes the changes. */
    APPLY
}
