package dev.shardkit.spi.codec;

/**
 * How shards are written: run-time policy, never part of the metadata. Immutable.
 *
 * @param emptyChunks what happens to chunks and inner chunks that hold nothing but the fill value
 * @param strategy how an existing shard is changed
 */
public record WritePolicy(EmptyChunks emptyChunks, Strategy strategy) {
  /** What happens to chunks that hold nothing but the fill value. */
  public enum EmptyChunks {
    /** They are not stored; a shard of nothing else disappears. */
    DROP,
    /** They are stored like any other. */
    KEEP
  }

  /** How an existing shard is changed. */
  public enum Strategy {
    /** A new shard takes the place of the old one; untouched inner chunks move as encoded bytes. */
    REWRITE,
    /** Inner chunks whose size stays are overwritten where they lie; falls back to a rewrite where any does not. */
    IN_PLACE
  }

  /** Empty chunks dropped, shards rewritten. */
  public static WritePolicy defaults() {
    return new WritePolicy(EmptyChunks.DROP, Strategy.REWRITE);
  }

  /** The same with another treatment of empty chunks. */
  public WritePolicy with(EmptyChunks other) {
    return new WritePolicy(other, strategy);
  }

  /** The same with another strategy. */
  public WritePolicy with(Strategy other) {
    return new WritePolicy(emptyChunks, other);
  }
}
