package dev.shardkit.store.http;

import dev.shardkit.spi.plan.Bytes;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.OptionalLong;

/**
 * Takes a body: passes over its start, keeps a part, and of the rest only counts. Memory is what was asked for, or
 * follows what arrives; no claim of the server's is believed beyond 64 MiB.
 */
final class Collect implements Transport.Body {
  private static final long TRUSTED = 64L << 20;
  private static final long SMALLEST_PIECE = 64L << 10;
  private static final long LARGEST_PIECE = 1L << 30;
  /** So much of an unwanted rest is read on, since the connection is then kept. */
  private static final long READ_ON = 64L << 10;

  /** What the body makes, once all of it that matters is there. */
  @FunctionalInterface
  interface Finish {
    Outcome end(Bytes kept, long total) throws IOException;
  }

  /**
   * Which part of a body.
   *
   * @param skip so many bytes are passed over
   * @param keep at most so many are kept
   * @param firstPiece so much memory is taken at first; 0 for a little
   * @param rest whether bytes may follow; if not, they are an error
   * @param last of the bytes that are kept at least so many, the last ones, stay in memory
   */
  record Part(long skip, long keep, long firstPiece, Rest rest, long last) {
    /** All that is kept stays. */
    Part(long skip, long keep, long firstPiece, Rest rest) {
      this(skip, keep, firstPiece, rest, Long.MAX_VALUE);
    }
  }

  /** What may follow the part that is kept. */
  enum Rest {
    NONE,
    ANY
  }

  private final Part part;
  private final OptionalLong declared;
  private final Finish finish;
  private final Deque<Bytes> full = new ArrayDeque<>();
  /** How many bytes {@code full} has. */
  private long held;
  private byte[] piece = new byte[0];
  private int filled;
  private long kept;
  private long seen;

  /**
   * Makes one.
   *
   * @param declared the Content-Length, which the body must have
   */
  Collect(Part part, OptionalLong declared, Finish finish) {
    this.part = part;
    this.declared = declared;
    this.finish = finish;
  }

  /** For an answer whose body does not matter. */
  static Collect nothing(Outcome outcome) {
    return new Collect(new Part(READ_ON, 0, 0, Rest.NONE), OptionalLong.empty(), (bytes, total) -> outcome);
  }

  @Override
  public Transport.Wish take(ByteBuffer buffer) {
    keep(buffer);
    boolean tooMuch = seen > part.skip() + part.keep();
    if (tooMuch && part.rest() == Rest.NONE) {
      return Transport.Wish.STOP;
    } else if (kept == part.keep() && declared.isPresent() && declared.getAsLong() - seen > READ_ON) {
      seen = declared.getAsLong();
      return Transport.Wish.STOP;
    }
    return Transport.Wish.MORE;
  }

  /** Returns how many of the bytes so far bring the end nearer: what is passed over may have none. */
  long useful() {
    return declared.isPresent() ? seen : kept;
  }

  private void keep(ByteBuffer buffer) {
    int n = buffer.remaining();
    long pass = Math.min(n, Math.max(0, part.skip() - seen));
    buffer.position(buffer.position() + (int) pass);
    seen += n;
    while (buffer.hasRemaining() && kept < part.keep()) {
      if (filled == piece.length) {
        full.add(Bytes.of(piece, 0, filled));
        held += filled;
        while (!full.isEmpty() && held - full.element().size() >= part.last()) {
          held -= full.remove().size();
        }
        boolean first = kept == 0 && part.firstPiece() > 0;
        long size = first ? Math.min(part.firstPiece(), TRUSTED) : Math.max(kept, SMALLEST_PIECE);
        size = Math.min(size, Math.max(part.last(), SMALLEST_PIECE));
        piece = new byte[(int) Math.min(Math.min(LARGEST_PIECE, part.keep() - kept), size)];
        filled = 0;
      }
      int take = Math.min(buffer.remaining(), piece.length - filled);
      buffer.get(piece, filled, take);
      filled += take;
      kept += take;
    }
  }

  /** The body has come to its end, or was stopped: what it makes. */
  Outcome end() throws IOException {
    if (declared.isPresent() && seen < declared.getAsLong()) {
      throw new IOException("short body: expected " + declared.getAsLong() + " bytes, found " + seen);
    }
    full.add(Bytes.of(piece, 0, filled));
    return finish.end(Bytes.concat(List.copyOf(full)), seen);
  }
}
