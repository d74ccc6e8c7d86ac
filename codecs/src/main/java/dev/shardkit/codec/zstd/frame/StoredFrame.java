package dev.shardkit.codec.zstd.frame;

import dev.shardkit.codec.support.HeapBytes;
import dev.shardkit.codec.support.Output;
import dev.shardkit.codec.support.Words;
import java.util.Arrays;

/**
 * Writes a Zstandard frame (RFC 8878) that does not compress: raw blocks, and RLE blocks where one byte is repeated.
 * Every reader takes it. For JVMs that let no compressor run. Content size and checksum are always written. Stateless.
 */
public final class StoredFrame {
  private static final int MAGIC = 0xFD2FB528;
  private static final int HEADER = 4 + 1 + 1 + 8;
  private static final int CHECKSUM = 4;
  private static final int BLOCK_HEADER = 3;
  /** A content size of 8 bytes, a checksum, no dictionary. */
  private static final int DESCRIPTOR = 3 << 6 | 1 << 2;
  /** A window of 128 KiB, as large as a block: nothing refers back. */
  private static final int WINDOW = 17 - 10 << 3;
  private static final int RAW = 0;
  private static final int RLE = 1;

  private StoredFrame() {}

  /** The most bytes that a frame of {@code size} bytes takes. */
  public static long most(long size) {
    return size + HEADER + CHECKSUM + BLOCK_HEADER * (size / Frames.LARGEST_BLOCK + 1);
  }

  /** Writes a frame of {@code in} to {@code out}, which has room for {@link #most}. */
  public static void write(HeapBytes in, Output out) {
    byte[] to = out.array();
    int at = out.size();
    Words.int32(to, at, MAGIC);
    to[at + 4] = (byte) DESCRIPTOR;
    to[at + 5] = (byte) WINDOW;
    Words.int64(to, at + 6, in.size());
    at += HEADER;
    int from = in.from();
    do {
      int n = Math.min(in.to() - from, Frames.LARGEST_BLOCK);
      boolean repeats = n > 1 && Arrays.mismatch(in.array(), from, from + n - 1, in.array(), from + 1, from + n) < 0;
      int header = n << 3 | (repeats ? RLE : RAW) << 1 | (from + n == in.to() ? 1 : 0);
      to[at] = (byte) header;
      Words.int16(to, at + 1, header >>> 8);
      at += BLOCK_HEADER;
      int stored = repeats ? 1 : n;
      System.arraycopy(in.array(), from, to, at, stored);
      at += stored;
      from += n;
    } while (from < in.to());
    Words.int32(to, at, (int) XxHash64.of(in.array(), in.from(), in.to()));
    out.advance(at + CHECKSUM - out.size());
  }
}
