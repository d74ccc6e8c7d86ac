package dev.shardkit.v2;

import dev.shardkit.spi.Config;
import dev.shardkit.spi.error.UnsupportedException;
import dev.shardkit.spi.json.Json;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A data type in the syntax of NumPy's array protocol, such as {@code <i4}, {@code |S10} or {@code >M8[10ns]}.
 * Immutable.
 *
 * @param kind the letter of the kind, or {@link V2Struct#KIND}
 * @param size the size of an element in bytes; 0 for objects, whose size varies
 * @param dataType the data type of Zarr v3
 * @param endian the byte order, if words have several bytes
 */
record V2Type(char kind, long size, Json dataType, @Nullable String endian) {
    static final String TEXT = "vlen-utf8";
    static final String BINARY = "vlen-bytes";
    static final String JSON = "json2";
    private static final String NUMBERS_OF_OBJECTS = "vlen-array";

    private static final Pattern FORM = Pattern.compile(
            "([<>|])([biufcmMSUVO])([0-9]{0,9})(?:\\[([0-9]{0,9})(Y|M|W|D|h|m|s|ms|us|\u03bcs|ns|ps|fs|as)])?");
    private static final List<String> NUMBERS =
            List.of("i1", "i2", "i4", "i8", "u1", "u2", "u4", "u8", "f2", "f4", "f8", "c8", "c16");
    private static final long CODE_POINT = 4;

    static V2Type of(V2Members array) {
        return of(array, array.required("dtype"), array.at("dtype"));
    }

    static V2Type of(V2Members array, Json dtype, String at) {
        if (dtype instanceof Json.Arr fields) {
            return V2Struct.of(array, fields, at);
        }
        Matcher form = FORM.matcher(dtype instanceof Json.Str s ? s.value() : "");
        if (!form.matches()) {
            throw Config.expected(at, "a type of NumPy's array protocol such as <i4, |S10 or <M8[ns]", dtype);
        }
        char kind = form.group(2).charAt(0);
        long size = form.group(3).isEmpty() ? 0 : Long.parseLong(form.group(3));
        boolean time = kind == 'M' || kind == 'm';
        if (form.group(4) != null && !time) {
            throw Config.expected(at, "a unit on M8 and m8 only", dtype);
        }
        return switch (kind) {
            case 'b' -> size == 1 ? plain(kind, 1, "bool") : refuse(at, dtype);
            case 'i', 'u', 'f', 'c' -> number(kind, form, dtype, at);
            case 'M', 'm' -> size == 8 ? time(kind, form, dtype, at) : refuse(at, dtype);
            case 'S' -> size > 0 ? bytes(size) : refuse(at, dtype);
            case 'V' -> size > 0 ? plain(kind, size, "r" + 8 * size) : refuse(at, dtype);
            case 'U' -> size > 0 ? text(size, form, dtype, at) : refuse(at, dtype);
            default -> object(array, dtype, at);
        };
    }

    private static V2Type refuse(String at, Json dtype) {
        throw new UnsupportedException(at + ": Zarr v3 has no equivalent data type: " + shown(dtype));
    }

    private static String shown(Json json) {
        String text = json.toString();
        return text.length() > 80 ? text.substring(0, 80) + "..." : text;
    }

    private static V2Type plain(char kind, long size, String name) {
        return new V2Type(kind, size, Json.of(name), null);
    }

    /** Text of fixed length keeps its type, which xarray and zarr-python read in Zarr v3; raw bits would lose it. */
    private static V2Type bytes(long size) {
        return new V2Type(
                'S',
                size,
                Json.extension("null_terminated_bytes", Json.object().with("length_bytes", Json.of(size))),
                null);
    }

    private static String endian(Matcher form, Json dtype, String at) {
        if (form.group(1).equals("|")) {
            throw Config.expected(at, "< or > before a type whose words have several bytes", dtype);
        }
        return form.group(1).equals("<") ? "little" : "big";
    }

    private static V2Type number(char kind, Matcher form, Json dtype, String at) {
        if (!NUMBERS.contains(form.group(2) + form.group(3))) {
            return refuse(at, dtype);
        }
        long size = Long.parseLong(form.group(3));
        String name =
                switch (kind) {
                            case 'i' -> "int";
                            case 'u' -> "uint";
                            case 'f' -> "float";
                            default -> "complex";
                        }
                        + 8 * size;
        return new V2Type(kind, size, Json.of(name), size == 1 ? null : endian(form, dtype, at));
    }

    private static V2Type time(char kind, Matcher form, Json dtype, String at) {
        String unit = form.group(5) == null ? "generic" : form.group(5);
        long scale = form.group(4) == null || form.group(4).isEmpty() ? 1 : Long.parseLong(form.group(4));
        String name = kind == 'M' ? "numpy.datetime64" : "numpy.timedelta64";
        return new V2Type(
                kind,
                8,
                Json.extension(name, Json.object().with("unit", Json.of(unit)).with("scale_factor", Json.of(scale))),
                endian(form, dtype, at));
    }

    private static V2Type text(long points, Matcher form, Json dtype, String at) {
        Json.Obj length = Json.object().with("length_bytes", Json.of(CODE_POINT * points));
        return new V2Type(
                'U', CODE_POINT * points, Json.extension("fixed_length_utf32", length), endian(form, dtype, at));
    }

    /** Converts the type of objects, which their first filter determines. */
    private static V2Type object(V2Members array, Json dtype, String at) {
        String first = V2Codecs.firstFilter(array);
        return switch (first) {
            case TEXT, JSON -> new V2Type('O', 0, Json.of("string"), null);
            case BINARY, NUMBERS_OF_OBJECTS -> new V2Type('O', 0, Json.of("bytes"), null);
            default ->
                throw new UnsupportedException(
                        at + ": objects are supported with the filter vlen-utf8, vlen-bytes, vlen-array or json2, "
                                + "found " + (first.isEmpty() ? "none" : first));
        };
    }

    boolean isText() {
        return dataType.equals(Json.of("string"));
    }

    /** Returns the {@code bytes} codec; objects have a codec of their own. */
    Json arrayToBytes() {
        return Json.extension(
                "bytes", endian == null ? Json.object() : Json.object().with("endian", Json.of(endian)));
    }
}
