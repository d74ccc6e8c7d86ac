package dev.shardkit.engine;

import dev.shardkit.spi.error.CorruptDataException;
import dev.shardkit.spi.error.Place;
import dev.shardkit.spi.error.StoreException;
import dev.shardkit.spi.plan.Answer;
import dev.shardkit.spi.plan.ByteRange;
import dev.shardkit.spi.plan.Bytes;
import dev.shardkit.spi.plan.PlanRun.ReadTask;
import dev.shardkit.spi.plan.Scratch;
import dev.shardkit.store.AsyncStore;
import dev.shardkit.store.Fetched;
import dev.shardkit.store.ObjectChangedException;
import dev.shardkit.store.StoreListener;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;

/**
 * Reads of a far store: requests go out side by side up to the policy's number and a bound on bytes that were asked for
 * and are not yet decoded; workers decode what comes back. The first answer for a key pins its version for the run.
 * What an earlier call kept is used if that version is confirmed: by another answer of this run, or by one byte asked
 * for at its end. Everything mutable is guarded by the run's monitor.
 */
final class FarReads implements Reads {
  private static final long MOST_BYTES = 128L << 20;
  private static final long SPLIT_BYTES = 1L << 20;
  /** What a whole object is taken for until its size is known. */
  private static final long USUAL_OBJECT = 16L << 20;

  private final AsyncStore store;
  private final ReadContext context;
  private final Answering answering;
  private final Execution<?> execution;
  private final StoreListener listener;
  private final Outbox outbox;
  private final Set<CompletableFuture<Fetched>> out = new HashSet<>();
  private final Pins pins = new Pins();
  private final KeptValues kept;
  private int underWay;
  private long held;
  private boolean sending;
  private boolean cancelled;
  private boolean checked;

  FarReads(AsyncStore store, ReadContext context, Execution<?> execution) {
    this.store = store;
    this.context = context;
    this.answering = new Answering(context);
    this.execution = execution;
    // a store may call it on a thread of its own, which would drop what is thrown
    this.listener = QuietListener.failing(context.listener(), execution::fail);
    // a policy of the caller's own is obeyed
    this.outbox = new Outbox(context.policy(),
        policy -> policy.equals(store.mergePolicy()) ? store.mostRequests() : policy.parallel());
    this.kept = new KeptValues(context, store, answering, pins);
  }

  private record Hit(ReadTask task, Object kept) {}

  @Override
  public void submit(List<ReadTask> batch, Deque<Work> units) {
    List<ReadTask> left = new ArrayList<>(batch.size());
    Map<String, List<Hit>> hits = new LinkedHashMap<>();
    for (ReadTask t : batch) {
      Optional<Object> found = kept.find(t.request());
      if (found.isPresent()) {
        hits.computeIfAbsent(t.request().key(), k -> new ArrayList<>()).add(new Hit(t, found.get()));
      } else {
        left.add(t);
      }
    }
    // one unit of work for an object, so that what follows is merged
    hits.values().forEach(ofOne -> units.add(scratch ->
        ofOne.stream().map(h -> answering.resume(h.task(), h.kept(), scratch)).toList()));
    List<ReadTask> toSend = new ArrayList<>(left.size());
    for (ReadTask t : left) {
      if (t.request().range() instanceof ByteRange.Slice s && s.length() == 0) {
        // there is no request for nothing, nor need of one: whoever has the offset knows that the object is there
        Answer nothing = new Answer.Found(Bytes.EMPTY, s.end());
        units.add(scratch -> answer(List.of(t), nothing, scratch));
      } else {
        toSend.add(t);
      }
    }
    outbox.add(toSend);
  }

  /** One thread at a time: a store may answer at once, on the thread that asks, and the stack must not grow by that. */
  @Override
  public void send() {
    while (true) {
      Merger.Merged merged;
      Optional<String> pin;
      synchronized (execution) {
        if (sending || cancelled || outbox.isEmpty() || underWay >= outbox.parallel()
            || (held > 0 && held + size(outbox.peek().range()) > MOST_BYTES)) {
          return;
        }
        sending = true;
        merged = outbox.take();
        underWay++;
        held += size(merged.range());
        pin = pins.get(merged.key()).flatMap(Pins.Seen::version);
      }
      send(merged, pin);
      synchronized (execution) {
        sending = false;
      }
    }
  }

  private static long size(ByteRange range) {
    if (range instanceof ByteRange.Slice s) {
      return s.length();
    }
    return range instanceof ByteRange.Suffix s ? s.length() : Math.min(((ByteRange.Whole) range).most(), USUAL_OBJECT);
  }

  private void send(Merger.Merged merged, Optional<String> pin) {
    CompletableFuture<Fetched> future;
    try {
      context.listener().onRequest(merged.key(), merged.range());
      future = Objects.requireNonNull(store.fetch(merged.key(), merged.range(), pin, listener), "no future");
    } catch (Throwable e) {
      future = CompletableFuture.failedFuture(e);
    }
    boolean tooLate;
    synchronized (execution) {
      tooLate = cancelled;
      out.add(future);
    }
    CompletableFuture<Fetched> sent = future;
    try {
      future.whenComplete((fetched, thrown) -> answered(merged, sent, Optional.ofNullable(fetched),
          Optional.ofNullable(thrown)));
    } catch (Throwable e) {
      answered(merged, sent, Optional.empty(), Optional.of(e)); // a store's own kind of future
    }
    if (tooLate) {
      future.cancel(true);
    }
  }

  private void answered(
      Merger.Merged merged, CompletableFuture<Fetched> sent, Optional<Fetched> fetched, Optional<Throwable> thrown) {
    List<Work> decoding = List.of();
    long actual = 0;
    try {
      if (thrown.isPresent()) {
        throw thrown.get();
      }
      Fetched answer = fetched.orElseThrow(() -> new StoreException("expected an answer, found nothing"));
      actual = answer instanceof Fetched.Found f ? f.bytes().size() : 0;
      context.listener().onResponse(merged.key(), merged.range(), actual);
      decoding = accept(merged, answer);
    } catch (Throwable e) {
      failed(merged, e);
    } finally {
      // after a failure was noted: a check that failed must not leave a run that looks done
      synchronized (execution) {
        out.remove(sent);
        underWay--;
        held += (decoding.isEmpty() ? 0 : actual) - size(merged.range());
      }
      execution.answered(decoding);
    }
  }

  private void failed(Merger.Merged merged, Throwable thrown) {
    if (Failures.unwrap(thrown) instanceof ObjectChangedException) {
      context.cache().forget(merged.key());
    }
    Place place = merged.tasks().isEmpty() ? Place.of(merged.key()) : merged.tasks().get(0).place();
    execution.fail(Failures.ofStore(thrown, context.array(), place, merged.range().toString()));
  }

  private List<Work> accept(Merger.Merged merged, Fetched fetched) {
    Pins.Seen now = fetched instanceof Fetched.Found f ? Pins.Seen.of(f.version()) : Pins.Seen.ABSENT;
    synchronized (execution) {
      pins.confirm(merged.key(), now);
    }
    if (fetched instanceof Fetched.Found f) {
      check(merged.range(), f);
      kept.under(f.version()).ifPresent(v -> context.cache().seen(merged.key(), v, System.nanoTime()));
      return decoding(merged, f);
    }
    context.cache().forget(merged.key());
    return merged.tasks().isEmpty() ? List.of() : List.of(
        scratch -> answer(merged.tasks(), new Answer.Absent(), scratch));
  }

  private static void check(ByteRange range, Fetched.Found found) {
    long expected = range instanceof ByteRange.Slice s ? s.length()
        : range instanceof ByteRange.Suffix s ? Math.min(s.length(), found.objectSize()) : found.objectSize();
    if (range instanceof ByteRange.Whole w && expected > w.most()) {
      throw new CorruptDataException("expected at most " + w.most() + " bytes, found " + expected);
    } else if (found.bytes().size() != expected) {
      throw new StoreException("expected " + expected + " bytes, found " + found.bytes().size());
    }
  }

  /** One unit of work, or several where there is much to decode. */
  private List<Work> decoding(Merger.Merged merged, Fetched.Found found) {
    List<Work> works = new ArrayList<>();
    List<ReadTask> tasks = merged.tasks();
    long left = found.bytes().size();
    int from = 0;
    while (from < tasks.size()) {
      int to = from;
      long n = 0;
      for (; to < tasks.size() && n < SPLIT_BYTES; to++) {
        n += size(tasks.get(to).request().range());
      }
      List<ReadTask> part = tasks.subList(from, to);
      long share = to == tasks.size() ? left : Math.min(left, n);
      left -= share;
      works.add(scratch -> decode(merged, part, found, share, scratch));
      from = to;
    }
    return works;
  }

  private List<Work.Step> decode(
      Merger.Merged merged, List<ReadTask> tasks, Fetched.Found found, long share, Scratch scratch) {
    List<Work.Step> steps = new ArrayList<>(tasks.size());
    // an object without a byte cannot be checked by one
    Optional<String> keep = kept.under(found.version()).filter(v -> found.objectSize() > 0);
    for (ReadTask t : tasks) {
      Bytes own = t.request().range() instanceof ByteRange.Slice s
          ? found.bytes().slice(merged.offsetOf(t), s.length()) : found.bytes();
      steps.add(answering.answer(t, new Answer.Found(own, found.objectSize()), keep, scratch));
    }
    synchronized (execution) {
      held -= share;
    }
    return steps;
  }

  private List<Work.Step> answer(List<ReadTask> tasks, Answer answer, Scratch scratch) {
    List<Work.Step> steps = new ArrayList<>(tasks.size());
    for (ReadTask t : tasks) {
      steps.add(answering.answer(t, answer, Optional.empty(), scratch));
    }
    return steps;
  }

  @Override
  public void lastChecks() {
    if (!checked) {
      checked = true;
      pins.unconfirmed().keySet().forEach(outbox::addCheck);
    }
  }

  @Override
  public int underWay() {
    return underWay + outbox.size();
  }

  @Override
  public void cancel() {
    List<CompletableFuture<Fetched>> ending;
    synchronized (execution) {
      cancelled = true;
      outbox.clear();
      ending = List.copyOf(out);
    }
    Optional<Throwable> failed = Optional.empty();
    for (CompletableFuture<Fetched> f : ending) {
      try {
        f.cancel(true);
      } catch (Throwable e) {
        failed = failed.or(() -> Optional.of(e)); // a store's own kind of future; the others are cancelled too
      }
    }
    if (failed.isPresent()) {
      throw Failures.rethrow(failed.get());
    }
  }

  @Override
  public Throwable judge(Throwable failure) {
    if (!(failure instanceof CorruptDataException corrupt) || pins.unconfirmed().isEmpty()) {
      return failure;
    }
    pins.unconfirmed().keySet().forEach(context.cache()::forget);
    return new ObjectChangedException("what was kept may be out of date: " + corrupt.fact())
        .locate(corrupt.array(), corrupt.place(), Optional.empty());
  }
}
