package dev.shardkit.codec.zstd;

import dev.shardkit.codec.support.HeapBytes;
import dev.shardkit.codec.support.Output;
import dev.shardkit.codec.support.UnsafeAccess;
import dev.shardkit.codec.zstd.frame.Trailer;
import dev.shardkit.codec.zstd.frame.ZstdDecoder;
import dev.shardkit.codec.zstd.frame.ZstdEncoder;
import dev.shardkit.spi.codec.BytesToBytesCodec;
import dev.shardkit.spi.codec.DecodedSize;
import dev.shardkit.spi.error.UnsupportedException;
import dev.shardkit.spi.json.Json;
import dev.shardkit.spi.plan.Bytes;
import dev.shardkit.spi.plan.Scratch;
import io.airlift.compress.zstd.ZstdCompressor;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Zstandard (Zarr extension codec {@code zstd}, RFC 8878) in pure Java: a decoder of its own, aircompressor's encoder.
 *
 * <p>Reads frames of any level, with and without content size and checksum, several frames one after the other, and
 * windows of any size that zstd itself accepts; skippable frames are skipped. A frame that needs a dictionary is an
 * {@link UnsupportedException}, as Zarr has no place for one.
 *
 * <p>Writes what aircompressor can: one frame of its one level (about zstd's 3), always with content size and checksum.
 * {@code level} and {@code checksum} are kept in the metadata for those who can follow them; any reader reads either.
 * Where the JVM denies {@code sun.misc.Unsafe}, an encoder of its own writes frames of about that level.
 *
 * <p>Immutable and thread-safe.
 */
public final class ZstdCodec implements BytesToBytesCodec {
  /** The name in the metadata. */
  public static final String NAME = "zstd";

  /** The lowest level. */
  public static final int LOWEST_LEVEL = -131072;

  /** The highest level. */
  public static final int HIGHEST_LEVEL = 22;

  private final int level;
  private final boolean checksum;

  private ZstdCodec(int level, boolean checksum) {
    if (level < LOWEST_LEVEL || level > HIGHEST_LEVEL) {
      throw new IllegalArgumentException(
          "zstd level must be from " + LOWEST_LEVEL + " to " + HIGHEST_LEVEL + ", not " + level);
    }
    this.level = level;
    this.checksum = checksum;
  }

  /** A codec of {@code level} whose metadata asks for no checksum. */
  public static ZstdCodec ofLevel(int level) {
    return new ZstdCodec(level, false);
  }

  /** The same, with metadata that ask for a checksum. */
  public ZstdCodec withChecksum() {
    return new ZstdCodec(level, true);
  }

  /** The level in the metadata. */
  public int level() {
    return level;
  }

  /** Whether the metadata ask for a checksum. */
  public boolean checksum() {
    return checksum;
  }

  @Override
  public String name() {
    return NAME;
  }

  @Override
  public Json.Obj configuration() {
    // Both, always: readers are about that omit the default of neither.
    Map<String, Json> members = new LinkedHashMap<>();
    members.put("level", Json.of(level));
    members.put("checksum", Json.of(checksum));
    return new Json.Obj(members);
  }

  @Override
  public Bytes encode(Bytes decoded, Scratch scratch) {
    HeapBytes in = HeapBytes.of(decoded, scratch, NAME);
    if (UnsafeAccess.ofThisJvm() == UnsafeAccess.DENIED) {
      return ZstdEncoder.write(in, level, checksum ? Trailer.CHECKSUM : Trailer.NOTHING, scratch);
    }
    ZstdCompressor compressor = new ZstdCompressor();
    int most = compressor.maxCompressedLength(in.size());
    if (most < in.size()) { // it overflowed
      throw new UnsupportedException("zstd: " + in.size() + " bytes are too many to be encoded at once");
    }
    Output out = Output.encoding(most, scratch);
    out.advance(compressor.compress(in.array(), in.from(), in.size(), out.array(), 0, out.capacity()));
    return out.copy();
  }

  @Override
  public Bytes decode(Bytes encoded, DecodedSize expected, Scratch scratch) {
    return ZstdDecoder.read(HeapBytes.of(encoded, scratch, NAME), expected, scratch);
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof ZstdCodec z && level == z.level && checksum == z.checksum;
  }

  @Override
  public int hashCode() {
    return 2 * level + (checksum ? 1 : 0);
  }

  @Override
  public String toString() {
    return NAME + configuration();
  }
}
