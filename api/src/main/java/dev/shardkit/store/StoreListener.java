package dev.shardkit.store;

import dev.shardkit.spi.plan.ByteRange;

/** Is told what is asked of a store. Called on any thread; must be quick and must not throw. */
public interface StoreListener {
  /** Hears nothing. */
  StoreListener NONE = new StoreListener() {};

  /** A request goes out. */
  default void onRequest(String key, ByteRange range) {}

  /** A request was answered with {@code bytes} bytes (0 for an absent object). */
  default void onResponse(String key, ByteRange range, long bytes) {}

  /** Try {@code attempt} (from 1) failed and will be repeated. */
  default void onRetry(String key, int attempt, String reason) {}
}
