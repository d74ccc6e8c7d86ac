package dev.shardkit.engine;

import dev.shardkit.spi.codec.Edit;
import dev.shardkit.spi.codec.Piece;
import dev.shardkit.spi.error.Place;
import dev.shardkit.spi.error.UnsupportedException;
import dev.shardkit.spi.error.ZarrException;
import dev.shardkit.spi.plan.Plan;
import dev.shardkit.store.BlockingStore;
import dev.shardkit.store.Content;
import dev.shardkit.store.ObjectChangedException;
import dev.shardkit.store.Snapshot;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.WritableByteChannel;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.LongFunction;
import java.util.function.Supplier;

/** Changes one stored object: lock, read what is needed, carry out the edit, unlock. Blocking; called on any thread. */
public final class Edits {
  private static final int ATTEMPTS = 5;

  private final Engine engine;

  /** Edits whose plans run on {@code engine}. */
  public Edits(Engine engine) {
    this.engine = engine;
  }

  /**
   * Changes the object under {@code key}.
   *
   * @param plan describes the change; it reads the object as it is while the lock is held
   */
  @SuppressWarnings("try")
  public void change(String key, Supplier<Plan<Edit>> plan, WriteContext context) {
    try (BlockingStore.Lock held = context.store().lock(context.array(), key, context.patience())) {
      for (int attempt = 1; !changed(key, plan, context); attempt++) {
        if (attempt == ATTEMPTS) {
          throw new ObjectChangedException("somebody keeps changing it without the lock");
        }
        context.reading().listener().onChanged(key, attempt);
      }
    } catch (IOException e) {
      throw Failures.rethrow(Failures.ofStore(e, context.reading().array(), Place.of(key), ""));
    } catch (ZarrException e) {
      throw e.locate(Optional.of(context.reading().array()), Optional.of(Place.of(key)), Optional.empty());
    }
  }

  /**
   * Changes many objects, several side by side; the calling thread takes part. After a failure no further one is begun.
   *
   * @param key the key of object i
   * @param plan the plan of object i
   */
  public void changeAll(long count, LongFunction<String> key, LongFunction<Supplier<Plan<Edit>>> plan,
      WriteContext context) {
    AtomicLong next = new AtomicLong();
    AtomicLong done = new AtomicLong();
    AtomicReference<Optional<Throwable>> failure = new AtomicReference<>(Optional.empty());
    Runnable work = () -> {
      for (long i = next.getAndIncrement(); i < count && failure.get().isEmpty(); i = next.getAndIncrement()) {
        try {
          if (Thread.interrupted()) {
            Thread.currentThread().interrupt();
            throw new CancellationException("interrupted");
          }
          change(key.apply(i), plan.apply(i), context);
          context.reading().listener().onProgress(done.incrementAndGet(), count);
        } catch (RuntimeException | Error e) {
          failure.compareAndSet(Optional.empty(), Optional.of(e));
        }
      }
    };
    List<CompletableFuture<Void>> others = new ArrayList<>();
    for (long i = 1; i < Math.min(count, engine.workers().parallelism()); i++) {
      others.add(CompletableFuture.runAsync(work, engine.workers().calls()));
    }
    work.run();
    others.forEach(CompletableFuture::join);
    failure.get().ifPresent(Failures::rethrow);
  }

  /** Whether the edit was carried out; not if the object changed after the edit's plan had read it. */
  private boolean changed(String key, Supplier<Plan<Edit>> plan, WriteContext context) throws IOException {
    Optional<Snapshot> before = context.store().open(key);
    try {
      Edit edit = engine.call(plan, context.reading());
      if (edit instanceof Edit.Replace r && r.pieces().stream().anyMatch(p -> p instanceof Piece.Moved)
          && !version(before).equals(currentVersion(key, context))) {
        return false;
      }
      carryOut(key, edit, before, context);
      return true;
    } finally {
      if (before.isPresent()) {
        before.get().close();
      }
    }
  }

  private static String currentVersion(String key, WriteContext context) throws IOException {
    Optional<Snapshot> now = context.store().open(key);
    String version = version(now);
    if (now.isPresent()) {
      now.get().close();
    }
    return version;
  }

  private static String version(Optional<Snapshot> snapshot) {
    return snapshot.map(Snapshot::version).orElse("");
  }

  private static void carryOut(String key, Edit edit, Optional<Snapshot> old, WriteContext context)
      throws IOException {
    if (edit instanceof Edit.Absent) {
      if (context.store().delete(key)) {
        context.reading().listener().onWrite(key, 0);
      }
    } else if (edit instanceof Edit.Replace r) {
      context.store().put(key, new PieceContent(r, old), context.durability());
      context.reading().listener().onWrite(key, r.size());
    } else if (edit instanceof Edit.Patch) {
      throw new UnsupportedException("store " + context.store().describe() + " cannot change objects in place");
    }
  }

  /** New content made of literal bytes and of ranges of the old object. */
  private record PieceContent(Edit.Replace edit, Optional<Snapshot> old) implements Content {
    @Override
    public long size() {
      return edit.size();
    }

    @Override
    public void writeTo(WritableByteChannel out) throws IOException {
      for (Piece p : edit.pieces()) {
        if (p instanceof Piece.Moved m) {
          old.orElseThrow().transferTo(m.offset(), m.size(), out);
        } else {
          write(((Piece.Literal) p).bytes().pieces(), out);
        }
      }
    }

    private static void write(List<ByteBuffer> pieces, WritableByteChannel out) throws IOException {
      for (ByteBuffer piece : pieces) {
        while (piece.hasRemaining()) {
          out.write(piece);
        }
      }
    }
  }
}
