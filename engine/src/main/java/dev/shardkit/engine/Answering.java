package dev.shardkit.engine;

import dev.shardkit.spi.plan.Answer;
import dev.shardkit.spi.plan.Decoder;
import dev.shardkit.spi.plan.PlanRun;
import dev.shardkit.spi.plan.PlanRun.ReadTask;
import dev.shardkit.spi.plan.Request;
import dev.shardkit.spi.plan.Scratch;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * What a worker does with a task: decode the answer, keep what is worth it, go on, when it is its turn. Failures get
 * their place. Immutable.
 */
record Answering(ReadContext context, DecodeTurns turns) {
    /**
     * Decodes an answer and goes on.
     *
     * @param version what the decoded value may be kept under; empty if it is not to be kept
     */
    Work.Step answer(ReadTask task, Answer answer, Optional<String> version, Scratch scratch) {
        return located(
                task,
                scratch,
                () -> new Work.Step(task, task.resume(decoded(task, answer, version, scratch), scratch)));
    }

    /** Decodes an answer whose value may be kept, and does not go on yet. */
    Object decode(ReadTask task, Answer answer, Optional<String> version, Scratch scratch) {
        return located(task, scratch, () -> decoded(task, answer, version, scratch));
    }

    private Object decoded(ReadTask task, Answer answer, Optional<String> version, Scratch scratch) {
        @SuppressWarnings("unchecked")
        Request<Object> request = (Request<Object>) task.request();
        Decoder<Object> decoder = request.decoder();
        Object value = decoder.decode(answer, scratch);
        if (version.isPresent()) {
            decoder.identity().ifPresent(id -> context.cache()
                    .put(
                            new ValueCache.Key(request.key(), version.get(), request.range(), id),
                            value,
                            decoder.weight(value)));
        }
        return value;
    }

    /** Goes on with a value that was kept. */
    Work.Step resume(ReadTask task, Object value, Scratch scratch) {
        context.listener().onCacheHit(task.request().key());
        return goOn(task, value, scratch);
    }

    /** Goes on with a value. */
    Work.Step goOn(ReadTask task, Object value, Scratch scratch) {
        return located(task, scratch, () -> new Work.Step(task, task.resume(value, scratch)));
    }

    /** What was kept under {@code version}. */
    Optional<Object> kept(Request<?> request, String version) {
        return request.decoder().identity().flatMap(id -> context.cache()
                .get(new ValueCache.Key(request.key(), version, request.range(), id)));
    }

    /** Does work without reading. */
    Work.Step work(PlanRun.WorkTask task, Scratch scratch) {
        return located(task, scratch, () -> new Work.Step(task, task.run(scratch)));
    }

    private <V> V located(PlanRun.Task task, Scratch scratch, Supplier<V> work) {
        int mark = scratch.mark();
        try {
            return turns.take(work);
        } catch (Throwable e) {
            String range = task instanceof ReadTask r ? r.request().range().toString() : "";
            throw new Work.Failed(Failures.ofWork(e, context.array(), task.place(), range), List.of(task));
        } finally {
            scratch.reset(mark);
        }
    }
}
