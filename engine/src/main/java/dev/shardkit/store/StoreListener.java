package dev.shardkit.store;

import dev.shardkit.spi.codec.WritePolicy;
import dev.shardkit.spi.plan.ByteRange;

/**
 * Is told what a call does: what is asked of the store, what was kept, how far it is. Called on any thread, by several
 * at once; must be quick and must not throw.
 */
public interface StoreListener {
    /** Hears nothing. */
    StoreListener NONE = new StoreListener() {};

    /** A request goes out. */
    default void onRequest(String key, ByteRange range) {}

    /**
     * A request was answered, and {@code bytes} bytes came for it (0 for an absent object): more than the range has if
     * the server sent more, or sent again.
     */
    default void onResponse(String key, ByteRange range, long bytes) {}

    /** The server has no ranges, or seems to have none: it sends all of the object in place of a part. */
    default void onNoRanges(String key) {}

    /** Try {@code attempt} (from 1) failed and will be repeated. */
    default void onRetry(String key, int attempt, String reason) {}

    /** A value was kept from before; nothing is asked of the store for it. */
    default void onCacheHit(String key) {}

    /** An object changed under a read, for the {@code attempt}-th time; what the read has of it is read again. */
    default void onChanged(String key, int attempt) {}

    /** An object was written: how, and how many bytes were written for it, moved ones included. */
    default void onWrite(String key, WritePolicy.Strategy strategy, long bytes) {}

    /** An object was removed. */
    default void onDelete(String key) {}

    /** A shard was not written by the strategy that was asked for, and why. */
    default void onFallback(String key, WritePolicy.Strategy wanted, WritePolicy.Strategy taken, String reason) {}

    /** A write that a crash had cut short was found and ended; its object is as before that write, or as after it. */
    default void onRecovered(String key) {}

    /** {@code done} of {@code total} chunks (shards, where there are any) of a write are finished. */
    default void onProgress(long done, long total) {}
}
