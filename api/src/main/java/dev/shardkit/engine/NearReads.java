package dev.shardkit.engine;

import dev.shardkit.spi.error.CorruptDataException;
import dev.shardkit.spi.error.StoreException;
import dev.shardkit.spi.error.ZarrException;
import dev.shardkit.spi.plan.Answer;
import dev.shardkit.spi.plan.ByteRange;
import dev.shardkit.spi.plan.Bytes;
import dev.shardkit.spi.plan.PlanRun.ReadTask;
import dev.shardkit.spi.plan.PlanRun.Task;
import dev.shardkit.spi.plan.Scratch;
import dev.shardkit.store.BlockingStore;
import dev.shardkit.store.ObjectChangedException;
import dev.shardkit.store.Snapshot;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CancellationException;

/**
 * Reads of a near store: a worker reads, decodes and scatters. No thread waits for another one: a read of what another
 * run is about to keep is put aside until that run has it ({@link Flights}).
 */
final class NearReads implements Reads {
  private static final int PIECE = 1 << 30;
  /** Direct memory is scarce and slow to come back, so only what is read again and again has its place there. */
  private static final int MOST_DIRECT = 4 << 20;

  private final ReadContext context;
  private final Answering answering;
  private final Snapshots snapshots;
  private final Execution<?> execution;
  private final Optional<Readings> readings;
  /** Flights of other runs whose landing reads of this one wait for, each once for each read; guarded by the run. */
  private final Set<Waiting> waiting = new HashSet<>();
  private boolean cancelled;
  /** The failure of a part of which it is known that nothing changed that it had read. */
  private volatile Optional<Throwable> genuine = Optional.empty();

  NearReads(BlockingStore store, ReadContext context, Answering answering, Execution<?> execution,
      Optional<Readings> readings) {
    this.readings = readings;
    this.execution = execution;
    this.context = context;
    this.answering = answering;
    this.snapshots = new Snapshots(store, context, readings);
  }

  @Override
  public void submit(List<ReadTask> batch, Deque<Work> units) {
    for (Merger.Merged merged : Merger.merge(batch, context.merge())) {
      units.add(scratch -> read(merged, Flights.canCarry(merged.tasks(), context), scratch));
    }
  }

  private List<Work.Step> read(Merger.Merged merged, boolean shared, Scratch scratch) {
    readings.ifPresent(r -> r.note(merged));
    try {
      return readNoted(merged, shared, scratch);
    } catch (Work.Failed e) {
      throw new Work.Failed(e.getCause(), merged.tasks());
    }
  }

  private List<Work.Step> readNoted(Merger.Merged merged, boolean shared, Scratch scratch) {
    List<Work.Step> steps = new ArrayList<>(merged.tasks().size());
    try (Snapshots.Lease lease = lease(merged)) {
      if (lease.snapshot().isEmpty()) {
        for (ReadTask t : merged.tasks()) {
          steps.add(answering.answer(t, new Answer.Absent(), Optional.empty(), scratch));
        }
        return steps;
      }
      Snapshot snapshot = lease.snapshot().get();
      List<ReadTask> left = resume(merged.tasks(), snapshot, scratch, steps);
      if (!left.isEmpty() && shared) {
        readOnce(new Merger.Merged(merged.key(), merged.range(), left), snapshot, scratch, steps);
      } else if (!left.isEmpty()) {
        readSpan(merged, left, snapshot, scratch, steps);
      }
      return steps;
    }
  }

  /** Goes on with what is kept, and returns the rest. */
  private List<ReadTask> resume(
      List<ReadTask> tasks, Snapshot snapshot, Scratch scratch, List<Work.Step> steps) {
    List<ReadTask> left = new ArrayList<>(tasks.size());
    for (ReadTask t : tasks) {
      Optional<Object> kept = answering.kept(t.request(), snapshot.version());
      if (kept.isPresent()) {
        steps.add(answering.resume(t, kept.get(), scratch));
      } else {
        left.add(t);
      }
    }
    return left;
  }

  /** Reads what no other run is reading; otherwise this comes to be done again when that run has kept it. */
  private void readOnce(Merger.Merged merged, Snapshot snapshot, Scratch scratch, List<Work.Step> steps) {
    Flights flights = context.cache().flights();
    Flights.Boarding boarding =
        flights.board(new Flights.Key(merged.key(), merged.range(), Optional.of(snapshot.version())));
    if (!boarding.leads()) {
      await(boarding.flight(), merged);
      return;
    }
    try {
      List<ReadTask> left = resume(merged.tasks(), snapshot, scratch, steps);
      if (!left.isEmpty()) {
        readSpan(merged, left, snapshot, scratch, steps);
      }
    } finally {
      flights.land(boarding.flight(), Flights.Empty.AGAIN);
    }
  }

  /** A read that waits; compared by identity. */
  private static final class Waiting {}

  private void await(Flights.Flight flight, Merger.Merged merged) {
    Waiting mine = new Waiting();
    synchronized (execution) {
      if (cancelled) {
        return;
      }
      waiting.add(mine);
    }
    flight.landing().thenAccept(landing -> {
      synchronized (execution) {
        if (!waiting.remove(mine)) {
          return; // cancelled
        }
      }
      // by itself: if the other run has failed, this one does not wait for a third
      execution.answered(List.of(scratch -> read(merged, false, scratch)));
    });
  }

  @Override
  public int underWay() {
    return waiting.size();
  }

  @Override
  public void cancel() {
    synchronized (execution) {
      cancelled = true;
      waiting.clear();
    }
  }

  private Snapshots.Lease lease(Merger.Merged merged) {
    try {
      return snapshots.lease(merged.key());
    } catch (Throwable e) {
      throw failed(merged.tasks().get(0), merged.range(), e);
    }
  }

  private void readSpan(Merger.Merged merged, List<ReadTask> tasks, Snapshot snapshot, Scratch scratch,
      List<Work.Step> steps) {
    ByteRange.Slice span = span(merged.range(), tasks, snapshot.size());
    int mark = scratch.mark();
    Bytes bytes;
    context.listener().onRequest(merged.key(), span);
    try {
      bytes = read(snapshot, span, scratch);
    } catch (Throwable e) {
      throw failed(tasks.get(0), span, e);
    }
    context.listener().onResponse(merged.key(), span, span.length());
    Optional<String> version = Optional.of(snapshot.version());
    for (ReadTask t : tasks) {
      Bytes own = t.request().range() instanceof ByteRange.Slice s
          ? bytes.slice(s.offset() - span.offset(), s.length())
          : bytes;
      steps.add(answering.answer(t, new Answer.Found(own, snapshot.size()), version, scratch));
    }
    scratch.reset(mark);
  }

  /** The bytes that are really there; a read past the end is the fault of whoever asked for it. */
  private ByteRange.Slice span(ByteRange range, List<ReadTask> tasks, long size) {
    if (range instanceof ByteRange.Slice) {
      long start = Long.MAX_VALUE;
      long end = 0;
      for (ReadTask t : tasks) {
        ByteRange.Slice own = (ByteRange.Slice) t.request().range();
        if (own.end() > size) {
          throw failed(t, own, new CorruptDataException("expected an object of at least " + own.end() + " bytes, found "
              + size));
        }
        start = Math.min(start, own.offset());
        end = Math.max(end, own.end());
      }
      return new ByteRange.Slice(start, end - start);
    }
    if (range instanceof ByteRange.Whole w && w.refuses(size)) {
      throw failed(
          tasks.get(0), range, new CorruptDataException("expected at most " + w.most() + " bytes, found " + size));
    }
    long n = range instanceof ByteRange.Suffix s ? Math.min(s.length(), size)
        : ((ByteRange.Whole) range).leaves(size) ? 0 : size;
    return new ByteRange.Slice(size - n, n);
  }

  private Work.Failed failed(ReadTask task, ByteRange range, Throwable thrown) {
    return new Work.Failed(
        Failures.ofStore(thrown, context.array(), task.place(), range.toString()), List.of(task));
  }

  private static Bytes read(Snapshot snapshot, ByteRange.Slice span, Scratch scratch) throws IOException {
    List<Bytes> pieces = new ArrayList<>(1);
    for (long at = 0; at < span.length(); at += PIECE) {
      int n = (int) Math.min(PIECE, span.length() - at);
      ByteBuffer buffer = n <= MOST_DIRECT ? scratch.borrowDirect(n) : ByteBuffer.wrap(scratch.borrow(n), 0, n);
      snapshot.read(span.offset() + at, buffer);
      buffer.flip();
      pieces.add(Bytes.of(buffer));
    }
    return pieces.size() == 1 ? pieces.get(0) : Bytes.concat(pieces);
  }

  @Override
  public void confirm() {
    snapshots.confirm();
    readings.flatMap(Readings::firstChange).ifPresent(e -> {
      throw e;
    });
  }

  /** Looks at what their parts have read, and at nothing else: what changed elsewhere is no excuse for a failure. */
  @Override
  public boolean areToRunAgain(List<? extends Task> tasks, Throwable failure) {
    if (readings.isEmpty() || !mayBeOfVersions(failure)) {
      return false;
    }
    Readings noted = readings.get();
    if (failure instanceof ObjectChangedException e && tasks.get(0) instanceof ReadTask r) {
      noted.changed(r.request().key(), e);
      return true;
    }
    try {
      Set<String> keys = noted.keysOf(tasks);
      keys.forEach(snapshots::confirm);
      if (noted.isAnyChanged(keys)) {
        return true;
      }
    } catch (ZarrException | CancellationException e) {
      Failures.addSuppressed(failure, e);
    }
    genuine = Optional.of(failure);
    return false;
  }

  private static boolean mayBeOfVersions(Throwable failure) {
    return failure instanceof CorruptDataException || failure instanceof StoreException;
  }

  /** What looks corrupt, or ends early, may be of two versions. */
  @Override
  public Throwable judge(Throwable failure) {
    readings.ifPresent(Readings::cut); // whatever comes next, parts are left that have not ended
    if (failure instanceof ObjectChangedException || !mayBeOfVersions(failure)
        || genuine.filter(e -> e == failure).isPresent()) {
      return failure;
    }
    try {
      confirm();
      return failure;
    } catch (ObjectChangedException e) {
      e.addSuppressed(failure);
      return e;
    } catch (CancellationException e) {
      // an interrupted thread cannot find out; the end that was asked for is no claim about the data
      e.addSuppressed(failure);
      return e;
    } catch (ZarrException e) {
      failure.addSuppressed(e);
      return failure;
    }
  }

  @Override
  public void close() {
    snapshots.close();
  }
}
