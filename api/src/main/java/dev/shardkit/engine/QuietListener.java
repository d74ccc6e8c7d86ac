package dev.shardkit.engine;

import dev.shardkit.spi.codec.WritePolicy;
import dev.shardkit.spi.plan.ByteRange;
import dev.shardkit.store.StoreListener;
import java.util.function.Consumer;

/**
 * A caller's listener. The exceptions it throws end nothing: they are logged and ignored. Errors go to {@code errors}.
 */
record QuietListener(StoreListener own, Consumer<Error> errors) implements StoreListener {
  private static final System.Logger LOG = System.getLogger("dev.shardkit.engine");

  static StoreListener of(StoreListener listener) {
    return listener == NONE || listener instanceof QuietListener ? listener : new QuietListener(listener, e -> {
      throw e;
    });
  }

  /** The listener for code that may drop what it throws: an error goes to {@code errors} alone. */
  static StoreListener failing(StoreListener listener, Consumer<? super Error> errors) {
    return listener == NONE ? NONE : new QuietListener(listener, errors::accept);
  }

  private void quietly(Runnable call) {
    try {
      call.run();
    } catch (Exception e) {
      LOG.log(System.Logger.Level.DEBUG, "a listener failed", e);
    } catch (Error e) {
      errors.accept(e);
    }
  }

  @Override
  public void onRequest(String key, ByteRange range) {
    quietly(() -> own.onRequest(key, range));
  }

  @Override
  public void onResponse(String key, ByteRange range, long bytes) {
    quietly(() -> own.onResponse(key, range, bytes));
  }

  @Override
  public void onNoRanges(String key) {
    quietly(() -> own.onNoRanges(key));
  }

  @Override
  public void onRetry(String key, int attempt, String reason) {
    quietly(() -> own.onRetry(key, attempt, reason));
  }

  @Override
  public void onCacheHit(String key) {
    quietly(() -> own.onCacheHit(key));
  }

  @Override
  public void onChanged(String key, int attempt) {
    quietly(() -> own.onChanged(key, attempt));
  }

  @Override
  public void onWrite(String key, WritePolicy.Strategy strategy, long bytes) {
    quietly(() -> own.onWrite(key, strategy, bytes));
  }

  @Override
  public void onDelete(String key) {
    quietly(() -> own.onDelete(key));
  }

  @Override
  public void onFallback(String key, WritePolicy.Strategy wanted, WritePolicy.Strategy taken, String reason) {
    quietly(() -> own.onFallback(key, wanted, taken, reason));
  }

  @Override
  public void onRecovered(String key) {
    quietly(() -> own.onRecovered(key));
  }

  @Override
  public void onProgress(long done, long total) {
    quietly(() -> own.onProgress(done, total));
  }
}
