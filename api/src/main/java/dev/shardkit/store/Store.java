package dev.shardkit.store;

/**
 * Where keys have values (Zarr core specification, section "Stores"). Keys are {@code a/b/zarr.json}: names with single
 * slashes, none at the ends, no {@code .} or {@code ..}. A store is one of two kinds: {@link BlockingStore} for what
 * is near,
 * {@link AsyncStore} for what is far. Thread-safe.
 */
public sealed interface Store extends AutoCloseable permits BlockingStore, AsyncStore {
  /** Where it is, for messages; never with a secret in it. */
  String describe();

  /** How reads are best merged. */
  MergePolicy mergePolicy();

  /** Lets go of what it holds. Using it afterwards is the caller's mistake. */
  @Override
  default void close() {}
}
