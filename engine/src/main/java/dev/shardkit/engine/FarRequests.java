package dev.shardkit.engine;

import dev.shardkit.engine.Fetches.Answered;
import dev.shardkit.engine.Fetches.Got;
import dev.shardkit.spi.error.Place;
import dev.shardkit.spi.plan.PlanRun.ReadTask;
import dev.shardkit.spi.plan.PlanRun.Task;
import dev.shardkit.spi.plan.Unit;
import dev.shardkit.store.FarReads;
import dev.shardkit.store.Fetched;
import dev.shardkit.store.ObjectChangedException;
import dev.shardkit.store.StoreListener;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * Reads of a far store. Requests run concurrently, limited by the policy's number and by the bytes that were requested
 * and not yet decoded; workers decode the answers. The first answer for a key pins its version for the run. Values
 * cached by earlier calls are used if that version is confirmed, by another answer of this run or by a read of one byte
 * at its end. The run's monitor guards all mutable state.
 */
final class FarRequests implements Requests, FarRequest.Owner {
    private final FarReads store;
    private final ReadContext context;
    private final AnswerReceiver execution;
    private final Fetches fetches;
    private final Outbox outbox;
    private final OpenRequests open;
    private final Pins pins = new Pins();
    private final Decodings decodings;
    private final Bodies bodies = new Bodies();
    private final FarReadings readings;
    private final ReadsAtHand atHand;
    private final Downloads downloads;
    private boolean sending;
    private boolean cancelled;
    private boolean checked;

    FarRequests(
            FarReads store,
            ReadContext context,
            Answering answering,
            AnswerReceiver execution,
            @Nullable Readings readings) {
        this.store = store;
        this.context = context;
        this.execution = execution;
        this.open = new OpenRequests(execution);
        // a store may call it on a thread of its own, which would lose the exception
        StoreListener listener = QuietListener.failing(context.listener(), execution::fail);
        this.fetches = new Fetches(store, context, listener, this::areKept, this::isHere, bodies);
        // a policy of the caller takes precedence
        this.outbox = new Outbox(
                context.policy(),
                policy -> policy.equals(store.mergePolicy()) ? store.mostRequests() : policy.parallel());
        this.readings = new FarReadings(readings, execution, context, pins);
        KeptValues kept = new KeptValues(context, store, answering, pins);
        this.decodings = new Decodings(context, answering, execution, pins, kept, open::decoded);
        this.atHand = new ReadsAtHand(answering, pins, kept, bodies, decodings);
        this.downloads = new Downloads(store, outbox, pins, decodings);
    }

    @Override
    public Optional<Pins.Seen> seen(String key) {
        return pins.get(key);
    }

    @Override
    public void submit(List<ReadTask> batch, Deque<Work> units) {
        downloads.add(atHand.take(readings.note(batch, units), units), units);
    }

    /** One thread at a time: a store may answer at once, on the calling thread, and must not deepen the stack. */
    @Override
    public void send() {
        for (FarRequest next = next(); next != null; next = next()) {
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
    private @Nullable FarRequest next() {
        synchronized (execution) {
            while (true) {
                if (sending
                        || cancelled
                        || outbox.isEmpty()
                        || !open.admit(outbox.peek().range(), outbox.parallel())) {
                    return null;
                }
                if (bodies.park(outbox.peek())) {
                    outbox.take();
                    continue;
                }
                // memory may run out up to here: then nothing counts as sent
                FarRequest next = new FarRequest(
                        this,
                        execution,
                        outbox.peek(),
                        pins.get(outbox.peek().key()).flatMap(Pins.Seen::version));
                open.add(next);
                outbox.take();
                sending = true;
                return next;
            }
        }
    }

    private boolean areKept(MergedRead merged) {
        synchronized (execution) {
            return atHand.areKept(merged.tasks());
        }
    }

    private boolean isHere(MergedRead merged) {
        synchronized (execution) {
            return !merged.tasks().isEmpty() && atHand.areHere(merged.tasks());
        }
    }

    @Override
    public void ended(FarRequest request, long left) {
        open.ended(request, left);
    }

    private void send(FarRequest sending) {
        CompletableFuture<Got> future = execution.mayShare(sending.merged().tasks())
                ? fetches.fetch(sending.merged(), sending.pin(), execution.acceptsDirectly())
                : execution.asBegun(() ->
                        fetches.alone(sending.merged(), sending.pin(), sending.arrival(), execution.acceptsDirectly()));
        boolean tooLate;
        synchronized (execution) {
            sending.sent(future);
            tooLate = cancelled;
        }
        future.whenComplete(sending);
        if (tooLate) {
            future.cancel(true);
        }
    }

    @Override
    public Unit began(FarRequest sending, Fetched.Found beginning) {
        MergedRead part = sending.merged();
        try {
            synchronized (execution) {
                part = downloads.began(sending, beginning);
            }
            if (!part.tasks().isEmpty()) {
                execution.answered(decodings.begin(part, beginning));
            }
        } catch (Throwable e) {
            failed(part, e);
        }
        return Unit.UNIT;
    }

    @Override
    public void answered(FarRequest sending) {
        MergedRead merged;
        synchronized (execution) {
            merged = downloads.ended(sending);
        }
        List<Work> decoding = List.of();
        long actual = 0;
        try {
            Throwable thrown = sending.thrown();
            if (thrown != null) {
                throw thrown;
            }
            if (sending.got() instanceof Answered answered) {
                actual = answered.fetched() instanceof Fetched.Found found
                        ? found.bytes().size()
                        : 0;
                decoding = decodings.accept(merged, answered, actual);
            } else {
                decoding = resume(List.of(merged));
            }
        } catch (Throwable e) {
            failed(merged, e);
            if (sending.got() instanceof Answered answered) {
                decodings.forget(answered); // no run decodes it
            }
        } finally {
            // after the failure was recorded: a failed check must not leave a run that looks finished
            sending.end(decoding.isEmpty() ? 0 : actual);
            execution.answered(decoding);
            wake(merged);
        }
    }

    /** Resumes the requests that waited for the whole object, whether it was received or not. */
    private void wake(MergedRead merged) {
        try {
            List<MergedRead> waiting = bodies.arrived(merged);
            if (!waiting.isEmpty()) {
                execution.answered(resume(waiting));
            }
        } catch (Throwable e) {
            failed(merged, e);
        }
    }

    /** Resumes reads whose values another run has cached, or whose objects are here. */
    private List<Work> resume(List<MergedRead> waiting) {
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

    /** Ends the run, or drops the parts that read an object that has changed. Throws nothing. */
    private void failed(MergedRead merged, Throwable thrown) {
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
            if (readings.changed(merged, failure, outbox)) {
                return;
            }
        } catch (Throwable e) {
            failure = e;
        }
        execution.fail(failure);
    }

    @Override
    public void lastChecks() {
        if (!checked) {
            checked = true;
            pins.unconfirmed().keySet().stream()
                    .filter(key -> !readings.isChanged(key))
                    .forEach(outbox::addCheck);
        }
    }

    @Override
    public int underWay() {
        return open.count() + outbox.size() + bodies.waiting();
    }

    @Override
    public void cancel() {
        synchronized (execution) {
            cancelled = true;
            outbox.clear();
            downloads.cancel();
            bodies.cancel();
        }
        open.cancel();
    }

    @Override
    public boolean mustRunAgain(List<? extends Task> tasks, Throwable failure) {
        return readings.mustRunAgain(tasks, failure);
    }

    @Override
    public void confirm() {
        readings.confirm();
    }

    @Override
    public Throwable judge(Throwable failure) {
        return readings.judge(failure);
    }

    @Override
    public void close() {
        decodings.close();
        bodies.close();
    }
}
