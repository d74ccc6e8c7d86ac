package dev.shardkit.spark.source;

import dev.shardkit.Outside;
import dev.shardkit.Zarr;
import dev.shardkit.ZarrArray;
import dev.shardkit.ZarrOptions;
import dev.shardkit.spi.array.Box;
import dev.shardkit.spi.error.UnsupportedException;
import dev.shardkit.spi.error.ZarrException;
import dev.shardkit.store.Store;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.types.StructType;
import org.apache.spark.sql.util.CaseInsensitiveStringMap;

/** Rows are written to existing arrays. */
final class ExistingTarget implements TargetWrite {
    private static final List<String> OF_NEW_TARGETS = List.of("dimensions", "chunkShape", "shardShape");

    private final ArrayTable table;
    private final CaseInsensitiveStringMap options;

    ExistingTarget(ArrayTable table, CaseInsensitiveStringMap options) {
        this.table = table;
        this.options = options;
    }

    @Override
    public void check(StructType schema) {
        if (table.byChunk()) {
            throw new UnsupportedException("rows=chunks: rows of chunks cannot be written; expected rows=elements");
        }
        TargetWrite.check(schema, table.location(), table.dimensions(), table.columns());
        OF_NEW_TARGETS.stream().filter(options::containsKey).findFirst().ifPresent(name -> {
            throw new IllegalArgumentException(
                    "option " + name + ": " + table.location() + " exists and keeps its layout; leave the option out");
        });
    }

    @Override
    public void run(Dataset<Row> rows, boolean overwrite) {
        try (Store store = Zarr.openStore(table.url(), ZarrOptions.defaults())) {
            TargetWrite.refuseArchive(store);
            if (overwrite) {
                throw new UnsupportedException(
                        table.location() + " exists, and Spark's mode overwrite replaces no existing"
                                + " array or group yet; remove it first, or choose another place");
            }
            append(store, rows);
        }
    }

    @SuppressWarnings("try") // the mark is there while the block runs
    private void append(Store store, Dataset<Row> rows) {
        long[] before = table.shape();
        if (before.length == 0) {
            throw new UnsupportedException(table.location() + " has no dimension, so no rows can be appended");
        }
        long[] after = before.clone();
        after[0] = length(rows);
        if (after[0] == 0) {
            return; // no rows
        }
        if (after[0] <= before[0]) {
            throw new IllegalArgumentException("rows to append to " + table.location() + ": expected "
                    + table.dimensions().get(0) + " from " + before[0] + " on, where the stored elements end; found "
                    + table.dimensions().get(0) + " up to " + (after[0] - 1));
        }
        List<ZarrArray> arrays = arrays(store);
        List<Output> outputs = new ArrayList<>();
        for (ZarrArray array : arrays) {
            outputs.add(Output.of(name(array), array.path(), array.metadata().withShape(after)));
        }
        long[] origin = new long[before.length];
        origin[0] = before[0];
        long[] added = after.clone();
        added[0] = after[0] - before[0];
        byte[] content = Guard.uniqueMark();
        Guard guard = new Guard.Appending(content, before);
        ShardWrite write =
                ShardWrite.of(store, table.url(), table.dimensions(), outputs, Box.of(origin, added), true, guard);
        try (AppendMark mark = AppendMark.put(store, content)) {
            ShardRows.store(
                    rows,
                    write,
                    "appending to " + store.describe(),
                    ". No reader sees any of the rows; the same write can be repeated");
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

    /** Returns the length of dimension 0 after the rows; 0 if there are none. */
    private long length(Dataset<Row> rows) {
        Optional<long[]> shape = TargetWrite.lengths(options, "shape");
        if (shape.isEmpty()) {
            return TargetWrite.lengths(rows, table.dimensions().subList(0, 1))[0];
        }
        long[] expected = table.shape();
        expected[0] = shape.get()[0];
        if (!Arrays.equals(expected, shape.get())) {
            throw new IllegalArgumentException("option shape: an append changes only the first length of "
                    + Arrays.toString(table.shape()) + ", found " + Arrays.toString(shape.get()));
        }
        return expected[0];
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
                done.add(array.resize(after, Outside.KEEP));
            }
        } catch (ZarrException e) {
            for (ZarrArray array : done) {
                try {
                    array.resize(before, Outside.KEEP);
                } catch (ZarrException again) {
                    e.addSuppressed(again);
                }
            }
            throw e;
        }
    }
}
