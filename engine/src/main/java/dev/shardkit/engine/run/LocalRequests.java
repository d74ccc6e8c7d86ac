package dev.shardkit.engine.run;

import dev.shardkit.engine.error.Failures;
import dev.shardkit.spi.error.CorruptDataException;
import dev.shardkit.spi.error.StoreException;
import dev.shardkit.spi.error.ZarrException;
import dev.shardkit.spi.plan.ByteRange;
import dev.shardkit.spi.plan.Bytes;
import dev.shardkit.spi.plan.PlanRun.ReadTask;
import dev.shardkit.spi.plan.PlanRun.Task;
import dev.shardkit.spi.plan.ReadResult;
import dev.shardkit.spi.plan.Scratch;
import dev.shardkit.store.LocalReads;
import dev.shardkit.store.ObjectChangedException;
import dev.shardkit.store.ObjectSnapshot;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CancellationException;
import org.jspecify.annotations.Nullable;

/**
 * Carries out the reads of one run in a local store. One worker reads, decodes and scatters a merged request. No thread
 * waits for another one: if another run is about to cache the value of a read, the read is set aside until that run has
 * ended its own read ({@link InFlightReads}).
 */
final class LocalRequests implements Requests {
    private final ReadContext context;
    private final TaskRunner runner;
    private final RunSnapshots snapshots;
    private final PlanExecution<?> execution;
    private final SpanReader spans;
    /** Records which part of the plan reads which object; null if the change of an object ends the run. */
    private final @Nullable ReadDependencies tracker;
    /** The reads of this run that wait for reads of other runs. The run's monitor guards this and the next field. */
    private final Set<Waiting> waiting = new HashSet<>();

    private boolean cancelled;
    /** Whether a read has found that its object does not exist. */
    private volatile boolean metAbsence;

    /** The failure of a part whose objects are known to be unchanged. */
    private volatile @Nullable Throwable unrelatedFailure;

    LocalRequests(
            LocalReads store,
            ReadContext context,
            TaskRunner runner,
            PlanExecution<?> execution,
            @Nullable ReadDependencies tracker) {
        this.tracker = tracker;
        this.execution = execution;
        this.context = context;
        this.runner = runner;
        this.spans = new SpanReader(context);
        this.snapshots = new RunSnapshots(store, context, tracker);
    }

    @Override
    public void submit(List<ReadTask> batch, Deque<WorkUnit> units) {
        List<MergedRead> requests = RequestMerger.merge(batch, context.merge());
        for (MergedRead merged : RequestSplitter.split(requests, units.size(), execution.parallelism())) {
            units.add(scratch -> read(merged, execution.mayShare(merged.tasks()), scratch));
        }
    }

    /** @param shared whether the read may be shared with other runs */
    private List<WorkUnit.Step> read(MergedRead merged, boolean shared, Scratch scratch) {
        if (tracker != null) {
            tracker.note(merged);
        }
        return WorkUnit.Failed.together(merged.tasks(), () -> readNoted(merged, shared, scratch));
    }

    /** Reads a request that the tracker has recorded. */
    private List<WorkUnit.Step> readNoted(MergedRead merged, boolean shared, Scratch scratch) {
        List<WorkUnit.Step> steps = new ArrayList<>(merged.tasks().size());
        try (RunSnapshots.Lease lease = lease(merged)) {
            ObjectSnapshot snapshot = lease.snapshot();
            if (snapshot == null) {
                metAbsence = true;
                for (ReadTask t : merged.tasks()) {
                    steps.add(runner.decodeAndResume(t, new ReadResult.Absent(), Optional.empty(), scratch));
                }
                return steps;
            }
            List<ReadTask> uncached = resume(merged.tasks(), snapshot, scratch, steps);
            if (!uncached.isEmpty() && shared) {
                readOnce(new MergedRead(merged.key(), merged.range(), uncached), snapshot, scratch, steps);
            } else if (!uncached.isEmpty()) {
                readSpan(merged, uncached, snapshot, scratch, steps);
            }
            return steps;
        }
    }

    /** Resumes the plan with cached values, and returns the tasks whose values are not cached. */
    private List<ReadTask> resume(
            List<ReadTask> tasks, ObjectSnapshot snapshot, Scratch scratch, List<WorkUnit.Step> steps) {
        List<ReadTask> uncached = new ArrayList<>(tasks.size());
        for (ReadTask t : tasks) {
            Optional<Object> value = runner.cached(t.request(), snapshot.version());
            if (value.isPresent()) {
                steps.add(runner.resumeCached(t, value.get(), scratch));
            } else {
                uncached.add(t);
            }
        }
        return uncached;
    }

    /** Reads the values, or, if another run is reading them, sets the read aside until that run has cached them. */
    private void readOnce(MergedRead merged, ObjectSnapshot snapshot, Scratch scratch, List<WorkUnit.Step> steps) {
        InFlightReads inFlight = context.cache().inFlight();
        LeadRead read = new LeadRead(snapshot, scratch);
        InFlightReads.Joined joined =
                inFlight.join(new InFlightReads.Key(merged.key(), merged.range(), Optional.of(snapshot.version())));
        if (!joined.leads()) {
            await(joined.read(), merged);
            return;
        }
        try {
            InFlightReads.unshared(() -> read.load(merged));
        } finally {
            inFlight.complete(joined.read(), InFlightReads.NoResponse.RETRY);
            read.notifyListener();
        }
        read.resume(steps);
    }

    /** A waiting read; compared by identity. */
    private static final class Waiting {}

    private void await(InFlightReads.InFlightRead othersRead, MergedRead merged) {
        Waiting waitingRead = new Waiting();
        boolean shared = false; // if the other run has failed, this one reads by itself and waits for no third run
        List<WorkUnit> retry = List.of(scratch -> read(merged, shared, scratch));
        synchronized (execution) {
            if (cancelled) {
                return;
            }
            waiting.add(waitingRead);
        }
        othersRead.outcome().thenAccept(outcome -> {
            synchronized (execution) {
                if (!waiting.remove(waitingRead)) {
                    return; // cancelled
                }
            }
            execution.answered(retry);
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

    private RunSnapshots.Lease lease(MergedRead merged) {
        try {
            return snapshots.lease(merged.key());
        } catch (Exception e) {
            throw spans.failed(merged.tasks().get(0), merged.range(), e);
        }
    }

    /** Reads the bytes of the tasks at once, decodes them, and resumes the plan, until another run needs the thread. */
    private void readSpan(
            MergedRead merged,
            List<ReadTask> tasks,
            ObjectSnapshot snapshot,
            Scratch scratch,
            List<WorkUnit.Step> steps) {
        ByteRange.Slice span = spans.span(merged.range(), tasks, snapshot.size());
        int mark = scratch.mark();
        context.listener().onRequest(merged.key(), span);
        long requestNanos = System.nanoTime();
        Bytes bytes = spans.read(snapshot, span, tasks.get(0), scratch);
        Duration elapsed = Duration.ofNanos(System.nanoTime() - requestNanos);
        context.listener().onResponse(merged.key(), span, span.length(), elapsed);
        Optional<String> version = Optional.of(snapshot.version());
        long decodeNanos = System.nanoTime();
        int decodedCount = 0;
        while (decodedCount < tasks.size() && (decodedCount == 0 || !execution.mustYield(decodeNanos))) {
            ReadTask t = tasks.get(decodedCount++);
            ReadResult result = new ReadResult.Found(SpanReader.slice(bytes, span, t), snapshot.size());
            steps.add(runner.decodeAndResume(t, result, version, scratch));
        }
        scratch.reset(mark);
        if (decodedCount < tasks.size()) {
            readLater(merged, List.copyOf(tasks.subList(decodedCount, tasks.size())));
        }
    }

    /**
     * Queues the rest of a long unit of work as a unit of its own, so that a run that has just begun does not wait for
     * the whole unit.
     */
    private void readLater(MergedRead merged, List<ReadTask> rest) {
        MergedRead later = new MergedRead(merged.key(), merged.range(), rest);
        boolean shared = false;
        execution.answered(List.of(scratch -> read(later, shared, scratch)));
    }

    @Override
    public void confirm() {
        snapshots.confirm();
        if (tracker != null) {
            tracker.firstChange().ifPresent(e -> {
                throw e;
            });
        }
    }

    @Override
    public boolean hasMetAbsence() {
        return metAbsence;
    }

    /**
     * Returns whether the parts of the tasks run again. Checks only the objects that these parts have read: changes of
     * other objects do not explain the failure.
     */
    @Override
    public boolean mustRunAgain(List<? extends Task> tasks, Throwable failure) {
        if (tracker == null || !mayBeOfVersions(failure)) {
            return false;
        }
        ReadDependencies reads = tracker;
        if (failure instanceof ObjectChangedException e && tasks.get(0) instanceof ReadTask r) {
            reads.changed(r.request().key(), e);
            return true;
        }
        try {
            Set<String> keys = reads.keysOf(tasks);
            keys.forEach(snapshots::confirm);
            if (reads.isAnyChanged(keys)) {
                return true;
            }
        } catch (CancellationException e) {
            return false; // an interrupted thread cannot check; judge reports the cancellation
        } catch (ZarrException e) {
            Failures.addSuppressed(failure, e);
        }
        unrelatedFailure = failure;
        return false;
    }

    /** Returns whether the failure may come from bytes of two versions of an object. */
    private static boolean mayBeOfVersions(Throwable failure) {
        return failure instanceof CorruptDataException || failure instanceof StoreException;
    }

    /** Returns the failure, or a change of an object: data that looks corrupt may be a mixture of two versions. */
    @Override
    public Throwable judge(Throwable failure) {
        if (tracker != null) {
            tracker.cutRound(); // the failure ended the run, so some parts of the round have not ended
        }
        if (failure instanceof ObjectChangedException || !mayBeOfVersions(failure) || unrelatedFailure == failure) {
            return failure;
        }
        try {
            confirm();
            return failure;
        } catch (ObjectChangedException e) {
            e.addSuppressed(failure);
            return e;
        } catch (CancellationException e) {
            // an interrupted thread cannot check; the cancellation says nothing about the data
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

    /**
     * A read of a local store that other runs wait for. While they wait, {@link #load} only reads, decodes and caches.
     * Listeners and plans may themselves wait for any run, so they are called after the waiting runs have the outcome.
     * Used once.
     */
    private final class LeadRead {
        /** A task with its value. */
        private record Got(ReadTask task, Object value) {}

        private final ObjectSnapshot snapshot;
        private final Scratch scratch;
        private final List<Got> cached = new ArrayList<>();
        private final List<Got> decoded = new ArrayList<>();
        private @Nullable MergedRead request;
        private @Nullable Duration elapsed;

        LeadRead(ObjectSnapshot snapshot, Scratch scratch) {
            this.snapshot = snapshot;
            this.scratch = scratch;
        }

        /** Takes the values that are cached by now, and reads, decodes and caches the others. */
        void load(MergedRead merged) {
            List<ReadTask> uncached = new ArrayList<>();
            for (ReadTask t : merged.tasks()) {
                runner.cached(t.request(), snapshot.version())
                        .ifPresentOrElse(v -> cached.add(new Got(t, v)), () -> uncached.add(t));
            }
            if (uncached.isEmpty()) {
                return;
            }
            ByteRange.Slice span = spans.span(merged.range(), uncached, snapshot.size());
            int mark = scratch.mark();
            request = new MergedRead(merged.key(), span, uncached);
            long requestNanos = System.nanoTime();
            Bytes bytes = spans.read(snapshot, span, uncached.get(0), scratch);
            elapsed = Duration.ofNanos(System.nanoTime() - requestNanos);
            for (ReadTask t : uncached) {
                ReadResult result = new ReadResult.Found(SpanReader.slice(bytes, span, t), snapshot.size());
                decoded.add(new Got(t, runner.decode(t, result, Optional.of(snapshot.version()), scratch)));
            }
            scratch.reset(mark);
        }

        /** Notifies the listener of the reads, even if they failed. */
        void notifyListener() {
            if (request == null) {
                return;
            }
            ByteRange.Slice span = (ByteRange.Slice) request.range();
            context.listener().onRequest(request.key(), span);
            if (elapsed != null) {
                context.listener().onResponse(request.key(), span, span.length(), elapsed);
            }
        }

        /** Resumes the plan with all loaded values. */
        void resume(List<WorkUnit.Step> steps) {
            cached.forEach(g -> steps.add(runner.resumeCached(g.task(), g.value(), scratch)));
            decoded.forEach(g -> steps.add(runner.resumeWith(g.task(), g.value(), scratch)));
        }
    }
}
