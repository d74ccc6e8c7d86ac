package dev.shardkit.spark;

import dev.shardkit.Zarr;
import dev.shardkit.ZarrGroup;
import dev.shardkit.ZarrNode;
import dev.shardkit.ZarrOptions;
import dev.shardkit.cli.NodeFacts;
import dev.shardkit.json.JsonReader;
import dev.shardkit.maintenance.Copy;
import dev.shardkit.maintenance.PartedCopy;
import dev.shardkit.maintenance.ShardRange;
import dev.shardkit.spark.task.TaskMemory;
import dev.shardkit.spark.task.Tasks;
import dev.shardkit.spi.codec.IndexLocation;
import dev.shardkit.spi.codec.Limits;
import dev.shardkit.spi.json.Json;
import dev.shardkit.store.Store;
import java.io.Serializable;
import java.util.List;
import java.util.function.Consumer;
import org.apache.spark.api.java.JavaSparkContext;
import org.jspecify.annotations.Nullable;

/**
 * Copies an array, or a group with all its descendants, by the executors of Spark: as stored, or with other shards,
 * chunks and codecs. Nodes of other formats become Zarr v3. The layout is that of {@link Copy}.
 *
 * <p>Each shard of the target is written by one task at a time, without locks; a task writes a range of neighbouring
 * shards, one after another. Tasks are idempotent: Spark may run them again after a failure, and two attempts at once.
 * The driver writes the metadata after all tasks, so no reader finds the copy before. The same call resumes a job that
 * was killed, and skips the shards that are stored. The target belongs to the job while it runs, and the source must
 * not change.
 *
 * <p>Executors open the locations themselves: paths must mean the same files for them, and credentials come from their
 * environment. Immutable and thread-safe.
 */
public final class CopyJob implements Serializable {
    private static final long serialVersionUID = 1L;

    private final Settings settings;
    private final transient Consumer<String> messages;

    private CopyJob(Settings settings, Consumer<String> messages) {
        this.settings = settings;
        this.messages = messages;
    }

    /** The settings; null where the source decides, and {@code tasks} is 0 if the number of cores decides. */
    private static final class Settings implements Serializable {
        private static final long serialVersionUID = 1L;

        private final String source;
        private final String target;
        private long @Nullable [] shardShape;
        private boolean withoutShards;
        private long @Nullable [] chunkShape;
        private @Nullable String codecs;
        private @Nullable IndexLocation indexLocation;
        private boolean overwrite;
        private int tasks;

        Settings(String source, String target) {
            this.source = source;
            this.target = target;
        }

        Settings copy() {
            Settings copy = new Settings(source, target);
            copy.shardShape = shardShape;
            copy.withoutShards = withoutShards;
            copy.chunkShape = chunkShape;
            copy.codecs = codecs;
            copy.indexLocation = indexLocation;
            copy.overwrite = overwrite;
            copy.tasks = tasks;
            return copy;
        }

        Copy of(ZarrNode from) {
            Copy copy = Copy.of(from);
            copy = withoutShards ? copy.withoutShards() : copy;
            copy = shardShape != null ? copy.withShardShape(shardShape) : copy;
            copy = chunkShape != null ? copy.withChunkShape(chunkShape) : copy;
            copy = indexLocation != null ? copy.withIndexLocation(indexLocation) : copy;
            if (codecs != null) {
                Json.Arr list = (Json.Arr) JsonReader.read(codecs, Limits.defaults());
                copy = copy.withCodecs(list.items().toArray(Json[]::new));
            }
            return overwrite ? copy.overwriting() : copy;
        }
    }

    /**
     * The result of a job.
     *
     * @param shards the number of shards of the target, with data or without
     * @param touched how many of them may hold data: those that meet a stored chunk of the source; all, if the source's
     *     store cannot list
     * @param tasks the number of tasks
     */
    public record Summary(long shards, long touched, int tasks) {}

    /** Creates a copy with an unchanged layout, into an empty place. */
    public static CopyJob of(String source, String target) {
        return new CopyJob(new Settings(source, target), message -> {});
    }

    private CopyJob with(Consumer<Settings> change) {
        Settings changed = settings.copy();
        change.accept(changed);
        return new CopyJob(changed, messages);
    }

    /** Returns a copy of this job with shards of this shape. */
    public CopyJob withShardShape(long... shape) {
        return with(s -> {
            s.shardShape = shape.clone();
            s.withoutShards = false;
        });
    }

    /** Returns a copy of this job without shards: inner chunks become chunks, with the same codecs. */
    public CopyJob withoutShards() {
        return with(s -> {
            s.shardShape = null;
            s.withoutShards = true;
        });
    }

    /** Returns a copy of this job with chunks, or inner chunks, of this shape. */
    public CopyJob withChunkShape(long... shape) {
        return with(s -> s.chunkShape = shape.clone());
    }

    /** Returns a copy of this job with these codecs for chunks, or inner chunks; {@code bytes} is implied. */
    public CopyJob withCodecs(Json... codecs) {
        return with(s -> s.codecs = new Json.Arr(List.of(codecs)).toString());
    }

    /** Returns a copy of this job with this location of the shard index. */
    public CopyJob withIndexLocation(IndexLocation location) {
        return with(s -> s.indexLocation = location);
    }

    /** Returns a copy of this job that replaces an existing node or unfinished copy, and nothing else. */
    public CopyJob overwriting() {
        return with(s -> s.overwrite = true);
    }

    /**
     * Returns a copy of this job with at most this many tasks for each array. By default there are 16 for each core, at
     * most 10000.
     */
    public CopyJob withTasks(int most) {
        if (most < 1) {
            throw new IllegalArgumentException("expected at least 1 task, found " + most);
        }
        return with(s -> s.tasks = most);
    }

    /** Returns a copy of this job that tells {@code listener} its plan before it runs: one line, on the driver. */
    public CopyJob withMessages(Consumer<String> listener) {
        return new CopyJob(settings, listener);
    }

    /**
     * Runs the job.
     *
     * @throws IllegalArgumentException if an array does not support the requested layout
     * @throws dev.shardkit.spi.error.ZarrException if the source cannot be opened, the target holds anything else than
     *     an unfinished copy of this job, or a task failed as often as Spark allows; no reader finds the target
     */
    public Summary run(JavaSparkContext spark) {
        try (Opened opened = new Opened(settings, ZarrOptions.defaults())) {
            PartedCopy parts = opened.parts;
            List<ShardRange> ranges = parts.split(settings.tasks > 0 ? settings.tasks : Tasks.count(spark));
            long touched = ranges.stream().mapToLong(ShardRange::count).sum();
            TaskMemory memory = TaskMemory.ofCopy(spark, parts.shardBytes());
            String name = "copy " + opened.from.location() + " to " + opened.to.describe();
            messages.accept(name + ": " + touched + " of " + NodeFacts.count(parts.shards(), "shard")
                    + " may hold data; " + NodeFacts.count(ranges.size(), "task") + "; " + memory);
            memory.check();
            parts.begin();
            Tasks.run(
                    spark,
                    name,
                    ranges,
                    new RangeWork(settings, opened.from instanceof ZarrGroup),
                    ". No reader finds the target; run the job again to resume it");
            parts.publish();
            return new Summary(parts.shards(), touched, ranges.size());
        }
    }

    /** The work of a task. */
    private record RangeWork(Settings settings, boolean isTree) implements Tasks.Work<ShardRange, Integer> {
        @Override
        public Integer run(ShardRange range) {
            try (Opened opened = new Opened(settings, Tasks.options())) {
                opened.parts.write(range);
                return 0;
            }
        }

        @Override
        public String name(ShardRange range) {
            return isTree ? range + " (counted over all arrays)" : range.toString();
        }
    }

    /** The source and the target, opened by the driver or a task. */
    private static final class Opened implements AutoCloseable {
        private final ZarrNode from;
        private final Store to;
        private final PartedCopy parts;

        Opened(Settings settings, ZarrOptions options) {
            from = Zarr.open(settings.source, options);
            to = Zarr.openStore(settings.target, options);
            parts = settings.of(from).inParts(to, options);
        }

        @Override
        public void close() {
            to.close();
            from.close();
        }
    }
}
