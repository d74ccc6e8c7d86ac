package dev.shardkit.engine.run;

import dev.shardkit.engine.error.Failures;
import dev.shardkit.engine.run.InFlightReads.InFlightRead;
import dev.shardkit.engine.run.InFlightReads.Joined;
import dev.shardkit.engine.run.InFlightReads.Outcome;
import dev.shardkit.engine.threads.QuietListener;
import dev.shardkit.spi.error.CorruptDataException;
import dev.shardkit.spi.error.StoreException;
import dev.shardkit.spi.error.ZarrException;
import dev.shardkit.spi.plan.ByteRange;
import dev.shardkit.spi.plan.NoResult;
import dev.shardkit.spi.plan.PlanRun.ReadTask;
import dev.shardkit.store.FetchRequest;
import dev.shardkit.store.FetchResult;
import dev.shardkit.store.PartialResponseReceiver;
import dev.shardkit.store.StoreListener;
import dev.shardkit.store.WholeBodyBudget;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * One request of a run to a remote store, and its outcome. A request for values that will be cached is shared with
 * other runs ({@link InFlightReads}): this run either leads the shared read, which means that it sends the request, or
 * follows another run that does. Cancelling a request ends it; if other runs wait for it, one of them repeats it.
 *
 * <p>The object is created before the run counts the request, and ending the request allocates nothing. So the request
 * ends exactly once, even if memory runs out in any step, and a failure ends the run. Unless a field says otherwise, it
 * is guarded by this object's monitor.
 */
final class RemoteRequest implements Supplier<NoResult>, PartialResponseReceiver {
    /** The size from which an answer is decoded while it arrives. A shorter one is complete before a worker begins. */
    private static final long MIN_EARLY_BYTES = 512L << 10;

    /**
     * An answer.
     *
     * @param fetched the store's result; null from a store that breaks its contract
     * @param shared the shared read that delivered the answer, to be removed when the value is cached; null if the
     *     request was not shared
     * @param othersNanos the time of the answer ({@link System#nanoTime}) if another run sent the request, else null
     * @param elapsed how long this run's own request took, else zero
     */
    record Response(
            @Nullable FetchResult fetched,
            @Nullable InFlightRead shared,
            @Nullable Long othersNanos,
            Duration elapsed) {}

    private final RemoteRequests requests;
    private final PlanExecution<?> execution;
    private final ReadContext context;
    private final MergedRead merged;
    /** The version that the answer must have; null if this run has not seen the object yet. */
    private final @Nullable String pin;

    private final long size;

    /** The memory for a whole object, which a server without ranges sends; null if this request does not need it. */
    private FullResponses.@Nullable Reservation reservation;
    /** The shared read that this run leads; null if it leads none. */
    private @Nullable InFlightRead ledRead;

    private long startNanos;
    private @Nullable CompletableFuture<FetchResult> future;
    /** Whether the listener was notified of the request; the outcome is processed only after that. */
    private boolean announced;

    /** Whether the store has completed its future; the next two fields hold its outcome. */
    private boolean arrived;

    private @Nullable FetchResult fetched;
    private @Nullable Throwable storeFailure;

    /** Whether {@link #send} has returned; only then may another thread abandon the request. */
    private boolean sent;

    private boolean cancelled;
    /** Whether the request has its outcome: {@link #response}, {@link #thrown}, or neither if the values are here. */
    private boolean ended;

    private @Nullable Response response;
    private @Nullable Throwable thrown;
    /** Whether the run counts the request as ended. The run's monitor guards this field and the two below. */
    private boolean isCounted;

    /** The number of reads that were decoded, or are being decoded, from the beginning of the answer. */
    private int takenEarly;

    /** Whether early decoding has stopped, because the rest of the answer is decoded at its end. */
    private boolean earlyEnded;

    RemoteRequest(
            RemoteRequests requests,
            PlanExecution<?> execution,
            ReadContext context,
            MergedRead merged,
            Optional<String> pin) {
        this.requests = requests;
        this.execution = execution;
        this.context = context;
        this.merged = merged;
        this.pin = pin.orElse(null);
        this.size = DecodingUnits.size(merged.range());
    }

    MergedRead merged() {
        return merged;
    }

    /** Returns the number of bytes that the request is expected to hold until it ends. */
    long size() {
        return size;
    }

    /** Returns the answer of an ended request; null if it failed, or if the values were found without an answer. */
    @Nullable
    Response response() {
        return response;
    }

    /** Returns the failure of an ended request; null if there was none. */
    @Nullable
    Throwable thrown() {
        return thrown;
    }

    /** Requests the range, or waits for another run's request of the same cacheable range. */
    void send() {
        try {
            boolean direct = execution.acceptsDirectly();
            if (requests.isHere(merged)) {
                end(null, null);
            } else if (!execution.mayShare(merged.tasks())) {
                execution.inRun(() -> sendRequest(null, arrival(), direct));
            } else if (inFlight().areUseful()) {
                joinShared();
            } else {
                sendRequest(null, PartialResponseReceiver.NONE, direct);
            }
        } catch (Throwable e) {
            end(null, e);
        }
        boolean abandonNow;
        synchronized (this) {
            sent = true;
            abandonNow = cancelled;
        }
        if (abandonNow) {
            abandon();
        }
    }

    /** Cancels the request. If another thread is just sending it, that thread cancels it afterwards. */
    void cancel() {
        synchronized (this) {
            cancelled = true;
            if (!sent) {
                return;
            }
        }
        abandon();
    }

    /** Ends the request as cancelled and cancels the store's future. Runs that follow this request repeat it. */
    private void abandon() {
        CancellationException reason = new CancellationException("cancelled");
        CompletableFuture<FetchResult> request;
        InFlightRead read;
        synchronized (this) {
            if (ended) {
                return;
            }
            ended = true;
            thrown = reason;
            request = future;
            read = ledRead;
        }
        try {
            complete(read, InFlightReads.NoResponse.RETRY);
            if (request != null) {
                request.cancel(true);
            }
        } finally {
            publish();
        }
    }

    private synchronized boolean hasEnded() {
        return ended;
    }

    private InFlightReads inFlight() {
        return context.cache().inFlight();
    }

    private void complete(@Nullable InFlightRead read, Outcome outcome) {
        if (read != null) {
            inFlight().complete(read, outcome);
        }
    }

    /** Leads a shared read of the range, or follows the run that leads one now. */
    private void joinShared() {
        Joined joined = inFlight().join(new InFlightReads.Key(merged.key(), merged.range(), Optional.ofNullable(pin)));
        InFlightRead shared = joined.read();
        if (!joined.leads()) {
            shared.outcome().thenAccept(outcome -> follow(shared, outcome));
            return;
        }
        try {
            if (requests.areCached(merged)) {
                inFlight().complete(shared, InFlightReads.NoResponse.RETRY);
                end(null, null);
            } else {
                sendRequest(shared, PartialResponseReceiver.NONE, false);
            }
        } catch (Throwable e) {
            inFlight().complete(shared, InFlightReads.NoResponse.NOT_SHARED);
            end(null, e);
        }
    }

    /** Continues after another run's request. Throws nothing: further runs wait for its outcome. */
    private void follow(InFlightRead othersRead, Outcome outcome) {
        try {
            if (hasEnded()) {
                return; // cancelled
            }
            if (outcome instanceof InFlightReads.Shared answer) {
                end(new Response(answer.response(), othersRead, answer.nanos(), Duration.ZERO), null);
            } else if (outcome == InFlightReads.NoResponse.RETRY) {
                joinShared();
            } else {
                sendRequest(null, PartialResponseReceiver.NONE, false);
            }
        } catch (Throwable e) {
            end(null, e);
        }
    }

    /**
     * Sends the request. Throws only if memory runs out, and then has not sent it.
     *
     * @param shared the shared read that this run leads with the request; null if the request is not shared
     * @param direct whether the end of the store's future never blocks its thread
     */
    private NoResult sendRequest(@Nullable InFlightRead shared, PartialResponseReceiver arrival, boolean direct) {
        FullResponses.Reservation wholeBody = requests.bodies().reservation(merged);
        synchronized (this) {
            reservation = wholeBody;
            ledRead = shared;
            startNanos = System.nanoTime();
        }
        CompletableFuture<FetchResult> request =
                request(shared, wholeBody == null ? WholeBodyBudget.NONE : wholeBody, arrival, direct);
        boolean abandoned;
        synchronized (this) {
            future = request;
            abandoned = ended;
        }
        try {
            if (abandoned) {
                complete(shared, InFlightReads.NoResponse.RETRY);
                request.cancel(true);
            }
            request.whenComplete(this::onStoreCompleted);
            if (shared != null) {
                // A listener may wait for any run. From here on the store's thread completes the shared read, so no
                // other run waits for this thread.
                context.listener().onRequest(merged.key(), merged.range());
            }
            boolean complete;
            synchronized (this) {
                announced = true;
                complete = arrived;
            }
            if (complete) {
                endWithStoreOutcome();
            }
        } catch (Throwable e) { // the future of a plug-in's store threw, or a listener threw an error
            if (wholeBody != null) {
                wholeBody.end(null);
            }
            complete(shared, InFlightReads.NoResponse.NOT_SHARED);
            end(null, e);
            request.cancel(true);
        }
        return NoResult.INSTANCE;
    }

    private CompletableFuture<FetchResult> request(
            @Nullable InFlightRead shared, WholeBodyBudget budget, PartialResponseReceiver arrival, boolean direct) {
        try {
            if (shared == null) {
                context.listener().onRequest(merged.key(), merged.range());
                return fetch(requests.listener(), budget, arrival, direct);
            }
            // The store may call the listener, which may wait for any run. So before each such call, the runs that
            // follow this request stop waiting for it.
            StoreListener completing =
                    QuietListener.after(() -> complete(shared, InFlightReads.NoResponse.RETRY), requests.listener());
            return InFlightReads.unshared(() -> fetch(completing, budget, arrival, false));
        } catch (Throwable e) {
            return CompletableFuture.failedFuture(e);
        }
    }

    private CompletableFuture<FetchResult> fetch(
            StoreListener listener, WholeBodyBudget budget, PartialResponseReceiver arrival, boolean direct) {
        FetchRequest request = new FetchRequest(
                merged.key(),
                merged.range(),
                Optional.ofNullable(pin),
                listener,
                budget,
                arrival,
                direct ? FetchRequest.Dependents.NEVER_BLOCK : FetchRequest.Dependents.MAY_BLOCK);
        return Objects.requireNonNull(requests.store().fetch(request), "no future");
    }

    /** Accepts the outcome of the store's future. Throws nothing: the store's thread would lose the exception. */
    private void onStoreCompleted(@Nullable FetchResult value, @Nullable Throwable failure) {
        Throwable failed = failure;
        try {
            if (reservation != null) {
                reservation.end(value);
            }
            // first the runs that follow this request: ending this run may take long
            if (ledRead != null) {
                inFlight().complete(ledRead, outcomeFor(value, failure));
            }
        } catch (Throwable e) {
            failed = failure == null ? e : failure;
            complete(ledRead, InFlightReads.NoResponse.NOT_SHARED);
        }
        boolean complete;
        synchronized (this) {
            fetched = value;
            storeFailure = failed;
            arrived = true;
            complete = announced;
        }
        if (complete) {
            endWithStoreOutcome();
        }
    }

    /** Returns the outcome that the runs that follow this request receive. */
    private Outcome outcomeFor(@Nullable FetchResult value, @Nullable Throwable failure) {
        if (failure != null) {
            return Failures.unwrap(failure) instanceof CancellationException
                    ? InFlightReads.NoResponse.RETRY
                    : InFlightReads.NoResponse.NOT_SHARED;
        }
        if (!(value instanceof FetchResult.Found found)) {
            return InFlightReads.NoResponse.NOT_SHARED;
        }
        // a run that began after the request was sent may use the answer only if the answer's version is known
        boolean useful = context.freshness() == ReadContext.Freshness.IMMUTABLE
                || found.version().filter(v -> !v.isEmpty()).isPresent();
        inFlight().noteUse(useful);
        return useful && found.objectSize() > 0 && fault(merged.range(), found).isEmpty()
                ? new InFlightReads.Shared(
                        new FetchResult.Found(found.bytes(), found.objectSize(), found.version()), System.nanoTime())
                : InFlightReads.NoResponse.NOT_SHARED;
    }

    /** Returns an exception if the answer has more or fewer bytes than the request of {@code range} allows. */
    static Optional<ZarrException> fault(ByteRange range, FetchResult.Found found) {
        long expected = range instanceof ByteRange.Slice s
                ? s.length()
                : range instanceof ByteRange.Suffix s ? Math.min(s.length(), found.objectSize()) : found.objectSize();
        if (range instanceof ByteRange.Whole w && w.refuses(expected)) {
            return Optional.of(
                    new CorruptDataException("expected at most " + w.maxBytes() + " bytes, found " + expected));
        }
        boolean isLeftOut = range instanceof ByteRange.Whole w
                && w.skips(expected)
                && found.bytes().size() == 0;
        return isLeftOut || found.bytes().size() == expected
                ? Optional.empty()
                : Optional.of(new StoreException("expected " + expected + " bytes, found "
                        + found.bytes().size()));
    }

    private void endWithStoreOutcome() {
        Throwable failure = storeFailure;
        if (failure == null) {
            try {
                end(new Response(fetched, ledRead, null, Duration.ofNanos(System.nanoTime() - startNanos)), null);
                return;
            } catch (Throwable e) {
                failure = e; // memory ran out
            }
        }
        end(null, failure);
    }

    /**
     * Completes the request with its outcome. If both arguments are null, the values were found without an answer.
     * Throws nothing.
     */
    private void end(@Nullable Response outcome, @Nullable Throwable failure) {
        synchronized (this) {
            if (ended) {
                return;
            }
            ended = true;
            response = outcome;
            thrown = failure;
        }
        publish();
    }

    /** Passes the outcome to the run. Throws nothing: the thread that delivers it would lose the failure. */
    private void publish() {
        try {
            execution.inRun(this);
        } catch (Throwable e) {
            failRun(e);
        }
    }

    /** The action of {@link #publish}: as a method of this object, it needs no allocation of a lambda. */
    @Override
    public NoResult get() {
        requests.answered(this);
        return NoResult.INSTANCE;
    }

    /** Fails the request and the run after an error of the engine itself, such as an {@link OutOfMemoryError}. */
    void failRun(Throwable failure) {
        execution.fail(failure);
        countAsEnded(0);
        execution.answered(List.of());
    }

    /** Counts the request as ended; {@code undecoded} bytes of its answer remain to be decoded. */
    void countAsEnded(long undecoded) {
        synchronized (execution) {
            if (!isCounted) {
                isCounted = true;
                requests.ended(this, undecoded);
            }
        }
    }

    /** Returns the receiver of the answer's beginning; {@code NONE} if it is not worth decoding before the end. */
    private PartialResponseReceiver arrival() {
        boolean splits = merged.tasks().size() > 1
                && merged.range() instanceof ByteRange.Slice slice
                && slice.length() >= MIN_EARLY_BYTES;
        return merged.isDownload() || splits ? this : PartialResponseReceiver.NONE;
    }

    /** Accepts the beginning of the answer. Throws nothing: the store's thread would lose the failure. */
    @Override
    public void received(FetchResult.Found beginning) {
        try {
            execution.inRun(() -> requests.began(this, beginning));
        } catch (Throwable e) {
            execution.fail(e);
        }
    }

    /**
     * Takes the reads that the first {@code bytes} bytes of the answer complete. The last read is never among them: no
     * plan ends, and no memory is given back, before the answer is complete and checked. Under the run's monitor.
     */
    List<ReadTask> takeEarly(long bytes) {
        int start = takenEarly;
        List<ReadTask> tasks = merged.tasks();
        while (!earlyEnded && takenEarly < tasks.size() - 1 && endInAnswer(tasks.get(takenEarly)) <= bytes) {
            takenEarly++;
        }
        return tasks.subList(start, takenEarly);
    }

    private long endInAnswer(ReadTask task) {
        return merged.offsetOf(task) + ((ByteRange.Slice) task.request().range()).length();
    }

    /**
     * Stops early decoding, and returns the request with the reads that were not decoded yet. Called under the monitor.
     */
    MergedRead remaining() {
        earlyEnded = true;
        return takenEarly == 0
                ? merged
                : merged.withTasks(
                        merged.tasks().subList(takenEarly, merged.tasks().size()));
    }
}
