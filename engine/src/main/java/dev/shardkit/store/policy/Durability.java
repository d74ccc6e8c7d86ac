package dev.shardkit.store.policy;

/** Which crashes a write survives after it has returned. */
public enum Durability {
    /** No promise: a crash may leave a mixture of the old and the new object, and a reader may see one. */
    NONE,
    /**
     * Readers see the old object or the new one, also after the process was killed. A power failure may lose the write.
     */
    ATOMIC,
    /** As {@link #ATOMIC}, and the object is on the device: a power failure does not lose it. */
    FORCED
}
