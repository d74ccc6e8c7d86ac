package dev.shardkit.files.npy;

import dev.shardkit.spi.array.DataType;
import dev.shardkit.spi.array.Field;
import dev.shardkit.spi.error.UnsupportedException;
import dev.shardkit.spi.json.Json;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/**
 * Converts record types of NumPy, such as {@code [('a', '<i4'), ('b', '<f8')]}, to and from the data type
 * {@code struct} of Zarr. Fields that are records themselves are exported, but not imported.
 */
final class NumpyRecords {
    private NumpyRecords() {}

    /**
     * Converts a list of fields to a type.
     *
     * @throws UnsupportedException if a field is an array, a record or big-endian, or if there are gaps
     */
    static NumpyType parse(PythonLiteral.Items fieldList) {
        List<Json> fields = new ArrayList<>();
        for (PythonLiteral item : fieldList.items()) {
            if (!(item instanceof PythonLiteral.Tuple field
                    && field.items().size() >= 2
                    && field.items().get(0) instanceof PythonLiteral.Text name)) {
                throw unsupported("expected fields that have a name and a type such as '<i4'; titles of fields are not "
                        + "supported");
            }
            fields.add(parseField(name.value(), field.items()));
        }
        if (fields.isEmpty()) {
            throw unsupported("expected fields, found none");
        }
        return new NumpyType(
                Json.extension("struct", Json.object().with("fields", new Json.Arr(fields))), ByteOrder.LITTLE_ENDIAN);
    }

    private static Json parseField(String name, List<PythonLiteral> field) {
        if (name.isEmpty()) {
            throw unsupported(
                    "there are gaps between the fields; remove them with numpy.lib.recfunctions.repack_fields(array)");
        } else if (field.get(1) instanceof PythonLiteral.Items) {
            throw unsupported("the field \"" + name + "\" is a record");
        } else if (field.size() != 2 || !(field.get(1) instanceof PythonLiteral.Text)) {
            throw unsupported(
                    "the field \"" + name + "\" has no simple type: expected fields that have a name and a type "
                            + "such as '<i4'; arrays and records as fields are not supported");
        }
        NumpyType type = NumpyType.parse(((PythonLiteral.Text) field.get(1)).value())
                .orElseThrow(() -> unsupported("Zarr has no data type for the field \"" + name + "\""));
        if (type.order() != ByteOrder.LITTLE_ENDIAN) {
            throw unsupported("the field \"" + name
                    + "\" is big-endian; convert with array.astype(array.dtype.newbyteorder('<'))");
        }
        return Json.object().with("name", Json.of(name)).with("data_type", type.dataType());
    }

    /** Returns the exception for records that cannot be imported. */
    static UnsupportedException unsupported(String reason) {
        return new UnsupportedException("these records (a structured NumPy type) cannot be imported: " + reason
                + "; or save each field in a file of its own: numpy.save(\"x.npy\", array[\"x\"])");
    }

    /** Returns NumPy's description of little-endian records without gaps. */
    static String describe(DataType type) {
        return type.fields().stream().map(NumpyRecords::describe).collect(Collectors.joining(", ", "[", "]"));
    }

    private static String describe(Field field) {
        if (field.name().isEmpty()) {
            throw new UnsupportedException(
                    "npy holds fields with names, found a field without a name, which NumPy reads as a gap");
        } else if (field.name().codePoints().anyMatch(NumpyRecords::isUnprintable)) {
            throw new UnsupportedException(
                    "npy holds fields whose names have no control characters, found \"" + field.name() + "\"");
        }
        String type = NumpyType.describe(field.type());
        return "(" + PythonLiteral.quote(field.name()) + ", " + (type.startsWith("[") ? type : "'" + type + "'") + ")";
    }

    /** Whether a character is a control character or half of a surrogate pair, which UTF-8 cannot encode. */
    private static boolean isUnprintable(int codePoint) {
        return Character.isISOControl(codePoint) || Character.getType(codePoint) == Character.SURROGATE;
    }
}
