package dev.shardkit.spark.source;

import dev.shardkit.spi.error.UnsupportedException;
import java.util.EnumSet;
import java.util.Set;
import org.apache.spark.sql.connector.catalog.SupportsRead;
import org.apache.spark.sql.connector.catalog.SupportsWrite;
import org.apache.spark.sql.connector.catalog.TableCapability;
import org.apache.spark.sql.connector.read.ScanBuilder;
import org.apache.spark.sql.connector.write.LogicalWriteInfo;
import org.apache.spark.sql.connector.write.WriteBuilder;
import org.apache.spark.sql.types.StructType;
import org.apache.spark.sql.util.CaseInsensitiveStringMap;

/** The Spark table of an existing array or group, for scans and writes. */
final class ShardkitTable implements SupportsRead, SupportsWrite {
    /**
     * The capabilities for writes. {@code V1_BATCH_WRITE} means that Spark hands all rows to code on the driver, as a
     * data set. {@code ACCEPT_ANY_SCHEMA} means that shardkit checks the columns, not Spark.
     */
    static final Set<TableCapability> WRITES = Set.of(
            TableCapability.BATCH_WRITE,
            TableCapability.V1_BATCH_WRITE,
            TableCapability.TRUNCATE,
            TableCapability.ACCEPT_ANY_SCHEMA);

    private final TableColumns table;
    private final CaseInsensitiveStringMap options;

    ShardkitTable(TableColumns table, CaseInsensitiveStringMap options) {
        this.table = table;
        this.options = options;
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
        Set<TableCapability> all = EnumSet.copyOf(WRITES);
        all.add(TableCapability.BATCH_READ);
        return all;
    }

    /** Returns a scan with the options that opened the table. Spark passes these options here again. */
    @Override
    public ScanBuilder newScanBuilder(CaseInsensitiveStringMap sameOptions) {
        return new ShardkitScan(table, TableOptions.maxPartitionBytes(options));
    }

    @Override
    public WriteBuilder newWriteBuilder(LogicalWriteInfo info) {
        if (table.isDecoded()) {
            throw new UnsupportedException(
                    "option decode=cf: expected it for reads, found a write; physical values and labels cannot be written");
        }
        return new ShardkitWrite(new ExistingTarget(table, options), info.schema());
    }
}
