package dev.shardkit.spi.array;

/**
 * How much of a box a {@link Feed} has elements for. It describes the new elements of a write, not the stored chunks.
 */
public enum Coverage {
    /** The feed has no element of the box. */
    NONE,
    /**
     * The feed has some elements of the box, or finding out would take long. The stored elements must be read to
     * complete it.
     */
    SOME,
    /** The feed has all elements of the box. */
    ALL,
    /** The feed has all elements of the box, and each equals the fill value of the array that is written. */
    FILL
}
