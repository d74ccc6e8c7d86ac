package dev.shardkit.engine;

import dev.shardkit.spi.plan.Answer;
import dev.shardkit.spi.plan.ByteRange;
import dev.shardkit.spi.plan.Bytes;
import dev.shardkit.spi.plan.PlanRun.ReadTask;
import dev.shardkit.spi.plan.Scratch;
import dev.shardkit.store.Snapshot;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A read of a near store that other runs wait for. During the wait, {@link #load} only reads, decodes and caches.
 * Listeners and plans may wait for any run, so they are called after the landing. Used once.
 */
final class LeadRead {
    private record Got(ReadTask task, Object value) {}

    private final ReadContext context;
    private final Answering answering;
    private final Snapshot snapshot;
    private final Scratch scratch;
    private final List<Got> kept = new ArrayList<>();
    private final List<Got> decoded = new ArrayList<>();
    private @Nullable MergedRead asked;
    private @Nullable Duration took;

    LeadRead(ReadContext context, Answering answering, Snapshot snapshot, Scratch scratch) {
        this.context = context;
        this.answering = answering;
        this.snapshot = snapshot;
        this.scratch = scratch;
    }

    /** Loads the values that are not cached by now. */
    void load(MergedRead merged, NearSpans spans) {
        List<ReadTask> left = new ArrayList<>();
        for (ReadTask t : merged.tasks()) {
            answering
                    .kept(t.request(), snapshot.version())
                    .ifPresentOrElse(v -> kept.add(new Got(t, v)), () -> left.add(t));
        }
        if (left.isEmpty()) {
            return;
        }
        ByteRange.Slice span = spans.of(merged.range(), left, snapshot.size());
        int mark = scratch.mark();
        asked = new MergedRead(merged.key(), span, left);
        long begun = System.nanoTime();
        Bytes bytes = spans.read(snapshot, span, left.get(0), scratch);
        took = Duration.ofNanos(System.nanoTime() - begun);
        for (ReadTask t : left) {
            Answer own = new Answer.Found(NearSpans.part(bytes, span, t), snapshot.size());
            decoded.add(new Got(t, answering.decode(t, own, Optional.of(snapshot.version()), scratch)));
        }
        scratch.reset(mark);
    }

    /** Notifies the listener of the reads, even if they failed. */
    void tell() {
        if (asked == null) {
            return;
        }
        ByteRange.Slice span = (ByteRange.Slice) asked.range();
        context.listener().onRequest(asked.key(), span);
        if (took != null) {
            context.listener().onResponse(asked.key(), span, span.length(), took);
        }
    }

    /** Resumes the plan with all loaded values. */
    void resume(List<Work.Step> steps) {
        kept.forEach(g -> steps.add(answering.resume(g.task(), g.value(), scratch)));
        decoded.forEach(g -> steps.add(answering.proceed(g.task(), g.value(), scratch)));
    }
}
