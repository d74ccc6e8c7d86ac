package dev.shardkit.spi.codec;

/**
 * What is accepted from outside, in one immutable object. A failure that a limit causes names the limit.
 *
 * @param metadataBytes the size of a metadata document; default 16 MiB
 * @param jsonDepth the nesting of a metadata document; default 100
 * @param indexBytes the size of one shard index; default 1 GiB (and never more than the object)
 * @param chunkBytes the decoded size of one (inner) chunk; default 2 GiB - 64
 */
public record Limits(long metadataBytes, int jsonDepth, long indexBytes, long chunkBytes) {
  /** No chunk is larger: what a Java array holds. */
  public static final long LARGEST_CHUNK = (1L << 31) - 64;

  /** Checks that the limits are positive and those of arrays within what a Java array holds. */
  public Limits {
    if (metadataBytes <= 0 || jsonDepth <= 0 || indexBytes <= 0 || chunkBytes <= 0
        || metadataBytes > LARGEST_CHUNK || indexBytes > LARGEST_CHUNK || chunkBytes > LARGEST_CHUNK) {
      throw new IllegalArgumentException("limits must be from 1 to " + LARGEST_CHUNK);
    }
  }

  /** The documented defaults. */
  public static Limits defaults() {
    return new Limits(16L << 20, 100, 1L << 30, LARGEST_CHUNK);
  }

  /** The same with another size of metadata documents. */
  public Limits withMetadataBytes(long bytes) {
    return new Limits(bytes, jsonDepth, indexBytes, chunkBytes);
  }

  /** The same with another nesting of metadata documents. */
  public Limits withJsonDepth(int depth) {
    return new Limits(metadataBytes, depth, indexBytes, chunkBytes);
  }

  /** The same with another size of a shard index. */
  public Limits withIndexBytes(long bytes) {
    return new Limits(metadataBytes, jsonDepth, bytes, chunkBytes);
  }

  /** The same with another decoded size of a chunk. */
  public Limits withChunkBytes(long bytes) {
    return new Limits(metadataBytes, jsonDepth, indexBytes, bytes);
  }
}
