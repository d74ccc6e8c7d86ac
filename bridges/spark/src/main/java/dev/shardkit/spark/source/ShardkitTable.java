package dev.shardkit.spark.source;

import java.util.Set;
import org.apache.spark.sql.connector.catalog.SupportsRead;
import org.apache.spark.sql.connector.catalog.TableCapability;
import org.apache.spark.sql.connector.read.ScanBuilder;
import org.apache.spark.sql.types.StructType;
import org.apache.spark.sql.util.CaseInsensitiveStringMap;

/** The table of an array or a group. */
final class ShardkitTable implements SupportsRead {
    private final ArrayTable table;

    ShardkitTable(ArrayTable table) {
        this.table = table;
    }

    @Override
    public String name() {
        return "shardkit " + table.location();
    }

    @Override
    @SuppressWarnings("deprecation") // the only method before Spark 4
    public StructType schema() {
        return table.schema();
    }

    @Override
    public Set<TableCapability> capabilities() {
        return Set.of(TableCapability.BATCH_READ);
    }

    @Override
    public ScanBuilder newScanBuilder(CaseInsensitiveStringMap options) {
        return new ShardkitScan(table);
    }
}
