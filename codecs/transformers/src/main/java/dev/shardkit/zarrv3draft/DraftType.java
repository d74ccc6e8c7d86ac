package dev.shardkit.zarrv3draft;

import dev.shardkit.spi.Config;
import dev.shardkit.spi.json.Json;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A data type of the draft, such as {@code bool}, {@code i1}, {@code <u2}, {@code >f8} or {@code <c16}. Immutable.
 *
 * @param name the name in Zarr v3
 * @param size the size of an element in bytes
 * @param endian the byte order, if an element has several bytes
 */
record DraftType(String name, int size, @Nullable String endian) {
    private static final Pattern NUMBER = Pattern.compile("([<>|]?)([iufc])(1|2|4|8|16)");

    /** Parses the data type in a document of the draft. */
    static DraftType of(Json json) {
        if (json.equals(Json.of("bool")) || json.equals(Json.of("|b1"))) {
            return new DraftType("bool", 1, null);
        }
        Matcher number = NUMBER.matcher(json instanceof Json.Str s ? s.value() : "");
        if (!number.matches()) {
            throw refused(json);
        }
        int size = Integer.parseInt(number.group(3));
        String name =
                switch (number.group(2)) {
                            case "i" -> "int";
                            case "u" -> "uint";
                            case "f" -> "float";
                            default -> "complex";
                        }
                        + 8 * size;
        boolean isKnown = List.of(
                        "int8",
                        "int16",
                        "int32",
                        "int64",
                        "uint8",
                        "uint16",
                        "uint32",
                        "uint64",
                        "float16",
                        "float32",
                        "float64",
                        "complex64",
                        "complex128")
                .contains(name);
        boolean hasByteOrder = number.group(1).equals("<") || number.group(1).equals(">");
        if (!isKnown || (size > 1 && !hasByteOrder)) {
            throw refused(json);
        }
        return new DraftType(name, size, size == 1 ? null : number.group(1).equals("<") ? "little" : "big");
    }

    private static RuntimeException refused(Json json) {
        return Config.expected("/data_type", "a type of the draft such as bool, i1, <i2 or >f8", json);
    }

    /** Returns the fill value of an array that does not define one. */
    Json zero() {
        if (name.equals("bool")) {
            return Json.of(false);
        }
        return name.startsWith("complex") ? Json.of(new long[] {0, 0}) : Json.of(0);
    }
}
