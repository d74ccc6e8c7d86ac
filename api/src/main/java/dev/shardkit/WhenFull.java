package dev.shardkit;

/** What a {@link Transaction} does when a write does not fit into its budget any more. */
public enum WhenFull {
    /** It refuses the write; what was staged before stays staged. */
    REFUSE,
    /**
     * It publishes what was staged so far and goes on: memory stays bounded, but there is no "all or nothing before
     * commit" any more. A write larger than the whole budget is published at once.
     */
    PUBLISH
}
