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
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.BiConsumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

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
    private final Deque<Sending> out = new ArrayDeque<>();
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
        for (Sending next = next(); next != null; next = next()) {
            try {
                send(next);
            } catch (Throwable e) {
                next.lost(e);
            } finally {
                synchronized (execution) {
                    sending = false;
                }
            }
        }
    }

    /** Takes the next request that may be sent now; null if there is none. */
    private @Nullable Sending next() {
        synchronized (execution) {
            while (true) {
                if (sending
                        || cancelled
                        || outbox.isEmpty()
                        || underWay >= outbox.parallel()
                        || (held > 0 && held + Decodings.size(outbox.peek().range()) > MOST_BYTES)) {
                    return null;
                }
                if (bodies.park(outbox.peek())) {
                    outbox.take();
                    continue;
                }
                // memory may run out up to here: then nothing counts as sent
                Sending next =
                        new Sending(outbox.peek(), pins.get(outbox.peek().key()).flatMap(Pins.Seen::version));
                out.add(next);
                outbox.take();
                sending = true;
                underWay++;
                held += next.size;
                return next;
            }
        }
    }

    /**
     * A request in progress. It is made before it counts, and its end allocates nothing: however a step fails, the
     * request ends, once, and a failure ends the run.
     */
    private final class Sending implements BiConsumer<Got, Throwable>, Supplier<Unit> {
        private final Merger.Merged merged;
        private final Optional<String> pin;
        private final long size;
        private volatile @Nullable CompletableFuture<Got> future;
        private @Nullable Got got;
        private @Nullable Throwable thrown;
        private boolean over;

        Sending(Merger.Merged merged, Optional<String> pin) {
            this.merged = merged;
            this.pin = pin;
            this.size = Decodings.size(merged.range());
        }

        /** Accepts the outcome. Throws nothing: the thread that delivers it would lose the failure. */
        @Override
        public void accept(@Nullable Got value, @Nullable Throwable failure) {
            got = value;
            thrown = failure;
            try {
                execution.asBegun(this);
            } catch (Throwable e) {
                lost(e);
            }
        }

        @Override
        public Unit get() {
            answered(this);
            return Unit.UNIT;
        }

        /** Ends the request and the run after a failure of the engine itself, such as memory that ran out. */
        void lost(Throwable failure) {
            execution.fail(failure);
            end(0);
            execution.answered(List.of());
        }

        /** Ends the request, of whose answer {@code left} bytes remain to be decoded. */
        void end(long left) {
            synchronized (execution) {
                if (!over) {
                    over = true;
                    out.remove(this);
                    underWay--;
                    held += left - size;
                }
            }
        }

        void cancel() {
            CompletableFuture<Got> sent = future;
            if (sent != null) {
                sent.cancel(true);
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

    private void send(Sending sending) {
        CompletableFuture<Got> future = execution.mayShare(sending.merged.tasks())
                ? fetches.fetch(sending.merged, sending.pin)
                : execution.asBegun(() -> fetches.alone(sending.merged, sending.pin));
        boolean tooLate;
        synchronized (execution) {
            sending.future = future;
            tooLate = cancelled;
        }
        future.whenComplete(sending);
        if (tooLate) {
            future.cancel(true);
        }
    }

    private void answered(Sending sending) {
        Merger.Merged merged = sending.merged;
        List<Work> decoding = List.of();
        long actual = 0;
        try {
            if (sending.thrown != null) {
                throw sending.thrown;
            }
            if (sending.got instanceof Answered answered) {
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
            if (sending.got instanceof Answered answered) {
                answered.flight().ifPresent(decodings::forget); // no run decodes it
            }
        } finally {
            // after the failure was recorded: a failed check must not leave a run that looks finished
            sending.end(decoding.isEmpty() ? 0 : actual);
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

    /** Ends the run. Throws nothing. */
    private void failed(Merger.Merged merged, Throwable thrown) {
        Throwable failure;
        try {
            if (Failures.unwrap(thrown) instanceof ObjectChangedException) {
                context.cache().forget(merged.key());
            }
            Place place = merged.tasks().isEmpty()
                    ? Place.of(merged.key())
                    : merged.tasks().get(0).place();
            failure = Failures.ofStore(
                    thrown, context.array(), place, merged.range().toString());
        } catch (Throwable e) {
            failure = e;
        }
        execution.fail(failure);
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
        synchronized (execution) {
            cancelled = true;
            outbox.clear();
            bodies.cancel();
        }
        Throwable first = null;
        for (Sending next = pollOut(); next != null; next = pollOut()) {
            try {
                next.cancel();
            } catch (Throwable e) {
                first = first == null ? e : first; // the other requests are cancelled all the same
            }
        }
        if (first != null) {
            throw Failures.rethrow(first);
        }
    }

    private @Nullable Sending pollOut() {
        synchronized (execution) {
            return out.poll();
        }
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
