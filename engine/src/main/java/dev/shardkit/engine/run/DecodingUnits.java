package dev.shardkit.engine.run;

import dev.shardkit.engine.run.FarRequest.Response;
import dev.shardkit.engine.run.InFlightReads.InFlightRead;
import dev.shardkit.spi.error.StoreException;
import dev.shardkit.spi.plan.ByteRange;
import dev.shardkit.spi.plan.Bytes;
import dev.shardkit.spi.plan.PlanRun.ReadTask;
import dev.shardkit.spi.plan.ReadResult;
import dev.shardkit.spi.plan.Scratch;
import dev.shardkit.spi.plan.Unit;
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
 * Turns the answers of a far store into units of work that decode them. An answer's version is pinned or confirmed
 * first. The run's monitor guards all mutable state.
 */
final class DecodingUnits {
    private static final long SPLIT_BYTES = 1L << 20;
    /** The assumed size of a whole object until it is known. */
    private static final long USUAL_OBJECT = 16L << 20;

    private static final Response NOT_SHARED = new Response(null, null, null, Duration.ZERO);

    /** Whether decoded values may be cached. */
    enum Keep {
        VALUES,
        NOTHING
    }

    private final ReadContext context;
    private final TaskRunner answering;
    private final Execution<?> execution;
    private final PinnedVersions pins;
    private final CachedValues kept;
    private final LongConsumer decoded;
    /** InFlightReads whose answer this run has received and not decoded. */
    private final Deque<InFlightRead> sharedReads = new ArrayDeque<>();

    /** @param decoded receives numbers of requested bytes that are decoded; called under the run's monitor */
    DecodingUnits(
            ReadContext context,
            TaskRunner answering,
            Execution<?> execution,
            PinnedVersions pins,
            CachedValues kept,
            LongConsumer decoded) {
        this.context = context;
        this.answering = answering;
        this.execution = execution;
        this.pins = pins;
        this.kept = kept;
        this.decoded = decoded;
    }

    /** Returns the number of bytes in a range, or an estimate if that depends on the object. */
    static long size(ByteRange range) {
        if (range instanceof ByteRange.Slice s) {
            return s.length();
        }
        return range instanceof ByteRange.Suffix s
                ? s.length()
                : Math.min(((ByteRange.Whole) range).most(), USUAL_OBJECT);
    }

    /**
     * Accepts the answer to a request.
     *
     * @param actual the number of bytes in the answer
     */
    List<WorkUnit> accept(MergedRead merged, Response answered, long actual) {
        String key = merged.key();
        FetchResult fetched = answered.fetched();
        if (fetched == null) {
            throw new StoreException("expected an answer, found nothing");
        }
        Long others = answered.others();
        if (others == null) {
            long came = fetched instanceof FetchResult.Found f ? f.received() : 0;
            context.listener().onResponse(key, merged.range(), came, answered.took());
        }
        long since = others == null ? System.nanoTime() : others;
        synchronized (execution) {
            if (answered.shared() != null) {
                sharedReads.add(answered.shared());
            }
            if (fetched instanceof FetchResult.Found f && others != null) {
                kept.hear(key, f.version(), since);
            } else {
                pins.confirm(
                        key,
                        fetched instanceof FetchResult.Found f
                                ? PinnedVersions.Seen.of(f.version())
                                : PinnedVersions.Seen.ABSENT);
            }
        }
        if (fetched instanceof FetchResult.Found f) {
            FarRequest.fault(merged.range(), f).ifPresent(e -> {
                throw e;
            });
            kept.under(f.version()).ifPresent(v -> context.cache().seen(key, v, since));
            return decoding(merged, f, answered, Keep.VALUES, actual);
        }
        context.cache().forget(key);
        return merged.tasks().isEmpty()
                ? List.of()
                : List.of(scratch -> answer(merged.tasks(), new ReadResult.Absent(), scratch));
    }

    /**
     * Decodes reads from the beginning of an answer, whose version is checked as that of a complete one. The values are
     * not cached: the answer may still be refused.
     */
    List<WorkUnit> begin(MergedRead merged, FetchResult.Found beginning) {
        synchronized (execution) {
            pins.confirm(merged.key(), PinnedVersions.Seen.of(beginning.version()));
        }
        return decoding(merged, beginning, NOT_SHARED, Keep.NOTHING, 0);
    }

    /** Decodes ranges of a whole object that an earlier answer brought, or of its beginning. */
    List<WorkUnit> ofWhole(String key, FetchResult.Found whole, Keep keep, List<ReadTask> tasks) {
        ByteRange all = new ByteRange.Slice(0, whole.objectSize());
        return decoding(new MergedRead(key, all, tasks), whole, NOT_SHARED, keep, 0);
    }

    /**
     * Creates one unit of work, or several if there is much to decode; {@code left} of the reserved bytes belong to
     * them.
     */
    private List<WorkUnit> decoding(
            MergedRead merged, FetchResult.Found found, Response answered, Keep keep, long left) {
        List<WorkUnit> works = new ArrayList<>();
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
            boolean isHit = from == 0 && answered.others() != null;
            works.add(scratch -> {
                if (isHit) {
                    context.listener().onCacheHit(merged.key());
                }
                try {
                    return decode(merged, part, found, keep, share, scratch);
                } finally {
                    forget(answered); // its values are cached now, or will not be
                }
            });
            from = to;
        }
        return works;
    }

    private List<WorkUnit.Step> decode(
            MergedRead merged, List<ReadTask> tasks, FetchResult.Found found, Keep keep, long share, Scratch scratch) {
        List<WorkUnit.Step> steps = new ArrayList<>(tasks.size());
        long over = share;
        try {
            WorkUnit.Failed.together(tasks, () -> decode(merged, tasks, found, keep, steps, scratch));
            if (steps.size() < tasks.size()) {
                List<ReadTask> rest = List.copyOf(tasks.subList(steps.size(), tasks.size()));
                WorkUnit later = more -> decode(merged, rest, found, keep, share, more);
                execution.answered(List.of(later));
                over = 0;
            }
            return steps;
        } finally {
            synchronized (execution) {
                decoded.accept(over);
            }
        }
    }

    /** Decodes until another run waits for the thread. */
    private Unit decode(
            MergedRead merged,
            List<ReadTask> tasks,
            FetchResult.Found found,
            Keep keep,
            List<WorkUnit.Step> steps,
            Scratch scratch) {
        // an empty object cannot be checked by one byte
        Optional<String> version =
                kept.under(found.version()).filter(v -> keep == Keep.VALUES && found.objectSize() > 0);
        long begun = System.nanoTime();
        for (ReadTask t : tasks) {
            if (!steps.isEmpty() && execution.mustYield(begun)) {
                break;
            }
            Bytes own = t.request().range() instanceof ByteRange.Slice s
                    ? found.bytes().slice(merged.offsetOf(t), s.length())
                    : found.bytes().slice(t.request().range());
            steps.add(answering.answer(t, new ReadResult.Found(own, found.objectSize()), version, scratch));
        }
        return Unit.UNIT;
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
    List<WorkUnit.Step> answer(List<ReadTask> tasks, ReadResult answer, Scratch scratch) {
        return WorkUnit.Failed.together(tasks, () -> tasks.stream()
                .map(t -> answering.answer(t, answer, Optional.empty(), scratch))
                .toList());
    }

    /** Removes the answers that this run did not decode, so that other runs do not find them. */
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
