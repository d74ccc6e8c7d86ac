package dev.shardkit.spark.source;

import org.apache.spark.sql.connector.metric.CustomMetric;
import org.apache.spark.sql.connector.metric.CustomSumMetric;
import org.apache.spark.sql.connector.metric.CustomTaskMetric;

/**
 * The metrics of a scan, which Spark's UI shows for a query. Spark creates instances of the nested public classes by
 * reflection.
 */
public final class ScanMetrics {
    private ScanMetrics() {}

    static CustomMetric[] all() {
        return new CustomMetric[] {new BytesRead(), new ChunksDecoded(), new Retries(), new ShardsPruned()};
    }

    /**
     * The value of a metric that a task or the driver reports.
     *
     * @param name the name of the metric
     * @param value the count
     */
    record Count(String name, long value) implements CustomTaskMetric {}

    /** Bytes that stores sent. */
    public static final class BytesRead extends CustomSumMetric {
        static final String NAME = "bytesRead";

        /** Used by Spark. */
        public BytesRead() {}

        @Override
        public String name() {
            return NAME;
        }

        @Override
        public String description() {
            return "bytes read from the store";
        }
    }

    /** Inner chunks of all columns that were read; chunks, in arrays without shards. */
    public static final class ChunksDecoded extends CustomSumMetric {
        static final String NAME = "chunksDecoded";

        /** Used by Spark. */
        public ChunksDecoded() {}

        @Override
        public String name() {
            return NAME;
        }

        @Override
        public String description() {
            return "chunks decoded";
        }
    }

    /** Requests that were repeated. */
    public static final class Retries extends CustomSumMetric {
        static final String NAME = "retries";

        /** Used by Spark. */
        public Retries() {}

        @Override
        public String name() {
            return NAME;
        }

        @Override
        public String description() {
            return "requests repeated";
        }
    }

    /** Shards of the array that no task reads: filters leave them out, or they are not stored. */
    public static final class ShardsPruned extends CustomSumMetric {
        static final String NAME = "shardsPruned";

        /** Used by Spark. */
        public ShardsPruned() {}

        @Override
        public String name() {
            return NAME;
        }

        @Override
        public String description() {
            return "shards pruned";
        }
    }
}
