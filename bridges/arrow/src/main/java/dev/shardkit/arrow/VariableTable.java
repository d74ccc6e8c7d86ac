package dev.shardkit.arrow;

import dev.shardkit.cf.CfColumn;
import dev.shardkit.cf.CfSelection;
import dev.shardkit.cf.CfTable;
import dev.shardkit.cf.CfVariable;
import dev.shardkit.spi.error.UnsupportedException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.ipc.ArrowReader;
import org.apache.arrow.vector.types.TimeUnit;
import org.apache.arrow.vector.types.pojo.ArrowType;
import org.apache.arrow.vector.types.pojo.DictionaryEncoding;
import org.apache.arrow.vector.types.pojo.Field;
import org.apache.arrow.vector.types.pojo.FieldType;
import org.apache.arrow.vector.types.pojo.Schema;

/**
 * Variables of the CF conventions as a table of Apache Arrow: a column of labels for each dimension, then the other
 * coordinates, then the physical values. A row is an element; rows are in C order ({@link CfTable}).
 *
 * <table>
 *   <caption>Types</caption>
 *   <tr><th>elements</th><th>type of Arrow</th></tr>
 *   <tr><td>numbers after scale and offset</td><td>Int or FloatingPoint of the decoded data type</td></tr>
 *   <tr><td>codes: {@code flag_values} with {@code flag_meanings}</td><td>dictionary of Utf8, the meanings</td></tr>
 *   <tr><td>moments of the standard and the proleptic Gregorian calendar</td><td>Timestamp in microseconds, without zone
 *   </td></tr>
 *   <tr><td>other moments: other calendars; dimensions with labels before the Gregorian reform of 1582</td><td>Utf8, ISO
 *   8601</td></tr>
 *   <tr><td>time spans</td><td>Duration in microseconds</td></tr>
 *   <tr><td>texts, booleans</td><td>Utf8, Bool</td></tr>
 * </table>
 *
 * <p>Missing elements, NaN and codes without a meaning are null. Moments and time spans are rounded to microseconds; a
 * reader refuses values that do not fit in 64 bits, with an {@link UnsupportedException}. Attributes that are strings,
 * such as {@code units}, are the metadata of the schema (from the group) and of its fields.
 *
 * <p>Immutable and thread-safe; readers are not. Closes nothing: the caller closes the dataset.
 */
public final class VariableTable {
    /** The size of an index into a dictionary of meanings. */
    private static final int INDEX_BITS = 32;

    private static final int DEFAULT_BATCH_ROWS = 1 << 20;

    private final CfTable table;
    private final Schema schema;
    private final int batchRows;

    private VariableTable(CfTable table, Schema schema, int batchRows) {
        this.table = table;
        this.schema = schema;
        this.batchRows = batchRows;
    }

    /**
     * Returns the table of selected elements. Reads coordinates of time and those by which elements are selected.
     *
     * @param first the elements of one variable
     * @param others the same elements of other variables of the same dimensions
     * @throws IllegalArgumentException if the selections differ in dimensions or elements, or a label does not exist
     * @throws UnsupportedException if Arrow has no type for the elements of a variable, or {@link CfTable} refuses the
     *     selections
     */
    public static VariableTable of(CfSelection first, CfSelection... others) {
        CfTable table = CfTable.of(first, others);
        return new VariableTable(table, schema(table, first), DEFAULT_BATCH_ROWS);
    }

    /** Returns the schema: a field for each column, with a dictionary if the column has codes. */
    private static Schema schema(CfTable table, CfSelection first) {
        List<Field> fields = new ArrayList<>();
        for (int c = 0; c < table.columns().size(); c++) {
            CfColumn column = table.columns().get(c);
            Map<String, String> metadata =
                    column.variable().map(v -> Metadata.of(v.attributes())).orElse(Map.of());
            DictionaryEncoding codes =
                    column.variable().flatMap(CfVariable::codes).isPresent()
                            // The id of the dictionary is the number of the column; its meanings have no order.
                            ? new DictionaryEncoding(c, false, new ArrowType.Int(INDEX_BITS, true))
                            : null;
            ArrowType type = codes == null ? type(table, c) : new ArrowType.Utf8();
            boolean isNullable = column.variable().isPresent();
            fields.add(new Field(column.name(), new FieldType(isNullable, type, codes, metadata), List.of()));
        }
        return new Schema(fields, Metadata.of(first.variable().dataset().attributes()));
    }

    /** Returns the type in Arrow of a column without codes. */
    private static ArrowType type(CfTable table, int c) {
        CfColumn column = table.columns().get(c);
        if (column.variable().isEmpty()) {
            return new ArrowType.Int(Long.SIZE, true);
        }
        CfVariable variable = column.variable().get();
        return switch (column.kind()) {
            case NUMBER ->
                ColumnType.of(variable.valueType(), variable.array().location()).arrow();
            case BOOLEAN -> new ArrowType.Bool();
            case TEXT -> new ArrowType.Utf8();
            case TIME ->
                table.hasJavaTimes(c) ? new ArrowType.Timestamp(TimeUnit.MICROSECOND, null) : new ArrowType.Utf8();
            case DURATION -> new ArrowType.Duration(TimeUnit.MICROSECOND);
            case OTHER ->
                throw new UnsupportedException(variable.array().location() + ": expected elements that the CF"
                        + " conventions decode, found the data type "
                        + variable.array().dataType().name());
        };
    }

    /**
     * Returns this table with batches of at most {@code batchRows} rows. The default is 2^20. Batches with more than 64
     * MiB of texts are shorter.
     *
     * @throws IllegalArgumentException unless {@code batchRows} is positive
     */
    public VariableTable withBatchRows(int batchRows) {
        if (batchRows < 1) {
            throw new IllegalArgumentException("expected a positive number of rows, found " + batchRows);
        }
        return new VariableTable(table, schema, batchRows);
    }

    /** Returns the schema. A field with a dictionary has the type of its meanings. */
    public Schema schema() {
        return schema;
    }

    /** Returns the number of rows. */
    public long rows() {
        return table.rows();
    }

    /**
     * Returns a reader of this table. It is the {@code DictionaryProvider} of its dictionaries: pass it to Arrow's
     * writers. It throws what {@link CfSelection#read()} throws. Closing it releases the memory of its vectors.
     *
     * @param allocator for the memory of the vectors
     */
    public ArrowReader reader(BufferAllocator allocator) {
        return new VariableTableReader(allocator, table, schema, batchRows);
    }

    @Override
    public String toString() {
        return "table of " + rows() + " rows: " + schema;
    }
}
