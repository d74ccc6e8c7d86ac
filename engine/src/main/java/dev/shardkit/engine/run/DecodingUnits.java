package dev.shardkit.engine.run;

import dev.shardkit.engine.run.InFlightReads.InFlightRead;
import dev.shardkit.engine.run.RemoteRequest.Response;
import dev.shardkit.spi.error.StoreException;
import dev.shardkit.spi.plan.ByteRange;
import dev.shardkit.spi.plan.Bytes;
import dev.shardkit.spi.plan.NoResult;
import dev.shardkit.spi.plan.PlanRun.ReadTask;
import dev.shardkit.spi.plan.ReadResult;
import dev.shardkit.spi.plan.Scratch;
import dev.shardkit.store.FetchResult;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/**
 * Turns the answers of a remote store into units of work that decode them. First pins an answer's version, or checks
 * that it is the pinned one. The run's monitor guards all mutable state.
 */
final class DecodingUnits {
    /** The number of encoded bytes from which an answer is decoded by several units of work. */
    private static final long SPLIT_BYTES = 1L << 20;
    /** The assumed size of a whole object until it is known. */
    private static final long USUAL_OBJECT = 16L << 20;

    /** Stands for an answer that belongs to no shared read. */
    private static final Response NOT_SHARED = new Response(null, null, null, Duration.ZERO);

    /** Whether decoded values may be cached. */
    enum Keep {
        VALUES,
        NOTHING
    }

    private final ReadContext context;
    private final TaskRunner runner;
    private final PlanExecution<?> execution;
    private final PinnedVersions pins;
    private final PinnedCacheLookup cached;
    private final LongConsumer onDecoded;
    /** The shared reads whose answer this run has received and not yet decoded. */
    private final Deque<InFlightRead> sharedReads = new ArrayDeque<>();

    /** @param onDecoded receives numbers of requested bytes that are decoded; called under the run's monitor */
    DecodingUnits(
            ReadContext context,
            TaskRunner runner,
            PlanExecution<?> execution,
            PinnedVersions pins,
            PinnedCacheLookup cached,
            LongConsumer onDecoded) {
        this.context = context;
        this.runner = runner;
        this.execution = execution;
        this.pins = pins;
        this.cached = cached;
        this.onDecoded = onDecoded;
    }

    /** Returns the number of bytes in a range, or an estimate if the number depends on the object's size. */
    static long size(ByteRange range) {
        if (range instanceof ByteRange.Slice s) {
            return s.length();
        }
        return range instanceof ByteRange.Suffix s
                ? s.length()
                : Math.min(((ByteRange.Whole) range).maxBytes(), USUAL_OBJECT);
    }

    /**
     * Checks the answer to a request and returns the units of work that decode it.
     *
     * @param actual the number of bytes in the answer
     */
    List<WorkUnit> accept(MergedRead merged, Response answered, long actual) {
        String key = merged.key();
        FetchResult fetched = answered.fetched();
        if (fetched == null) {
            throw new StoreException("expected an answer, found nothing");
        }
        Long othersNanos = answered.othersNanos();
        if (othersNanos == null) {
            long receivedBytes = fetched instanceof FetchResult.Found f ? f.received() : 0;
            context.listener().onResponse(key, merged.range(), receivedBytes, answered.elapsed());
        }
        long seenNanos = othersNanos == null ? System.nanoTime() : othersNanos;
        synchronized (execution) {
            if (answered.shared() != null) {
                sharedReads.add(answered.shared());
            }
            if (fetched instanceof FetchResult.Found f && othersNanos != null) {
                cached.recordOthersVersion(key, f.version(), seenNanos);
            } else {
                pins.confirm(
                        key,
                        fetched instanceof FetchResult.Found f
                                ? PinnedVersions.Seen.of(f.version())
                                : PinnedVersions.Seen.ABSENT);
            }
        }
        if (fetched instanceof FetchResult.Found f) {
            RemoteRequest.fault(merged.range(), f).ifPresent(e -> {
                throw e;
            });
            cached.cacheVersion(f.version()).ifPresent(v -> context.cache().seen(key, v, seenNanos));
            return units(merged, f, answered, Keep.VALUES, actual);
        }
        context.cache().forget(key);
        return merged.tasks().isEmpty()
                ? List.of()
                : List.of(scratch -> answerAll(merged.tasks(), new ReadResult.Absent(), scratch));
    }

    /**
     * Decodes reads from the beginning of an answer. The version is checked as in a complete answer. The values are not
     * cached, because the rest of the answer may still turn out to be wrong.
     */
    List<WorkUnit> unitsOfBeginning(MergedRead merged, FetchResult.Found beginning) {
        synchronized (execution) {
            pins.confirm(merged.key(), PinnedVersions.Seen.of(beginning.version()));
        }
        return units(merged, beginning, NOT_SHARED, Keep.NOTHING, 0);
    }

    /** Decodes ranges of a whole object, or of its beginning, that an earlier answer contained. */
    List<WorkUnit> unitsOfWhole(String key, FetchResult.Found object, Keep keep, List<ReadTask> tasks) {
        ByteRange range = new ByteRange.Slice(0, object.objectSize());
        return units(new MergedRead(key, range, tasks), object, NOT_SHARED, keep, 0);
    }

    /**
     * Creates one unit of work, or several if there is much to decode.
     *
     * @param reservedBytes the bytes of the answer that count as not yet decoded; the units release them
     */
    private List<WorkUnit> units(
            MergedRead merged, FetchResult.Found found, Response answered, Keep keep, long reservedBytes) {
        List<WorkUnit> works = new ArrayList<>();
        List<ReadTask> tasks = merged.tasks();
        long remaining = reservedBytes;
        int start = 0;
        while (start < tasks.size()) {
            int end = start;
            long size = 0;
            for (; end < tasks.size() && size < SPLIT_BYTES; end++) {
                size += size(tasks.get(end).request().range());
            }
            List<ReadTask> portion = tasks.subList(start, end);
            long reserved = end == tasks.size() ? remaining : Math.min(remaining, size);
            remaining -= reserved;
            // The unit of work notifies the listener of the cache hit. It cannot be notified here: this thread may
            // belong to another run, whose caller would wait for the listener.
            boolean isHit = start == 0 && answered.othersNanos() != null;
            works.add(scratch -> {
                if (isHit) {
                    context.listener().onCacheHit(merged.key());
                }
                try {
                    return decode(merged, portion, found, keep, reserved, scratch);
                } finally {
                    forget(answered); // the values of the answer are cached now, or never will be
                }
            });
            start = end;
        }
        return works;
    }

    private List<WorkUnit.Step> decode(
            MergedRead merged,
            List<ReadTask> tasks,
            FetchResult.Found found,
            Keep keep,
            long reserved,
            Scratch scratch) {
        List<WorkUnit.Step> steps = new ArrayList<>(tasks.size());
        long released = reserved;
        try {
            WorkUnit.Failed.together(tasks, () -> decode(merged, tasks, found, keep, steps, scratch));
            if (steps.size() < tasks.size()) {
                List<ReadTask> undecoded = List.copyOf(tasks.subList(steps.size(), tasks.size()));
                WorkUnit remainder = laterScratch -> decode(merged, undecoded, found, keep, reserved, laterScratch);
                execution.answered(List.of(remainder));
                released = 0;
            }
            return steps;
        } finally {
            synchronized (execution) {
                onDecoded.accept(released);
            }
        }
    }

    /** Decodes until another run waits for the thread. */
    private NoResult decode(
            MergedRead merged,
            List<ReadTask> tasks,
            FetchResult.Found found,
            Keep keep,
            List<WorkUnit.Step> steps,
            Scratch scratch) {
        // Values of an empty object are not cached. A later run would confirm their version by reading the object's
        // last byte, which does not exist.
        Optional<String> version =
                cached.cacheVersion(found.version()).filter(v -> keep == Keep.VALUES && found.objectSize() > 0);
        long startNanos = System.nanoTime();
        for (ReadTask t : tasks) {
            if (!steps.isEmpty() && execution.mustYield(startNanos)) {
                break;
            }
            Bytes bytes = t.request().range() instanceof ByteRange.Slice s
                    ? found.bytes().slice(merged.offsetOf(t), s.length())
                    : found.bytes().slice(t.request().range());
            steps.add(runner.decodeAndResume(t, new ReadResult.Found(bytes, found.objectSize()), version, scratch));
        }
        return NoResult.INSTANCE;
    }

    /** Completes the shared read of an answer, if it was shared: its values are cached now, or never will be. */
    void forget(Response answered) {
        InFlightRead shared = answered.shared();
        if (shared == null) {
            return;
        }
        context.cache().inFlight().forget(shared);
        synchronized (execution) {
            sharedReads.remove(shared);
        }
    }

    /** Delivers the same answer to all tasks. */
    List<WorkUnit.Step> answerAll(List<ReadTask> tasks, ReadResult answer, Scratch scratch) {
        return WorkUnit.Failed.together(tasks, () -> tasks.stream()
                .map(t -> runner.decodeAndResume(t, answer, Optional.empty(), scratch))
                .toList());
    }

    /** Ends the shared reads whose answers this run did not decode, so that other runs do not find them. */
    void close() {
        for (InFlightRead next = pollShared(); next != null; next = pollShared()) {
            context.cache().inFlight().forget(next);
        }
    }

    private @Nullable InFlightRead pollShared() {
        synchronized (execution) {
            return sharedReads.poll();
        }
    }
}
