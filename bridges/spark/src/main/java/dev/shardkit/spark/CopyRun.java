package dev.shardkit.spark;

import dev.shardkit.Zarr;
import dev.shardkit.ZarrGroup;
import dev.shardkit.ZarrNode;
import dev.shardkit.ZarrOptions;
import dev.shardkit.cli.print.NodeText;
import dev.shardkit.maintenance.ShardRange;
import dev.shardkit.maintenance.copy.PartedCopy;
import dev.shardkit.maintenance.copy.PartedRechunk;
import dev.shardkit.maintenance.copy.RechunkPlan;
import dev.shardkit.spark.task.TaskMemory;
import dev.shardkit.spark.task.Tasks;
import dev.shardkit.store.Store;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.apache.spark.api.java.JavaSparkContext;
import org.jspecify.annotations.Nullable;

/** Runs a {@link CopyJob} from the driver, in one pass or two. Used once. */
final class CopyRun {
    private static final String RESUME = ". No reader finds the target; run the job again to resume it";

    private final CopySettings settings;
    private final Consumer<String> messages;
    private final JavaSparkContext spark;
    private final int cores;

    CopyRun(CopySettings settings, Consumer<String> messages, JavaSparkContext spark) {
        this.settings = settings.absolute();
        this.messages = messages;
        this.spark = spark;
        this.cores = Math.max(1, spark.getConf().getInt("spark.task.cpus", 1));
        if (settings.maxMemory > 0) {
            this.settings.maxMemory = Math.max(1, settings.maxMemory / cores); // each core writes one shard at a time
        }
    }

    CopyJob.Summary run() {
        try (Opened opened = new Opened(settings, ZarrOptions.defaults())) {
            String name = "copy " + opened.from.location() + " to " + opened.to.describe();
            if (opened.plan != null) {
                messages.accept(name + ": " + opened.plan + (cores > 1 ? " (memory: for each core of a task)" : ""));
            }
            return opened.plan == null || opened.plan.isDirect()
                    ? runPass(name, opened, Pass.DIRECT)
                    : runTwoPasses(name, opened, opened.passes());
        }
    }

    private CopyJob.Summary runTwoPasses(String name, Opened opened, PartedRechunk passes) {
        CopyJob.Summary summary = new CopyJob.Summary(0, 0, 0, 0);
        boolean isPublished = passes.begin(); // by an earlier run, which did not delete the intermediate array
        if (!isPublished) {
            if (!passes.isFirstDone()) {
                runPass(name + ", pass 1", opened, Pass.FIRST);
            }
            summary = runPass(name + ", pass 2", opened, Pass.SECOND);
        }
        passes.finish();
        return summary;
    }

    /** Runs the tasks of a pass, and publishes its array. Tasks skip the shards that an earlier run stored. */
    private CopyJob.Summary runPass(String name, Opened opened, Pass pass) {
        PartedCopy parts = opened.parts(pass);
        List<ShardRange> ranges = parts.split(settings.tasks > 0 ? settings.tasks : Tasks.count(spark));
        long touched = ranges.stream().mapToLong(ShardRange::count).sum();
        TaskMemory memory = opened.plan == null
                ? TaskMemory.ofCopy(spark, parts.shardBytes())
                : TaskMemory.ofWholeShards(spark, parts.shardBytes());
        messages.accept(name + ": " + touched + " of " + NodeText.count(parts.shards(), "shard") + " may hold data; "
                + NodeText.count(ranges.size(), "task") + "; " + memory);
        memory.check();
        parts.begin();
        long skipped = Tasks.run(
                        spark,
                        name,
                        ranges,
                        new RangeWork(settings, pass, opened.from instanceof ZarrGroup),
                        RESUME,
                        messages)
                .stream()
                .mapToLong(count -> count)
                .sum();
        parts.publish();
        return new CopyJob.Summary(parts.shards(), touched, skipped, ranges.size());
    }

    /** A pass of the copy: the only one, or one of two through an intermediate array. */
    private enum Pass {
        DIRECT,
        FIRST,
        SECOND
    }

    /** The work of a task: it writes a range of shards and returns how many of them were stored already. */
    private record RangeWork(CopySettings settings, Pass pass, boolean isTree) implements Tasks.Work<ShardRange, Long> {
        @Override
        public Long run(ShardRange range, ZarrOptions options) {
            try (Opened opened = new Opened(settings, options)) {
                return opened.parts(pass).write(range);
            }
        }

        @Override
        public String name(ShardRange range) {
            return isTree ? range + " (counted over all arrays)" : range.toString();
        }
    }

    /** The source and the target, opened by the driver or a task. */
    private static final class Opened implements AutoCloseable {
        private final CopySettings settings;
        private final ZarrOptions options;
        private final ZarrNode from;
        private final Store to;
        /** The number of passes and the intermediate array; null without a limit on memory. */
        private final @Nullable RechunkPlan plan;

        private final List<Store> intermediates = new ArrayList<>();
        private @Nullable PartedRechunk passes;

        Opened(CopySettings settings, ZarrOptions options) {
            this.settings = settings;
            this.options = options;
            from = Zarr.open(settings.source, options);
            to = Zarr.openStore(settings.target, options);
            plan = settings.maxMemory == 0 ? null : PartedRechunk.plan(settings.of(from), options, settings.maxMemory);
        }

        /** Returns the copy of a pass, which tasks make in parts. */
        PartedCopy parts(Pass pass) {
            return switch (pass) {
                case DIRECT -> {
                    PartedCopy parts = settings.of(from).inParts(to, options);
                    yield plan == null ? parts : parts.loadingWholeShards();
                }
                case FIRST -> passes().first();
                case SECOND -> passes().second();
            };
        }

        /** Returns the two passes. Opens the intermediate array's store with the first call. */
        PartedRechunk passes() {
            PartedRechunk opened = passes;
            if (opened == null) {
                Store between = Zarr.openStore(PartedRechunk.between(to, settings.target), options);
                intermediates.add(between);
                opened = PartedRechunk.of(
                        settings.of(from), java.util.Objects.requireNonNull(plan), to, between, options);
                passes = opened;
            }
            return opened;
        }

        @Override
        public void close() {
            intermediates.forEach(Store::close);
            to.close();
            from.close();
        }
    }
}
