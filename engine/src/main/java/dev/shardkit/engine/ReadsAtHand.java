package dev.shardkit.engine;

import dev.shardkit.spi.plan.Answer;
import dev.shardkit.spi.plan.ByteRange;
import dev.shardkit.spi.plan.Bytes;
import dev.shardkit.spi.plan.PlanRun.ReadTask;
import dev.shardkit.store.Fetched;
import java.util.ArrayList;
import java.util.Deque;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The reads of a far store that need no request: their values are cached, their whole object is here, or they are
 * empty. Guarded by the run's monitor.
 */
record ReadsAtHand(Answering answering, Pins pins, KeptValues kept, Bodies bodies, Decodings decodings) {
    private record Hit(ReadTask task, Object kept) {}

    /** Adds units of work for these reads; returns the others, which must be requested. */
    List<ReadTask> take(List<ReadTask> batch, Deque<Work> units) {
        return takeWhole(takeCached(batch, units), units);
    }

    private List<ReadTask> takeCached(List<ReadTask> batch, Deque<Work> units) {
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
                        Work.Failed.together(ofOne.stream().map(Hit::task).toList(), () -> ofOne.stream()
                                .map(h -> answering.resume(h.task(), h.kept(), scratch))
                                .toList())));
        return left;
    }

    private List<ReadTask> takeWhole(List<ReadTask> left, Deque<Work> units) {
        List<ReadTask> toSend = new ArrayList<>(left.size());
        Map<Fetched.Found, List<ReadTask>> here = new IdentityHashMap<>();
        for (ReadTask t : left) {
            Optional<Fetched.Found> whole = whole(t.request().key(), t.request().range());
            if (t.request().range() instanceof ByteRange.Slice s && s.length() == 0) {
                // an empty range needs no request: its offset is known, so the object
                // exists
                Answer nothing = new Answer.Found(Bytes.EMPTY, s.end());
                units.add(scratch -> decodings.answer(List.of(t), nothing, scratch));
            } else if (whole.isPresent()) {
                here.computeIfAbsent(whole.get(), w -> new ArrayList<>()).add(t);
            } else {
                toSend.add(t);
            }
        }
        here.forEach((whole, tasks) ->
                units.addAll(decodings.ofWhole(tasks.get(0).request().key(), whole, Decodings.Keep.VALUES, tasks)));
        return toSend;
    }

    /** Whether the values of all reads are cached. */
    boolean areKept(List<ReadTask> tasks) {
        return tasks.stream().allMatch(t -> kept.find(t.request()).isPresent());
    }

    /** Whether the whole objects of all reads are here. */
    boolean areHere(List<ReadTask> tasks) {
        return tasks.stream()
                .allMatch(t -> whole(t.request().key(), t.request().range()).isPresent());
    }

    /** Returns the range from the whole object, if that has the version that this run reads. */
    private Optional<Fetched.Found> whole(String key, ByteRange range) {
        return bodies.find(key, range).filter(found -> pins.get(key)
                .filter(Pins.Seen.of(found.version())::equals)
                .isPresent());
    }
}
