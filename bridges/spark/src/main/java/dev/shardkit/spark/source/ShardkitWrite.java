package dev.shardkit.spark.source;

import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.connector.write.SupportsTruncate;
import org.apache.spark.sql.connector.write.V1Write;
import org.apache.spark.sql.connector.write.WriteBuilder;
import org.apache.spark.sql.sources.InsertableRelation;
import org.apache.spark.sql.types.StructType;

/**
 * A Spark write that gets all rows as one data set (the V1 interface). {@link ShardPartitioning} partitions them by
 * shard, because a source without a catalog can only request partitioning by equal coordinates from Spark.
 */
final class ShardkitWrite implements SupportsTruncate, V1Write {
    private final TargetWrite target;
    private final StructType schema;
    private boolean overwrite;

    ShardkitWrite(TargetWrite target, StructType schema) {
        this.target = target;
        this.schema = schema;
    }

    @Override
    public WriteBuilder truncate() {
        overwrite = true;
        return this;
    }

    @Override
    public V1Write build() {
        target.check(schema);
        return this;
    }

    @Override
    public InsertableRelation toInsertableRelation() {
        return this::insert;
    }

    /** Ignores Spark's parameter for overwriting, which is never set in a V1 write: Spark calls {@link #truncate}. */
    private void insert(Dataset<Row> rows, boolean ignored) {
        target.run(rows, overwrite);
    }
}
