package dev.shardkit.store;

/**
 * How reads of neighbouring byte ranges become one request, and how many are under way. Immutable.
 *
 * @param gap ranges of one object that are at most so many bytes apart are read together
 * @param largest no merged request is larger, in bytes, unless one range alone is
 * @param parallel how many requests of one call are under way at once
 */
public record MergePolicy(long gap, long largest, int parallel) {
  /** Checks the numbers. */
  public MergePolicy {
    if (gap < 0 || largest < 1 || parallel < 1) {
      throw new IllegalArgumentException("gap >= 0, largest >= 1, parallel >= 1; found " + gap + ", " + largest + ", "
          + parallel);
    }
  }

  /** For files and memory: a request costs little, so gaps are small and work stays divisible. */
  public static MergePolicy local() {
    return new MergePolicy(4 << 10, 1 << 20, Runtime.getRuntime().availableProcessors());
  }

  /** For networks: a request costs as much as the bytes of its latency. */
  public static MergePolicy remote() {
    return new MergePolicy(64 << 10, 16 << 20, 16);
  }
}
