package dev.shardkit.store;

import dev.shardkit.spi.error.UnsupportedException;
import java.io.IOException;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * A store whose calls return when they are done: files, memory. Only {@link #open} must be there; a store that can
 * write
 * overrides the rest, whose defaults say that it cannot.
 *
 * <p>An {@link IOException} is any failure; absence is never one. Thread-safe.
 */
public non-sealed interface BlockingStore extends Store {
  /** The object under {@code key} as it is now; empty if there definitely is none. */
  Optional<Snapshot> open(String key) throws IOException;

  /**
   * Makes {@code content} the value of {@code key}: readers see the old value or the new one, never a mixture, unless
   * {@code durability} is {@link Durability#NONE}.
   */
  default void put(String key, Content content, Durability durability) throws IOException {
    throw unsupported("write");
  }

  /** Removes {@code key}; whether it was there. */
  default boolean delete(String key) throws IOException {
    throw unsupported("delete");
  }

  /** Removes all keys below {@code prefix}, with what the store itself keeps there (locks, temporary files). */
  default void deleteAll(String prefix) throws IOException {
    throw unsupported("delete");
  }

  /**
   * Names what lies directly below {@code prefix} (empty for the root), in no order; what starts with "__" is left
   * out.
   */
  default void list(String prefix, Consumer<Entry> entries) throws IOException {
    throw unsupported("list");
  }

  /**
   * Locks one object against other writers, in this process and others. Reading needs no lock.
   *
   * @param array the key of the array's node, below which lock files may lie
   * @param key the object
   * @param patience how long to wait
   * @throws dev.shardkit.spi.error.StoreException if another holds it for longer
   */
  default Lock lock(String array, String key, Duration patience) throws IOException {
    throw unsupported("lock");
  }

  /** A held lock. */
  interface Lock extends AutoCloseable {
    /** Lets go. */
    @Override
    void close() throws IOException;
  }

  @Override
  default MergePolicy mergePolicy() {
    return MergePolicy.local();
  }

  private UnsupportedException unsupported(String what) {
    return new UnsupportedException("store " + describe() + " cannot " + what);
  }
}
