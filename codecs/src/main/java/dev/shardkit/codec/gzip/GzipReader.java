package dev.shardkit.codec.gzip;

import dev.shardkit.codec.support.HeapBytes;
import dev.shardkit.codec.support.Output;
import dev.shardkit.spi.codec.DecodedSize;
import dev.shardkit.spi.error.ChecksumException;
import dev.shardkit.spi.error.CorruptDataException;
import dev.shardkit.spi.plan.Bytes;
import dev.shardkit.spi.plan.Scratch;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.zip.CRC32;
import java.util.zip.DataFormatException;
import java.util.zip.Inflater;

/** Reads gzip members, one after the other; the Inflater stays in the scratch. Used once. */
final class GzipReader {
  static final int MAGIC_1 = 0x1f;
  static final int MAGIC_2 = 0x8b;
  static final int DEFLATE = 8;

  private static final int FHCRC = 2;
  private static final int FEXTRA = 4;
  private static final int FNAME = 8;
  private static final int FCOMMENT = 16;
  private static final int RESERVED = 0xe0;
  private static final int FIXED_HEADER = 10;
  private static final int TRAILER = 8;

  /** DEFLATE cannot do better: 258 bytes for two bits. */
  private static final long MOST_EXPANSION = 1032;

  private static final Object STATE = new Object();

  private final HeapBytes in;
  private final DecodedSize expected;
  private final ByteBuffer view;
  private final Inflater inflater;
  private final Output out;
  private int at;

  private GzipReader(HeapBytes in, DecodedSize expected, Scratch scratch) {
    this.in = in;
    this.expected = expected;
    this.view = ByteBuffer.wrap(in.array(), 0, in.to()).order(ByteOrder.LITTLE_ENDIAN);
    this.inflater = scratch.state(STATE, () -> new Kept(new Inflater(true))).inflater();
    this.out = Output.decoding(expected, Math.max(1 << 10, 4L * in.size()), scratch);
    this.at = in.from();
  }

  static Bytes read(HeapBytes in, DecodedSize expected, Scratch scratch) {
    if (expected.isExact() && expected.most() > MOST_EXPANSION * in.size()) {
      throw new CorruptDataException("gzip: expected an encoding of " + expected + ", found " + in.size()
          + " bytes, which cannot hold as many");
    }
    GzipReader reader = new GzipReader(in, expected, scratch);
    try {
      do {
        reader.member();
      } while (reader.at < in.to());
    } finally {
      reader.inflater.setInput(new byte[0]); // holds on to nobody's array
    }
    Bytes decoded = reader.out.borrowed();
    expected.check(decoded.size(), "gzip decoded");
    return decoded;
  }

  private void member() {
    header();
    int start = out.size();
    inflate();
    at = in.to() - inflater.getRemaining();
    need(TRAILER, "the trailer");
    CRC32 crc = new CRC32();
    crc.update(out.array(), start, out.size() - start);
    int stored = view.getInt(at);
    if (stored != (int) crc.getValue()) {
      throw new ChecksumException(String.format("gzip CRC-32: stored 0x%08x, computed 0x%08x", stored, crc.getValue()));
    }
    int size = view.getInt(at + 4);
    if (size != out.size() - start) {
      throw new CorruptDataException("gzip: the trailer says " + Integer.toUnsignedLong(size) + " bytes, found "
          + (out.size() - start));
    }
    at += TRAILER;
  }

  private void inflate() {
    inflater.reset();
    inflater.setInput(in.array(), at, in.to() - at);
    try {
      while (!inflater.finished()) {
        if (out.size() == out.capacity() && !out.grow()) {
          throw Output.tooMuch(expected, "gzip");
        }
        int n = inflater.inflate(out.array(), out.size(), out.capacity() - out.size());
        out.advance(n);
        if (n == 0 && !inflater.finished()) {
          throw new CorruptDataException("gzip: the stream ends within a DEFLATE block, after " + out.size()
              + " decoded bytes");
        }
      }
    } catch (DataFormatException e) {
      throw new CorruptDataException("gzip: no DEFLATE stream: " + e.getMessage(), e);
    }
    if (out.size() > expected.most()) {
      throw Output.tooMuch(expected, "gzip");
    }
  }

  private void header() {
    int start = at;
    need(FIXED_HEADER, "a member's header");
    if (u8(at) != MAGIC_1 || u8(at + 1) != MAGIC_2) {
      throw new CorruptDataException(String.format("gzip: expected a member (1f 8b) at byte %d, found %02x %02x",
          at - in.from(), u8(at), u8(at + 1)));
    }
    int flags = u8(at + 3);
    if (u8(at + 2) != DEFLATE || (flags & RESERVED) != 0) {
      throw new CorruptDataException(String.format(
          "gzip: expected method 8 and no reserved flags, found method %d, flags %02x", u8(at + 2), flags));
    }
    at += FIXED_HEADER;
    if ((flags & FEXTRA) != 0) {
      need(2, "FEXTRA");
      int length = view.getShort(at) & 0xffff;
      at += 2;
      need(length, "FEXTRA");
      at += length;
    }
    if ((flags & FNAME) != 0) {
      skipText("FNAME");
    }
    if ((flags & FCOMMENT) != 0) {
      skipText("FCOMMENT");
    }
    if ((flags & FHCRC) != 0) {
      need(2, "FHCRC");
      checkHeader(start);
      at += 2;
    }
  }

  private void checkHeader(int start) {
    CRC32 crc = new CRC32();
    crc.update(in.array(), start, at - start);
    int stored = view.getShort(at) & 0xffff;
    int computed = (int) crc.getValue() & 0xffff;
    if (stored != computed) {
      throw new ChecksumException(
          String.format("gzip header CRC-16: stored 0x%04x, computed 0x%04x", stored, computed));
    }
  }

  private void skipText(String what) {
    do {
      need(1, what);
    } while (in.array()[at++] != 0);
  }

  private int u8(int i) {
    return in.array()[i] & 0xff;
  }

  private void need(int n, String what) {
    if (in.to() - at < n) {
      throw new CorruptDataException("gzip: expected " + n + " more bytes of " + what + ", found " + (in.to() - at));
    }
  }

  private record Kept(Inflater inflater) implements AutoCloseable {
    @Override
    public void close() {
      inflater.end();
    }
  }
}
