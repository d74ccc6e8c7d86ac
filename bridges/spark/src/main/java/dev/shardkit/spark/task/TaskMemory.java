package dev.shardkit.spark.task;

import dev.shardkit.cli.print.NodeText;
import dev.shardkit.spi.error.UnsupportedException;
import java.util.List;
import org.apache.spark.SparkConf;
import org.apache.spark.api.java.JavaSparkContext;

/**
 * Estimates the memory that the concurrent tasks of an executor need: for each core a shard of the target, decoded and
 * encoded, and the elements that are read from the source. A job checks it before it starts.
 *
 * @param needed the bytes that all tasks of an executor need
 * @param available the heap of an executor
 * @param cores the cores of an executor
 */
public record TaskMemory(long needed, long available, Cores cores) {
    private static final String CORES = "spark.executor.cores";
    /** The most bytes of the source that a copy holds for each core. */
    private static final long SOURCE_BYTES = 64L << 20;
    /** A pyramid's elements of the next finer level take at most the heap divided by this number. */
    private static final long FINER_SHARE = 16;
    /** More than any heap has. Larger shards count as this size, so that sums do not overflow. */
    private static final long MAX_BYTES = 1L << 45;

    private static final long MIB = 1 << 20;

    /**
     * The cores of an executor.
     *
     * @param isGuess whether the number is estimated, because neither the configuration nor an executor provides it
     */
    public record Cores(int count, boolean isGuess) {
        static Cores of(JavaSparkContext spark) {
            SparkConf conf = spark.getConf();
            if (spark.isLocal()) {
                return new Cores(Math.max(1, spark.defaultParallelism()), false);
            } else if (conf.contains(CORES)) {
                return new Cores(Math.max(1, conf.getInt(CORES, 1)), false);
            } else if (!spark.master().startsWith("spark://")) {
                return new Cores(1, false); // the default of YARN and Kubernetes
            }
            spark.parallelize(List.of(0), 1).count(); // waits for an executor
            int executors = spark.sc().statusTracker().getExecutorInfos().length - 1; // without the driver
            // Without the setting, the default parallelism of a standalone master is the cores of all executors.
            return of(
                    executors,
                    conf.contains("spark.default.parallelism") ? 0 : spark.defaultParallelism(),
                    conf.getInt("spark.cores.max", 0));
        }

        /**
         * Returns the cores of an executor of a standalone master. Without a setting, an executor uses all cores of its
         * worker.
         *
         * @param all the cores of all executors; 0 if unknown
         * @param max the maximum number of cores of the job; 0 if not set
         */
        static Cores of(int executors, int all, int max) {
            if (executors > 0 && all > 0) {
                return new Cores((all + executors - 1) / executors, false);
            }
            return max > 0 ? new Cores(max, false) : new Cores(1, true);
        }
    }

    /** Returns the memory of a copy to shards of this size. */
    public static TaskMemory ofCopy(JavaSparkContext spark, long shardBytes) {
        long heap = spark.isLocal()
                ? Runtime.getRuntime().maxMemory()
                : spark.getConf().getSizeAsBytes("spark.executor.memory", "1g");
        Cores cores = Cores.of(spark);
        long bounded = Math.min(shardBytes, MAX_BYTES);
        return new TaskMemory(cores.count * (2 * bounded + Math.min(bounded, SOURCE_BYTES)), heap, cores);
    }

    /** Returns the memory of a copy that loads all elements of a shard of this size at once. */
    public static TaskMemory ofWholeShards(JavaSparkContext spark, long shardBytes) {
        TaskMemory copy = ofCopy(spark, shardBytes);
        // For each core: the source's elements, the decoded shard and the encoded shard.
        return new TaskMemory(3 * Math.min(shardBytes, MAX_BYTES) * copy.cores.count, copy.available, copy.cores);
    }

    /** Returns the memory of a pyramid with shards of this size: as a copy, and parts of the next finer level. */
    public static TaskMemory ofPyramid(JavaSparkContext spark, long shardBytes) {
        TaskMemory copy = ofCopy(spark, shardBytes);
        long finer = Math.min(copy.cores.count * SOURCE_BYTES, copy.available / FINER_SHARE);
        return new TaskMemory(copy.needed + finer, copy.available, copy.cores);
    }

    /** Throws if the heap is too small. */
    public void check() {
        if (needed > available) {
            throw new UnsupportedException("not enough memory: the tasks of an executor need " + mib(needed) + " for "
                    + NodeText.count(cores.count, "core") + " at once, and it has a heap of " + mib(available)
                    + "; raise spark.executor.memory (with a local master: spark.driver.memory), lower"
                    + " spark.executor.cores, or choose smaller shards");
        }
    }

    /** Returns the need for memory as a part of the message that announces a job. */
    @Override
    public String toString() {
        return "the tasks of an executor need up to " + mib(needed) + " at once"
                + (cores.isGuess ? ", counting one core for each because " + CORES + " is not set" : "");
    }

    private static String mib(long bytes) {
        return (bytes + MIB - 1) / MIB + " MiB";
    }
}
