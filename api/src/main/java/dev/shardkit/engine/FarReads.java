package dev.shardkit.engine;

import dev.shardkit.spi.plan.Answer;
import dev.shardkit.spi.plan.ByteRange;
import dev.shardkit.spi.plan.Bytes;
import dev.shardkit.spi.plan.Decoder;
import dev.shardkit.spi.plan.PlanRun.ReadTask;
import dev.shardkit.spi.plan.Request;
import dev.shardkit.spi.plan.Scratch;
import dev.shardkit.spi.error.Place;
import dev.shardkit.store.AsyncStore;
import dev.shardkit.store.Fetched;
import dev.shardkit.store.ObjectChangedException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;

/**
 * Reads of a far store: requests go out side by side up to the policy's number and a bound on bytes; workers decode
 * what
 * comes back. The first answer for a key pins its version for the run. Guarded by the run's monitor.
 */
final class FarReads implements Reads {
  private static final long MOST_BYTES = 128L << 20;
  private static final long SPLIT_BYTES = 1L << 20;
  private static final String ABSENT = "absent";

  private final AsyncStore store;
  private final ReadContext context;
  private final Execution<?> execution;
  private final Deque<Merger.Merged> waiting = new ArrayDeque<>();
  private final Set<CompletableFuture<Fetched>> out = new HashSet<>();
  private final Map<String, String> pins = new HashMap<>();
  private final Set<String> unchecked = new HashSet<>();
  private final Set<String> checked = new HashSet<>();
  private int underWay;
  private long bytesUnderWay;
  private boolean cancelled;

  FarReads(AsyncStore store, ReadContext context, Execution<?> execution) {
    this.store = store;
    this.context = context;
    this.execution = execution;
  }

  @Override
  public List<Runnable> submit(List<ReadTask> batch, Deque<Execution.Work> units) {
    List<ReadTask> left = new ArrayList<>(batch.size());
    for (ReadTask t : batch) {
      Optional<Object> kept = kept(t.request());
      if (kept.isPresent()) {
        context.listener().onCacheHit(t.request().key());
        units.add(scratch -> List.of(new Execution.Step(t, located(t, () -> t.resume(kept.get(), scratch)))));
      } else {
        left.add(t);
      }
    }
    waiting.addAll(Merger.merge(left, context.merge()));
    return send();
  }

  private Optional<Object> kept(Request<?> request) {
    Optional<Object> identity = request.decoder().identity();
    if (identity.isEmpty()) {
      return Optional.empty();
    }
    String key = request.key();
    Optional<ValueCache.Known> known = context.cache().known(key);
    Optional<String> version = Optional.ofNullable(pins.get(key)).or(() -> known.map(ValueCache.Known::version));
    Optional<Object> value =
        version.flatMap(v -> context.cache().get(new ValueCache.Key(key, v, request.range(), identity.get())));
    if (value.isPresent() && !pins.containsKey(key)) {
      pins.put(key, version.orElseThrow());
      boolean fresh = context.freshness() == ReadContext.Freshness.IMMUTABLE
          || System.nanoTime() - known.orElseThrow().seenNanos() < store.freshFor().toNanos();
      if (!fresh) {
        unchecked.add(key);
      }
    }
    return value;
  }

  private List<Runnable> send() {
    List<Runnable> requests = new ArrayList<>();
    while (!waiting.isEmpty() && !cancelled && underWay < context.merge().parallel()
        && (underWay == 0 || bytesUnderWay < MOST_BYTES)) {
      Merger.Merged merged = waiting.poll();
      underWay++;
      bytesUnderWay += size(merged.range());
      requests.add(() -> send(merged));
    }
    return requests;
  }

  private static long size(ByteRange range) {
    return range instanceof ByteRange.Slice s ? s.length() : range instanceof ByteRange.Suffix s ? s.length() : 0;
  }

  private void send(Merger.Merged merged) {
    CompletableFuture<Fetched> future;
    try {
      Optional<String> pin;
      synchronized (execution) {
        pin = Optional.ofNullable(pins.get(merged.key())).filter(p -> !p.equals(ABSENT));
      }
      context.listener().onRequest(merged.key(), merged.range());
      future = store.fetch(merged.key(), merged.range(), pin, context.listener());
    } catch (RuntimeException e) {
      future = CompletableFuture.failedFuture(e);
    }
    boolean tooLate;
    synchronized (execution) {
      tooLate = cancelled;
      out.add(future);
    }
    if (tooLate) {
      future.cancel(true);
    }
    CompletableFuture<Fetched> sent = future;
    future.whenComplete((fetched, thrown) -> answered(merged, sent, Optional.ofNullable(fetched),
        Optional.ofNullable(thrown)));
  }

  private void answered(
      Merger.Merged merged, CompletableFuture<Fetched> sent, Optional<Fetched> fetched, Optional<Throwable> thrown) {
    List<Execution.Work> decoding = List.of();
    List<Runnable> next = List.of();
    try {
      synchronized (execution) {
        out.remove(sent);
        if (thrown.isPresent()) {
          execution.fail(failure(merged, thrown.get()));
        } else {
          decoding = accept(merged, fetched.orElseThrow());
        }
      }
    } catch (RuntimeException | Error e) {
      execution.fail(failure(merged, e));
    } finally {
      synchronized (execution) {
        underWay--;
        bytesUnderWay -= size(merged.range());
        next = send();
      }
      execution.answered(decoding, next);
    }
  }

  private Throwable failure(Merger.Merged merged, Throwable thrown) {
    Place place = merged.tasks().isEmpty() ? Place.of(merged.key()) : merged.tasks().get(0).place();
    return Failures.ofStore(thrown, context.array(), place, merged.range().toString());
  }

  private List<Execution.Work> accept(Merger.Merged merged, Fetched fetched) {
    Optional<String> version = fetched instanceof Fetched.Found f ? f.version() : Optional.of(ABSENT);
    if (version.isPresent()) {
      String before = pins.putIfAbsent(merged.key(), version.get());
      if (before != null && !before.equals(version.get())) {
        throw new ObjectChangedException("version " + version.get() + " in place of " + before);
      }
      checked.add(merged.key());
      if (fetched instanceof Fetched.Found) {
        context.cache().seen(merged.key(), version.get(), System.nanoTime());
      }
    }
    if (fetched instanceof Fetched.Found f) {
      context.listener().onResponse(merged.key(), merged.range(), f.bytes().size());
      return decoding(merged, f);
    }
    context.listener().onResponse(merged.key(), merged.range(), 0);
    return merged.tasks().isEmpty() ? List.of() : List.of(scratch -> {
      List<Execution.Step> steps = new ArrayList<>();
      for (ReadTask t : merged.tasks()) {
        steps.add(new Execution.Step(t, located(t, () -> t.answer(new Answer.Absent(), scratch))));
      }
      return steps;
    });
  }

  /** One unit of work, or several where there is much to decode. */
  private List<Execution.Work> decoding(Merger.Merged merged, Fetched.Found found) {
    List<Execution.Work> works = new ArrayList<>();
    List<ReadTask> tasks = merged.tasks();
    int from = 0;
    while (from < tasks.size()) {
      int to = from;
      for (long n = 0; to < tasks.size() && n < SPLIT_BYTES; to++) {
        n += size(tasks.get(to).request().range());
      }
      List<ReadTask> part = tasks.subList(from, to);
      works.add(scratch -> decode(merged, part, found, scratch));
      from = to;
    }
    return works;
  }

  private List<Execution.Step> decode(
      Merger.Merged merged, List<ReadTask> tasks, Fetched.Found found, Scratch scratch) {
    List<Execution.Step> steps = new ArrayList<>(tasks.size());
    for (ReadTask t : tasks) {
      Bytes own = t.request().range() instanceof ByteRange.Slice s
          ? found.bytes().slice(merged.offsetOf(t), s.length()) : found.bytes();
      int mark = scratch.mark();
      steps.add(new Execution.Step(t, located(t, () -> {
        @SuppressWarnings("unchecked")
        Request<Object> request = (Request<Object>) t.request();
        Decoder<Object> decoder = request.decoder();
        Object value = decoder.decode(new Answer.Found(own, found.objectSize()), scratch);
        if (found.version().isPresent() && decoder.identity().isPresent()) {
          context.cache().put(new ValueCache.Key(request.key(), found.version().get(), request.range(),
              decoder.identity().get()), value, decoder.weight(value));
        }
        return t.resume(value, scratch);
      })));
      scratch.reset(mark);
    }
    return steps;
  }

  private <V> V located(ReadTask task, Supplier<V> work) {
    try {
      return work.get();
    } catch (RuntimeException | Error e) {
      throw new Execution.Failed(
          Failures.ofWork(e, context.array(), task.place(), task.request().range().toString()));
    }
  }

  @Override
  public List<Runnable> lastChecks() {
    if (underWay > 0) {
      return List.of();
    }
    unchecked.removeAll(checked);
    for (String key : unchecked) {
      waiting.add(new Merger.Merged(key, new ByteRange.Slice(0, 1), List.of()));
    }
    checked.addAll(unchecked);
    return send();
  }

  @Override
  public int underWay() {
    return underWay + waiting.size();
  }

  @Override
  public Runnable cancel() {
    cancelled = true;
    waiting.clear();
    List<CompletableFuture<Fetched>> ending = List.copyOf(out);
    return () -> ending.forEach(f -> f.cancel(true));
  }

  @Override
  public void close() {
    pins.clear();
  }
}
