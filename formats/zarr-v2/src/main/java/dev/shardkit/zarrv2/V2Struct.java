package dev.shardkit.zarrv2;

import dev.shardkit.spi.Config;
import dev.shardkit.spi.error.UnsupportedException;
import dev.shardkit.spi.json.Json;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/**
 * Converts structured types of NumPy to the data type {@code structured}. A structured type is a list of fields such as
 * {@code [["x", "<f4"], ["y", "<f8"]]}. Fill values are base64 in both versions.
 */
final class V2Struct {
    /** The kind of structured types. It differs from all kinds in NumPy's array protocol. */
    static final char KIND = '[';

    private static final String LENGTH = "length_bytes";

    private V2Struct() {}

    /** Parses the list of fields. */
    static V2Type parse(V2Members array, Json.Arr list, String location) {
        List<Json> fields = new ArrayList<>();
        Set<String> byteOrders = new TreeSet<>();
        long size = 0;
        for (int i = 0; i < list.items().size(); i++) {
            String fieldLocation = location + "/" + i;
            if (!(list.items().get(i) instanceof Json.Arr field)
                    || field.items().size() < 2
                    || !(field.items().get(0) instanceof Json.Str)) {
                throw Config.expected(
                        fieldLocation,
                        "a field such as [\"x\", \"<f4\"]",
                        list.items().get(i));
            }
            if (field.items().size() > 2) {
                throw new UnsupportedException(
                        fieldLocation + ": fields that are arrays are not supported, found " + field);
            }
            V2Type type = V2Type.parse(array, field.items().get(1), fieldLocation + "/1");
            if (type.kind() == 'O') {
                throw new UnsupportedException(fieldLocation + ": a field of objects is not supported, found " + field);
            }
            if (type.endian() != null) {
                byteOrders.add(type.endian());
            }
            size = Math.addExact(size, type.size());
            fields.add(new Json.Arr(List.of(field.items().get(0), fieldType(type))));
        }
        if (byteOrders.size() > 1) {
            throw new UnsupportedException(location + ": expected fields of one byte order, found both");
        }
        Json.Obj configuration = Json.object().with("fields", new Json.Arr(fields));
        String byteOrder = byteOrders.stream().findFirst().orElse(null);
        return new V2Type(KIND, size, Json.extension("structured", configuration), byteOrder);
    }

    /** Returns the data type of a field, with the names that types have in {@code structured}. */
    private static Json fieldType(V2Type type) {
        return switch (type.kind()) {
            case 'S' -> Json.extension("null_terminated_bytes", Json.object().with(LENGTH, Json.of(type.size())));
            case 'V' -> Json.extension("raw_bytes", Json.object().with(LENGTH, Json.of(type.size())));
            default -> type.dataType();
        };
    }
}
