package dev.shardkit.engine.run;

import dev.shardkit.engine.error.Failures;
import dev.shardkit.engine.threads.QuietListener;
import dev.shardkit.spi.error.CorruptDataException;
import dev.shardkit.spi.error.DataLocation;
import dev.shardkit.spi.plan.ByteRange;
import dev.shardkit.spi.plan.Bytes;
import dev.shardkit.spi.plan.NoResult;
import dev.shardkit.spi.plan.PlanRun.ReadTask;
import dev.shardkit.spi.plan.PlanRun.Task;
import dev.shardkit.spi.plan.ReadResult;
import dev.shardkit.store.FetchResult;
import dev.shardkit.store.ObjectChangedException;
import dev.shardkit.store.RemoteReads;
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
 * Sends the reads of one run to a remote store. Requests run concurrently, limited by the number in the merge policy
 * and by the bytes that were requested and not yet decoded. Workers decode the responses. The run's monitor guards all
 * mutable state.
 *
 * <p>The first answer for a key pins the object's version: all later answers of the run must have it. If the run uses a
 * value that an earlier call cached, an answer must confirm the value's version. If no other request of the run does
 * so, the run reads one byte of the object at its end. If an object changes, the parts of the plan that have read it
 * are dropped; they run again after the other parts have ended ({@link ReadDependencies}). A run that does not record
 * which part reads which object ends with the change.
 */
final class RemoteRequests implements Requests {
    /** The maximum number of bytes that were requested and are not yet decoded. */
    private static final long MAX_BYTES = 128L << 20;

    /** A read whose value is cached. */
    private record Hit(ReadTask task, Object value) {}

    private final RemoteReads store;
    private final ReadContext context;
    private final PlanExecution<?> execution;
    /**
     * Passes events to the context's listener. The store calls it on its own threads, where an exception would be lost:
     * an exception of the listener ends the run.
     */
    private final StoreListener listener;

    private final TaskRunner runner;
    private final RequestQueue queue;
    private final Deque<RemoteRequest> open = new ArrayDeque<>();
    /** The number of requests in progress; those that are being cancelled are no longer in {@link #open}. */
    private int requestCount;
    /** The number of bytes that were requested and are not yet decoded. */
    private long undecodedBytes;

    private final PinnedVersions pins = new PinnedVersions();
    private final PinnedCacheLookup cached;
    private final DecodingUnits decoding;
    private final FullResponses bodies = new FullResponses();
    /** Records which part of the plan reads which object; null if the change of an object ends the run. */
    private final @Nullable ReadDependencies tracker;

    private final Downloads downloads;
    /** The failure of a part whose objects are known to be unchanged. */
    private volatile @Nullable Throwable unrelatedFailure;

    /** Whether a thread is sending a request; the others leave the queue to it. */
    private boolean sending;

    private boolean cancelled;
    /** Whether {@link #lastChecks} has queued its requests, which it does once. */
    private boolean checksQueued;

    RemoteRequests(
            RemoteReads store,
            ReadContext context,
            TaskRunner runner,
            PlanExecution<?> execution,
            @Nullable ReadDependencies tracker) {
        this.store = store;
        this.context = context;
        this.execution = execution;
        this.runner = runner;
        this.tracker = tracker;
        this.listener = QuietListener.failing(context.listener(), execution::fail);
        // a merge policy that the caller has set also limits the requests; the store's own policy leaves this to the
        // store
        this.queue = new RequestQueue(
                context.policy(),
                policy -> policy.equals(store.mergePolicy()) ? store.maxRequests() : policy.parallel());
        this.cached = new PinnedCacheLookup(context, store, runner, pins);
        this.decoding = new DecodingUnits(context, runner, execution, pins, cached, bytes -> undecodedBytes -= bytes);
        this.downloads = new Downloads(store, queue, pins, decoding);
    }

    RemoteReads store() {
        return store;
    }

    StoreListener listener() {
        return listener;
    }

    FullResponses bodies() {
        return bodies;
    }

    @Override
    public Optional<PinnedVersions.Seen> seen(String key) {
        return pins.get(key);
    }

    @Override
    public boolean isConfirmed(String key) {
        return pins.isConfirmed(key);
    }

    @Override
    public void submit(List<ReadTask> batch, Deque<WorkUnit> units) {
        // each step takes the reads that need no request of their own, and passes on the others
        downloads.add(takeWhole(takeCached(note(batch, units), units), units), units);
    }

    /**
     * Records the reads and returns those of objects that have not changed. For each other read, adds a unit of work
     * that drops its part of the plan. Under the monitor.
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
        List<ReadTask> uncached = new ArrayList<>(batch.size());
        Map<String, List<Hit>> hits = new LinkedHashMap<>();
        for (ReadTask task : batch) {
            Optional<Object> value = cached.find(task.request());
            if (value.isPresent()) {
                hits.computeIfAbsent(task.request().key(), k -> new ArrayList<>())
                        .add(new Hit(task, value.get()));
            } else {
                uncached.add(task);
            }
        }
        // one unit of work for each object, so that subsequent reads are merged
        hits.values()
                .forEach(hitsOfObject -> units.add(scratch -> WorkUnit.Failed.together(
                        hitsOfObject.stream().map(Hit::task).toList(), () -> hitsOfObject.stream()
                                .map(h -> runner.resumeCached(h.task(), h.value(), scratch))
                                .toList())));
        return uncached;
    }

    /** Adds units of work for the reads that are empty or whose whole object is in memory; returns the others. */
    private List<ReadTask> takeWhole(List<ReadTask> batch, Deque<WorkUnit> units) {
        List<ReadTask> toSend = new ArrayList<>(batch.size());
        Map<FetchResult.Found, List<ReadTask>> tasksByObject = new IdentityHashMap<>();
        for (ReadTask task : batch) {
            Optional<FetchResult.Found> object =
                    findWhole(task.request().key(), task.request().range());
            if (task.request().range() instanceof ByteRange.Slice s && s.length() == 0) {
                // an empty range needs no request: the plan knows its offset from the object, so the object exists
                ReadResult emptyResult = new ReadResult.Found(Bytes.EMPTY, s.end());
                units.add(scratch -> decoding.answerAll(List.of(task), emptyResult, scratch));
            } else if (object.isPresent()) {
                tasksByObject
                        .computeIfAbsent(object.get(), w -> new ArrayList<>())
                        .add(task);
            } else {
                toSend.add(task);
            }
        }
        tasksByObject.forEach((object, tasks) -> units.addAll(
                decoding.unitsOfWhole(tasks.get(0).request().key(), object, DecodingUnits.Keep.VALUES, tasks)));
        return toSend;
    }

    /** Returns the whole object, if it is in memory, contains the range and has the version that this run reads. */
    private Optional<FetchResult.Found> findWhole(String key, ByteRange range) {
        return bodies.find(key, range).filter(found -> pins.get(key)
                .filter(PinnedVersions.Seen.of(found.version())::equals)
                .isPresent());
    }

    /**
     * Sends the queued requests, on one thread at a time. A store may answer on the calling thread before it returns.
     * This answer may queue further requests; sending them from within it would deepen the stack with every answer.
     */
    @Override
    public void send() {
        for (RemoteRequest next = next(); next != null; next = next()) {
            try {
                next.send();
            } catch (Throwable e) {
                next.failRun(e);
            } finally {
                synchronized (execution) {
                    sending = false;
                }
            }
        }
    }

    /** Removes and returns the next request that may be sent now; null if there is none. */
    private @Nullable RemoteRequest next() {
        synchronized (execution) {
            while (true) {
                if (sending
                        || cancelled
                        || queue.isEmpty()
                        || !admits(queue.peek().range(), queue.parallel())) {
                    return null;
                }
                if (bodies.park(queue.peek())) {
                    // another request is receiving the whole object; its end resumes this one (resumeParked)
                    queue.take();
                    continue;
                }
                // the request is created before anything is counted: if memory runs out, nothing counts as sent
                RemoteRequest next = new RemoteRequest(
                        this,
                        execution,
                        context,
                        queue.peek(),
                        pins.get(queue.peek().key()).flatMap(PinnedVersions.Seen::version));
                open.add(next);
                requestCount++;
                undecodedBytes += next.size();
                queue.take();
                sending = true;
                return next;
            }
        }
    }

    /**
     * Returns whether a further request may be sent, if at most {@code parallel} may be in progress. A range above
     * {@link #MAX_BYTES} is sent when no other bytes are outstanding.
     */
    private boolean admits(ByteRange range, int parallel) {
        return requestCount < parallel
                && (undecodedBytes <= 0 || undecodedBytes + DecodingUnits.size(range) <= MAX_BYTES);
    }

    /** Returns whether the values of all reads are cached by now. */
    boolean areCached(MergedRead merged) {
        synchronized (execution) {
            return merged.tasks().stream()
                    .allMatch(t -> cached.find(t.request()).isPresent());
        }
    }

    /** Returns whether the whole object was received after the request was queued. */
    boolean isHere(MergedRead merged) {
        synchronized (execution) {
            return !merged.tasks().isEmpty()
                    && merged.tasks().stream().allMatch(t -> findWhole(
                                    t.request().key(), t.request().range())
                            .isPresent());
        }
    }

    /** Counts a request as ended; {@code undecoded} bytes of its answer remain to be decoded. Under the monitor. */
    void ended(RemoteRequest request, long undecoded) {
        open.remove(request);
        requestCount--;
        undecodedBytes += undecoded - request.size();
    }

    /** Accepts the beginning of an answer: queues the reads that it completes. */
    NoResult began(RemoteRequest request, FetchResult.Found beginning) {
        MergedRead readable = request.merged();
        try {
            synchronized (execution) {
                readable = downloads.began(request, beginning);
            }
            if (!readable.tasks().isEmpty()) {
                execution.answered(decoding.unitsOfBeginning(readable, beginning));
            }
        } catch (Throwable e) {
            failed(readable, e);
        }
        return NoResult.INSTANCE;
    }

    /** Accepts the outcome of a request. */
    void answered(RemoteRequest request) {
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
            RemoteRequest.Response response = request.response();
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
            RemoteRequest.Response response = request.response();
            if (response != null) {
                decoding.forget(response); // other runs must not wait for a value that this run does not cache
            }
        } finally {
            // only now, after the failure was recorded: if this request was the last one, the run would look finished
            request.countAsEnded(units.isEmpty() ? 0 : actual);
            execution.answered(units);
            resumeParked(merged);
        }
    }

    /** Resumes the requests that were parked until this request ended, whether it received the whole object or not. */
    private void resumeParked(MergedRead merged) {
        try {
            List<MergedRead> parked = bodies.arrived(merged);
            if (!parked.isEmpty()) {
                execution.answered(resume(parked));
            }
        } catch (Throwable e) {
            failed(merged, e);
        }
    }

    /** Submits the reads of requests again: their values may now be cached, or their whole objects in memory. */
    private List<WorkUnit> resume(List<MergedRead> requests) {
        Deque<WorkUnit> units = new ArrayDeque<>();
        synchronized (execution) {
            if (!cancelled && !requests.isEmpty()) {
                submit(
                        requests.stream()
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
            DataLocation location = merged.tasks().isEmpty()
                    ? DataLocation.of(merged.key())
                    : merged.tasks().get(0).location();
            failure = Failures.ofStore(
                    thrown, context.array(), location, merged.range().toString());
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
        if (!checksQueued) {
            checksQueued = true;
            pins.unconfirmed().keySet().stream()
                    .filter(key -> tracker == null || tracker.changeOf(key) == null)
                    .forEach(queue::addCheck);
        }
    }

    @Override
    public int underWay() {
        return requestCount + queue.size() + bodies.parkedCount();
    }

    @Override
    public void cancel() {
        synchronized (execution) {
            cancelled = true;
            queue.clear();
            downloads.cancel();
            bodies.cancel();
        }
        Throwable firstFailure = null;
        for (RemoteRequest next = poll(); next != null; next = poll()) {
            try {
                next.cancel();
            } catch (Throwable e) {
                firstFailure = firstFailure == null ? e : firstFailure; // the others are cancelled all the same
            }
        }
        if (firstFailure != null) {
            throw Failures.rethrow(firstFailure);
        }
    }

    private @Nullable RemoteRequest poll() {
        synchronized (execution) {
            return open.poll();
        }
    }

    /**
     * Returns whether the parts of the tasks run again. Data that looks corrupt may come from cached values of an old
     * version. So if no answer has confirmed the version of an object that these parts have read, the object counts as
     * changed.
     */
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
        Collection<String> unconfirmed;
        synchronized (execution) {
            unconfirmed =
                    pins.unconfirmed().keySet().stream().filter(keys::contains).toList();
        }
        unconfirmed.forEach(key -> {
            context.cache().forget(key);
            tracker.changed(key, outOfDate(corrupt));
        });
        boolean isChanged = tracker.isAnyChanged(keys);
        unrelatedFailure = isChanged ? unrelatedFailure : failure;
        return isChanged;
    }

    @Override
    public void confirm() {
        if (tracker != null) {
            tracker.firstChange().ifPresent(e -> {
                throw e;
            });
        }
    }

    /**
     * Returns the failure, or a change if cached values of an old version may have caused it. If the read is retried,
     * all parts run again, because the failure has ended this round early.
     */
    @Override
    public Throwable judge(Throwable failure) {
        if (tracker != null) {
            tracker.cutRound();
        }
        if (!(failure instanceof CorruptDataException corrupt)
                || unrelatedFailure == failure
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
