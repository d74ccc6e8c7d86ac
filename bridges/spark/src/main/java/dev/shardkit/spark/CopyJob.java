package dev.shardkit.spark;

import dev.shardkit.maintenance.copy.Copy;
import dev.shardkit.spi.codec.IndexLocation;
import dev.shardkit.spi.json.Json;
import java.io.Serializable;
import java.util.List;
import java.util.function.Consumer;
import org.apache.spark.api.java.JavaSparkContext;

/**
 * Copies an array, or a group with all its descendants, with the executors of Spark: as stored, or with other shards,
 * chunks and codecs. Nodes of other formats become Zarr v3. {@link Copy} gives the target the same layout.
 *
 * <p>Each shard of the target is written by one task at a time, without locks; a task writes a range of consecutive
 * shards, one after another. Tasks are idempotent: Spark may run them again after a failure, and two attempts at once.
 * The driver writes the metadata after all tasks, so no reader finds the copy before. The same call resumes a job that
 * was killed, and skips the shards that are stored. The target belongs to the job while it runs, and the source must
 * not change.
 *
 * <p>Executors open the locations themselves: paths must mean the same files for them, and credentials come from their
 * environment. Relative paths are those of the driver, and become absolute before tasks start. Immutable and
 * thread-safe.
 */
public final class CopyJob implements Serializable {
    private static final long serialVersionUID = 1L;

    private final CopySettings settings;
    private final transient Consumer<String> messages;

    private CopyJob(CopySettings settings, Consumer<String> messages) {
        this.settings = settings;
        this.messages = messages;
    }

    /**
     * The result of a job. If the job takes two passes, the numbers are those of the second pass. They are all 0 if an
     * earlier run has published the copy, and this run only deleted the intermediate array.
     *
     * @param shards the number of shards of the target, with data or without
     * @param touched how many of these shards may hold data, because they intersect a stored chunk of the source; all
     *     shards if the source's store does not support listing
     * @param skipped how many of the touched shards an earlier run of the job had stored
     * @param tasks the number of tasks
     */
    public record Summary(long shards, long touched, long skipped, int tasks) {}

    /** Creates a copy with an unchanged layout, into an empty target. */
    public static CopyJob of(String source, String target) {
        return new CopyJob(new CopySettings(source, target), message -> {});
    }

    /** Returns a copy of this job with a change of its settings. */
    private CopyJob with(Consumer<CopySettings> change) {
        CopySettings changed = settings.copy();
        change.accept(changed);
        return new CopyJob(changed, messages);
    }

    /** Returns a copy of this job with shards of this shape. */
    public CopyJob withShardShape(long... shape) {
        return with(changed -> {
            changed.shardShape = shape.clone();
            changed.withoutShards = false;
        });
    }

    /** Returns a copy of this job without shards: inner chunks become chunks, with the same codecs. */
    public CopyJob withoutShards() {
        return with(changed -> {
            changed.shardShape = null;
            changed.withoutShards = true;
        });
    }

    /** Returns a copy of this job with chunks, or inner chunks, of this shape. */
    public CopyJob withChunkShape(long... shape) {
        return with(changed -> changed.chunkShape = shape.clone());
    }

    /** Returns a copy of this job with these codecs for chunks, or inner chunks; {@code bytes} is implied. */
    public CopyJob withCodecs(Json... codecs) {
        return with(changed -> changed.codecs = new Json.Arr(List.of(codecs)).toString());
    }

    /** Returns a copy of this job with this location of the shard index. */
    public CopyJob withIndexLocation(IndexLocation location) {
        return with(changed -> changed.indexLocation = location);
    }

    /**
     * Returns a copy of this job that replaces an existing node or unfinished copy. It still fails if the target holds
     * other objects.
     */
    public CopyJob overwriting() {
        return with(changed -> changed.overwrite = true);
    }

    /**
     * Returns a copy of this job with at most this many tasks for each array. By default there are 16 for each core, at
     * most 10000.
     */
    public CopyJob withTasks(int max) {
        if (max < 1) {
            throw new IllegalArgumentException("expected at least 1 task, found " + max);
        }
        return with(changed -> changed.tasks = max);
    }

    /**
     * Returns a copy of this job whose tasks need at most this memory each. If a direct copy would decode the chunks of
     * the source more than three times on average, the job makes two passes through an intermediate array
     * ({@link dev.shardkit.maintenance.copy.RechunkPlan}). This array lies in the target until the end of the job. The
     * source must be one array with a regular chunk grid and elements of one size; otherwise, or if the memory is too
     * little, {@link #run} throws an {@link dev.shardkit.spi.error.UnsupportedException}. A task with several cores
     * shares the memory among them.
     *
     * @throws IllegalArgumentException unless bytes &gt;= 1
     */
    public CopyJob withMaxMemory(long bytes) {
        if (bytes < 1) {
            throw new IllegalArgumentException("expected at least 1 byte, found " + bytes);
        }
        return with(changed -> changed.maxMemory = bytes);
    }

    /**
     * Returns a copy of this job that sends {@code listener} lines of text, on the driver: its plan before it runs (one
     * line for each pass, and with {@link #withMaxMemory} one line before them), its progress with bytes and the
     * estimated remaining time, and at the end of each pass the bytes and retries.
     */
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
        return new CopyRun(settings, messages, spark).run();
    }
}
