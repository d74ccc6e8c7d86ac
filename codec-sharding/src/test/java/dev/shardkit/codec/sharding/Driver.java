package dev.shardkit.codec.sharding;

import dev.shardkit.spi.error.ZarrException;
import dev.shardkit.spi.plan.ByteRange;
import dev.shardkit.spi.plan.Bytes;
import dev.shardkit.spi.plan.Plan;
import dev.shardkit.spi.plan.PlanRun;
import dev.shardkit.spi.plan.PlanRun.ReadTask;
import dev.shardkit.spi.plan.PlanRun.Task;
import dev.shardkit.spi.plan.ReadResult;
import dev.shardkit.spi.plan.Scratch;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;

/**
 * Runs plans wave by wave on the calling thread: what is ready is read (neighbours merged), then decoded in an order of
 * choice, then the plan goes on. Adds places to errors, as an engine does. Not thread-safe.
 */
final class Driver {
    /** In which order the tasks of a wave are worked on. */
    enum Order {
        FORWARD,
        BACKWARD,
        SHUFFLED
    }

    private final int budget;
    private final long gap;
    private final Order order;
    private final Random random = new Random(7);
    int maxOpen;
    long tasks;

    Driver(int budget, long gap, Order order) {
        this.budget = budget;
        this.gap = gap;
        this.order = order;
    }

    static Driver plain() {
        return new Driver(1, 0, Order.FORWARD);
    }

    static Driver merging() {
        return new Driver(10_000, 4096, Order.FORWARD);
    }

    <T> T run(Plan<T> plan, ObjectMap objects) {
        PlanRun<T> run = new PlanRun<>(plan, budget);
        try (Scratch scratch = new Scratch()) {
            while (run.value().isEmpty()) {
                List<Task> wave = new ArrayList<>();
                for (Optional<Task> t = run.next(); t.isPresent(); t = run.next()) {
                    wave.add(t.get());
                }
                maxOpen = Math.max(maxOpen, run.open());
                tasks += wave.size();
                Map<Task, ReadResult> answers = fetch(wave, objects);
                if (order == Order.BACKWARD) {
                    Collections.reverse(wave);
                } else if (order == Order.SHUFFLED) {
                    Collections.shuffle(wave, random);
                }
                for (Task t : wave) {
                    run.advance(t, work(t, answers, scratch));
                    scratch.reset(0);
                }
            }
            return run.value().get();
        }
    }

    private static Plan<?> work(Task task, Map<Task, ReadResult> answers, Scratch scratch) {
        try {
            return task instanceof ReadTask r
                    ? r.answer(answers.get(r), scratch)
                    : ((PlanRun.WorkTask) task).run(scratch);
        } catch (ZarrException e) {
            throw e.locate(Optional.empty(), Optional.of(task.location()), Optional.empty());
        }
    }

    private Map<Task, ReadResult> fetch(List<Task> wave, ObjectMap objects) {
        Map<Task, ReadResult> answers = new HashMap<>();
        List<ReadTask> slices = new ArrayList<>();
        for (Task t : wave) {
            if (t instanceof ReadTask r && r.request().range() instanceof ByteRange.Slice) {
                slices.add(r);
            } else if (t instanceof ReadTask r) {
                answers.put(r, answer(r, r.request().range(), objects));
            }
        }
        slices.sort(Comparator.comparing((ReadTask r) -> r.request().key()).thenComparing(r -> slice(r).offset()));
        for (int a = 0; a < slices.size(); ) {
            int b = a + 1;
            long end = slice(slices.get(a)).end();
            while (b < slices.size()
                    && slices.get(b)
                            .request()
                            .key()
                            .equals(slices.get(a).request().key())
                    && slice(slices.get(b)).offset() <= end + gap) {
                end = Math.max(end, slice(slices.get(b)).end());
                b++;
            }
            long start = slice(slices.get(a)).offset();
            ReadResult merged = answer(slices.get(a), new ByteRange.Slice(start, end - start), objects);
            for (ReadTask r : slices.subList(a, b)) {
                answers.put(r, cut(merged, start, slice(r)));
            }
            a = b;
        }
        return answers;
    }

    private static ReadResult answer(ReadTask task, ByteRange range, ObjectMap objects) {
        try {
            return objects.answer(task.request().key(), range);
        } catch (ZarrException e) {
            throw e.locate(Optional.empty(), Optional.of(task.location()), Optional.empty());
        }
    }

    private static ReadResult cut(ReadResult merged, long start, ByteRange.Slice slice) {
        if (merged instanceof ReadResult.Found f) {
            Bytes part = f.bytes().slice(slice.offset() - start, slice.length());
            return new ReadResult.Found(part, f.sourceSize());
        }
        return merged;
    }

    private static ByteRange.Slice slice(ReadTask task) {
        return (ByteRange.Slice) task.request().range();
    }
}
