package dev.shardkit.spark.task;

import dev.shardkit.ZarrOptions;
import dev.shardkit.cli.print.NodeText;
import dev.shardkit.spi.codec.ShardWritePolicy;
import dev.shardkit.spi.plan.ByteRange;
import dev.shardkit.store.StoreListener;
import java.io.Serializable;
import java.time.Duration;
import java.util.Locale;
import java.util.concurrent.atomic.LongAdder;
import org.apache.spark.TaskContext;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.util.LongAccumulator;

/**
 * Counts the bytes and retries of the tasks of a job with Spark's accumulators, which Spark's UI shows too. For each
 * task, Spark adds the counts of one successful attempt and ignores other attempts. Thread-safe.
 */
final class TrafficCounters implements Serializable {
    private static final long serialVersionUID = 1L;
    private static final double UNIT_FACTOR = 1000;

    private final LongAccumulator read;
    private final LongAccumulator written;
    private final LongAccumulator requestRetries;
    private final LongAccumulator taskRetries;

    TrafficCounters(JavaSparkContext spark) {
        read = spark.sc().longAccumulator("bytes read");
        written = spark.sc().longAccumulator("bytes written");
        requestRetries = spark.sc().longAccumulator("requests retried");
        taskRetries = spark.sc().longAccumulator("tasks retried");
    }

    /** Runs the work of a task with options that count. */
    <T, R> R count(T input, Tasks.Work<T, R> work, ZarrOptions options) {
        Events events = new Events();
        R result = work.run(input, options.withListener(events));
        read.add(events.read.sum());
        written.add(events.written.sum());
        requestRetries.add(events.retries.sum());
        TaskContext task = TaskContext.get();
        taskRetries.add(task != null && task.attemptNumber() > 0 ? 1 : 0);
        return result;
    }

    /** The events of one task, on any of its threads. */
    private static final class Events implements StoreListener {
        private final LongAdder read = new LongAdder();
        private final LongAdder written = new LongAdder();
        private final LongAdder retries = new LongAdder();

        @Override
        public void onResponse(String key, ByteRange range, long bytes, Duration took) {
            read.add(bytes);
        }

        @Override
        public void onWrite(String key, ShardWritePolicy.Strategy strategy, long bytes) {
            written.add(bytes);
        }

        @Override
        public void onRetry(String key, int attempt, String reason) {
            retries.increment();
        }
    }

    /** Returns the bytes so far, in words. */
    String bytes() {
        return text(read.value()) + " read, " + text(written.value()) + " written";
    }

    /** Returns the retries so far, in words. */
    String retries() {
        return NodeText.count(requestRetries.value(), "request") + " and " + NodeText.count(taskRetries.value(), "task")
                + " retried";
    }

    /** Returns a number of bytes with a decimal unit. */
    static String text(long bytes) {
        double value = bytes;
        String unit = "bytes";
        for (String next : new String[] {"kB", "MB", "GB", "TB", "PB"}) {
            if (value < UNIT_FACTOR) {
                break;
            }
            value /= UNIT_FACTOR;
            unit = next;
        }
        return unit.equals("bytes") ? bytes + " bytes" : String.format(Locale.ROOT, "%.1f %s", value, unit);
    }
}
