package dev.shardkit.spark.source;

import dev.shardkit.ArraySpec;
import dev.shardkit.IfExists;
import dev.shardkit.Zarr;
import dev.shardkit.ZarrOptions;
import dev.shardkit.maintenance.destination.Destination;
import dev.shardkit.metadata.ArrayMetadata;
import dev.shardkit.spi.array.Box;
import dev.shardkit.spi.json.Json;
import dev.shardkit.store.Store;
import dev.shardkit.store.policy.WriteOwnership;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.StructField;
import org.apache.spark.sql.types.StructType;
import org.apache.spark.sql.util.CaseInsensitiveStringMap;

/**
 * Writes rows to a new array, or to a group with an array for each column. The target is marked as unfinished until all
 * shards are stored; then its metadata is written.
 */
final class NewTarget implements TargetWrite {
    /** The data type with the largest elements. It decides the default chunk shape, which all columns share. */
    private static final String LARGEST = "float64";

    private final CaseInsensitiveStringMap options;
    private final String url;

    NewTarget(CaseInsensitiveStringMap options, String url) {
        this.options = options;
        this.url = url;
    }

    /** Returns the names of the columns with coordinates, from the options. */
    private List<String> dimensions() {
        String names = options.get(TableOptions.DIMENSIONS);
        if (names == null) {
            throw new IllegalArgumentException("there is no array or group at the target; to make one, name the"
                    + " columns with coordinates: option " + TableOptions.DIMENSIONS + ", such as \"y,x\"");
        }
        return Arrays.stream(names.split(",")).map(String::strip).toList();
    }

    /** Returns the data types of the columns with values. */
    private Map<String, Json> values(StructType schema, List<String> dimensions) {
        Map<String, Json> values = new LinkedHashMap<>();
        for (StructField field : schema.fields()) {
            if (!dimensions.contains(field.name())) {
                DataType type = field.dataType();
                values.put(
                        field.name(),
                        Column.dataType(type)
                                .orElseThrow(() -> new IllegalArgumentException("column " + field.name()
                                        + ": no data type of Zarr for " + type.simpleString())));
            }
        }
        if (values.isEmpty()) {
            throw new IllegalArgumentException("expected a column with values besides " + dimensions + ", found none");
        }
        return values;
    }

    @Override
    public void check(StructType schema) {
        List<String> dimensions = dimensions();
        Map<String, Column> kinds = new LinkedHashMap<>();
        boolean timesAsSteps = false; // rows have times
        values(schema, dimensions)
                .forEach((name, type) -> kinds.put(
                        name,
                        Column.of(
                                Zarr.describe(ArraySpec.of(type, 1), ZarrOptions.defaults())
                                        .dataType(),
                                name,
                                timesAsSteps)));
        TargetWrite.check(schema, "a new target", dimensions, kinds);
        TargetWrite.lengths(options, TableOptions.SHAPE)
                .filter(shape -> shape.length != dimensions.size())
                .ifPresent(shape -> {
                    throw new IllegalArgumentException(
                            "option shape: expected a length for each of " + dimensions + ", found " + shape.length);
                });
    }

    @Override
    public void run(Dataset<Row> rows, boolean overwrite) {
        List<String> dimensions = dimensions();
        Map<String, Json> values = values(rows.schema(), dimensions);
        long[] shape =
                TargetWrite.lengths(options, TableOptions.SHAPE).orElseGet(() -> TargetWrite.lengths(rows, dimensions));
        ZarrOptions owned = ZarrOptions.defaults().withOwnership(WriteOwnership.OWNED);
        try (Store store = Zarr.openStore(url, owned)) {
            TargetWrite.refuseArchive(store);
            // A single column "value" becomes an array; otherwise the target is a group with an array for each column.
            boolean isArray = values.keySet().equals(Set.of(TableColumns.VALUE));
            List<OutputArray> outputs = new ArrayList<>();
            boolean timesAsSteps = false; // rows have times
            values.forEach((name, type) -> outputs.add(
                    OutputArray.of(name, isArray ? "" : name, metadata(type, shape, dimensions, owned), timesAsSteps)));
            ActiveWriteCheck.Unfinished guard = ActiveWriteCheck.Unfinished.unique();
            Destination destination = Destination.of(store);
            destination.clear(overwrite ? IfExists.OVERWRITE : IfExists.REFUSE);
            destination.begin(guard.mark(), owned.durability());
            if (!Box.of(shape).isEmpty()) {
                boolean replacesLeftovers = false; // the target was cleared
                WriteShards write =
                        WriteShards.of(store, url, dimensions, outputs, Box.of(shape), replacesLeftovers, guard);
                ShardPartitioning.store(
                        rows,
                        write,
                        "writing " + store.describe(),
                        ". No reader finds the target; write it again with mode overwrite");
            }
            if (!guard.holds(store, outputs.get(0))) {
                throw TargetWrite.changed(store, "it is not the unfinished target of this write any more");
            }
            publish(store, outputs, isArray, owned);
            destination.finish(owned);
        }
    }

    private ArrayMetadata metadata(Json type, long[] shape, List<String> dimensions, ZarrOptions zarr) {
        Optional<long[]> chunks = TargetWrite.lengths(options, TableOptions.CHUNK_SHAPE);
        Optional<long[]> shards = TargetWrite.lengths(options, TableOptions.SHARD_SHAPE);
        ArraySpec spec = ArraySpec.of(type, shape)
                .withDimensionNames(dimensions.toArray(String[]::new))
                .withChunkShape(chunks.orElseGet(() -> chunkShape(shape, zarr)));
        if (type instanceof Json.Obj) { // datetime64 or timedelta64: an element without a row is "not a time"
            spec = spec.withFillValue(Json.of("NaT"));
        }
        return Zarr.describe(shards.isPresent() ? spec.withShardShape(shards.get()) : spec, zarr);
    }

    private static long[] chunkShape(long[] shape, ZarrOptions zarr) {
        ArrayMetadata metadata = Zarr.describe(ArraySpec.of(LARGEST, shape), zarr);
        return metadata.chunkGrid().chunk(new long[shape.length]).shape();
    }

    private static void publish(Store store, List<OutputArray> outputs, boolean isArray, ZarrOptions zarr) {
        for (OutputArray output : outputs) {
            Zarr.stageArray(store, output.path(), output.metadata(zarr), IfExists.REFUSE, zarr)
                    .publish();
        }
        if (!isArray) {
            Zarr.createGroup(store, "", Json.object(), IfExists.REFUSE, zarr);
        }
    }
}
