package dev.shardkit.engine;

import dev.shardkit.store.StoreListener;

/** What the engine tells about a run, beside what stores tell. */
public interface EngineListener extends StoreListener {
  /** Hears nothing. */
  EngineListener NONE = new EngineListener() {};

  /** A value was kept from before; nothing is asked of the store for it. */
  default void onCacheHit(String key) {}

  /** An object changed under a read, which begins again. */
  default void onChanged(String key, int attempt) {}
}
