package dev.shardkit.store;

import dev.shardkit.spi.plan.ByteRange;

/**
 * Is told what a call does: what is asked of the store, what was kept, how far it is. Called on any thread, by
 * several at
 * once; must be quick and must not throw.
 */
public interface StoreListener {
  /** Hears nothing. */
  StoreListener NONE = new StoreListener() {};

  /** A request goes out. */
  default void onRequest(String key, ByteRange range) {}

  /** A request was answered with {@code bytes} bytes (0 for an absent object). */
  default void onResponse(String key, ByteRange range, long bytes) {}

  /** Try {@code attempt} (from 1) failed and will be repeated. */
  default void onRetry(String key, int attempt, String reason) {}

  /** A value was kept from before; nothing is asked of the store for it. */
  default void onCacheHit(String key) {}

  /** An object changed under a read, which begins again. */
  default void onChanged(String key, int attempt) {}

  /** An object was written; {@code bytes} is its new size, 0 if it was removed. */
  default void onWrite(String key, long bytes) {}

  /** {@code done} of {@code total} chunks (shards, where there are any) of a write are finished. */
  default void onProgress(long done, long total) {}
}
