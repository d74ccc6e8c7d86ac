package dev.shardkit.codec.blosc;

import static dev.shardkit.codec.blosc.BloscHeader.corrupt;

import dev.shardkit.codec.support.HeapBytes;
import dev.shardkit.codec.support.UnsafeAccess;
import dev.shardkit.codec.zstd.frame.ZstdDecoder;
import dev.shardkit.spi.error.ChecksumException;
import dev.shardkit.spi.error.CorruptDataException;
import dev.shardkit.spi.error.UnsupportedException;
import io.airlift.compress.Compressor;
import io.airlift.compress.Decompressor;
import io.airlift.compress.lz4.Lz4Compressor;
import io.airlift.compress.lz4.Lz4Decompressor;
import io.airlift.compress.snappy.SnappyCompressor;
import io.airlift.compress.snappy.SnappyDecompressor;
import io.airlift.compress.zstd.ZstdCompressor;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.zip.DataFormatException;
import java.util.zip.Deflater;
import java.util.zip.Inflater;

/**
 * Expands and compresses single streams: the state of compressors that one worker keeps between frames. What a stream
 * decodes to is bounded by the room it is given. Not for use by two threads at a time.
 */
final class Streams implements AutoCloseable {
  private final Map<Format, Decompressor> decompressors = new EnumMap<>(Format.class);
  private final Map<Format, Compressor> compressors = new EnumMap<>(Format.class);
  private final Map<Integer, Deflater> deflaters = new HashMap<>();
  private final Inflater inflater = new Inflater();
  private final List<ZstdDecoder> zstd = new ArrayList<>(1);
  private final byte[] one = new byte[1];

  /** Expands one stream, which must yield exactly {@code size} bytes. */
  void expand(Format format, byte[] in, int inAt, int length, byte[] out, int outAt, int size) {
    int found;
    try {
      found = switch (format) {
        case BLOSCLZ -> BloscLz.decode(in, inAt, length, out, outAt, size);
        case ZLIB -> inflate(in, inAt, length, out, outAt, size);
        case ZSTD -> zstd(new HeapBytes(in, inAt, inAt + length), out, outAt, size);
        case LZ4, SNAPPY -> UnsafeAccess.call("blosc: decoding lz4 or snappy",
            () -> decompressor(format).decompress(in, inAt, length, out, outAt, size));
      };
    } catch (CorruptDataException | UnsupportedException e) {
      throw e;
    } catch (DataFormatException | RuntimeException e) {
      // The libraries throw index and state exceptions besides their own when a stream is malformed.
      decompressors.remove(format);
      throw new CorruptDataException("blosc: malformed " + name(format) + " stream: " + e.getMessage(), e);
    }
    if (found != size) {
      throw corrupt("a " + name(format) + " stream of " + size + " decoded bytes", found + " bytes");
    }
  }

  private int zstd(HeapBytes in, byte[] out, int outAt, int size) {
    if (zstd.isEmpty()) {
      zstd.add(new ZstdDecoder()); // only where it is needed: it is large
    }
    try {
      zstd.get(0).expand(in, out, outAt, size);
      return size;
    } catch (ChecksumException e) {
      throw new ChecksumException("blosc: " + e.getMessage(), e);
    } catch (CorruptDataException | UnsupportedException e) { // blosc writes no dictionaries and no huge windows
      throw new CorruptDataException("blosc: malformed zstd stream: " + e.getMessage(), e);
    }
  }

  private int inflate(byte[] in, int inAt, int length, byte[] out, int outAt, int size) throws DataFormatException {
    inflater.reset();
    inflater.setInput(in, inAt, length);
    try {
      int done = 0;
      while (done < size) {
        int n = inflater.inflate(out, outAt + done, size - done);
        if (n == 0) {
          return done;
        }
        done += n;
      }
      // The trailer with its checksum is read only when more is asked for.
      int surplus = inflater.inflate(one, 0, 1);
      if (surplus != 0 || !inflater.finished()) {
        throw corrupt("the end of a zlib stream after " + size + " bytes", surplus != 0 ? "more" : "no end");
      }
      return done;
    } finally {
      inflater.setInput(one, 0, 0);
    }
  }

  /** Gives the room that {@link #compress} needs for as many bytes. */
  int room(Format format, int length) {
    return format == Format.ZLIB ? length
        : UnsafeAccess.call("blosc: encoding",
            () -> compressor(format).maxCompressedLength(length));
  }

  /** Compresses into {@code out}, which has {@link #room}, and gives the size; {@code length} and more is void. */
  int compress(Format format, int level, byte[] in, int inAt, int length, byte[] out) {
    if (format == Format.ZLIB) {
      return deflate(level, in, inAt, length, out);
    }
    return UnsafeAccess.call("blosc: encoding",
        () -> compressor(format).compress(in, inAt, length, out, 0, out.length));
  }

  private int deflate(int level, byte[] in, int inAt, int length, byte[] out) {
    Deflater deflater = deflaters.computeIfAbsent(level, Deflater::new);
    deflater.reset();
    deflater.setInput(in, inAt, length);
    deflater.finish();
    int n = deflater.deflate(out, 0, length);
    int found = deflater.finished() ? n : length;
    deflater.setInput(one, 0, 0);
    return found;
  }

  private Compressor compressor(Format format) {
    return compressors.computeIfAbsent(format, f -> switch (f) {
      case LZ4 -> new Lz4Compressor();
      case SNAPPY -> new SnappyCompressor();
      case ZSTD -> new ZstdCompressor();
      case ZLIB, BLOSCLZ -> throw new IllegalArgumentException(name(f) + " is not compressed here");
    });
  }

  private Decompressor decompressor(Format format) {
    return decompressors.computeIfAbsent(format, f -> switch (f) {
      case LZ4 -> new Lz4Decompressor();
      case SNAPPY -> new SnappyDecompressor();
      case ZSTD, ZLIB, BLOSCLZ -> throw new IllegalArgumentException(name(f) + " is not expanded here");
    });
  }

  @Override
  public void close() {
    inflater.end();
    deflaters.values().forEach(Deflater::end);
  }

  private static String name(Format format) {
    return format.name().toLowerCase(Locale.ROOT);
  }
}
