package dev.shardkit.store;

import dev.shardkit.spi.plan.Bytes;
import java.util.Optional;

/** The answer of a far store. Immutable and thread-safe. */
public sealed interface Fetched {
  /**
   * Bytes.
   *
   * @param bytes exactly the range asked for (of a suffix longer than the object: all of it)
   * @param objectSize the size of the whole object
   * @param version what to pin later reads to; empty if the store cannot tell versions apart, then nothing is kept
   */
  record Found(Bytes bytes, long objectSize, Optional<String> version) implements Fetched {}

  /** There definitely is no such object. */
  record Absent() implements Fetched {}
}
