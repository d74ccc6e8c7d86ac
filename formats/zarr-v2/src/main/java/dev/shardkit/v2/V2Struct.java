package dev.shardkit.v2;

import dev.shardkit.spi.Config;
import dev.shardkit.spi.error.UnsupportedException;
import dev.shardkit.spi.json.Json;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/**
 * Structured types of NumPy: lists of fields such as {@code [["x", "<f4"], ["y", "<f8"]]}. They become
 * {@code structured}, whose fill value is base64 as in version 2.
 */
final class V2Struct {
    /** The kind of structured types; no letter of NumPy's array protocol. */
    static final char KIND = '[';

    private static final String LENGTH = "length_bytes";

    private V2Struct() {}

    static V2Type of(V2Members array, Json.Arr list, String at) {
        List<Json> fields = new ArrayList<>();
        Set<String> orders = new TreeSet<>();
        long size = 0;
        for (int i = 0; i < list.items().size(); i++) {
            String here = at + "/" + i;
            if (!(list.items().get(i) instanceof Json.Arr field)
                    || field.items().size() < 2
                    || !(field.items().get(0) instanceof Json.Str)) {
                throw Config.expected(
                        here, "a field such as [\"x\", \"<f4\"]", list.items().get(i));
            }
            if (field.items().size() > 2) {
                throw new UnsupportedException(here + ": fields that are arrays are not supported, found " + field);
            }
            V2Type type = V2Type.of(array, field.items().get(1), here + "/1");
            if (type.kind() == 'O') {
                throw new UnsupportedException(here + ": a field of objects is not supported, found " + field);
            }
            if (type.endian() != null) {
                orders.add(type.endian());
            }
            size = Math.addExact(size, type.size());
            fields.add(new Json.Arr(List.of(field.items().get(0), dataType(type))));
        }
        if (orders.size() > 1) {
            throw new UnsupportedException(at + ": expected fields of one byte order, found both");
        }
        Json.Obj configuration = Json.object().with("fields", new Json.Arr(fields));
        String order = orders.stream().findFirst().orElse(null);
        return new V2Type(KIND, size, Json.extension("structured", configuration), order);
    }

    private static Json dataType(V2Type type) {
        return switch (type.kind()) {
            case 'S' -> Json.extension("null_terminated_bytes", Json.object().with(LENGTH, Json.of(type.size())));
            case 'V' -> Json.extension("raw_bytes", Json.object().with(LENGTH, Json.of(type.size())));
            default -> type.dataType();
        };
    }
}
