package dev.shardkit.files;

import dev.shardkit.spi.array.DataType;
import dev.shardkit.spi.array.Field;
import dev.shardkit.spi.error.UnsupportedException;
import dev.shardkit.spi.json.Json;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** Record types as NumPy describes them, such as {@code [('a', '<i4'), ('b', '<f8')]}: the data type struct of Zarr. */
final class NumpyRecords {
    /** A list of fields without lists, so without records as fields. */
    static final String LIST = "\\[[^\\[\\]]*\\]";

    private static final Pattern FIELD =
            Pattern.compile("\\s*\\(\\s*'([^'\\\\]*)'\\s*,\\s*'([^'\\\\]*)'\\s*\\)\\s*(,|(?=\\]))");

    private static final Pattern NAME = Pattern.compile("\\s*\\(\\s*'([^'\\\\]*)'\\s*,");
    private static final Pattern NESTED = Pattern.compile("\\(\\s*'([^'\\\\]*)'\\s*,\\s*\\[");

    private NumpyRecords() {}

    /** Returns the failure for a header with a field that is a record; it names the first such field. */
    static UnsupportedException nested(String header) {
        Matcher field = NESTED.matcher(header);
        return refused((field.find() ? "the field \"" + field.group(1) + "\"" : "a field") + " is a record");
    }

    /**
     * Returns the type that a list of fields means.
     *
     * @throws UnsupportedException if a field is an array, a record or big-endian, or if there are gaps
     */
    static NumpyType of(String list) {
        List<Json> fields = new ArrayList<>();
        Matcher field = FIELD.matcher(list).region(1, list.length());
        int end = 1;
        while (field.lookingAt()) {
            String name = field.group(1);
            if (name.isEmpty()) {
                throw refused(
                        "there are gaps between the fields; remove them with numpy.lib.recfunctions.repack_fields(array)");
            }
            NumpyType type = NumpyType.of(field.group(2))
                    .orElseThrow(() -> refused("Zarr has no data type for the field \"" + name + "\""));
            if (type.order() != ByteOrder.LITTLE_ENDIAN) {
                throw refused("the field \"" + name
                        + "\" is big-endian; convert with array.astype(array.dtype.newbyteorder('<'))");
            }
            fields.add(Json.object().with("name", Json.of(name)).with("data_type", type.dataType()));
            end = field.end();
            field.region(end, list.length());
        }
        if (fields.isEmpty() || !list.substring(end).strip().equals("]")) {
            Matcher name = NAME.matcher(list.substring(end));
            throw refused((name.lookingAt() ? "the field \"" + name.group(1) + "\" has no simple type: " : "")
                    + "expected fields that have a name and a type such as '<i4'; arrays and records as fields "
                    + "are not supported");
        }
        return new NumpyType(
                Json.extension("struct", Json.object().with("fields", new Json.Arr(fields))), ByteOrder.LITTLE_ENDIAN);
    }

    /** Returns the failure for records that cannot be imported. */
    static UnsupportedException refused(String reason) {
        return new UnsupportedException("these records (a structured NumPy type) cannot be imported: " + reason
                + "; or save each field in a file of its own: numpy.save(\"x.npy\", array[\"x\"])");
    }

    /** Returns NumPy's description of little-endian records without gaps. */
    static String descr(DataType type) {
        return type.fields().stream().map(NumpyRecords::descr).collect(Collectors.joining(", ", "[", "]"));
    }

    private static String descr(Field field) {
        if (!field.name().matches("[ -~&&[^'\\\\]]+")) {
            throw new UnsupportedException(
                    "npy holds fields whose names are ASCII without quotes, found \"" + field.name() + "\"");
        }
        String type = NumpyType.descr(field.type());
        return "('" + field.name() + "', " + (type.startsWith("[") ? type : "'" + type + "'") + ")";
    }
}
