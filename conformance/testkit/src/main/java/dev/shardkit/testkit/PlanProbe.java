package dev.shardkit.testkit;

import dev.shardkit.spi.error.CorruptDataException;
import dev.shardkit.spi.plan.Answer;
import dev.shardkit.spi.plan.ByteRange;
import dev.shardkit.spi.plan.Bytes;
import dev.shardkit.spi.plan.Plan;
import dev.shardkit.spi.plan.PlanRun;
import dev.shardkit.spi.plan.Request;
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
 * Runs plans on the calling thread over objects in memory and counts what they ask for. Work is done in waves: all that
 * can be read now is read at once. Bytes are lent and spoiled afterwards, so a step that keeps what it borrowed shows.
 * Not an engine: no cache, no versions. Not thread-safe.
 */
public final class PlanProbe {
    private static final int BUDGET = 1 << 16;
    private static final byte SPOILED = 0x5c;

    private final Map<String, byte[]> objects;
    private final long gap;
    private final List<Read> reads = new ArrayList<>();
    private int waves;

    private PlanProbe(Map<String, byte[]> objects, long gap) {
        this.objects = objects;
        this.gap = gap;
    }

    /** A read as it was made, after merging. */
    public record Read(String key, long offset, long length) {
        long end() {
            return offset + length;
        }
    }

    private record Open(PlanRun.ReadTask task, Read read) {}

    /** A probe over {@code objects}, by key; the map may change between runs. Each need is a read of its own. */
    public static PlanProbe over(Map<String, byte[]> objects) {
        return new PlanProbe(objects, -1);
    }

    /**
     * The same, counting anew, with reads of one object and wave merged where no more than {@code gap} bytes are
     * between.
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
                    run.advance(task, task.answer(new Answer.Absent(), scratch));
                    scratch.reset(0);
                }
            }
        }
        if (stuck && run.value().isEmpty()) {
            throw new IllegalStateException("the plan has neither ended nor anything to do");
        }
        waves += open.isEmpty() ? 0 : 1;
        open.forEach((key, tasks) -> read(run, key, tasks, scratch));
    }

    private Read resolve(Request<?> request) {
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
        long n = range instanceof ByteRange.Suffix s ? Math.min(s.length(), size) : size;
        return new Read(request.key(), size - n, n);
    }

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

    private void answer(PlanRun<?> run, Read merged, List<Open> tasks, Scratch scratch) {
        reads.add(merged);
        byte[] object = objects.get(merged.key());
        byte[] lent = Arrays.copyOfRange(object, (int) merged.offset(), (int) merged.end());
        for (Open o : tasks) {
            Bytes bytes = Bytes.of(lent, (int) (o.read().offset() - merged.offset()), (int)
                    o.read().length());
            run.advance(o.task(), o.task().answer(new Answer.Found(bytes, object.length), scratch));
            scratch.reset(0);
        }
        Arrays.fill(lent, SPOILED);
    }

    /** The reads so far, in order; one of an absent object has length 0. */
    public List<Read> reads() {
        return List.copyOf(reads);
    }

    /** How many reads there were. */
    public int requests() {
        return reads.size();
    }

    /** How many bytes were read. */
    public long bytes() {
        return reads.stream().mapToLong(Read::length).sum();
    }

    /** How many waves of reads there were: how often something had to be waited for. */
    public int waves() {
        return waves;
    }

    /** How many reads there were of each object. */
    public Map<String, Integer> requestsByKey() {
        Map<String, Integer> counts = new HashMap<>();
        reads.forEach(r -> counts.merge(r.key(), 1, Integer::sum));
        return counts;
    }
}
