package dev.shardkit.engine;

import dev.shardkit.spi.error.CorruptDataException;
import dev.shardkit.spi.error.Place;
import dev.shardkit.spi.error.StoreException;
import dev.shardkit.spi.error.ZarrException;
import java.io.IOException;
import java.nio.channels.ClosedByInterruptException;
import java.util.Optional;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;

/** Makes declared errors, with their place, of whatever was thrown. */
final class Failures {
  private Failures() {}

  /** A failure of a codec's work on bytes that the store delivered. */
  static Throwable ofWork(Throwable thrown, String array, Place place, String range) {
    if (thrown instanceof ZarrException z) {
      return z.locate(Optional.of(array), Optional.of(place), Optional.of(range).filter(r -> !r.isEmpty()));
    }
    if (thrown instanceof RuntimeException e && !(e instanceof CancellationException)) {
      return new CorruptDataException("cannot be decoded: " + e, e)
          .locate(Optional.of(array), Optional.of(place), Optional.of(range).filter(r -> !r.isEmpty()));
    }
    return thrown;
  }

  /** A failure of the store. */
  static Throwable ofStore(Throwable thrown, String array, Place place, String range) {
    Throwable t = unwrap(thrown);
    if (t instanceof ClosedByInterruptException) {
      CancellationException cancelled = new CancellationException("interrupted");
      cancelled.initCause(t);
      return cancelled;
    }
    if (t instanceof ZarrException z) {
      return z.locate(Optional.of(array), Optional.of(place), Optional.of(range).filter(r -> !r.isEmpty()));
    }
    if (t instanceof IOException || t instanceof RuntimeException && !(t instanceof CancellationException)) {
      return new StoreException("the store failed: " + t, t)
          .locate(Optional.of(array), Optional.of(place), Optional.of(range).filter(r -> !r.isEmpty()));
    }
    return t;
  }

  static Throwable unwrap(Throwable thrown) {
    Throwable t = thrown;
    while ((t instanceof CompletionException || t instanceof ExecutionException) && t.getCause() != null) {
      t = t.getCause();
    }
    return t;
  }

  /** Throws what a run ended with. */
  static RuntimeException rethrow(Throwable thrown) {
    if (thrown instanceof RuntimeException e) {
      throw e;
    }
    if (thrown instanceof Error e) {
      throw e;
    }
    throw new IllegalStateException(thrown);
  }
}
