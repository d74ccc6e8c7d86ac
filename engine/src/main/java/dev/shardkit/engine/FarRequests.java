package dev.shardkit.engine;

import dev.shardkit.engine.Fetches.Answered;
import dev.shardkit.engine.Fetches.Got;
import dev.shardkit.engine.Flights.Flight;
import dev.shardkit.spi.error.CorruptDataException;
import dev.shardkit.spi.error.Place;
import dev.shardkit.spi.error.StoreException;
import dev.shardkit.spi.plan.Answer;
import dev.shardkit.spi.plan.ByteRange;
import dev.shardkit.spi.plan.Bytes;
import dev.shardkit.spi.plan.PlanRun.ReadTask;
import dev.shardkit.spi.plan.Scratch;
import dev.shardkit.spi.plan.Unit;
import dev.shardkit.store.FarReads;
import dev.shardkit.store.Fetched;
import dev.shardkit.store.ObjectChangedException;
import dev.shardkit.store.StoreListener;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;

/**
 * Reads of a far store. Requests run concurrently, limited by the policy's number and by the bytes that were requested
 * and not yet decoded; workers decode the answers. The first answer for a key pins its version for the run. Values
 * cached by earlier calls are used if that version is confirmed, by another answer of this run or by a read of one byte
 * at its end. The run's monitor guards all mutable state.
 */
final class FarRequests implements Requests {
    private static final long MOST_BYTES = 128L << 20;
    private static final long SPLIT_BYTES = 1L << 20;
    /** The assumed size of a whole object until it is known. */
    private static final long USUAL_OBJECT = 16L << 20;

    private static final Answered NOT_SHARED = new Answered(Optional.empty(), Optional.empty(), Optional.empty());

    private final FarReads store;
    private final ReadContext context;
    private final Answering answering;
    private final Execution<?> execution;
    private final Fetches fetches;
    private final Outbox outbox;
    private final Set<CompletableFuture<Got>> out = new HashSet<>();
    /** Flights whose answer this run has received and not decoded. */
    private final Set<Flight> landed = new HashSet<>();

    private final Pins pins = new Pins();
    private final KeptValues kept;
    private final Bodies bodies = new Bodies();
    private int underWay;
    private long held;
    private boolean sending;
    private boolean cancelled;
    private boolean checked;

    FarRequests(FarReads store, ReadContext context, Answering answering, Execution<?> execution) {
        this.store = store;
        this.context = context;
        this.answering = answering;
        this.execution = execution;
        // a store may call it on a thread of its own, which would lose the exception
        StoreListener listener = QuietListener.failing(context.listener(), execution::fail);
        this.fetches = new Fetches(store, context, listener, this::areKept, this::isHere, bodies);
        // a policy of the caller takes precedence
        this.outbox = new Outbox(
                context.policy(),
                policy -> policy.equals(store.mergePolicy()) ? store.mostRequests() : policy.parallel());
        this.kept = new KeptValues(context, store, answering, pins);
    }

    private record Hit(ReadTask task, Object kept) {}

    @Override
    public Optional<Pins.Seen> seen(String key) {
        return pins.get(key);
    }

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
        // one unit of work for each object, so that subsequent reads are merged
        hits.values()
                .forEach(ofOne -> units.add(scratch -> ofOne.stream()
                        .map(h -> answering.resume(h.task(), h.kept(), scratch))
                        .toList()));
        List<ReadTask> toSend = new ArrayList<>(left.size());
        Map<Fetched.Found, List<ReadTask>> here = new IdentityHashMap<>();
        for (ReadTask t : left) {
            Optional<Fetched.Found> whole = whole(t.request().key(), t.request().range());
            if (t.request().range() instanceof ByteRange.Slice s && s.length() == 0) {
                // an empty range needs no request: its offset is known, so the object
                // exists
                Answer nothing = new Answer.Found(Bytes.EMPTY, s.end());
                units.add(scratch -> answer(List.of(t), nothing, scratch));
            } else if (whole.isPresent()) {
                here.computeIfAbsent(whole.get(), w -> new ArrayList<>()).add(t);
            } else {
                toSend.add(t);
            }
        }
        here.forEach((whole, tasks) -> units.addAll(decoding(
                new Merger.Merged(tasks.get(0).request().key(), new ByteRange.Slice(0, whole.objectSize()), tasks),
                whole,
                NOT_SHARED,
                0)));
        outbox.add(toSend);
    }

    /** Returns the range from the whole object, if that has the version that this run reads. */
    private Optional<Fetched.Found> whole(String key, ByteRange range) {
        return bodies.find(key, range).filter(found -> pins.get(key)
                .filter(Pins.Seen.of(found.version())::equals)
                .isPresent());
    }

    /** One thread at a time: a store may answer at once, on the calling thread, and must not deepen the stack. */
    @Override
    public void send() {
        while (true) {
            Merger.Merged merged;
            Optional<String> pin;
            synchronized (execution) {
                if (sending
                        || cancelled
                        || outbox.isEmpty()
                        || underWay >= outbox.parallel()
                        || (held > 0 && held + size(outbox.peek().range()) > MOST_BYTES)) {
                    return;
                }
                merged = outbox.take();
                if (bodies.park(merged)) {
                    continue;
                }
                sending = true;
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
        return range instanceof ByteRange.Suffix s
                ? s.length()
                : Math.min(((ByteRange.Whole) range).most(), USUAL_OBJECT);
    }

    private boolean areKept(Merger.Merged merged) {
        synchronized (execution) {
            return merged.tasks().stream().allMatch(t -> kept.find(t.request()).isPresent());
        }
    }

    private boolean isHere(Merger.Merged merged) {
        synchronized (execution) {
            return !merged.tasks().isEmpty()
                    && merged.tasks().stream()
                            .allMatch(t -> whole(t.request().key(), t.request().range())
                                    .isPresent());
        }
    }

    private void send(Merger.Merged merged, Optional<String> pin) {
        CompletableFuture<Got> future = execution.mayShare(merged.tasks())
                ? fetches.fetch(merged, pin)
                : execution.asBegun(() -> fetches.alone(merged, pin));
        boolean tooLate;
        synchronized (execution) {
            tooLate = cancelled;
            out.add(future);
        }
        future.whenComplete((got, thrown) -> execution.asBegun(() -> {
            answered(merged, future, Optional.ofNullable(got), Optional.ofNullable(thrown));
            return Unit.UNIT;
        }));
        if (tooLate) {
            future.cancel(true);
        }
    }

    private void answered(
            Merger.Merged merged, CompletableFuture<Got> sent, Optional<Got> got, Optional<Throwable> thrown) {
        List<Work> decoding = List.of();
        long actual = 0;
        try {
            if (thrown.isPresent()) {
                throw thrown.get();
            }
            if (got.orElseThrow() instanceof Answered answered) {
                actual = answered.fetched()
                        .map(f ->
                                f instanceof Fetched.Found found ? found.bytes().size() : 0L)
                        .orElse(0L);
                decoding = accept(merged, answered, actual);
            } else {
                decoding = resume(List.of(merged));
            }
        } catch (Throwable e) {
            failed(merged, e);
        } finally {
            // after the failure was recorded: a failed check must not leave a run that looks finished
            synchronized (execution) {
                out.remove(sent);
                underWay--;
                held += (decoding.isEmpty() ? 0 : actual) - size(merged.range());
            }
            execution.answered(decoding);
            wake(merged);
        }
    }

    /** Resumes the requests that waited for the whole object, whether it was received or not. */
    private void wake(Merger.Merged merged) {
        try {
            List<Merger.Merged> waiting = bodies.arrived(merged);
            if (!waiting.isEmpty()) {
                execution.answered(resume(waiting));
            }
        } catch (Throwable e) {
            failed(merged, e);
        }
    }

    /** Resumes reads whose values another run has cached, or whose objects are here. */
    private List<Work> resume(List<Merger.Merged> waiting) {
        Deque<Work> units = new ArrayDeque<>();
        synchronized (execution) {
            if (!cancelled && !waiting.isEmpty()) {
                submit(
                        waiting.stream()
                                .flatMap(merged -> merged.tasks().stream())
                                .toList(),
                        units);
            }
        }
        return List.copyOf(units);
    }

    private void failed(Merger.Merged merged, Throwable thrown) {
        if (Failures.unwrap(thrown) instanceof ObjectChangedException) {
            context.cache().forget(merged.key());
        }
        Place place = merged.tasks().isEmpty()
                ? Place.of(merged.key())
                : merged.tasks().get(0).place();
        execution.fail(
                Failures.ofStore(thrown, context.array(), place, merged.range().toString()));
    }

    private List<Work> accept(Merger.Merged merged, Answered answered, long actual) {
        String key = merged.key();
        Fetched fetched = answered.fetched().orElseThrow(() -> new StoreException("expected an answer, found nothing"));
        if (answered.others().isEmpty()) {
            context.listener().onResponse(key, merged.range(), fetched instanceof Fetched.Found f ? f.came() : 0);
        }
        long since = answered.others().orElseGet(System::nanoTime);
        synchronized (execution) {
            answered.flight().ifPresent(landed::add);
            if (fetched instanceof Fetched.Found f && answered.others().isPresent()) {
                kept.hear(key, f.version(), since);
            } else {
                pins.confirm(key, fetched instanceof Fetched.Found f ? Pins.Seen.of(f.version()) : Pins.Seen.ABSENT);
            }
        }
        if (fetched instanceof Fetched.Found f) {
            Fetches.fault(merged.range(), f).ifPresent(e -> {
                throw e;
            });
            kept.under(f.version()).ifPresent(v -> context.cache().seen(key, v, since));
            return decoding(merged, f, answered, actual);
        }
        context.cache().forget(key);
        return merged.tasks().isEmpty()
                ? List.of()
                : List.of(scratch -> answer(merged.tasks(), new Answer.Absent(), scratch));
    }

    /**
     * Creates one unit of work, or several if there is much to decode; {@code left} of the reserved bytes belong to
     * them.
     */
    private List<Work> decoding(Merger.Merged merged, Fetched.Found found, Answered answered, long left) {
        List<Work> works = new ArrayList<>();
        List<ReadTask> tasks = merged.tasks();
        long still = left;
        int from = 0;
        while (from < tasks.size()) {
            int to = from;
            long n = 0;
            for (; to < tasks.size() && n < SPLIT_BYTES; to++) {
                n += size(tasks.get(to).request().range());
            }
            List<ReadTask> part = tasks.subList(from, to);
            long share = to == tasks.size() ? still : Math.min(still, n);
            still -= share;
            // reported here, because the answer may arrive on the thread of another run, whose caller waits
            boolean isHit = from == 0 && answered.others().isPresent();
            works.add(scratch -> {
                if (isHit) {
                    context.listener().onCacheHit(merged.key());
                }
                List<Work.Step> steps = decode(merged, part, found, share, scratch);
                answered.flight().ifPresent(this::forget); // its values are cached now
                return steps;
            });
            from = to;
        }
        return works;
    }

    private List<Work.Step> decode(
            Merger.Merged merged, List<ReadTask> tasks, Fetched.Found found, long share, Scratch scratch) {
        List<Work.Step> steps = new ArrayList<>(tasks.size());
        // an empty object cannot be checked by one byte
        Optional<String> keep = kept.under(found.version()).filter(v -> found.objectSize() > 0);
        for (ReadTask t : tasks) {
            Bytes own = t.request().range() instanceof ByteRange.Slice s
                    ? found.bytes().slice(merged.offsetOf(t), s.length())
                    : found.bytes().slice(t.request().range());
            steps.add(answering.answer(t, new Answer.Found(own, found.objectSize()), keep, scratch));
        }
        synchronized (execution) {
            held -= share;
        }
        return steps;
    }

    private void forget(Flight flight) {
        context.cache().flights().forget(flight);
        synchronized (execution) {
            landed.remove(flight);
        }
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
        return underWay + outbox.size() + bodies.waiting();
    }

    @Override
    public void cancel() {
        List<CompletableFuture<Got>> ending;
        synchronized (execution) {
            cancelled = true;
            outbox.clear();
            bodies.cancel();
            ending = List.copyOf(out);
        }
        ending.forEach(f -> f.cancel(true));
    }

    @Override
    public Throwable judge(Throwable failure) {
        if (!(failure instanceof CorruptDataException corrupt)
                || pins.unconfirmed().isEmpty()) {
            return failure;
        }
        pins.unconfirmed().keySet().forEach(context.cache()::forget);
        return new ObjectChangedException("cached values may be out of date: " + corrupt.fact())
                .locate(corrupt.array(), corrupt.place(), Optional.empty());
    }

    /** Removes the answers that this run did not decode, so that other runs do not find them. */
    @Override
    public void close() {
        List<Flight> left;
        synchronized (execution) {
            left = List.copyOf(landed);
            landed.clear();
        }
        left.forEach(context.cache().flights()::forget);
        bodies.close();
    }
}
