package dev.shardkit.store;

import dev.shardkit.spi.codec.ShardWritePolicy;
import dev.shardkit.spi.plan.ByteRange;
import java.time.Duration;

/**
 * Receives the events of a call: requests, cache hits, retries, writes, progress. Called on any thread, by several at
 * once. A listener must return quickly; exceptions that it throws are logged and ignored.
 */
public interface StoreListener {
    /** Ignores all events. */
    StoreListener NONE = new StoreListener() {};

    /** A request is sent. */
    default void onRequest(String key, ByteRange range) {}

    /**
     * A request ended, with an answer or with an error that is not retried.
     *
     * @param bytes the number of received bytes, 0 for an absent object. It exceeds the range if the server sent more
     *     than the range, or sent bytes again after a retry
     * @param elapsed the time from {@link #onRequest} to the last byte, retries included
     */
    default void onResponse(String key, ByteRange range, long bytes, Duration elapsed) {}

    /** The server ignores range requests: it sent the whole object instead of a range. */
    default void onNoRanges(String key) {}

    /** Attempt {@code attempt} (from 1) failed and will be retried. */
    default void onRetry(String key, int attempt, String reason) {}

    /** A value came from the cache; no request is sent for it. */
    default void onCacheHit(String key) {}

    /**
     * An object changed during a read or a change of it, for the {@code attempt}-th time; the read or the change is
     * retried.
     */
    default void onChanged(String key, int attempt) {}

    /**
     * An object was written, by a strategy; {@code bytes} counts the written bytes, including those that were moved.
     */
    default void onWrite(String key, ShardWritePolicy.Strategy strategy, long bytes) {}

    /** An object was removed. */
    default void onDelete(String key) {}

    /**
     * A shard was written by {@code used} because the strategy {@code requested} did not apply; the reason says why.
     */
    default void onFallback(
            String key, ShardWritePolicy.Strategy requested, ShardWritePolicy.Strategy used, String reason) {}

    /** An interrupted write was recovered: its object is as it was before that write, or as after it. */
    default void onRecovered(String key) {}

    /** {@code completed} of {@code total} chunks (shards, where there are any) of a write are finished. */
    default void onProgress(long completed, long total) {}
}
