package dev.shardkit.engine.run;

import dev.shardkit.engine.Failures;
import dev.shardkit.engine.threads.QuietListener;
import dev.shardkit.spi.error.CorruptDataException;
import dev.shardkit.spi.error.DataLocation;
import dev.shardkit.spi.plan.ByteRange;
import dev.shardkit.spi.plan.Bytes;
import dev.shardkit.spi.plan.PlanRun.ReadTask;
import dev.shardkit.spi.plan.PlanRun.Task;
import dev.shardkit.spi.plan.ReadResult;
import dev.shardkit.spi.plan.Unit;
import dev.shardkit.store.FarReads;
import dev.shardkit.store.FetchResult;
import dev.shardkit.store.ObjectChangedException;
import dev.shardkit.store.StoreListener;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Deque;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Sends the reads of one run to a far store. Requests run concurrently, limited by the number in the merge policy and
 * by the bytes that were requested and not yet decoded. Workers decode the responses. The first answer for a key pins
 * its version for the run. Values cached by earlier calls are used if that version is confirmed, by another answer of
 * this run or by a read of one byte at its end. If an object changes, the parts of the plan that have read it are
 * dropped, and run again when the others have ended ({@link ReadTracker}); without recorded reads, a change ends the
 * run. The run's monitor guards all mutable state.
 */
final class FarRequests implements Requests {
    /** The maximum number of bytes that were requested and are not yet decoded. */
    private static final long MAX_BYTES = 128L << 20;

    private record Hit(ReadTask task, Object kept) {}

    private final FarReads store;
    private final ReadContext context;
    private final Execution<?> execution;
    /**
     * Passes events to the context's listener. The store calls it on its own threads, where an exception would be lost:
     * an exception of the listener ends the run.
     */
    private final StoreListener listener;

    private final TaskRunner answering;
    private final RequestQueue queue;
    private final Deque<FarRequest> open = new ArrayDeque<>();
    /** The number of requests in progress; those that are being cancelled are no longer in {@link #open}. */
    private int count;
    /** The number of bytes that were requested and are not yet decoded. */
    private long held;

    private final PinnedVersions pins = new PinnedVersions();
    private final CachedValues kept;
    private final DecodingUnits decoding;
    private final WholeBodies bodies = new WholeBodies();
    private final @Nullable ReadTracker tracker;
    private final Downloads downloads;
    /** The failure of a part whose objects are known to be unchanged. */
    private volatile @Nullable Throwable genuine;

    private boolean sending;
    private boolean cancelled;
    private boolean checked;

    FarRequests(
            FarReads store,
            ReadContext context,
            TaskRunner answering,
            Execution<?> execution,
            @Nullable ReadTracker tracker) {
        this.store = store;
        this.context = context;
        this.execution = execution;
        this.answering = answering;
        this.tracker = tracker;
        this.listener = QuietListener.failing(context.listener(), execution::fail);
        // a policy of the caller takes precedence
        this.queue = new RequestQueue(
                context.policy(),
                policy -> policy.equals(store.mergePolicy()) ? store.maxRequests() : policy.parallel());
        this.kept = new CachedValues(context, store, answering, pins);
        this.decoding = new DecodingUnits(context, answering, execution, pins, kept, bytes -> held -= bytes);
        this.downloads = new Downloads(store, queue, pins, decoding);
    }

    FarReads store() {
        return store;
    }

    StoreListener listener() {
        return listener;
    }

    WholeBodies bodies() {
        return bodies;
    }

    @Override
    public Optional<PinnedVersions.Seen> seen(String key) {
        return pins.get(key);
    }

    @Override
    public void submit(List<ReadTask> batch, Deque<WorkUnit> units) {
        downloads.add(takeWhole(takeCached(note(batch, units), units), units), units);
    }

    /**
     * Records reads and returns those that are still of use; the parts of the others are dropped. Under the monitor.
     */
    private List<ReadTask> note(List<ReadTask> batch, Deque<WorkUnit> units) {
        if (tracker == null) {
            return batch;
        }
        List<ReadTask> useful = new ArrayList<>(batch.size());
        for (ReadTask task : batch) {
            tracker.note(task);
            ObjectChangedException change = tracker.changeOf(task.request().key());
            if (change == null) {
                useful.add(task);
            } else {
                units.add(scratch -> {
                    throw new WorkUnit.Failed(change, List.of(task));
                });
            }
        }
        return useful;
    }

    /** Adds units of work for the reads whose values are cached; returns the others. */
    private List<ReadTask> takeCached(List<ReadTask> batch, Deque<WorkUnit> units) {
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
                .forEach(ofOne -> units.add(scratch ->
                        WorkUnit.Failed.together(ofOne.stream().map(Hit::task).toList(), () -> ofOne.stream()
                                .map(h -> answering.resume(h.task(), h.kept(), scratch))
                                .toList())));
        return left;
    }

    /** Adds units of work for the reads that are empty or whose whole object is here; returns the others. */
    private List<ReadTask> takeWhole(List<ReadTask> left, Deque<WorkUnit> units) {
        List<ReadTask> toSend = new ArrayList<>(left.size());
        Map<FetchResult.Found, List<ReadTask>> here = new IdentityHashMap<>();
        for (ReadTask t : left) {
            Optional<FetchResult.Found> whole =
                    whole(t.request().key(), t.request().range());
            if (t.request().range() instanceof ByteRange.Slice s && s.length() == 0) {
                // an empty range needs no request: its offset is known, so the object exists
                ReadResult nothing = new ReadResult.Found(Bytes.EMPTY, s.end());
                units.add(scratch -> decoding.answer(List.of(t), nothing, scratch));
            } else if (whole.isPresent()) {
                here.computeIfAbsent(whole.get(), w -> new ArrayList<>()).add(t);
            } else {
                toSend.add(t);
            }
        }
        here.forEach((whole, tasks) ->
                units.addAll(decoding.ofWhole(tasks.get(0).request().key(), whole, DecodingUnits.Keep.VALUES, tasks)));
        return toSend;
    }

    /** Returns the range from the whole object, if that has the version that this run reads. */
    private Optional<FetchResult.Found> whole(String key, ByteRange range) {
        return bodies.find(key, range).filter(found -> pins.get(key)
                .filter(PinnedVersions.Seen.of(found.version())::equals)
                .isPresent());
    }

    /** One thread at a time: a store may answer at once, on the calling thread, and must not deepen the stack. */
    @Override
    public void send() {
        for (FarRequest next = next(); next != null; next = next()) {
            try {
                next.send();
            } catch (Throwable e) {
                next.lost(e);
            } finally {
                synchronized (execution) {
                    sending = false;
                }
            }
        }
    }

    /** Removes and returns the next request that may be sent now; null if there is none. */
    private @Nullable FarRequest next() {
        synchronized (execution) {
            while (true) {
                if (sending
                        || cancelled
                        || queue.isEmpty()
                        || !admits(queue.peek().range(), queue.parallel())) {
                    return null;
                }
                if (bodies.park(queue.peek())) {
                    queue.take();
                    continue;
                }
                // memory may run out up to here: then nothing counts as sent
                FarRequest next = new FarRequest(
                        this,
                        execution,
                        context,
                        queue.peek(),
                        pins.get(queue.peek().key()).flatMap(PinnedVersions.Seen::version));
                open.add(next);
                count++;
                held += next.size();
                queue.take();
                sending = true;
                return next;
            }
        }
    }

    /** Returns whether a further request may be sent, if at most {@code parallel} may be in progress. */
    private boolean admits(ByteRange range, int parallel) {
        return count < parallel && (held <= 0 || held + DecodingUnits.size(range) <= MAX_BYTES);
    }

    /** Returns whether the values of all reads are cached by now. */
    boolean areCached(MergedRead merged) {
        synchronized (execution) {
            return merged.tasks().stream().allMatch(t -> kept.find(t.request()).isPresent());
        }
    }

    /** Returns whether the whole object was received in the meantime. */
    boolean isHere(MergedRead merged) {
        synchronized (execution) {
            return !merged.tasks().isEmpty()
                    && merged.tasks().stream()
                            .allMatch(t -> whole(t.request().key(), t.request().range())
                                    .isPresent());
        }
    }

    /** Counts a request as ended, of whose answer {@code left} bytes remain to be decoded. Under the monitor. */
    void ended(FarRequest request, long left) {
        open.remove(request);
        count--;
        held += left - request.size();
    }

    /** Accepts the beginning of an answer: queues the reads that it completes. */
    Unit began(FarRequest request, FetchResult.Found beginning) {
        MergedRead part = request.merged();
        try {
            synchronized (execution) {
                part = downloads.began(request, beginning);
            }
            if (!part.tasks().isEmpty()) {
                execution.answered(decoding.begin(part, beginning));
            }
        } catch (Throwable e) {
            failed(part, e);
        }
        return Unit.UNIT;
    }

    /** Accepts the outcome of a request. */
    void answered(FarRequest request) {
        MergedRead merged;
        synchronized (execution) {
            merged = downloads.ended(request);
        }
        List<WorkUnit> units = List.of();
        long actual = 0;
        try {
            Throwable thrown = request.thrown();
            if (thrown != null) {
                throw thrown;
            }
            FarRequest.Response response = request.response();
            if (response != null) {
                actual = response.fetched() instanceof FetchResult.Found found
                        ? found.bytes().size()
                        : 0;
                units = decoding.accept(merged, response, actual);
            } else {
                units = resume(List.of(merged));
            }
        } catch (Throwable e) {
            failed(merged, e);
            FarRequest.Response response = request.response();
            if (response != null) {
                decoding.forget(response); // no run decodes it
            }
        } finally {
            // after the failure was recorded: a failed check must not leave a run that looks finished
            request.count(units.isEmpty() ? 0 : actual);
            execution.answered(units);
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
    private List<WorkUnit> resume(List<MergedRead> waiting) {
        Deque<WorkUnit> units = new ArrayDeque<>();
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

    /** Fails the run, or discards the parts that have read an object that changed since. Throws nothing. */
    private void failed(MergedRead merged, Throwable thrown) {
        Throwable failure;
        try {
            if (Failures.unwrap(thrown) instanceof ObjectChangedException) {
                context.cache().forget(merged.key());
            }
            DataLocation place = merged.tasks().isEmpty()
                    ? DataLocation.of(merged.key())
                    : merged.tasks().get(0).location();
            failure = Failures.ofStore(
                    thrown, context.array(), place, merged.range().toString());
            if (dropped(merged, failure)) {
                return;
            }
        } catch (Throwable e) {
            failure = e;
        }
        execution.fail(failure);
    }

    /**
     * Records that the object of a request has changed, and drops the parts that wait for it.
     *
     * @return false if the change ends the run
     */
    private boolean dropped(MergedRead merged, Throwable failure) {
        if (tracker == null || !(failure instanceof ObjectChangedException change)) {
            return false;
        }
        synchronized (execution) {
            tracker.changed(merged.key(), change);
            List<ReadTask> dropped = queue.remove(merged.key());
            dropped.addAll(merged.tasks());
            execution.drop(dropped);
        }
        return true;
    }

    @Override
    public void lastChecks() {
        if (!checked) {
            checked = true;
            pins.unconfirmed().keySet().stream()
                    .filter(key -> tracker == null || tracker.changeOf(key) == null)
                    .forEach(queue::addCheck);
        }
    }

    @Override
    public int underWay() {
        return count + queue.size() + bodies.waiting();
    }

    @Override
    public void cancel() {
        synchronized (execution) {
            cancelled = true;
            queue.clear();
            downloads.cancel();
            bodies.cancel();
        }
        Throwable first = null;
        for (FarRequest next = poll(); next != null; next = poll()) {
            try {
                next.cancel();
            } catch (Throwable e) {
                first = first == null ? e : first; // the others are cancelled all the same
            }
        }
        if (first != null) {
            throw Failures.rethrow(first);
        }
    }

    private @Nullable FarRequest poll() {
        synchronized (execution) {
            return open.poll();
        }
    }

    @Override
    public boolean mustRunAgain(List<? extends Task> tasks, Throwable failure) {
        if (tracker == null) {
            return false;
        }
        if (failure instanceof ObjectChangedException change && tasks.get(0) instanceof ReadTask read) {
            tracker.changed(read.request().key(), change);
            return true;
        }
        if (!(failure instanceof CorruptDataException corrupt)) {
            return false;
        }
        Set<String> keys = tracker.keysOf(tasks);
        Collection<String> doubtful;
        synchronized (execution) {
            doubtful =
                    pins.unconfirmed().keySet().stream().filter(keys::contains).toList();
        }
        doubtful.forEach(key -> {
            context.cache().forget(key);
            tracker.changed(key, outOfDate(corrupt));
        });
        boolean again = tracker.isAnyChanged(keys);
        genuine = again ? genuine : failure;
        return again;
    }

    @Override
    public void confirm() {
        if (tracker != null) {
            tracker.firstChange().ifPresent(e -> {
                throw e;
            });
        }
    }

    /** All parts run again, if any. */
    @Override
    public Throwable judge(Throwable failure) {
        if (tracker != null) {
            tracker.cut();
        }
        if (!(failure instanceof CorruptDataException corrupt)
                || genuine == failure
                || pins.unconfirmed().isEmpty()) {
            return failure;
        }
        pins.unconfirmed().keySet().forEach(context.cache()::forget);
        return outOfDate(corrupt);
    }

    private static ObjectChangedException outOfDate(CorruptDataException corrupt) {
        ObjectChangedException change =
                new ObjectChangedException("cached values may be out of date: " + corrupt.fact());
        return (ObjectChangedException) change.locate(corrupt.array(), corrupt.location(), Optional.empty());
    }

    @Override
    public void close() {
        decoding.close();
        bodies.close();
    }
}
