package dev.shardkit.spark;

import dev.shardkit.spi.error.UnsupportedException;
import org.apache.spark.SparkConf;
import org.apache.spark.api.java.JavaSparkContext;

/**
 * The memory that the tasks of an executor need at once: for each core a shard of the target, decoded and encoded, and
 * what is read of the source.
 *
 * @param needed the bytes that all tasks of an executor need
 * @param available the heap of an executor
 * @param cores the cores of an executor
 */
record TaskMemory(long needed, long available, int cores) {
    private static final long SOURCE_BYTES = 64L << 20;
    /** More than any heap; sizes above count as this. */
    private static final long MOST_BYTES = 1L << 45;

    private static final long MIB = 1 << 20;

    /** Returns the memory for shards of this size. */
    static TaskMemory of(JavaSparkContext spark, long shardBytes) {
        SparkConf conf = spark.getConf();
        boolean local = spark.isLocal();
        long heap = local ? Runtime.getRuntime().maxMemory() : conf.getSizeAsBytes("spark.executor.memory", "1g");
        int cores = Math.max(1, local ? spark.defaultParallelism() : conf.getInt("spark.executor.cores", 1));
        long bounded = Math.min(shardBytes, MOST_BYTES);
        return new TaskMemory(cores * (2 * bounded + Math.min(bounded, SOURCE_BYTES)), heap, cores);
    }

    /** Throws if the heap is too small. */
    void check() {
        if (needed > available) {
            throw new UnsupportedException("not enough memory: the tasks of an executor need " + mib(needed) + " for "
                    + cores + " cores at once, and it has a heap of " + mib(available)
                    + "; raise spark.executor.memory (with a local master: spark.driver.memory), lower"
                    + " spark.executor.cores, or choose smaller shards");
        }
    }

    /** Returns a number of bytes for messages. */
    static String mib(long bytes) {
        return (bytes + MIB - 1) / MIB + " MiB";
    }
}
