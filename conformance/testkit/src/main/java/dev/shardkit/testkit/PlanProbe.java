package dev.shardkit.testkit;

import dev.shardkit.spi.error.CorruptDataException;
import dev.shardkit.spi.plan.ByteRange;
import dev.shardkit.spi.plan.Bytes;
import dev.shardkit.spi.plan.Plan;
import dev.shardkit.spi.plan.PlanRun;
import dev.shardkit.spi.plan.ReadRequest;
import dev.shardkit.spi.plan.ReadResult;
import dev.shardkit.spi.plan.Scratch;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Runs plans on the calling thread over objects in memory and counts their reads, for tests. It works in waves: each
 * wave makes all reads that are possible at that moment. Steps of the plan borrow the bytes; the probe overwrites them
 * afterwards, so a step that keeps borrowed bytes fails. Not an engine: no cache, no versions. Not thread-safe.
 */
public final class PlanProbe {
    /** The number of open tasks above which a plan does not expand further. */
    private static final int BUDGET = 1 << 16;
    /** The byte that overwrites borrowed bytes. */
    private static final byte SPOILED = 0x5c;

    private final Map<String, byte[]> objects;
    /** The maximum number of bytes between reads that are merged; -1 if none are. */
    private final long gap;

    private final List<Read> reads = new ArrayList<>();
    private int waves;

    private PlanProbe(Map<String, byte[]> objects, long gap) {
        this.objects = objects;
        this.gap = gap;
    }

    /** A read of {@code length} bytes from {@code offset} on of the object {@code key}, after merging. */
    public record Read(String key, long offset, long length) {
        long end() {
            return offset + length;
        }
    }

    /** A read of the current wave that is not answered yet. */
    private record Open(PlanRun.ReadTask task, Read read) {}

    /**
     * Creates a probe over {@code objects}, by key; the map may change between runs. Each request is a separate read.
     */
    public static PlanProbe over(Map<String, byte[]> objects) {
        return new PlanProbe(objects, -1);
    }

    /**
     * Returns a probe with its own counts that merges reads of one object and wave if at most {@code gap} bytes are
     * between them.
     */
    public PlanProbe merging(long gap) {
        return new PlanProbe(objects, gap);
    }

    /** Runs a plan to its end. */
    public <T> T run(Plan<T> plan) {
        PlanRun<T> run = new PlanRun<>(plan, BUDGET);
        try (Scratch scratch = new Scratch()) {
            while (run.value().isEmpty()) {
                wave(run, scratch);
            }
        }
        return run.value().get();
    }

    /** Does all work that is possible without reads, then makes all reads that it requested. */
    private <T> void wave(PlanRun<T> run, Scratch scratch) {
        Map<String, List<Open>> open = new LinkedHashMap<>();
        boolean stuck = true;
        for (Optional<PlanRun.Task> next = run.next(); next.isPresent(); next = run.next()) {
            stuck = false;
            if (next.get() instanceof PlanRun.WorkTask work) {
                run.advance(work, work.run(scratch));
                scratch.reset(0);
            } else {
                PlanRun.ReadTask task = (PlanRun.ReadTask) next.get();
                String key = task.request().key();
                if (objects.containsKey(key)) {
                    open.computeIfAbsent(key, k -> new ArrayList<>()).add(new Open(task, resolve(task.request())));
                } else {
                    reads.add(new Read(key, 0, 0));
                    run.advance(task, task.answer(new ReadResult.Absent(), scratch));
                    scratch.reset(0);
                }
            }
        }
        if (stuck && run.value().isEmpty()) {
            throw new IllegalStateException("the plan has not ended and has no task");
        }
        waves += open.isEmpty() ? 0 : 1;
        open.forEach((key, tasks) -> read(run, key, tasks, scratch));
    }

    /** Returns the bytes of the object that a request means. */
    private Read resolve(ReadRequest<?> request) {
        long size = objects.get(request.key()).length;
        ByteRange range = request.range();
        if (range instanceof ByteRange.Slice s) {
            if (s.end() > size) {
                throw new CorruptDataException("a byte range past the end: " + range + " of " + size + " bytes");
            }
            return new Read(request.key(), s.offset(), s.length());
        }
        if (range instanceof ByteRange.Whole w && w.refuses(size)) {
            throw new CorruptDataException("expected " + range + ", found " + size + " bytes");
        }
        long length = range instanceof ByteRange.Suffix s ? Math.min(s.length(), size) : size;
        return new Read(request.key(), size - length, length);
    }

    /** Merges the reads of one object, and answers them. */
    private void read(PlanRun<?> run, String key, List<Open> tasks, Scratch scratch) {
        List<Open> sorted = new ArrayList<>(tasks);
        sorted.sort(Comparator.comparingLong((Open o) -> o.read().offset())
                .thenComparingLong(o -> o.read().length()));
        for (int i = 0; i < sorted.size(); ) {
            long end = sorted.get(i).read().end();
            int j = i + 1;
            while (gap >= 0 && j < sorted.size() && sorted.get(j).read().offset() - end <= gap) {
                end = Math.max(end, sorted.get(j).read().end());
                j++;
            }
            answer(
                    run,
                    new Read(
                            key,
                            sorted.get(i).read().offset(),
                            end - sorted.get(i).read().offset()),
                    sorted.subList(i, j),
                    scratch);
            i = j;
        }
    }

    /** Makes a merged read, and answers each of its tasks with its part of the bytes. */
    private void answer(PlanRun<?> run, Read merged, List<Open> tasks, Scratch scratch) {
        reads.add(merged);
        byte[] object = objects.get(merged.key());
        byte[] lent = Arrays.copyOfRange(object, (int) merged.offset(), (int) merged.end());
        for (Open o : tasks) {
            Bytes bytes = Bytes.of(lent, (int) (o.read().offset() - merged.offset()), (int)
                    o.read().length());
            run.advance(o.task(), o.task().answer(new ReadResult.Found(bytes, object.length), scratch));
            scratch.reset(0);
        }
        Arrays.fill(lent, SPOILED);
    }

    /** Returns the reads so far, in order; a read of an absent object has length 0. */
    public List<Read> reads() {
        return List.copyOf(reads);
    }

    /** Returns the number of reads. */
    public int requests() {
        return reads.size();
    }

    /** Returns the number of bytes read. */
    public long bytes() {
        return reads.stream().mapToLong(Read::length).sum();
    }

    /** Returns the number of waves, which is the number of round trips. */
    public int waves() {
        return waves;
    }

    /** Returns the number of reads of each object. */
    public Map<String, Integer> requestsByKey() {
        Map<String, Integer> counts = new HashMap<>();
        reads.forEach(r -> counts.merge(r.key(), 1, Integer::sum));
        return counts;
    }
}
