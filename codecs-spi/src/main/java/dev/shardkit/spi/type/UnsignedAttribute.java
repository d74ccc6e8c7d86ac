package dev.shardkit.spi.type;

import dev.shardkit.spi.array.DataType;
import dev.shardkit.spi.array.IntegerFormat;
import dev.shardkit.spi.json.Json;

/**
 * The attribute {@code _Unsigned} of NetCDF. It says that the elements of an integer array have the other signedness
 * than its type: {@code "true"} for signed types, {@code "false"} for unsigned ones.
 */
public final class UnsignedAttribute {
    /** The name of the attribute. */
    public static final String NAME = "_Unsigned";

    private UnsignedAttribute() {}

    /** Returns whether the attribute is present and contradicts the signedness of the type. */
    public static boolean contradicts(DataType type, Json.Obj attributes) {
        if (!(type.number().orElse(null) instanceof IntegerFormat format)) {
            return false;
        }
        String value = attributes
                .get(NAME)
                .map(json -> json instanceof Json.Str text ? text.value() : json.toString())
                .orElse("");
        return format.isSigned() ? value.equals("true") : value.equals("false");
    }
}
