package dev.shardkit.files.export;

import dev.shardkit.ZarrArray;
import dev.shardkit.spi.array.Box;
import dev.shardkit.spi.array.DataType;
import dev.shardkit.spi.array.Elements;
import dev.shardkit.spi.array.FillValue;
import dev.shardkit.spi.array.FloatingFormat;
import dev.shardkit.spi.error.UnsupportedException;
import dev.shardkit.spi.json.Json;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Comma-separated values (RFC 4180), in UTF-8 with line feeds: one line for each element or row. If there are more than
 * two dimensions, dimensions of length 1 are dropped. Dates and times are text of ISO 8601. Bytes of fixed length are
 * text if they are UTF-8, else base64.
 *
 * @param type the data type of the elements
 * @param times formats the elements as times; null for other types
 * @param columns the number of elements in a line
 */
public record CsvFile(DataType type, @Nullable IsoTimes times, long columns) implements ArrayFile {
    public static CsvFile create(ZarrArray array, Box region) {
        DataType type = array.dataType();
        List<Long> shape = new ArrayList<>(Arrays.stream(region.shape()).boxed().toList());
        while (shape.size() > 2 && shape.remove(Long.valueOf(1))) {
            continue; // a dimension of length 1 does not change the order of the elements
        }
        if (shape.size() > 2) {
            throw new IllegalArgumentException("CSV has one or two dimensions; the region has shape "
                    + Arrays.toString(region.shape()) + ArrayFile.planeHint(region.shape()));
        } else if (!type.fields().isEmpty() || !isScalar(type.formatFill(type.defaultFill()))) {
            throw new UnsupportedException("elements of type " + type.name() + " cannot be written as CSV");
        }
        return new CsvFile(type, IsoTimes.forType(type).orElse(null), shape.size() == 2 ? shape.get(1) : 1);
    }

    private static boolean isScalar(Json json) {
        return json instanceof Json.Str || json instanceof Json.Num || json instanceof Json.Bool;
    }

    @Override
    public void write(Slices slices, OutputStream out) throws IOException {
        long[] column = {0};
        slices.read(elements -> {
            for (int index = 0; index < elements.count(); index++) {
                out.write(toText(elements, index).getBytes(StandardCharsets.UTF_8));
                boolean isLast = ++column[0] == columns;
                out.write(isLast ? '\n' : ',');
                column[0] = isLast ? 0 : column[0];
            }
        });
    }

    private String toText(Elements elements, int index) {
        byte[] bytes;
        if (elements instanceof Elements.Variable variable) {
            bytes = variable.values()[index];
        } else {
            Elements.Fixed fixed = (Elements.Fixed) elements;
            bytes = new byte[fixed.elementSize()];
            fixed.bytes().get(index * fixed.elementSize(), bytes);
        }
        Json json = type.show(FillValue.of(bytes));
        if (times != null && json instanceof Json.Num) {
            return times.format(
                    ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN).getLong());
        }
        if (!(json instanceof Json.Str text)) {
            return json.toString();
        } else if (type.number().orElse(null) instanceof FloatingFormat
                && text.value().startsWith("0x")) {
            return "NaN"; // Zarr shows an unusual bit pattern of NaN as a hexadecimal number
        }
        String value = text.value();
        if (value.isEmpty() && columns == 1) {
            return "\"\""; // quotes, because readers skip empty lines
        }
        return value.chars().anyMatch(c -> c == ',' || c == '"' || c == '\n' || c == '\r')
                ? '"' + value.replace("\"", "\"\"") + '"'
                : value;
    }
}
