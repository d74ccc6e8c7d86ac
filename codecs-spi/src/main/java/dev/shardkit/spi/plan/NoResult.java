package dev.shardkit.spi.plan;

/**
 * The result of a plan that is run for its side effects only, and of a future that has no other result than its end. It
 * is not {@code Void}, because no result of shardkit is null.
 */
public enum NoResult {
    /** The only value. */
    INSTANCE
}
