package dev.shardkit.spark.source;

import java.util.Set;
import org.apache.spark.sql.connector.catalog.SupportsWrite;
import org.apache.spark.sql.connector.catalog.TableCapability;
import org.apache.spark.sql.connector.write.LogicalWriteInfo;
import org.apache.spark.sql.connector.write.WriteBuilder;
import org.apache.spark.sql.types.StructType;

/** The Spark table of a write's target that does not exist yet. Its columns are those of the rows to write. */
final class NewTable implements SupportsWrite {
    private final NewTarget target;
    private final StructType schema;

    NewTable(NewTarget target, StructType schema) {
        this.target = target;
        this.schema = schema;
    }

    @Override
    public String name() {
        return "shardkit, a new target";
    }

    @Override
    @SuppressWarnings("deprecation") // the only method before Spark 4
    public StructType schema() {
        return schema;
    }

    @Override
    public Set<TableCapability> capabilities() {
        return ShardkitTable.WRITES;
    }

    @Override
    public WriteBuilder newWriteBuilder(LogicalWriteInfo info) {
        return new ShardkitWrite(target, info.schema());
    }
}
