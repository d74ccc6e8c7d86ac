package dev.shardkit.store;

/**
 * What lies directly below a prefix.
 * Immutable and thread-safe.
 *
 * @param name the last part of the key or prefix
 * @param kind whether it is an object itself or has keys below it
 */
public record Entry(String name, Kind kind) {
  /** Whether it is an object itself or has keys below it. */
  public enum Kind {
    /** A key with a value. */
    OBJECT,
    /** A prefix of keys. */
    PREFIX
  }
}
