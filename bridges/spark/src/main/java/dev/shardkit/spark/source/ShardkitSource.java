package dev.shardkit.spark.source;

import dev.shardkit.Zarr;
import dev.shardkit.ZarrOptions;
import dev.shardkit.maintenance.relayout.Replacement;
import dev.shardkit.spi.error.UnsupportedException;
import dev.shardkit.store.Store;
import java.util.Map;
import org.apache.spark.sql.connector.catalog.Table;
import org.apache.spark.sql.connector.catalog.TableProvider;
import org.apache.spark.sql.connector.expressions.Transform;
import org.apache.spark.sql.sources.DataSourceRegister;
import org.apache.spark.sql.types.StructType;
import org.apache.spark.sql.util.CaseInsensitiveStringMap;

/**
 * The data source {@code shardkit}: an array, or the arrays of a group that have one shape and one grid, as a table.
 * {@code spark.read().format("shardkit").load(url)} has a row for each element: its coordinates, named as the array's
 * dimensions or {@code d0}, {@code d1} and so on, and its value, named {@code value} or as the array in the group.
 *
 * <p>Options: {@code rows}: {@code elements} (default), or {@code chunks} for a row for each chunk: coordinates of its
 * first element, {@code shape}, and its elements in C order as an array. {@code missing}: {@code skip} (default) leaves
 * out the shards that are not stored, {@code fill} reads them as fill values. {@code decode}: {@code none} (default),
 * or {@code cf} for a group whose arrays follow the CF conventions: columns of labels in place of indices, and physical
 * values. {@code variables}: with {@code decode=cf}, the arrays that become columns of values, by default all data
 * variables.
 *
 * <p>{@code rows.write().format("shardkit").mode("append").save(url)} writes rows of elements: {@code append} lengthens
 * dimension 0, {@code overwrite} replaces all elements. A target that does not exist is made; options:
 * {@code dimensions} (the columns with coordinates), {@code shape}, {@code chunkShape}, {@code shardShape}.
 * {@code gap}: {@code refuse} (default) refuses an append whose rows do not begin where the stored elements end,
 * {@code fill} leaves fill values between them. Other options are refused.
 *
 * <p>Spark finds this class as a service, by its short name, and creates an instance for each read or write.
 */
public final class ShardkitSource implements TableProvider, DataSourceRegister {
    /** Whether Spark has requested the schema, which it does only before reads. */
    private boolean isRead;

    /** Creates a source. */
    public ShardkitSource() {}

    @Override
    public String shortName() {
        return "shardkit";
    }

    @Override
    public StructType inferSchema(CaseInsensitiveStringMap options) {
        isRead = true;
        TableOptions.checkRead(options);
        return TableColumns.of(options).schema();
    }

    @Override
    public Table getTable(StructType schema, Transform[] partitioning, Map<String, String> properties) {
        CaseInsensitiveStringMap options = new CaseInsensitiveStringMap(properties);
        TableOptions.checkWrite(options);
        String url = TableColumns.url(options);
        return exists(url)
                ? new ShardkitTable(isRead ? TableColumns.of(options) : openTarget(options, url), options)
                : new NewTable(new NewTarget(options, url), schema);
    }

    /**
     * Opens the target of a write. An overwrite commits one array after another. If the driver of an earlier overwrite
     * died between two arrays, their shapes differ, and this method completes that overwrite first.
     */
    private static TableColumns openTarget(CaseInsensitiveStringMap options, String url) {
        try {
            return TableColumns.of(options);
        } catch (UnsupportedException e) {
            try (Store store = Zarr.openStore(url, ZarrOptions.defaults())) {
                Replacement.settle(store, ZarrOptions.defaults());
            }
            return TableColumns.of(options);
        }
    }

    private static boolean exists(String url) {
        try (Store store = Zarr.openStore(url, ZarrOptions.defaults())) {
            return Zarr.find(store, "", ZarrOptions.defaults()).isPresent();
        }
    }

    /** Returns true, so that Spark passes the columns of the rows to write. A new target gets these columns. */
    @Override
    public boolean supportsExternalMetadata() {
        return true;
    }
}
