package dev.shardkit;

/** What a {@link Transaction} does when a write does not fit into its budget any more. */
public enum WhenFull {
    /** It refuses the write; what was staged before stays staged. */
    REFUSE,
    /**
     * It publishes the staged writes and continues. Memory stays bounded, but readers may see writes before the commit.
     * A write larger than the whole budget is published at once.
     */
    PUBLISH
}
