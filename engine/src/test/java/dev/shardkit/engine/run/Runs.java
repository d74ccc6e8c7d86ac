package dev.shardkit.engine.run;

import dev.shardkit.engine.threads.Workers;
import dev.shardkit.spi.error.CorruptDataException;
import dev.shardkit.spi.plan.ByteRange;
import dev.shardkit.spi.plan.Decoder;
import dev.shardkit.spi.plan.NoResult;
import dev.shardkit.spi.plan.Plan;
import dev.shardkit.spi.plan.ReadResult;
import dev.shardkit.spi.plan.Source;
import dev.shardkit.store.MergePolicy;
import dev.shardkit.store.Reads;
import dev.shardkit.store.StoreListener;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;

/** What the engine's tests have in common: contexts, small plans over one made-up format, executors. */
public final class Runs {
    public static final String ARRAY = "test:array";

    private Runs() {}

    public static ReadContext context(Reads reads) {
        return context(reads, new ValueCache(1 << 20), StoreListener.NONE);
    }

    public static ReadContext context(Reads reads, ValueCache cache, StoreListener listener) {
        return new ReadContext(reads, ARRAY, reads::mergePolicy, cache, ReadContext.Freshness.REVALIDATE, listener);
    }

    public static ReadContext merging(Reads reads, MergePolicy policy) {
        return new ReadContext(
                reads,
                ARRAY,
                () -> policy,
                new ValueCache(1 << 20),
                ReadContext.Freshness.REVALIDATE,
                StoreListener.NONE);
    }

    public static Engine engine(int parallelism) {
        return new Engine(Workers.of(null, parallelism));
    }

    public static Engine engine(Executor executor, int parallelism) {
        return new Engine(Workers.of(executor, parallelism));
    }

    /** The bytes of a slice as text; "absent" where there is no object. */
    public static Plan<String> text(Source source, ByteRange range) {
        return source.read(range, (answer, scratch) -> text(answer));
    }

    public static String text(ReadResult answer) {
        return answer instanceof ReadResult.Found f ? new String(f.bytes().toArray()) : "absent";
    }

    /**
     * A shard in small: its first two bytes, kept, say where the content begins and ends, and the content is the value.
     * {@code shard("hello")} makes one.
     */
    public static Plan<String> indexed(String key) {
        Source shard = Source.stored(key);
        Decoder<String> index = Decoder.kept("index", s -> s.length(), (answer, scratch) -> text(answer));
        return shard.read(new ByteRange.Slice(0, 2), index).then(i -> {
            if (i.equals("absent")) {
                return Plan.done("absent");
            }
            int from = i.charAt(0) - '0';
            int to = i.charAt(1) - '0';
            return text(shard.inner(new long[] {7}, from, to - from), ByteRange.whole());
        });
    }

    /** A part that reads objects one after the other, and puts what it has read under its number. */
    public static Plan<NoResult> reading(long part, List<String> keys, Map<Long, Map<String, String>> read) {
        if (keys.isEmpty()) {
            return Plan.done();
        }
        String key = keys.get(0);
        return indexed(key).then(text -> {
            if (text.contains("!")) {
                throw new CorruptDataException("expected digits, found " + text);
            }
            read.computeIfAbsent(part, p -> new ConcurrentHashMap<>()).put(key, text);
            return reading(part, keys.subList(1, keys.size()), read);
        });
    }

    public static byte[] shard(String content) {
        return ("2" + (char) ('0' + 2 + content.length()) + content).getBytes();
    }

    /** An executor that runs a task when the test says so. */
    public static final class Stepping implements Executor {
        private final Deque<Runnable> tasks = new ArrayDeque<>();

        @Override
        public void execute(Runnable task) {
            tasks.add(task);
        }

        int waiting() {
            return tasks.size();
        }

        void runAll() {
            while (!tasks.isEmpty()) {
                tasks.poll().run();
            }
        }
    }
}
