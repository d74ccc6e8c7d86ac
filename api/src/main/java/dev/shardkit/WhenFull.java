package dev.shardkit;

/**
 * What a {@link Transaction} does with a write that does not fit into its memory budget. {@link SliceWriter} and
 * {@link Acquisition} do not use it.
 */
public enum WhenFull {
    /** Refuses the write. Earlier staged writes stay staged. */
    REFUSE,
    /**
     * Publishes the staged writes and continues. Memory stays bounded, but readers may see writes before the commit. A
     * write larger than the whole budget is published at once.
     */
    PUBLISH
}
