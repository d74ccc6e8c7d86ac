package dev.shardkit.files;

import dev.shardkit.ZarrArray;
import dev.shardkit.cf.CfColumn;
import dev.shardkit.cf.CfKind;
import dev.shardkit.cf.CfRows;
import dev.shardkit.cf.CfTable;
import dev.shardkit.cf.CfValues;
import dev.shardkit.cf.CfVariable;
import dev.shardkit.spi.array.IntegerFormat;
import dev.shardkit.spi.error.UnsupportedException;
import java.io.IOException;
import java.io.OutputStream;
import java.lang.reflect.Array;
import java.nio.charset.StandardCharsets;
import java.util.Iterator;
import java.util.List;
import java.util.function.IntFunction;
import java.util.stream.Collectors;

/**
 * Writes a table of variables of the CF conventions as comma-separated values (RFC 4180), in UTF-8 with line feeds, as
 * {@code to_dataframe().to_csv()} of xarray does: a line with the names of the columns, then a line for each element,
 * with its labels and its value. Times and time spans have the form of ISO 8601. Missing elements are empty. Texts that
 * begin with {@code =}, {@code +}, {@code -} or {@code @} are written as they are; some spreadsheets take them as
 * formulas. Reads the table in blocks, so it may be larger than memory. Immutable.
 */
public final class TableCsv {
    /** The maximum number of rows that are read at once. */
    private static final int BLOCK_ROWS = 1 << 16;

    private final CfTable table;
    private final boolean hasUnits;

    private TableCsv(CfTable table, boolean hasUnits) {
        this.table = table;
        this.hasUnits = hasUnits;
    }

    /**
     * Returns a writer for a table.
     *
     * @throws UnsupportedException if the conventions do not decode the elements of a column
     */
    public static TableCsv of(CfTable table) {
        for (CfColumn column : table.columns()) {
            if (column.kind() == CfKind.OTHER) {
                ZarrArray array = column.variable().orElseThrow().array();
                throw new UnsupportedException(array.location() + ": expected numbers, booleans, texts, times or time "
                        + "spans in the column " + column.name() + " of a table, found " + array.dataType());
            }
        }
        return new TableCsv(table, false);
    }

    /** Returns a writer that adds units to the names of columns of numbers, as in {@code t2m [K]}. */
    public TableCsv withUnits() {
        return new TableCsv(table, true);
    }

    /**
     * Writes the lines.
     *
     * @throws dev.shardkit.spi.error.ZarrException if a chunk cannot be read
     * @throws IOException if the stream throws it
     */
    public void writeTo(OutputStream out) throws IOException {
        List<CfColumn> columns = table.columns();
        out.write(utf8(columns.stream().map(this::name).collect(Collectors.joining(",", "", "\n"))));
        for (Iterator<CfRows> blocks = table.blocks(BLOCK_ROWS); blocks.hasNext(); ) {
            CfRows rows = blocks.next();
            byte[][][] texts = new byte[columns.size()][][]; // for each column, for each of its elements, UTF-8 bytes
            for (int c = 0; c < texts.length; c++) {
                texts[c] = texts(columns.get(c), rows.values(c), columns.size() == 1);
            }
            for (int row = 0; row < rows.count(); row++) {
                for (int c = 0; c < texts.length; c++) {
                    out.write(texts[c][rows.index(c, row)]);
                    out.write(c == texts.length - 1 ? '\n' : ',');
                }
            }
        }
    }

    private String name(CfColumn column) {
        String units = column.variable()
                .filter(variable -> hasUnits && variable.kind() == CfKind.NUMBER)
                .flatMap(CfVariable::units)
                .map(text -> " [" + text + "]")
                .orElse("");
        return quoted(column.name() + units);
    }

    /**
     * Returns the text of each element of a block. A label that several rows share is one element, so it is formatted
     * once.
     *
     * @param isAlone whether the table has no other column
     */
    private static byte[][] texts(CfColumn column, CfValues values, boolean isAlone) {
        boolean[] missing = values.missing();
        IntFunction<String> text = text(column, values);
        byte[][] texts = new byte[missing.length][];
        for (int i = 0; i < texts.length; i++) {
            String cell = missing[i] ? "" : text.apply(i);
            texts[i] = utf8(cell.isEmpty() && isAlone ? "\"\"" : cell); // quotes, because readers skip empty lines
        }
        return texts;
    }

    /** Returns the function that formats the element with an index. */
    private static IntFunction<String> text(CfColumn column, CfValues values) {
        Object array = values.values().array();
        return switch (column.kind()) {
            case TIME -> i -> values.times().get(i).orElseThrow().toString();
            case DURATION -> i -> values.durations().get(i).orElseThrow().toString();
            case TEXT -> i -> quoted(((String[]) array)[i]);
            case NUMBER -> number(values, array);
            case BOOLEAN -> i -> Boolean.toString(((boolean[]) array)[i]);
            case OTHER -> throw new IllegalStateException(column + " was refused before");
        };
    }

    private static IntFunction<String> number(CfValues values, Object array) {
        if (array instanceof double[] numbers) {
            return i -> Double.isInfinite(numbers[i]) ? infinity(numbers[i]) : Double.toString(numbers[i]);
        } else if (array instanceof float[] numbers) {
            return i -> Float.isInfinite(numbers[i]) ? infinity(numbers[i]) : Float.toString(numbers[i]);
        }
        IntegerFormat format =
                (IntegerFormat) values.values().dataType().number().orElseThrow();
        return i -> format.text(format.value(Array.getLong(array, i)));
    }

    private static String infinity(double number) {
        return number > 0 ? "inf" : "-inf";
    }

    private static String quoted(String value) {
        return value.chars().anyMatch(c -> c == ',' || c == '"' || c == '\n' || c == '\r')
                ? '"' + value.replace("\"", "\"\"") + '"'
                : value;
    }

    private static byte[] utf8(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }
}
