package dev.shardkit.store;

/** What a write survives once it has returned. */
public enum Durability {
    /** Nothing is promised: a crash or a reader may meet a torn object. */
    NONE,
    /** Readers and a killed process see the old object or the new one; a power failure may lose it. */
    ATOMIC,
    /** As {@link #ATOMIC}, and it is on the device. */
    FORCED
}
