package dev.shardkit.arrow;

import dev.shardkit.ZarrArray;
import dev.shardkit.ZarrGroup;
import dev.shardkit.ZarrNode;
import dev.shardkit.spi.json.Json;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.ipc.ArrowReader;
import org.apache.arrow.vector.types.pojo.ArrowType;
import org.apache.arrow.vector.types.pojo.Field;
import org.apache.arrow.vector.types.pojo.FieldType;
import org.apache.arrow.vector.types.pojo.Schema;

/**
 * One-dimensional arrays of a group, all of the same length, as the columns of a table of Apache Arrow.
 *
 * <table>
 *   <caption>Types</caption>
 *   <tr><th>data type</th><th>type of Arrow</th></tr>
 *   <tr><td>{@code bool}</td><td>Bool</td></tr>
 *   <tr><td>{@code int8} to {@code int64}, {@code uint8} to {@code uint64}</td><td>Int of the same size and sign</td></tr>
 *   <tr><td>{@code float16}, {@code float32}, {@code float64}</td><td>FloatingPoint</td></tr>
 *   <tr><td>{@code string}, {@code fixed_length_utf32}</td><td>Utf8 (written: LargeUtf8 too)</td></tr>
 *   <tr><td>{@code variable_length_bytes}, {@code bytes}</td><td>Binary (written: LargeBinary too)</td></tr>
 *   <tr><td>raw bits, such as {@code r24}</td><td>FixedSizeBinary</td></tr>
 *   <tr><td>{@code numpy.datetime64} in s, ms, us, ns</td><td>Timestamp</td></tr>
 *   <tr><td>{@code numpy.timedelta64} in s, ms, us, ns</td><td>Duration</td></tr>
 * </table>
 *
 * <p>{@link Nulls} says what becomes of nulls. Attributes that are strings, such as {@code units}, correspond to
 * metadata of Arrow, for reading and writing: those of the group to the schema's, those of an array to its field's. The
 * attribute {@code arrow} of the group keeps the order of the columns, that of an array its time zone.
 *
 * <p>Arrow needs the option {@code --add-opens=java.base/java.nio=ALL-UNNAMED} of the JVM. Immutable and thread-safe;
 * readers are not. Closes nothing: the caller closes the group.
 */
public final class ZarrTable {
    /** The attribute with an object: {@link #COLUMNS} of a group, {@link #TIMEZONE} of an array. */
    static final String ARROW = "arrow";

    static final String COLUMNS = "columns";
    static final String TIMEZONE = "timezone";

    /** The maximum number of rows of a batch, unless the caller sets another. */
    private static final int MAX_ROWS = 1 << 20;

    private final ZarrGroup group;
    private final List<ZarrArray> columns;
    private final Schema schema;
    private final long rows;
    private final int batch;
    private final Nulls nulls;

    private ZarrTable(ZarrGroup group, List<ZarrArray> columns, int batch, Nulls nulls) {
        this.group = group;
        this.columns = columns;
        this.schema = schema(group, columns, nulls);
        this.rows = columns.get(0).shape()[0];
        this.batch = batch;
        this.nulls = nulls;
    }

    /**
     * Returns the table of all one-dimensional arrays of a group, in the order in which they were written as a table,
     * otherwise by name. Reads metadata only. The store must support listing, or the group have consolidated metadata.
     *
     * @throws IllegalArgumentException if there are none, or their lengths differ
     * @throws dev.shardkit.spi.error.UnsupportedException if Arrow has no type for a column
     */
    public static ZarrTable of(ZarrGroup group) {
        List<String> names = new ArrayList<>(order(group));
        List<ZarrArray> found = new ArrayList<>();
        for (Map.Entry<String, ZarrNode> child : group.children().entrySet()) {
            if (child.getValue() instanceof ZarrArray array && array.shape().length == 1) {
                found.add(array);
                if (!names.contains(child.getKey())) {
                    names.add(child.getKey());
                }
            }
        }
        found.sort((a, b) -> Integer.compare(names.indexOf(name(a)), names.indexOf(name(b))));
        return of(group, found);
    }

    /**
     * Returns the table of some arrays of a group, in the given order.
     *
     * @throws IllegalArgumentException if an array is not one-dimensional, their lengths differ, or none is named
     * @throws dev.shardkit.spi.error.UnsupportedException if Arrow has no type for a column
     */
    public static ZarrTable of(ZarrGroup group, String... columns) {
        return of(group, Arrays.stream(columns).map(group::array).toList());
    }

    private static ZarrTable of(ZarrGroup group, List<ZarrArray> columns) {
        if (columns.isEmpty()) {
            throw new IllegalArgumentException(group.location() + ": expected arrays with one dimension, found none");
        }
        long[] shape = columns.get(0).shape();
        for (ZarrArray column : columns) {
            if (column.shape().length != 1 || column.shape()[0] != shape[0]) {
                throw new IllegalArgumentException(column.location() + ": expected a column of " + shape[0]
                        + " rows, like " + name(columns.get(0)) + ", found shape " + Arrays.toString(column.shape()));
            }
        }
        int batch = columns.stream().mapToInt(ZarrTable::storedRows).max().orElseThrow();
        return new ZarrTable(group, List.copyOf(columns), batch, Nulls.REFUSE);
    }

    private static String name(ZarrArray array) {
        return array.path().substring(array.path().lastIndexOf('/') + 1);
    }

    /** Returns the names of the columns in the order in which a table was written; empty if the group has no order. */
    private static List<String> order(ZarrGroup group) {
        Optional<Json> order = group.attributes()
                .get(ARROW)
                .flatMap(arrow -> arrow instanceof Json.Obj object ? object.get(COLUMNS) : Optional.empty());
        return order.orElse(null) instanceof Json.Arr names
                ? names.items().stream()
                        .map(name -> name instanceof Json.Str s ? s.value() : name.toString())
                        .toList()
                : List.of();
    }

    /** Returns the schema: a field for each column, with the attributes as metadata. */
    private static Schema schema(ZarrGroup group, List<ZarrArray> columns, Nulls nulls) {
        List<Field> fields = new ArrayList<>();
        for (ZarrArray column : columns) {
            ColumnType type = ColumnType.of(column.dataType(), column.location());
            boolean nullable = type.form() == ColumnType.Form.TIME || nulls == Nulls.FILL_VALUE;
            ArrowType arrow = type.arrow();
            if (arrow instanceof ArrowType.Timestamp timestamp
                    && column.attributes().get(ARROW).orElse(null) instanceof Json.Obj own
                    && own.get(TIMEZONE).orElse(null) instanceof Json.Str zone) {
                arrow = new ArrowType.Timestamp(timestamp.getUnit(), zone.value());
            }
            fields.add(new Field(
                    name(column), new FieldType(nullable, arrow, null, Metadata.of(column.attributes())), List.of()));
        }
        return new Schema(fields, Metadata.of(group.attributes()));
    }

    /**
     * Returns the number of rows of a shard. If it has very many, returns a smaller number of rows, in whole inner
     * chunks.
     */
    static int storedRows(ZarrArray array) {
        long chunk = array.chunkShape()[0];
        long stored = array.storedChunkShape()[0];
        if (stored <= MAX_ROWS) {
            return (int) Math.max(1, stored);
        }
        return chunk > MAX_ROWS ? MAX_ROWS : (int) (MAX_ROWS / chunk * chunk);
    }

    /** Returns this table with another handling of nulls; the default is {@link Nulls#REFUSE}. */
    public ZarrTable withNulls(Nulls other) {
        return new ZarrTable(group, columns, batch, other);
    }

    /**
     * Returns this table with batches of another size. The default is the largest shard or chunk of a column, but at
     * most 2^20 rows.
     *
     * @throws IllegalArgumentException unless {@code batchRows} is positive
     */
    public ZarrTable withBatchRows(int batchRows) {
        if (batchRows < 1) {
            throw new IllegalArgumentException("expected a positive number of rows, found " + batchRows);
        }
        return new ZarrTable(group, columns, batchRows, nulls);
    }

    /** Returns the schema. */
    public Schema schema() {
        return schema;
    }

    /** Returns the number of rows. */
    public long rows() {
        return rows;
    }

    /** Returns the arrays, in the order of the columns. */
    public List<ZarrArray> columns() {
        return columns;
    }

    /**
     * Returns a reader of this table, which reads the columns of a batch at once. It throws what
     * {@link ZarrArray#read()} throws. Closing it releases the memory of its vectors.
     *
     * @param allocator for the memory of the vectors
     */
    public ArrowReader reader(BufferAllocator allocator) {
        return new TableReader(allocator, columns, schema, rows, batch, nulls);
    }

    /**
     * Writes a stream of Arrow as arrays of a group, with the layout of {@link ColumnArrayLayout#DEFAULT}, and refuses
     * nulls.
     */
    public static void write(ArrowReader reader, ZarrGroup group) throws IOException {
        write(reader, group, ColumnArrayLayout.DEFAULT, Nulls.REFUSE);
    }

    /**
     * Writes a stream of Arrow as arrays of a group, one for each column. Holds a shard of each column in memory, at
     * most 2^20 rows, and writes it when it is full. Readers see each shard as soon as it is written.
     *
     * <p>If the write fails, the arrays remain with the rows that were written, and their lengths may differ.
     *
     * @throws IOException if the stream cannot be read
     * @throws IllegalArgumentException if a value is null and cannot be, see {@link Nulls}
     * @throws dev.shardkit.spi.error.UnsupportedException if Zarr has no data type for a column; then nothing is
     *     written
     */
    public static void write(ArrowReader reader, ZarrGroup group, ColumnArrayLayout layout, Nulls nulls)
            throws IOException {
        TableWriter.write(reader, group, layout, nulls);
    }

    @Override
    public String toString() {
        return "table of " + rows + " rows: " + schema;
    }
}
