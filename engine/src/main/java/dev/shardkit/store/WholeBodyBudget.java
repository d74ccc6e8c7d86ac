package dev.shardkit.store;

/**
 * Memory for whole objects that a server sends instead of ranges, so that each is fetched once. Belongs to one read.
 * Thread-safe.
 */
@FunctionalInterface
public interface WholeBodyBudget {
    /** No memory: of a whole object, only the requested range is kept. */
    WholeBodyBudget NONE = bytes -> false;

    /**
     * Returns whether {@code bytes} bytes in total, including those of earlier calls, may be kept. A grant holds until
     * the read ends.
     */
    boolean reserve(long bytes);

    /**
     * Returns the largest size in bytes of an object that is accepted instead of a range, whether it is kept or not. By
     * default any.
     */
    default long maxBytes() {
        return Long.MAX_VALUE;
    }
}
