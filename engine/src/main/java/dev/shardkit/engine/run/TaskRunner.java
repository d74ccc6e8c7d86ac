package dev.shardkit.engine.run;

import dev.shardkit.engine.error.Failures;
import dev.shardkit.engine.threads.DecodePermits;
import dev.shardkit.spi.plan.Decoder;
import dev.shardkit.spi.plan.PlanRun;
import dev.shardkit.spi.plan.PlanRun.ReadTask;
import dev.shardkit.spi.plan.ReadRequest;
import dev.shardkit.spi.plan.ReadResult;
import dev.shardkit.spi.plan.Scratch;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Executes the tasks of a plan on a worker's thread: decodes the answer to a read, caches the value if its decoder
 * allows it, and resumes the plan. Decodes with a permit if there are permits. Adds the location to failures.
 * Immutable.
 */
record TaskRunner(ReadContext context, @Nullable DecodePermits permits) {
    /**
     * Decodes an answer and resumes the plan.
     *
     * @param version the version for caching the decoded value; empty to skip the cache
     */
    WorkUnit.Step decodeAndResume(ReadTask task, ReadResult result, Optional<String> version, Scratch scratch) {
        return located(
                task,
                scratch,
                () -> new WorkUnit.Step(task, task.resume(decodeAndCache(task, result, version, scratch), scratch)));
    }

    /** Decodes an answer, and caches its value if possible, without resuming the plan. */
    Object decode(ReadTask task, ReadResult result, Optional<String> version, Scratch scratch) {
        return located(task, scratch, () -> decodeAndCache(task, result, version, scratch));
    }

    private Object decodeAndCache(ReadTask task, ReadResult result, Optional<String> version, Scratch scratch) {
        @SuppressWarnings("unchecked")
        ReadRequest<Object> request = (ReadRequest<Object>) task.request();
        Decoder<Object> decoder = request.decoder();
        Object value = decoder.decode(result, scratch);
        if (version.isPresent()) {
            Optional<Object> id = decoder.identity();
            if (id.isPresent()) {
                ValueCache.Key key = new ValueCache.Key(request.key(), version.get(), request.range(), id.get());
                context.cache().put(key, value, decoder.weight(value));
            }
        }
        return value;
    }

    /** Resumes the plan with a cached value. */
    WorkUnit.Step resumeCached(ReadTask task, Object value, Scratch scratch) {
        context.listener().onCacheHit(task.request().key());
        return resumeWith(task, value, scratch);
    }

    /** Resumes the plan with a value. */
    WorkUnit.Step resumeWith(ReadTask task, Object value, Scratch scratch) {
        return located(task, scratch, () -> new WorkUnit.Step(task, task.resume(value, scratch)));
    }

    /** Returns the value that is cached for {@code version}. */
    Optional<Object> cached(ReadRequest<?> request, String version) {
        Optional<Object> id = request.decoder().identity();
        return id.isEmpty()
                ? Optional.empty()
                : context.cache().get(new ValueCache.Key(request.key(), version, request.range(), id.get()));
    }

    /** Runs work that needs no read. */
    WorkUnit.Step work(PlanRun.WorkTask task, Scratch scratch) {
        return located(task, scratch, () -> new WorkUnit.Step(task, task.run(scratch)));
    }

    /** Runs the work of a task, frees its scratch memory, and adds the location to its failure. */
    private <V> V located(PlanRun.Task task, Scratch scratch, Supplier<V> work) {
        int mark = scratch.mark();
        try {
            // other runs wait for a shared read, so a run inside its work does not wait for a permit
            return permits == null || InFlightReads.isUnshared() ? work.get() : permits.run(work);
        } catch (Exception e) {
            String range =
                    task instanceof ReadTask read ? read.request().range().toString() : "";
            throw new WorkUnit.Failed(Failures.ofWork(e, context.array(), task.location(), range), List.of(task));
        } finally {
            scratch.reset(mark);
        }
    }
}
