package dev.shardkit.codec.zlib;

import dev.shardkit.codec.support.HeapBytes;
import dev.shardkit.codec.support.Output;
import dev.shardkit.spi.codec.BytesToBytesCodec;
import dev.shardkit.spi.codec.DecodedSize;
import dev.shardkit.spi.error.ChecksumException;
import dev.shardkit.spi.error.CorruptDataException;
import dev.shardkit.spi.error.UnsupportedException;
import dev.shardkit.spi.json.Json;
import dev.shardkit.spi.plan.Bytes;
import dev.shardkit.spi.plan.Scratch;
import java.util.Map;
import java.util.zip.DataFormatException;
import java.util.zip.Deflater;
import java.util.zip.Inflater;

/**
 * The zlib format (RFC 1950), known to zarr-python as {@code numcodecs.zlib}: what HDF5 calls deflate. Reads one stream,
 * whose Adler-32 is checked and behind which nothing may follow; preset dictionaries are refused. Not the gzip file
 * format, which is the codec {@code gzip}. Immutable and thread-safe.
 *
 * @param level 0 (stored) to 9 (smallest), or -1 for the library's own choice
 */
public record ZlibCodec(int level) implements BytesToBytesCodec {
  /** The name in the metadata. */
  public static final String NAME = "numcodecs.zlib";

  /** The lowest level: the library chooses. */
  static final int LOWEST_LEVEL = -1;

  /** The highest level. */
  static final int HIGHEST_LEVEL = 9;

  /** DEFLATE cannot do better: 258 bytes for two bits. */
  private static final long MOST_EXPANSION = 1032;

  private static final Object INFLATER = new Object();

  /** Refuses other levels. */
  public ZlibCodec {
    if (level < LOWEST_LEVEL || level > HIGHEST_LEVEL) {
      throw new IllegalArgumentException("zlib level must be from -1 to 9, not " + level);
    }
  }

  @Override
  public String name() {
    return NAME;
  }

  @Override
  public Json.Obj configuration() {
    return new Json.Obj(Map.of("level", Json.of(level)));
  }

  @Override
  public Bytes encode(Bytes decoded, Scratch scratch) {
    HeapBytes in = HeapBytes.of(decoded, scratch, NAME);
    // Stored blocks cost 5 bytes in 16 KiB at worst, so this is room enough almost always.
    Output out = Output.encoding((long) in.size() + (in.size() >>> 9) + 64, scratch);
    Deflater deflater = scratch.state(new Key(level), () -> new KeptDeflater(new Deflater(level))).deflater();
    deflater.reset();
    deflater.setInput(in.array(), in.from(), in.size());
    deflater.finish();
    while (!deflater.finished()) {
      if (out.size() == out.capacity() && !out.grow()) {
        throw new UnsupportedException("zlib: the encoding is larger than a Java array");
      }
      out.advance(deflater.deflate(out.array(), out.size(), out.capacity() - out.size()));
    }
    deflater.setInput(new byte[0]); // holds on to nobody's array
    return out.copy();
  }

  @Override
  public Bytes decode(Bytes encoded, DecodedSize expected, Scratch scratch) {
    HeapBytes in = HeapBytes.of(encoded, scratch, NAME);
    if (expected.isExact() && expected.most() > MOST_EXPANSION * in.size()) {
      throw new CorruptDataException("zlib: expected an encoding of " + expected + ", found " + in.size()
          + " bytes, which cannot hold as many");
    }
    Inflater inflater = scratch.state(INFLATER, () -> new KeptInflater(new Inflater())).inflater();
    Output out = Output.decoding(expected, Math.max(1 << 10, 4L * in.size()), scratch);
    inflater.reset();
    inflater.setInput(in.array(), in.from(), in.size());
    try {
      inflate(inflater, out, expected);
      if (inflater.getRemaining() > 0) {
        throw new CorruptDataException("zlib: expected nothing behind the stream, found " + inflater.getRemaining()
            + " bytes");
      }
    } finally {
      inflater.setInput(new byte[0]); // holds on to nobody's array
    }
    expected.check(out.size(), "zlib decoded");
    return out.borrowed();
  }

  private static void inflate(Inflater inflater, Output out, DecodedSize expected) {
    try {
      while (!inflater.finished()) {
        if (out.size() == out.capacity() && !out.grow()) {
          throw Output.tooMuch(expected, "zlib");
        }
        int n = inflater.inflate(out.array(), out.size(), out.capacity() - out.size());
        out.advance(n);
        if (n == 0 && inflater.needsDictionary()) {
          throw new CorruptDataException("zlib: the stream asks for a preset dictionary, expected none");
        } else if (n == 0 && !inflater.finished()) {
          throw new CorruptDataException("zlib: the stream ends early, after " + out.size() + " decoded bytes");
        }
      }
    } catch (DataFormatException e) {
      String why = String.valueOf(e.getMessage());
      throw why.contains("data check") ? new ChecksumException("zlib: the Adler-32 does not match", e)
          : new CorruptDataException("zlib: no zlib stream: " + why, e);
    }
    if (out.size() > expected.most()) {
      throw Output.tooMuch(expected, "zlib");
    }
  }

  private record Key(int level) {}

  private record KeptInflater(Inflater inflater) implements AutoCloseable {
    @Override
    public void close() {
      inflater.end();
    }
  }

  private record KeptDeflater(Deflater deflater) implements AutoCloseable {
    @Override
    public void close() {
      deflater.end();
    }
  }
}
