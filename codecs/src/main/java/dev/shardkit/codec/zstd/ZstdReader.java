package dev.shardkit.codec.zstd;

import dev.shardkit.codec.support.HeapBytes;
import dev.shardkit.codec.support.Output;
import dev.shardkit.spi.codec.DecodedSize;
import dev.shardkit.spi.error.ChecksumException;
import dev.shardkit.spi.error.CorruptDataException;
import dev.shardkit.spi.plan.Bytes;
import dev.shardkit.spi.plan.Scratch;
import io.airlift.compress.MalformedInputException;
import io.airlift.compress.zstd.ZstdDecompressor;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.List;

/**
 * Decodes the frames of a Zstandard stream one by one; the decompressor and its tables stay in the scratch. Used once.
 *
 * <p>aircompressor tells its failures apart by their messages only. Two of them matter here, and a test holds each.
 */
final class ZstdReader {
  private static final String OUTPUT_TOO_SMALL = "Output buffer too small";
  private static final String BAD_CHECKSUM = "Bad checksum";
  private static final Object STATE = new Object();

  /** Magic, descriptor, window descriptor, content size. */
  private static final int LARGEST_HEADER = 4 + 1 + 1 + 8;

  /** 8 MiB, the most that aircompressor lets pass; matches are checked against the output, not against this. */
  private static final byte WINDOW = 13 << 3;

  private final HeapBytes in;
  private final DecodedSize expected;
  private final Scratch scratch;
  private final ZstdDecompressor decompressor;
  private final Output out;

  private ZstdReader(HeapBytes in, DecodedSize expected, long guess, Scratch scratch) {
    this.in = in;
    this.expected = expected;
    this.scratch = scratch;
    this.decompressor = scratch.state(STATE, () -> new Kept(new ZstdDecompressor())).decompressor();
    this.out = Output.decoding(expected, guess, scratch);
  }

  static Bytes read(HeapBytes in, DecodedSize expected, Scratch scratch) {
    List<ZstdFrame> frames = ZstdFrames.of(in);
    ZstdFrame.check(frames, expected);
    long least = 1;
    long claim = 1;
    for (ZstdFrame f : frames) {
      least += f.least();
      claim += f.contentSize().orElse(f.most());
    }
    // Raw and RLE blocks are certain; a claim is believed up to what is usual. Beyond, room is made for what comes out.
    long guess = Math.max(least, Math.min(claim, Math.max(64 << 10, 16L * in.size())));
    ZstdReader reader = new ZstdReader(in, expected, guess, scratch);
    frames.forEach(reader::frame);
    Bytes decoded = reader.out.borrowed();
    expected.check(decoded.size(), "zstd decoded");
    return decoded;
  }

  private void frame(ZstdFrame frame) {
    HeapBytes input = frame.header() == ZstdFrame.Header.PLAIN
        ? new HeapBytes(in.array(), frame.from(), frame.to())
        : mended(frame);
    int n = decode(frame, input);
    if (frame.contentSize().isPresent() && frame.contentSize().getAsLong() != n) {
      throw new CorruptDataException(
          where(frame) + " claims " + frame.contentSize().getAsLong() + " bytes, found " + n);
    }
    out.advance(n);
  }

  private int decode(ZstdFrame frame, HeapBytes input) {
    while (true) {
      // aircompressor takes no look at its input when there is no room at all.
      if (out.size() < out.capacity()) {
        try {
          return decompressor.decompress(input.array(), input.from(), input.size(), out.array(), out.size(),
              out.capacity() - out.size());
        } catch (MalformedInputException e) {
          if (!String.valueOf(e.getMessage()).startsWith(OUTPUT_TOO_SMALL)) {
            throw translated(frame, e);
          }
        } catch (RuntimeException e) {
          throw translated(frame, e);
        }
      }
      if (!out.grow()) {
        throw Output.tooMuch(expected, "zstd");
      }
    }
  }

  private CorruptDataException translated(ZstdFrame frame, RuntimeException e) {
    String message = String.valueOf(e.getMessage());
    return message.startsWith(BAD_CHECKSUM)
        ? new ChecksumException(where(frame) + ": the checksum does not match: " + message, e)
        : new CorruptDataException(where(frame) + " cannot be decoded: " + e, e);
  }

  private String where(ZstdFrame frame) {
    return "zstd: the frame at byte " + (frame.from() - in.from());
  }

  /** The frame with a header that aircompressor takes: no dictionary field, a small window. */
  private HeapBytes mended(ZstdFrame frame) {
    int rest = frame.to() - frame.blocks();
    byte[] copy = scratch.borrow(LARGEST_HEADER + rest);
    int flag = frame.contentSize().isPresent() ? 3 << 6 : 0;
    int checksum = frame.trailer() == ZstdFrame.Trailer.CHECKSUM ? 4 : 0;
    ByteBuffer header = ByteBuffer.wrap(copy).order(ByteOrder.LITTLE_ENDIAN)
        .putInt(ZstdFrames.MAGIC).put((byte) (flag | checksum)).put(WINDOW);
    frame.contentSize().ifPresent(header::putLong);
    int at = header.position();
    System.arraycopy(in.array(), frame.blocks(), copy, at, rest);
    return new HeapBytes(copy, 0, at + rest);
  }

  private record Kept(ZstdDecompressor decompressor) implements AutoCloseable {
    @Override
    public void close() {}
  }
}
