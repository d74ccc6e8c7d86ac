package dev.shardkit.spark.source;

import dev.shardkit.spi.error.StoreException;
import dev.shardkit.spi.error.UnsupportedException;
import dev.shardkit.store.Commits;
import dev.shardkit.store.Store;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.functions;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructType;
import org.apache.spark.sql.util.CaseInsensitiveStringMap;

/** The driver's part of a write: it prepares the target, runs the tasks, and publishes the stored shards. */
sealed interface TargetWrite permits NewTarget, ExistingTarget {
    /** The types that a column with coordinates may have. */
    List<DataType> COORDINATES =
            List.of(DataTypes.ByteType, DataTypes.ShortType, DataTypes.IntegerType, DataTypes.LongType);

    /**
     * Throws unless the columns fit the target.
     *
     * @throws IllegalArgumentException if a column is missing, unknown or of another type
     */
    void check(StructType schema);

    /**
     * Stores the rows and publishes them.
     *
     * @param overwrite whether the rows replace existing elements
     */
    void run(Dataset<Row> rows, boolean overwrite);

    /** Refuses columns that are missing or unknown, and coordinates that are no integers. */
    static void check(StructType schema, String location, List<String> dimensions, Map<String, Column> values) {
        List<String> expected = Stream.concat(dimensions.stream(), values.keySet().stream())
                .sorted()
                .toList();
        List<String> found = Stream.of(schema.fieldNames()).sorted().toList();
        if (!found.equals(expected)) {
            throw new IllegalArgumentException(
                    "rows for " + location + ": expected the columns " + expected + ", found " + found);
        }
        for (String dimension : dimensions) {
            DataType type = schema.apply(dimension).dataType();
            if (!COORDINATES.contains(type)) {
                throw new IllegalArgumentException("rows for " + location + ": expected integers in column " + dimension
                        + ", found " + type.simpleString());
            }
        }
        values.forEach((name, kind) -> {
            DataType type = schema.apply(name).dataType();
            if (!kind.accepts(type)) {
                throw new IllegalArgumentException("rows for " + location + ": expected "
                        + kind.type().simpleString() + " in column " + name + ", found " + type.simpleString());
            }
        });
    }

    /** Returns the lengths in an option such as "512,512"; empty if it is not set. */
    static Optional<long[]> lengths(CaseInsensitiveStringMap options, String name) {
        String text = options.get(name);
        if (text == null) {
            return Optional.empty();
        }
        try {
            return Optional.of(Arrays.stream(text.split(","))
                    .mapToLong(length -> Long.parseLong(length.strip()))
                    .toArray());
        } catch (NumberFormatException e) {
            throw new IllegalArgumentException(
                    "option " + name + ": expected lengths such as 512,512, found '" + text + "'", e);
        }
    }

    /**
     * Returns the shape that holds all rows, from the largest coordinate of each dimension; zeros if there are no rows.
     * Costs a computation of all rows by Spark.
     */
    static long[] lengths(Dataset<Row> rows, List<String> dimensions) {
        List<org.apache.spark.sql.Column> max = new ArrayList<>();
        dimensions.forEach(name ->
                max.add(functions.max(rows.col(ShardPartitioning.quoted(name)).cast(DataTypes.LongType))));
        Row row = rows.agg(max.get(0), max.subList(1, max.size()).toArray(org.apache.spark.sql.Column[]::new))
                .first();
        long[] lengths = new long[dimensions.size()];
        for (int d = 0; d < lengths.length; d++) {
            lengths[d] = row.isNullAt(d) ? 0 : Math.addExact(row.getLong(d), 1);
        }
        return lengths;
    }

    /**
     * Returns the minimum and maximum coordinate in a dimension; empty if there are no rows. Costs a computation of all
     * rows by Spark.
     */
    static Optional<long[]> bounds(Dataset<Row> rows, String dimension) {
        org.apache.spark.sql.Column at =
                rows.col(ShardPartitioning.quoted(dimension)).cast(DataTypes.LongType);
        Row row = rows.agg(functions.min(at), functions.max(at)).first();
        return row.isNullAt(0) ? Optional.empty() : Optional.of(new long[] {row.getLong(0), row.getLong(1)});
    }

    /** Refuses stores that are archives, such as a ZIP file. They commit all their objects at once. */
    static void refuseArchive(Store store) {
        if (store.find(Commits.class).isPresent()) {
            throw new UnsupportedException(
                    store.describe() + " is an archive, which one process writes as a whole; Spark's tasks cannot");
        }
    }

    /** Returns the error for a target that changed while the rows were written. */
    static StoreException changed(Store store, String fact) {
        return new StoreException(store.describe() + " was changed by another program: " + fact);
    }
}
