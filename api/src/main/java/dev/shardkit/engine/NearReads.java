package dev.shardkit.engine;

import dev.shardkit.spi.error.CorruptDataException;
import dev.shardkit.spi.plan.Answer;
import dev.shardkit.spi.plan.ByteRange;
import dev.shardkit.spi.plan.Bytes;
import dev.shardkit.spi.plan.Decoder;
import dev.shardkit.spi.plan.Plan;
import dev.shardkit.spi.plan.PlanRun.ReadTask;
import dev.shardkit.spi.plan.Request;
import dev.shardkit.spi.plan.Scratch;
import dev.shardkit.store.BlockingStore;
import dev.shardkit.store.Snapshot;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;

/** Reads of a near store: a worker reads, decodes and scatters; a request never waits for another thread. */
final class NearReads implements Reads {
  private static final int PIECE = 1 << 30;

  private final ReadContext context;
  private final Snapshots snapshots;

  NearReads(BlockingStore store, ReadContext context) {
    this.context = context;
    this.snapshots = new Snapshots(store);
  }

  @Override
  public List<Runnable> submit(List<ReadTask> batch, Deque<Execution.Work> units) {
    for (Merger.Merged merged : Merger.merge(batch, context.merge())) {
      units.add(scratch -> read(merged, scratch));
    }
    return List.of();
  }

  private List<Execution.Step> read(Merger.Merged merged, Scratch scratch) {
    ReadTask first = merged.tasks().get(0);
    try (Snapshots.Lease lease = lease(merged, first)) {
      List<Execution.Step> steps = new ArrayList<>(merged.tasks().size());
      if (lease.snapshot().isEmpty()) {
        for (ReadTask t : merged.tasks()) {
          steps.add(step(t, new Answer.Absent(), scratch, Optional.empty()));
        }
        return steps;
      }
      Snapshot snapshot = lease.snapshot().get();
      List<ReadTask> left = new ArrayList<>(merged.tasks().size());
      for (ReadTask t : merged.tasks()) {
        ValueCache.Key key = key(t.request(), snapshot.version());
        Optional<Object> kept = t.request().decoder().identity().flatMap(id -> context.cache().get(key));
        if (kept.isPresent()) {
          context.listener().onCacheHit(merged.key());
          steps.add(resume(t, kept.get(), scratch));
        } else {
          left.add(t);
        }
      }
      if (!left.isEmpty()) {
        readSpan(merged, left, snapshot, scratch, steps);
      }
      return steps;
    }
  }

  private Snapshots.Lease lease(Merger.Merged merged, ReadTask first) {
    try {
      return snapshots.lease(merged.key());
    } catch (IOException | RuntimeException e) {
      throw new Execution.Failed(
          Failures.ofStore(e, context.array(), first.place(), merged.range().toString()));
    }
  }

  private static ValueCache.Key key(Request<?> request, String version) {
    return new ValueCache.Key(request.key(), version, request.range(), request.decoder().identity().orElse(""));
  }

  private void readSpan(Merger.Merged merged, List<ReadTask> tasks, Snapshot snapshot, Scratch scratch,
      List<Execution.Step> steps) {
    ByteRange.Slice span = span(merged.range(), tasks, snapshot.size());
    int mark = scratch.mark();
    Bytes bytes;
    try {
      context.listener().onRequest(merged.key(), span);
      bytes = read(snapshot, span, scratch);
      context.listener().onResponse(merged.key(), span, span.length());
    } catch (IOException | RuntimeException e) {
      throw new Execution.Failed(
          Failures.ofStore(e, context.array(), tasks.get(0).place(), span.toString()));
    }
    for (ReadTask t : tasks) {
      Bytes own = t.request().range() instanceof ByteRange.Slice s
          ? bytes.slice(s.offset() - span.offset(), s.length())
          : bytes;
      steps.add(step(t, new Answer.Found(own, snapshot.size()), scratch, Optional.of(snapshot.version())));
    }
    scratch.reset(mark);
  }

  /** The bytes that are really there; a read past the end is the fault of whoever asked for it. */
  private ByteRange.Slice span(ByteRange range, List<ReadTask> tasks, long size) {
    if (range instanceof ByteRange.Slice s) {
      for (ReadTask t : tasks) {
        ByteRange.Slice own = (ByteRange.Slice) t.request().range();
        if (own.end() > size) {
          throw tooFar(t, own + ", but the object ends at " + size);
        }
      }
      return new ByteRange.Slice(s.offset(), Math.min(s.end(), size) - s.offset());
    }
    if (range instanceof ByteRange.Whole w && size > w.most()) {
      throw tooFar(tasks.get(0), "expected at most " + w.most() + " bytes, found " + size);
    }
    long n = range instanceof ByteRange.Suffix s ? Math.min(s.length(), size) : size;
    return new ByteRange.Slice(size - n, n);
  }

  private Execution.Failed tooFar(ReadTask task, String fact) {
    return new Execution.Failed(
        Failures.ofWork(new CorruptDataException(fact), context.array(), task.place(), ""));
  }

  private static Bytes read(Snapshot snapshot, ByteRange.Slice span, Scratch scratch) throws IOException {
    List<Bytes> pieces = new ArrayList<>(1);
    for (long at = 0; at < span.length(); at += PIECE) {
      int n = (int) Math.min(PIECE, span.length() - at);
      ByteBuffer buffer = ByteBuffer.wrap(scratch.borrow(n), 0, n);
      snapshot.read(span.offset() + at, buffer);
      buffer.flip();
      pieces.add(Bytes.of(buffer));
    }
    return pieces.size() == 1 ? pieces.get(0) : Bytes.concat(pieces);
  }

  private Execution.Step step(ReadTask task, Answer answer, Scratch scratch, Optional<String> version) {
    int mark = scratch.mark();
    try {
      @SuppressWarnings("unchecked")
      Request<Object> request = (Request<Object>) task.request();
      Decoder<Object> decoder = request.decoder();
      Object value = decoder.decode(answer, scratch);
      if (version.isPresent() && decoder.identity().isPresent()) {
        context.cache().put(key(request, version.get()), value, decoder.weight(value));
      }
      return new Execution.Step(task, task.resume(value, scratch));
    } catch (RuntimeException | Error e) {
      throw new Execution.Failed(
          Failures.ofWork(e, context.array(), task.place(), task.request().range().toString()));
    } finally {
      scratch.reset(mark);
    }
  }

  private Execution.Step resume(ReadTask task, Object value, Scratch scratch) {
    int mark = scratch.mark();
    try {
      Plan<?> following = task.resume(value, scratch);
      return new Execution.Step(task, following);
    } catch (RuntimeException | Error e) {
      throw new Execution.Failed(
          Failures.ofWork(e, context.array(), task.place(), task.request().range().toString()));
    } finally {
      scratch.reset(mark);
    }
  }

  @Override
  public List<Runnable> lastChecks() {
    return List.of();
  }

  @Override
  public int underWay() {
    return 0;
  }

  @Override
  public Runnable cancel() {
    return () -> {};
  }

  @Override
  public void close() {
    snapshots.close();
  }
}
