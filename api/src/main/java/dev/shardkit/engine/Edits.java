package dev.shardkit.engine;

import dev.shardkit.spi.codec.Edit;
import dev.shardkit.spi.codec.Piece;
import dev.shardkit.spi.error.Place;
import dev.shardkit.spi.error.UnsupportedException;
import dev.shardkit.spi.plan.Plan;
import dev.shardkit.spi.plan.Unit;
import dev.shardkit.store.BlockingStore;
import dev.shardkit.store.Content;
import dev.shardkit.store.ObjectChangedException;
import dev.shardkit.store.Snapshot;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.WritableByteChannel;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
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
    try (BlockingStore.Lock held =
        ofStore(key, context, () -> context.store().lock(context.array(), key, context.patience()))) {
      for (int attempt = 1; !changed(key, plan, context, attempt); attempt++) {
        context.reading().listener().onChanged(key, attempt);
      }
    } catch (IOException e) {
      throw Failures.rethrow(Failures.ofStore(e, context.reading().array(), Place.of(key), ""));
    } catch (CallersException e) {
      throw Failures.rethrow(e.own());
    }
  }

  /**
   * Changes many objects, several side by side; the calling thread takes part. After a failure no further one is begun,
   * and what is done stays done.
   *
   * @param key the key of object i
   * @param plan the plan of object i
   */
  public void changeAll(long count, LongFunction<String> key, LongFunction<Supplier<Plan<Edit>>> plan,
      WriteContext context) {
    AtomicLong done = new AtomicLong();
    Jobs.run(count, i -> {
      change(key.apply(i), plan.apply(i), context);
      context.reading().listener().onProgress(done.incrementAndGet(), count);
    }, engine.workers().parallelism(), engine.workers().calls());
  }

  /** Whether the edit was carried out; not if the object changed after the edit's plan had read it. */
  private boolean changed(String key, Supplier<Plan<Edit>> plan, WriteContext context, int attempt) {
    try (Old old = new Old(ofStore(key, context, () -> context.store().open(key)))) {
      Edit edit = engine.run(plan, context.reading());
      ofStore(key, context, () -> {
        if (moves(edit) && !old.version().equals(currentVersion(key, context))) {
          throw new ObjectChangedException(
              "expected " + old.version() + ", found another: somebody writes without the lock");
        }
        carryOut(key, edit, old.snapshot(), context);
        return Unit.UNIT;
      });
      return true;
    } catch (ObjectChangedException e) {
      if (attempt == ATTEMPTS) {
        throw e;
      }
      return false;
    }
  }

  /** Runs something that the store does; failures get their place. */
  private static <V> V ofStore(String key, WriteContext context, StoreCall<V> call) {
    try {
      return call.run();
    } catch (Throwable e) {
      throw Failures.rethrow(Failures.ofStore(e, context.reading().array(), Place.of(key), ""));
    }
  }

  private interface StoreCall<V> {
    V run() throws IOException;
  }

  /** The object before the change. */
  private record Old(Optional<Snapshot> snapshot) implements AutoCloseable {
    Pins.Seen version() {
      return snapshot.isPresent() ? Pins.Seen.of(snapshot.map(Snapshot::version)) : Pins.Seen.ABSENT;
    }

    @Override
    public void close() {
      try {
        if (snapshot.isPresent()) {
          snapshot.get().close();
        }
      } catch (IOException | RuntimeException e) {
        // the change itself was made, or has failed of something better
        System.getLogger("dev.shardkit.engine").log(System.Logger.Level.DEBUG, "closing an object failed", e);
      }
    }
  }

  private static boolean moves(Edit edit) {
    return edit instanceof Edit.Replace r && r.pieces().stream().anyMatch(p -> p instanceof Piece.Moved);
  }

  private static Pins.Seen currentVersion(String key, WriteContext context) throws IOException {
    try (Old now = new Old(context.store().open(key))) {
      return now.version();
    }
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
