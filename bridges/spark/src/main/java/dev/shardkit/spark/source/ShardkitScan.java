package dev.shardkit.spark.source;

import dev.shardkit.ChunkBitmap;
import dev.shardkit.Zarr;
import dev.shardkit.ZarrArray;
import dev.shardkit.ZarrNode;
import dev.shardkit.ZarrOptions;
import dev.shardkit.spi.array.Box;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.OptionalLong;
import java.util.stream.Stream;
import org.apache.spark.sql.connector.metric.CustomMetric;
import org.apache.spark.sql.connector.metric.CustomTaskMetric;
import org.apache.spark.sql.connector.read.Batch;
import org.apache.spark.sql.connector.read.InputPartition;
import org.apache.spark.sql.connector.read.PartitionReaderFactory;
import org.apache.spark.sql.connector.read.Scan;
import org.apache.spark.sql.connector.read.ScanBuilder;
import org.apache.spark.sql.connector.read.SupportsPushDownFilters;
import org.apache.spark.sql.connector.read.SupportsPushDownRequiredColumns;
import org.apache.spark.sql.sources.Filter;
import org.apache.spark.sql.types.StructType;

/**
 * Spark's scan of a table: reads the columns that a query needs, in the shards that match its filters on coordinates. A
 * partition is one shard or, if there are more than 10000 shards, several consecutive shards. The option
 * {@code maxPartitionBytes} joins small shards in one partition, and divides the inner chunks of a large shard among
 * several partitions.
 */
final class ShardkitScan implements ScanBuilder, Scan, Batch, SupportsPushDownFilters, SupportsPushDownRequiredColumns {
    /** The limit on partitions, each of which costs Spark's driver memory and time. */
    private static final int MAX_PARTITIONS = 10_000;
    /** The assumed size of an element of varying size. */
    private static final int VARIABLE_SIZE = 16;

    private final TableColumns table;
    private final OptionalLong maxPartitionBytes;
    private StructType columns;
    /** The filters that bound {@link #region}. */
    private Filter[] pushed = {};

    private Box region;
    /** The number of shards that the scan does not read. */
    private long pruned;

    ShardkitScan(TableColumns table, OptionalLong maxPartitionBytes) {
        this.table = table;
        this.maxPartitionBytes = maxPartitionBytes;
        this.columns = table.schema();
        this.region = table.domain();
    }

    /**
     * Derives the region to read from the filters. Returns all filters, because the region is only a bound: Spark
     * evaluates them for each row that the scan returns.
     */
    @Override
    public Filter[] pushFilters(Filter[] filters) {
        if (!table.byChunk()) {
            CoordinateBounds bounds = new CoordinateBounds(table);
            pushed = Stream.of(filters).filter(bounds::add).toArray(Filter[]::new);
            region = bounds.region();
        }
        return filters;
    }

    @Override
    public Filter[] pushedFilters() {
        return pushed.clone();
    }

    @Override
    public void pruneColumns(StructType required) {
        columns = required;
    }

    @Override
    public StructType readSchema() {
        return columns;
    }

    @Override
    public Scan build() {
        return this;
    }

    @Override
    public Batch toBatch() {
        return this;
    }

    @Override
    public String description() {
        return "shardkit " + table.location() + " " + region;
    }

    @Override
    public InputPartition[] planInputPartitions() {
        pruned = 0;
        if (region.isEmpty()) {
            return new InputPartition[0];
        }
        try (ZarrNode node = Zarr.open(table.url(), ZarrOptions.defaults())) {
            ZarrArray layoutArray =
                    table.open(table.arrays().keySet().iterator().next(), node);
            long count = layoutArray.shards(region).count();
            // Null if the scan also reads shards that are not stored, as fill values.
            BitSet present = table.fills() ? null : present(node);
            long shards = present == null ? count : present.cardinality();
            pruned = layoutArray.shards().count() - shards;
            long minPerPartition = Math.max(1, (shards + MAX_PARTITIONS - 1) / MAX_PARTITIONS);
            long bytes = shardBytes(layoutArray, node);
            // Without the option, as few shards as the limit on partitions allows; with it, as many as fit its bytes.
            int perPartition =
                    (int) Math.min(Math.max(1, shards), Math.max(minPerPartition, maxPartitionBytes.orElse(0) / bytes));
            int pieces = pieces(layoutArray, bytes, shards);
            List<InputPartition> partitions = new ArrayList<>();
            long next = present == null ? 0 : present.nextSetBit(0);
            while (next >= 0 && next < count) {
                long[] numbers = new long[perPartition];
                int length = 0;
                for (; length < perPartition && next >= 0 && next < count; length++) {
                    numbers[length] = next;
                    next = present == null ? next + 1 : present.nextSetBit((int) next + 1);
                }
                for (int piece = 1; piece <= pieces; piece++) {
                    partitions.add(new ShardPartition(java.util.Arrays.copyOf(numbers, length), piece, pieces));
                }
            }
            return partitions.toArray(InputPartition[]::new);
        }
    }

    /** Returns the bytes of one shard of each column that the scan reads, decoded. */
    private long shardBytes(ZarrArray layoutArray, ZarrNode node) {
        long size = arraysRead().stream()
                .mapToLong(
                        name -> table.open(name, node).dataType().elementSize().orElse(VARIABLE_SIZE))
                .sum();
        return Math.max(1, size * Arrays.stream(layoutArray.storedChunkShape()).reduce(1, (a, b) -> a * b));
    }

    /** Returns the number of partitions among which the inner chunks of one shard are divided. */
    private int pieces(ZarrArray layoutArray, long bytes, long shards) {
        if (maxPartitionBytes.isEmpty() || bytes <= maxPartitionBytes.getAsLong()) {
            return 1;
        }
        long chunks = Box.of(layoutArray.storedChunkShape())
                .cells(layoutArray.chunkShape())
                .count();
        long wanted = (bytes - 1) / maxPartitionBytes.getAsLong() + 1;
        return (int) Math.min(Math.min(wanted, chunks), Math.max(1, MAX_PARTITIONS / Math.max(1, shards)));
    }

    @Override
    public CustomMetric[] supportedCustomMetrics() {
        return ScanMetrics.all();
    }

    @Override
    public CustomTaskMetric[] reportDriverMetrics() {
        return new CustomTaskMetric[] {new ScanMetrics.Count(ScanMetrics.ShardsPruned.NAME, pruned)};
    }

    /** Returns a bit for each shard of the region that an array of the scan stores. */
    private BitSet present(ZarrNode node) {
        List<String> arrays = arraysRead();
        BitSet all = new BitSet();
        for (String name : arrays.isEmpty() ? table.arrays().keySet() : arrays) {
            ZarrArray array = table.open(name, node);
            ChunkBitmap stored = array.presence(region).atLevel(0).bitmap();
            stored.numbers().forEach(number -> all.set(Math.toIntExact(number)));
        }
        return all;
    }

    /** Returns the arrays that the scan reads. */
    private List<String> arraysRead() {
        return Stream.of(columns.fieldNames())
                .filter(table.arrays()::containsKey)
                .toList();
    }

    @Override
    public PartitionReaderFactory createReaderFactory() {
        return new ShardReaderFactory(table, List.of(columns.fieldNames()), region.origin(), region.shape());
    }

    /**
     * The shards of a partition, or a piece of them.
     *
     * @param numbers their numbers in the region
     * @param piece which piece of each shard's inner chunks the partition has, from 1
     * @param pieces the number of pieces of a shard
     */
    record ShardPartition(long[] numbers, int piece, int pieces) implements InputPartition {
        private static final long serialVersionUID = 1L;
    }
}
