package dev.shardkit.spark.source;

import dev.shardkit.Shard;
import dev.shardkit.Zarr;
import dev.shardkit.ZarrArray;
import dev.shardkit.ZarrNode;
import dev.shardkit.ZarrOptions;
import dev.shardkit.cf.CfVariable;
import dev.shardkit.maintenance.Part;
import dev.shardkit.spi.array.Box;
import dev.shardkit.spi.array.Shapes;
import dev.shardkit.spi.error.StoreException;
import dev.shardkit.spi.plan.ByteRange;
import dev.shardkit.store.StoreListener;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.TreeMap;
import java.util.concurrent.atomic.LongAdder;
import java.util.stream.IntStream;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.GenericInternalRow;
import org.apache.spark.sql.catalyst.util.GenericArrayData;
import org.apache.spark.sql.connector.metric.CustomTaskMetric;
import org.apache.spark.sql.connector.read.InputPartition;
import org.apache.spark.sql.connector.read.PartitionReader;
import org.apache.spark.sql.connector.read.PartitionReaderFactory;
import org.jspecify.annotations.Nullable;

/** Creates the readers of partitions, on executors. Immutable. */
final class ShardReaderFactory implements PartitionReaderFactory {
    private static final long serialVersionUID = 1L;

    private final TableColumns table;
    private final List<String> columns;
    /** The origin of the box whose rows the scan reads. */
    private final long[] origin;
    /** The shape of this box. */
    private final long[] shape;

    ShardReaderFactory(TableColumns table, List<String> columns, long[] origin, long[] shape) {
        this.table = table;
        this.columns = columns;
        this.origin = origin;
        this.shape = shape;
    }

    @Override
    public PartitionReader<InternalRow> createReader(InputPartition partition) {
        return new Rows((ShardkitScan.ShardPartition) partition);
    }

    /** The rows of a partition. Holds the elements of one inner chunk of each column at a time. */
    private final class Rows implements PartitionReader<InternalRow> {
        private final LongAdder bytes = new LongAdder();
        private final LongAdder retries = new LongAdder();
        private final ZarrNode node =
                Zarr.open(table.url(), ZarrOptions.defaults().withParallelism(1).withListener(new StoreListener() {
                    @Override
                    public void onResponse(String key, ByteRange range, long received, Duration took) {
                        bytes.add(received);
                    }

                    @Override
                    public void onRetry(String key, int attempt, String reason) {
                        retries.increment();
                    }
                }));
        /** The number of the piece of each shard that this partition reads, out of {@link #pieces}. */
        private final int piece;

        private final int pieces;
        private final Map<String, ZarrArray> arrays = new TreeMap<>();
        /** The variables that are decoded: values, and coordinates with more than one dimension. */
        private final Map<String, CfVariable> variables = new TreeMap<>();

        /** An array whose shards and inner chunks are those of all arrays of the table. */
        private final ZarrArray layoutArray;

        /** The numbers of the shards that were not split yet. */
        private final Deque<Long> shards = new ArrayDeque<>();
        /** The inner chunks of the last split shard that were not loaded yet. */
        private final Deque<Box> chunks = new ArrayDeque<>();
        /** The elements of {@link #chunk} for each column; a column of coordinates has none. */
        private final Object[] elements = new Object[columns.size()];
        /** Which elements are missing, for columns that are decoded. */
        private final boolean[][] missing = new boolean[columns.size()][];

        private Box chunk;
        /** The number of the current row in {@link #chunk}. */
        private long rowNumber;
        /** The number of rows of {@link #chunk}. */
        private long count;

        private long decodedChunks;

        Rows(ShardkitScan.ShardPartition partition) {
            for (String name : columns) {
                if (table.arrays().containsKey(name)) {
                    arrays.put(name, table.open(name, node));
                }
            }
            if (table.isDecoded()) {
                openVariables();
            }
            layoutArray = arrays.isEmpty()
                    ? table.open(table.arrays().keySet().iterator().next(), node)
                    : arrays.values().iterator().next();
            for (long number : partition.numbers()) {
                shards.add(number);
            }
            piece = partition.piece();
            pieces = partition.pieces();
            chunk = Box.of(origin, new long[origin.length]); // empty until next() loads the first one
        }

        /** Opens the variables to decode. Refuses them if their attributes changed since the table was opened. */
        private void openVariables() {
            List<String> names = columns.stream()
                    .filter(name ->
                            arrays.containsKey(name) || table.labels().grids().containsKey(name))
                    .toList();
            variables.putAll(table.labels().open(node, names));
            variables.forEach((name, variable) -> {
                Column expected = table.labels()
                        .grids()
                        .getOrDefault(name, table.columns().get(name));
                if (!DecodedColumn.of(variable).equals(expected)
                        || !CfColumns.units(variable)
                                .equals(table.labels().units().get(name))) {
                    throw new StoreException(variable.array().location()
                            + ": its attributes were changed while it was read; run the query again");
                }
            });
        }

        @Override
        public boolean next() {
            rowNumber++;
            while (rowNumber >= count) {
                if (chunks.isEmpty() && shards.isEmpty()) {
                    refuseReplaced();
                    return false;
                } else if (chunks.isEmpty()) {
                    split(layoutArray.shards(Box.of(origin, shape)).get(shards.remove()));
                } else {
                    load(chunks.remove());
                }
            }
            return true;
        }

        /**
         * Refuses arrays that were overwritten while the partition was read. An overwrite changes the chunk key
         * encoding before it deletes the old shards. So if the encoding is unchanged, the partition missed no shard.
         * The only exception is two overwrites in the meantime: the second one restores the encoding.
         */
        private void refuseReplaced() {
            try (ZarrNode now = Zarr.open(table.url(), ZarrOptions.defaults())) {
                arrays.keySet().forEach(name -> table.open(name, now));
            }
        }

        /** Lists the inner chunks of this partition's piece of a shard. Without sharding, a chunk is one. */
        private void split(Shard shard) {
            long[] inner = layoutArray.chunkShape();
            Box box = shard.box();
            Box cells = box.cells(inner);
            Part part = new Part(piece, pieces);
            for (long i = part.first(cells.count()); i < part.end(cells.count()); i++) {
                chunks.add(Box.cell(cells.at(i), inner).intersect(box));
            }
        }

        /** Reads the elements of an inner chunk for all columns. */
        private void load(Box box) {
            chunk = box;
            for (int c = 0; c < elements.length; c++) {
                ZarrArray array = arrays.get(columns.get(c));
                if (variables.containsKey(columns.get(c))) {
                    decode(c, box);
                } else {
                    // The box is a placeholder: coordinates come from the chunk, not from elements.
                    elements[c] = array == null ? box : array.read(box).array();
                }
                decodedChunks += array == null ? 0 : 1;
            }
            rowNumber = 0;
            count = table.byChunk() ? 1 : box.count();
        }

        /** Reads a variable: values in the box, or a coordinate with more than one dimension in its own dimensions. */
        private void decode(int c, Box box) {
            String name = columns.get(c);
            CfVariable variable = variables.get(name);
            Column coordinate = table.labels().grids().get(name);
            Box own = coordinate == null
                    ? box
                    : projected(box, table.labels().dimensions().get(name));
            DecodedColumn.Elements read = DecodedColumn.elements(
                    variable, coordinate == null ? table.columns().get(name) : coordinate, variable.read(own));
            elements[c] = read.array();
            missing[c] = read.missing();
        }

        /** Returns the box in some of its dimensions only. */
        private static Box projected(Box box, int[] dimensions) {
            return Box.of(
                    IntStream.of(dimensions).mapToLong(box::origin).toArray(),
                    IntStream.of(dimensions).mapToLong(box::shape).toArray());
        }

        @Override
        public InternalRow get() {
            if (rowNumber >= count) {
                throw new NoSuchElementException();
            }
            long[] at = table.byChunk() ? chunk.origin() : chunk.at(rowNumber);
            Object[] row = new Object[elements.length];
            for (int c = 0; c < row.length; c++) {
                String name = columns.get(c);
                Column column = table.columns().get(name);
                if (table.isDecoded()) {
                    row[c] = decoded(c, at);
                } else if (column == null) {
                    row[c] = coordinate(name, at);
                } else {
                    row[c] = table.byChunk() ? all(column, elements[c]) : column.at(elements[c], (int) rowNumber);
                }
            }
            return new GenericInternalRow(row);
        }

        /** Returns the value of a column in a row, if the table decodes by the CF conventions; null if missing. */
        private @Nullable Object decoded(int c, long[] at) {
            String name = columns.get(c);
            LabelColumn labels = table.labels().columns().get(name);
            if (labels != null) {
                return labels.at(at);
            } else if (!variables.containsKey(name)) {
                return coordinate(name, at);
            }
            Column coordinate = table.labels().grids().get(name);
            int i = (int) rowNumber;
            if (coordinate != null) {
                int[] dimensions = table.labels().dimensions().get(name);
                // The coordinate lacks some dimensions of the chunk, so its elements have an order of their own.
                Box own = projected(chunk, dimensions);
                long[] index = IntStream.range(0, dimensions.length)
                        .mapToLong(k -> at[dimensions[k]] - own.origin(k))
                        .toArray();
                i = (int) Shapes.ravel(index, own.shape());
            }
            Column column = coordinate == null ? table.columns().get(name) : coordinate;
            return missing[c][i] ? null : column.at(elements[c], i);
        }

        /** Returns the index along the column's dimension, or the chunk's shape for {@link TableColumns#SHAPE}. */
        private Object coordinate(String name, long[] at) {
            return table.dimension(name).<Object>map(d -> at[d]).orElseGet(() -> new GenericArrayData(chunk.shape()));
        }

        /** Returns the elements of the chunk as one value: a row is a chunk. */
        private Object all(Column column, Object array) {
            List<Object> values = new ArrayList<>();
            for (int i = 0; i < chunk.count(); i++) {
                values.add(column.at(array, i));
            }
            return new GenericArrayData(values.toArray());
        }

        @Override
        public CustomTaskMetric[] currentMetricsValues() {
            return new CustomTaskMetric[] {
                new ScanMetrics.Count(ScanMetrics.BytesRead.NAME, bytes.sum()),
                new ScanMetrics.Count(ScanMetrics.ChunksDecoded.NAME, decodedChunks),
                new ScanMetrics.Count(ScanMetrics.Retries.NAME, retries.sum())
            };
        }

        @Override
        public void close() {
            node.close();
        }
    }
}
