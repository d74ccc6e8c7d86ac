package dev.shardkit;

import dev.shardkit.spi.array.Box;
import dev.shardkit.spi.codec.ChunkCodec;
import dev.shardkit.spi.codec.Partitioned;
import dev.shardkit.spi.plan.Answer;
import dev.shardkit.spi.plan.ByteRange;
import java.util.Optional;
import java.util.OptionalLong;

/** The stored objects of an array and the layout of its shards; what maps are drawn from. Immutable, thread-safe. */
public final class StoredChunks {
  private final Session session;
  private final String path;
  private final Chunks chunks;
  private final Box domain;

  StoredChunks(Session session, String path, Chunks chunks, Box domain) {
    this.session = session;
    this.path = path;
    this.chunks = chunks;
    this.domain = domain;
  }

  /** How many stored chunks (shards, where there are any) the array has in each dimension. */
  public long[] cells() {
    return chunks.grid().cells();
  }

  /** Where the chunk at {@code cell} lies in the array; it may reach past the edge. */
  public Box box(long[] cell) {
    return chunks.grid().chunk(cell);
  }

  /** The key of the object stored for the chunk at {@code cell}. */
  public String key(long[] cell) {
    return chunks.storedKey(cell);
  }

  /** The bound codecs of the chunk at {@code cell}. */
  public ChunkCodec codec(long[] cell) {
    return chunks.codec(cell);
  }

  /** The index of the shard at {@code cell}; empty if the shard is not stored, or chunks are not shards. */
  public Optional<Partitioned.Layout> layout(long[] cell) {
    Optional<Partitioned> shard = chunks.codec(cell).partitioned();
    if (shard.isEmpty()) {
      return Optional.empty();
    }
    return session.call(() -> chunks.source(cell).then(s -> shard.get().layout(s)), path);
  }

  /**
   * The size in bytes of the object stored for the chunk at {@code cell}, which is asked for its last byte; empty if
   * none is.
   */
  public OptionalLong storedSize(long[] cell) {
    return session.call(() -> chunks.source(cell).then(s -> s.read(new ByteRange.Suffix(1), (answer, scratch) ->
        answer instanceof Answer.Found f ? OptionalLong.of(f.sourceSize()) : OptionalLong.empty())), path);
  }

  /** The cells whose chunks {@code region} touches. */
  public Box touched(Box region) {
    return chunks.grid().touched(region.intersect(domain));
  }
}
