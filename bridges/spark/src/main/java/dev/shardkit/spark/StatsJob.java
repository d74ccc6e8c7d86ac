package dev.shardkit.spark;

import dev.shardkit.Zarr;
import dev.shardkit.ZarrArray;
import dev.shardkit.ZarrOptions;
import dev.shardkit.json.JsonReader;
import dev.shardkit.maintenance.Part;
import dev.shardkit.maintenance.SkippedElements;
import dev.shardkit.maintenance.stats.Statistics;
import dev.shardkit.spark.task.AbsoluteLocation;
import dev.shardkit.spark.task.Tasks;
import dev.shardkit.spi.codec.Limits;
import dev.shardkit.spi.json.Json;
import java.util.List;
import java.util.function.Consumer;
import org.apache.spark.api.java.JavaSparkContext;

/**
 * Computes minimum, maximum, mean, histogram and the share of the fill value of an array with the executors of Spark.
 * The figures are those of {@link Statistics}. Immutable and thread-safe.
 */
public final class StatsJob {
    private static final int DEFAULT_BINS = 16;

    private final String url;
    private final int bins;
    private final SkippedElements skipped;
    private final int tasks;
    private final Consumer<String> messages;

    private StatsJob(String url, int bins, SkippedElements skipped, int tasks, Consumer<String> messages) {
        this.url = url;
        this.bins = bins;
        this.skipped = skipped;
        this.tasks = tasks;
        this.messages = messages;
    }

    /** Creates statistics of an array, with a histogram of at most 16 bins. */
    public static StatsJob of(String url) {
        return new StatsJob(url, DEFAULT_BINS, SkippedElements.MISSING, 0, message -> {});
    }

    /** Returns a copy of this job with a histogram of at most {@code max} bins, 8 to 65536. */
    public StatsJob withBins(int max) {
        return new StatsJob(url, max, skipped, tasks, messages);
    }

    /** Returns a copy of this job that skips these elements. The default is {@link SkippedElements#MISSING}. */
    public StatsJob withSkipped(SkippedElements elements) {
        return new StatsJob(url, bins, elements, tasks, messages);
    }

    /** Returns a copy of this job with at most this many tasks. By default there are 16 for each core. */
    public StatsJob withTasks(int max) {
        if (max < 1) {
            throw new IllegalArgumentException("expected at least 1 task, found " + max);
        }
        return new StatsJob(url, bins, skipped, max, messages);
    }

    /**
     * Returns a copy of this job that sends {@code listener} lines of text, on the driver: its progress with bytes and
     * the estimated remaining time, and at the end the bytes and retries.
     */
    public StatsJob withMessages(Consumer<String> listener) {
        return new StatsJob(url, bins, skipped, tasks, listener);
    }

    /**
     * Reads the elements.
     *
     * @throws IllegalArgumentException unless 8 &lt;= bins &lt;= 65536
     * @throws dev.shardkit.spi.error.ZarrException if the array cannot be opened, or a task failed as often as Spark
     *     allows
     */
    public Statistics.Result run(JavaSparkContext spark) {
        String place = AbsoluteLocation.of(url);
        try (ZarrArray array = Zarr.openArray(place, ZarrOptions.defaults())) {
            Statistics statistics = Statistics.of(array).withBins(bins).withSkipped(skipped);
            long shards = Math.max(1, array.shards().count());
            int parts = (int) Math.min(shards, tasks > 0 ? tasks : Tasks.count(spark));
            // Spark serializes the work of a task: local variables, because this object is not serializable.
            int maxBins = bins;
            SkippedElements skippedElements = skipped;
            List<String> partStatistics = Tasks.runParts(
                    spark,
                    "stats " + array.location(),
                    parts,
                    (part, options) -> part(place, maxBins, skippedElements, part, options),
                    "",
                    messages);
            return statistics.merged(
                    partStatistics.stream().map(StatsJob::object).toList());
        }
    }

    /** Returns the statistics of a part, as JSON text, which Spark can serialize. */
    private static String part(String url, int bins, SkippedElements skipped, Part part, ZarrOptions options) {
        try (ZarrArray array = Zarr.openArray(url, options)) {
            return Statistics.of(array)
                    .withBins(bins)
                    .withSkipped(skipped)
                    .runPart(part)
                    .toString();
        }
    }

    private static Json.Obj object(String text) {
        return (Json.Obj) JsonReader.read(text, Limits.defaults());
    }
}
