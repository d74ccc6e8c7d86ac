package dev.shardkit.store.http;

import dev.shardkit.spi.plan.Bytes;
import java.io.IOException;
import java.net.http.HttpResponse;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Flow;

/**
 * Takes a body: passes over its start, keeps a part, and of the rest only counts. Memory is what was asked for, or
 * follows what arrives; no claim of the server's is believed beyond 64 MiB.
 */
final class Collect implements HttpResponse.BodySubscriber<Outcome> {
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
   */
  record Part(long skip, long keep, long firstPiece, Rest rest) {}

  /** What may follow the part that is kept. */
  enum Rest {
    NONE,
    ANY
  }

  private final CompletableFuture<Outcome> result = new CompletableFuture<>();
  private final Part part;
  private final OptionalLong declared;
  private final Finish finish;
  private final List<Bytes> full = new ArrayList<>();
  private byte[] piece = new byte[0];
  private int filled;
  private long kept;
  private long seen;
  private Flow.Subscription subscription = new Flow.Subscription() {
    @Override
    public void request(long n) {}

    @Override
    public void cancel() {}
  };

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
  static HttpResponse.BodySubscriber<Outcome> nothing(Outcome outcome) {
    return new Collect(new Part(READ_ON, 0, 0, Rest.NONE), OptionalLong.empty(), (bytes, total) -> outcome);
  }

  @Override
  public CompletionStage<Outcome> getBody() {
    return result;
  }

  @Override
  public void onSubscribe(Flow.Subscription s) {
    subscription = s;
    s.request(Long.MAX_VALUE);
  }

  @Override
  public void onNext(List<ByteBuffer> buffers) {
    if (result.isDone()) {
      return;
    }
    for (ByteBuffer buffer : buffers) {
      take(buffer);
    }
    boolean tooMuch = seen > part.skip() + part.keep();
    if (tooMuch && part.rest() == Rest.NONE) {
      end();
    } else if (kept == part.keep() && declared.isPresent() && declared.getAsLong() - seen > READ_ON) {
      seen = declared.getAsLong();
      end();
    }
  }

  private void end() {
    subscription.cancel();
    onComplete();
  }

  private void take(ByteBuffer buffer) {
    int n = buffer.remaining();
    long pass = Math.min(n, Math.max(0, part.skip() - seen));
    buffer.position(buffer.position() + (int) pass);
    seen += n;
    while (buffer.hasRemaining() && kept < part.keep()) {
      if (filled == piece.length) {
        full.add(Bytes.of(piece, 0, filled));
        boolean first = kept == 0 && part.firstPiece() > 0;
        long size = first ? Math.min(part.firstPiece(), TRUSTED) : Math.max(kept, SMALLEST_PIECE);
        piece = new byte[(int) Math.min(Math.min(LARGEST_PIECE, part.keep() - kept), size)];
        filled = 0;
      }
      int take = Math.min(buffer.remaining(), piece.length - filled);
      buffer.get(piece, filled, take);
      filled += take;
      kept += take;
    }
  }

  @Override
  public void onComplete() {
    try {
      if (declared.isPresent() && seen < declared.getAsLong()) {
        throw new IOException("short body: expected " + declared.getAsLong() + " bytes, found " + seen);
      }
      full.add(Bytes.of(piece, 0, filled));
      result.complete(finish.end(Bytes.concat(full), seen));
    } catch (IOException | RuntimeException e) {
      result.completeExceptionally(e);
    }
  }

  @Override
  public void onError(Throwable failure) {
    result.completeExceptionally(failure);
  }
}
