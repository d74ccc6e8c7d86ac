package dev.shardkit.spark.source;

import dev.shardkit.ResizePolicy;
import dev.shardkit.Zarr;
import dev.shardkit.ZarrArray;
import dev.shardkit.ZarrOptions;
import dev.shardkit.maintenance.relayout.Replacement;
import dev.shardkit.spi.array.Box;
import dev.shardkit.spi.error.UnsupportedException;
import dev.shardkit.spi.error.ZarrException;
import dev.shardkit.store.Store;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Collectors;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.types.StructType;
import org.apache.spark.sql.util.CaseInsensitiveStringMap;

/**
 * Writes rows to existing arrays: replaces all elements, or appends along the first dimension. Readers see the rows
 * once all shards are stored.
 */
final class ExistingTarget implements TargetWrite {
    private static final String PARTITION_MODE = "spark.sql.sources.partitionOverwriteMode";

    private final TableColumns table;
    private final CaseInsensitiveStringMap options;

    ExistingTarget(TableColumns table, CaseInsensitiveStringMap options) {
        this.table = table;
        this.options = options;
    }

    @Override
    public void check(StructType schema) {
        if (table.byChunk()) {
            throw new UnsupportedException("rows=chunks: rows of chunks cannot be written; expected rows=elements");
        }
        table.leftOut().forEach((name, reason) -> {
            throw new UnsupportedException(table.location() + " cannot be written: its array " + name
                    + " would keep its old shape, because it is no column: " + reason);
        });
        TargetWrite.check(schema, table.location(), table.dimensions(), table.columns());
    }

    @Override
    public void run(Dataset<Row> rows, boolean overwrite) {
        try (Store store = Zarr.openStore(table.url(), ZarrOptions.defaults())) {
            TargetWrite.refuseArchive(store);
            if (table.dimensions().isEmpty()) {
                throw new UnsupportedException(table.location() + " has no dimension, so no rows can be written to it");
            }
            // Ends a replacement that another program left unfinished, so that the arrays opened next are final.
            Replacement.settle(store, ZarrOptions.defaults());
            List<ZarrArray> arrays = arrays(store);
            refuseOtherLayout(arrays.get(0));
            if (overwrite) {
                refusePartial(rows.sparkSession());
                replace(store, arrays, rows);
            } else {
                append(store, arrays, rows);
            }
        }
    }

    /** Refuses options that ask for a layout that the target does not have. */
    private void refuseOtherLayout(ZarrArray array) {
        refuseOther(TableOptions.DIMENSIONS, String.join(",", table.dimensions()));
        refuseOther(TableOptions.CHUNK_SHAPE, lengths(array.chunkShape()));
        refuseOther(TableOptions.SHARD_SHAPE, array.isSharded() ? lengths(array.storedChunkShape()) : "none");
    }

    private void refuseOther(String name, String expected) {
        String found = options.get(name);
        if (found != null && !found.replaceAll("\\s", "").equals(expected)) {
            throw new IllegalArgumentException("option " + name + ": " + table.location()
                    + " exists and keeps its layout; expected " + expected + ", found " + found
                    + ". Leave the option out, or remove the target first");
        }
    }

    private static String lengths(long[] shape) {
        return Arrays.stream(shape).mapToObj(Long::toString).collect(Collectors.joining(","));
    }

    /** Refuses overwriting of partitions: the target has none, and an overwrite replaces all rows. */
    private void refusePartial(SparkSession spark) {
        String mode = options.getOrDefault(
                TableOptions.PARTITION_OVERWRITE_MODE, spark.conf().get(PARTITION_MODE, "static"));
        if (mode.equalsIgnoreCase("dynamic")) {
            throw new UnsupportedException("partitionOverwriteMode=dynamic: " + table.location()
                    + " has no partitions, and an overwrite replaces all rows. To do that, set the option"
                    + " partitionOverwriteMode to static");
        }
    }

    /** Stores the rows beside the old elements, and then switches the arrays to them. */
    private void replace(Store store, List<ZarrArray> arrays, Dataset<Row> rows) {
        long[] shape = TargetWrite.lengths(options, TableOptions.SHAPE)
                .orElseGet(() -> TargetWrite.lengths(rows, table.dimensions()));
        if (shape.length != table.dimensions().size()) {
            throw new IllegalArgumentException(
                    "option shape: expected a length for each of " + table.dimensions() + ", found " + shape.length);
        }
        AppendMark.remove(store); // stops an append that may still run
        List<String> paths = arrays.stream().map(ZarrArray::path).toList();
        try (Replacement replacement = Replacement.begin(store, paths, shape, ZarrOptions.defaults())) {
            List<OutputArray> outputs = new ArrayList<>();
            for (ZarrArray array : arrays) {
                outputs.add(OutputArray.of(
                        name(array),
                        array.path(),
                        Objects.requireNonNull(replacement.arrays().get(array.path())),
                        table.steps()));
            }
            if (!Box.of(shape).isEmpty()) {
                ActiveWriteCheck guard = new ActiveWriteCheck.Replacing(replacement.id());
                boolean replacesLeftovers = false; // the keys of a replacement are new
                ShardPartitioning.store(
                        rows,
                        WriteShards.of(
                                store,
                                table.url(),
                                table.dimensions(),
                                outputs,
                                Box.of(shape),
                                replacesLeftovers,
                                guard),
                        "overwriting " + store.describe(),
                        ". The target has its old elements; the same write can be repeated");
            }
            replacement.commit();
        }
    }

    /**
     * Stores the rows beyond the old shape, where no reader looks, and then lengthens the arrays.
     *
     * <p>The shape comes from the option, or from the largest coordinate of the rows. An append that begins later
     * replaces the mark of this one, which then fails.
     */
    @SuppressWarnings("try") // the mark exists while the block runs
    private void append(Store store, List<ZarrArray> arrays, Dataset<Row> rows) {
        long[] before = table.shape();
        boolean fillsGap = TableOptions.isSecond(options, TableOptions.GAP, "refuse", "fill");
        Optional<long[]> shape = TargetWrite.lengths(options, TableOptions.SHAPE);
        long[] after = shape.isPresent() ? lengthened(shape.get()) : before.clone();
        if (shape.isEmpty()) {
            Optional<long[]> bounds =
                    TargetWrite.bounds(rows, table.dimensions().get(0));
            if (bounds.isEmpty()) {
                return; // no rows
            }
            refuseGap(fillsGap, bounds.get()[0]);
            after[0] = Math.addExact(bounds.get()[1], 1);
        }
        if (after[0] <= before[0]) {
            throw new IllegalArgumentException("rows to append to " + table.location() + ": expected "
                    + table.dimensions().get(0) + " from " + before[0] + " on, where the stored elements end; found "
                    + table.dimensions().get(0) + " up to " + (after[0] - 1));
        }
        List<OutputArray> outputs = new ArrayList<>();
        for (ZarrArray array : arrays) {
            outputs.add(
                    OutputArray.of(name(array), array.path(), array.metadata().withShape(after), table.steps()));
        }
        long[] origin = new long[before.length];
        origin[0] = before[0];
        long[] added = after.clone();
        added[0] = after[0] - before[0];
        byte[] content = ActiveWriteCheck.uniqueMark();
        ActiveWriteCheck guard = new ActiveWriteCheck.Appending(content, before);
        boolean replacesLeftovers = true; // a failed append may have stored shards beyond the old shape
        WriteShards write = WriteShards.of(
                store, table.url(), table.dimensions(), outputs, Box.of(origin, added), replacesLeftovers, guard);
        try (AppendMark mark = AppendMark.put(store, content)) {
            long first = ShardPartitioning.store(
                            rows,
                            write,
                            "appending to " + store.describe(),
                            ". No reader sees any of the rows; the same write can be repeated")
                    .stream()
                    .mapToLong(n -> n)
                    .min()
                    .orElse(after[0]);
            // With the option shape, the check above was skipped: only the tasks have seen the coordinates.
            refuseGap(fillsGap, first);
            outputs.forEach(output -> {
                if (!guard.holds(store, output)) {
                    throw TargetWrite.changed(
                            store,
                            "its shape is not " + Arrays.toString(before) + " any more, or another append has begun");
                }
            });
            publish(arrays, before, after);
        }
    }

    /**
     * Refuses an append whose first row does not follow the stored elements, unless the option allows it: the elements
     * between would be fill values.
     */
    private void refuseGap(boolean fillsGap, long first) {
        long end = table.shape()[0];
        if (first > end && !fillsGap) {
            String name = table.dimensions().get(0);
            throw new IllegalArgumentException("rows to append to " + table.location() + ": expected " + name + " from "
                    + end + " on, where the stored elements end; found none before " + name + "=" + first
                    + ", which leaves a gap. Nothing was appended. The option " + TableOptions.GAP
                    + "=fill leaves fill values in the gap");
        }
    }

    /** Returns the shape of the option, which may only lengthen dimension 0. */
    private long[] lengthened(long[] shape) {
        long[] expected = table.shape();
        if (shape.length > 0) {
            expected[0] = shape[0];
        }
        if (!Arrays.equals(expected, shape)) {
            throw new IllegalArgumentException("option shape: an append changes only the first length of "
                    + Arrays.toString(table.shape()) + ", found " + Arrays.toString(shape));
        }
        return expected;
    }

    private List<ZarrArray> arrays(Store store) {
        List<ZarrArray> arrays = new ArrayList<>();
        table.arrays().values().forEach(path -> arrays.add(Zarr.openArray(store, path, ZarrOptions.defaults())));
        for (ZarrArray array : arrays) {
            if (array.nodeFormat().isPresent()) {
                throw new UnsupportedException(array.location() + " has the format "
                        + array.nodeFormat().get() + "; rows can be written to Zarr v3 only, so convert it first");
            } else if (!Arrays.equals(array.shape(), table.shape())) {
                throw new UnsupportedException(array.location() + " has another shape by now: expected "
                        + Arrays.toString(table.shape()) + ", found " + Arrays.toString(array.shape()));
            }
        }
        return arrays;
    }

    private String name(ZarrArray array) {
        return table.arrays().entrySet().stream()
                .filter(entry -> entry.getValue().equals(array.path()))
                .findFirst()
                .orElseThrow()
                .getKey();
    }

    /** Lengthens all arrays; if one fails, the others get their old shape again. */
    private static void publish(List<ZarrArray> arrays, long[] before, long[] after) {
        List<ZarrArray> done = new ArrayList<>();
        try {
            for (ZarrArray array : arrays) {
                done.add(array.resize(after, ResizePolicy.KEEP));
            }
        } catch (ZarrException e) {
            for (ZarrArray array : done) {
                try {
                    array.resize(before, ResizePolicy.KEEP);
                } catch (ZarrException again) {
                    e.addSuppressed(again);
                }
            }
            throw e;
        }
    }
}
