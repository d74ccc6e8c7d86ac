package dev.shardkit.codec.gzip;

import dev.shardkit.codec.support.HeapBytes;
import dev.shardkit.codec.support.Output;
import dev.shardkit.spi.error.UnsupportedException;
import dev.shardkit.spi.plan.Bytes;
import dev.shardkit.spi.plan.Scratch;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.zip.CRC32;
import java.util.zip.Deflater;

/** Writes one gzip member; the Deflater stays in the scratch. */
final class GzipWriter {
  private static final int HEADER = 10;
  private static final int TRAILER = 8;

  private GzipWriter() {}

  static Bytes write(HeapBytes in, int level, Scratch scratch) {
    // Stored blocks cost 5 bytes in 16 KiB at worst, so this is room enough almost always.
    Output out = Output.encoding((long) in.size() + (in.size() >>> 9) + 64, scratch);
    out.array()[0] = (byte) GzipReader.MAGIC_1;
    out.array()[1] = (byte) GzipReader.MAGIC_2;
    out.array()[2] = GzipReader.DEFLATE;
    Arrays.fill(out.array(), 3, HEADER, (byte) 0);
    out.array()[8] = (byte) (level == GzipCodec.HIGHEST_LEVEL ? 2 : level == 1 ? 4 : 0);
    out.array()[9] = (byte) 0xff; // no particular system
    out.advance(HEADER);
    deflate(in, scratch.state(new Key(level), () -> new Kept(new Deflater(level, true))).deflater(), out);
    CRC32 crc = new CRC32();
    crc.update(in.array(), in.from(), in.size());
    while (out.capacity() - out.size() < TRAILER) {
      grow(out);
    }
    ByteBuffer.wrap(out.array()).order(ByteOrder.LITTLE_ENDIAN)
        .putInt(out.size(), (int) crc.getValue()).putInt(out.size() + 4, in.size());
    out.advance(TRAILER);
    return out.copy();
  }

  private static void deflate(HeapBytes in, Deflater deflater, Output out) {
    deflater.reset();
    deflater.setInput(in.array(), in.from(), in.size());
    deflater.finish();
    while (!deflater.finished()) {
      if (out.size() == out.capacity()) {
        grow(out);
      }
      out.advance(deflater.deflate(out.array(), out.size(), out.capacity() - out.size()));
    }
    deflater.setInput(new byte[0]); // holds on to nobody's array
  }

  private static void grow(Output out) {
    if (!out.grow()) {
      throw new UnsupportedException("gzip: the encoding is larger than a Java array");
    }
  }

  private record Key(int level) {}

  private record Kept(Deflater deflater) implements AutoCloseable {
    @Override
    public void close() {
      deflater.end();
    }
  }
}
