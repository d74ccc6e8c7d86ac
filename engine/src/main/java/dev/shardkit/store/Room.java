package dev.shardkit.store;

/**
 * Where whole objects may be kept that a store has to take in place of ranges, so that each comes once. One is for one
 * read. Thread-safe.
 */
@FunctionalInterface
public interface Room {
    /** There is none: of an object that comes whole the range is kept, and no more. */
    Room NONE = bytes -> false;

    /**
     * Whether {@code bytes} bytes, those of earlier calls included, may be kept. What was granted stays so until the
     * read has ended.
     */
    boolean holds(long bytes);
}
