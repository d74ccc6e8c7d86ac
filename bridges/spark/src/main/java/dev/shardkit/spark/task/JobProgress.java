package dev.shardkit.spark.task;

import dev.shardkit.cli.print.NodeText;
import java.time.Duration;
import java.util.BitSet;
import java.util.HashSet;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.scheduler.SparkListener;
import org.apache.spark.scheduler.SparkListenerJobStart;
import org.apache.spark.scheduler.SparkListenerTaskEnd;

/**
 * Reports the progress of a job's tasks: lines with the finished tasks, their bytes, and the estimated remaining time.
 * Prints a line when a task has finished, but at most one in each {@value #INTERVAL} (10 seconds by default). Runs on
 * the driver. Thread-safe.
 */
final class JobProgress extends SparkListener implements AutoCloseable {
    /** The Spark setting for the minimum time between two lines. */
    static final String INTERVAL = "spark.shardkit.progress";

    /** The property that marks a Spark job with the id of its progress. */
    private static final String JOB = "shardkit.job";

    private final JavaSparkContext spark;
    private final String name;
    private final int tasks;
    private final Consumer<String> messages;
    private final TrafficCounters counters;
    private final long interval;
    private final LongSupplier clock;
    private final String id = UUID.randomUUID().toString();
    /** The ids of the stages of the job. */
    private final Set<Integer> stages = new HashSet<>();
    /** The numbers of the tasks that have succeeded. */
    private final BitSet ended = new BitSet();

    private final long began;
    /** When the last line was reported. */
    private long reported;

    private JobProgress(
            JavaSparkContext spark,
            String name,
            int tasks,
            TrafficCounters counters,
            Consumer<String> messages,
            LongSupplier clock) {
        this.spark = spark;
        this.name = name;
        this.tasks = tasks;
        this.counters = counters;
        this.messages = messages;
        this.clock = clock;
        this.interval = TimeUnit.SECONDS.toNanos(spark.getConf().getTimeAsSeconds(INTERVAL, "10s"));
        this.began = clock.getAsLong();
        this.reported = began;
    }

    /** Starts to report on the next job of this thread, which has this many tasks. */
    static JobProgress of(
            JavaSparkContext spark, String name, int tasks, TrafficCounters counters, Consumer<String> messages) {
        JobProgress progress = new JobProgress(spark, name, tasks, counters, messages, System::nanoTime);
        spark.setLocalProperty(JOB, progress.id);
        spark.sc().addSparkListener(progress);
        return progress;
    }

    @Override
    public synchronized void onJobStart(SparkListenerJobStart start) {
        if (id.equals(start.properties().getProperty(JOB))) {
            start.stageInfos().foreach(stage -> stages.add(stage.stageId()));
        }
    }

    @Override
    public void onTaskEnd(SparkListenerTaskEnd end) {
        String line = lineAfter(end);
        if (!line.isEmpty()) {
            messages.accept(line);
        }
    }

    /** Returns the line to report when a task has ended; an empty text if no line is due. */
    private synchronized String lineAfter(SparkListenerTaskEnd end) {
        if (!stages.contains(end.stageId()) || !end.taskInfo().successful()) {
            return "";
        }
        ended.set(end.taskInfo().index()); // two attempts of a task may end
        int done = ended.cardinality();
        long now = clock.getAsLong();
        if (done == tasks || now - reported < interval) {
            return "";
        }
        reported = now;
        return name + ": " + done + " of " + NodeText.count(tasks, "task") + ", " + counters.bytes() + ", about "
                + text(left(now - began, done, tasks)) + " left";
    }

    /** Returns the remaining time if all tasks take as long as the finished ones. */
    static Duration left(long nanos, int done, int tasks) {
        return Duration.ofNanos((long) ((double) nanos / done * (tasks - done)));
    }

    /** Reports the totals of the whole job. */
    void end() {
        messages.accept(name + ": " + NodeText.count(tasks, "task") + " in "
                + text(Duration.ofNanos(clock.getAsLong() - began)) + ", " + counters.bytes() + ", "
                + counters.retries());
    }

    /** Returns a time in its two largest units, such as "3 min 20 s". */
    static String text(Duration time) {
        long seconds = Math.max(1, (time.toMillis() + 500) / 1000); // rounded
        long minutes = seconds / 60;
        if (minutes == 0) {
            return seconds + " s";
        }
        return minutes < 60 ? minutes + " min " + seconds % 60 + " s" : minutes / 60 + " h " + minutes % 60 + " min";
    }

    @Override
    public void close() {
        spark.setLocalProperty(JOB, null);
        spark.sc().removeSparkListener(this);
    }
}
