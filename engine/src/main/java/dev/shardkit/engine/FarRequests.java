package dev.shardkit.engine;

import dev.shardkit.engine.Fetches.Answered;
import dev.shardkit.engine.Fetches.Got;
import dev.shardkit.spi.error.CorruptDataException;
import dev.shardkit.spi.error.Place;
import dev.shardkit.spi.plan.Answer;
import dev.shardkit.spi.plan.ByteRange;
import dev.shardkit.spi.plan.Bytes;
import dev.shardkit.spi.plan.PlanRun.ReadTask;
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

    private final FarReads store;
    private final ReadContext context;
    private final Answering answering;
    private final Execution<?> execution;
    private final Fetches fetches;
    private final Outbox outbox;
    private final Set<CompletableFuture<Got>> out = new HashSet<>();
    private final Pins pins = new Pins();
    private final KeptValues kept;
    private final Decodings decodings;
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
        this.decodings = new Decodings(context, answering, execution, pins, kept, bytes -> held -= bytes);
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
                units.add(scratch -> decodings.answer(List.of(t), nothing, scratch));
            } else if (whole.isPresent()) {
                here.computeIfAbsent(whole.get(), w -> new ArrayList<>()).add(t);
            } else {
                toSend.add(t);
            }
        }
        here.forEach((whole, tasks) ->
                units.addAll(decodings.ofWhole(tasks.get(0).request().key(), whole, tasks)));
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
                        || (held > 0 && held + Decodings.size(outbox.peek().range()) > MOST_BYTES)) {
                    return;
                }
                merged = outbox.take();
                if (bodies.park(merged)) {
                    continue;
                }
                sending = true;
                underWay++;
                held += Decodings.size(merged.range());
                pin = pins.get(merged.key()).flatMap(Pins.Seen::version);
            }
            send(merged, pin);
            synchronized (execution) {
                sending = false;
            }
        }
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
                decoding = decodings.accept(merged, answered, actual);
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
                held += (decoding.isEmpty() ? 0 : actual) - Decodings.size(merged.range());
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

    @Override
    public void close() {
        decodings.close();
        bodies.close();
    }
}
