package dev.shardkit.spark;

import dev.shardkit.Zarr;
import dev.shardkit.ZarrArray;
import dev.shardkit.ZarrOptions;
import dev.shardkit.cli.print.NodeText;
import dev.shardkit.ome.pyramid.PartedPyramid;
import dev.shardkit.ome.pyramid.Pyramid;
import dev.shardkit.spark.task.AbsoluteLocation;
import dev.shardkit.spark.task.TaskMemory;
import dev.shardkit.spark.task.Tasks;
import dev.shardkit.store.Store;
import java.io.Serializable;
import java.util.function.Consumer;
import org.apache.spark.api.java.JavaSparkContext;

/**
 * Makes an OME-Zarr image of an array with the executors of Spark: first a copy, then levels of lower resolution, one
 * after another, each made from the level before. Reducers, layouts and metadata are those of {@link Pyramid}, version
 * 0.5. The driver writes the metadata of a level after its shards, and the metadata of the image last. The same call
 * resumes a job that was killed. The target belongs to the job while it runs. Immutable and thread-safe.
 */
public final class PyramidJob {
    private final String source;
    private final String target;
    private final Settings settings;
    private final Consumer<String> messages;

    private PyramidJob(String source, String target, Settings settings, Consumer<String> messages) {
        this.source = source;
        this.target = target;
        this.settings = settings;
        this.messages = messages;
    }

    /** The settings of a pyramid, which executors apply too. */
    public interface Settings extends Serializable {
        /** Returns the pyramid with these settings. */
        Pyramid applyTo(Pyramid pyramid);
    }

    /** Creates a job with these settings, such as {@code pyramid -> pyramid.withReducer(Reducer.MODE)}. */
    public static PyramidJob of(String source, String target, Settings settings) {
        return new PyramidJob(source, target, settings, message -> {});
    }

    /**
     * Returns a copy of this job that sends {@code listener} lines of text, on the driver: its plan before it runs, its
     * progress with bytes and the estimated remaining time, and after each level the bytes and retries.
     */
    public PyramidJob withMessages(Consumer<String> listener) {
        return new PyramidJob(source, target, settings, listener);
    }

    /**
     * Runs the job.
     *
     * @return the number of levels, and how many of them this call made
     * @throws IllegalArgumentException if the array does not support the settings
     * @throws dev.shardkit.spi.error.ZarrException if the shards do not fit into memory, the source cannot be opened,
     *     the target holds anything else than an unfinished image of this job, or a task failed as often as Spark
     *     allows; no reader finds the image
     */
    public Pyramid.Summary run(JavaSparkContext spark) {
        return new PyramidJob(AbsoluteLocation.of(source), AbsoluteLocation.of(target), settings, messages)
                .runAbsolute(spark);
    }

    /** Runs the job, whose locations are absolute. */
    private Pyramid.Summary runAbsolute(JavaSparkContext spark) {
        try (Opened opened = new Opened(source, target, settings, ZarrOptions.defaults())) {
            PartedPyramid image = opened.image;
            String name = "pyramid " + opened.from.location() + " to " + opened.to.describe();
            TaskMemory memory = TaskMemory.ofPyramid(spark, image.shardBytes());
            messages.accept(name + ": " + NodeText.count(image.levels(), "level") + "; " + memory);
            memory.check();
            image.begin();
            int made = 0;
            for (int level = 0; level < image.levels(); level++) {
                if (!image.isPublished(level)) {
                    write(spark, name + ", level " + level, level, image.shards(level));
                    image.publish(level);
                    made++;
                }
            }
            image.publish();
            return new Pyramid.Summary(image.levels(), made);
        }
    }

    /** Writes the shards of a level, in as many parts as there are tasks. */
    private void write(JavaSparkContext spark, String name, int level, long shards) {
        int parts = (int) Math.min(Math.max(1, shards), Tasks.count(spark));
        // Spark serializes the work of a task: local variables, because this object is not serializable.
        String from = source;
        String to = target;
        Settings taskSettings = settings;
        Tasks.runParts(
                spark,
                name,
                parts,
                (part, options) -> {
                    try (Opened opened = new Opened(from, to, taskSettings, options)) {
                        opened.image.write(level, part.first(shards), part.end(shards));
                        return part.number();
                    }
                },
                ". No reader finds the image; run the job again to resume it",
                messages);
    }

    /** The source and the target, opened by the driver or a task. */
    private static final class Opened implements AutoCloseable {
        private final ZarrArray from;
        private final Store to;
        private final PartedPyramid image;

        Opened(String source, String target, Settings settings, ZarrOptions options) {
            from = Zarr.openArray(source, options);
            to = Zarr.openStore(target, options);
            image = settings.applyTo(Pyramid.of(from)).inParts(to, options);
        }

        @Override
        public void close() {
            to.close();
            from.close();
        }
    }
}
