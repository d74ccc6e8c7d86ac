package dev.shardkit.zarrv2;

import dev.shardkit.spi.Config;
import dev.shardkit.spi.error.UnsupportedException;
import dev.shardkit.spi.json.Json;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A data type of Zarr v2, with its translation to Zarr v3. Zarr v2 writes types in the syntax of NumPy's array
 * protocol, such as {@code <i4}, {@code |S10} or {@code >M8[10ns]}. Immutable.
 *
 * @param kind the letter of the kind, such as {@code i}; {@link V2Struct#KIND} for records
 * @param size the size of an element in bytes; 0 for objects, whose size varies
 * @param dataType the data type of Zarr v3
 * @param endian the byte order; {@code null} if it does not matter
 */
record V2Type(char kind, long size, Json dataType, @Nullable String endian) {
    // The first filter of an array of objects says what the objects are.

    /** The first filter of arrays of objects that are strings. */
    static final String TEXT = "vlen-utf8";
    /** The first filter of arrays of objects that are byte strings. */
    static final String BINARY = "vlen-bytes";
    /** The first filter of arrays of objects that are stored as JSON. */
    static final String JSON = "json2";
    /** The first filter of arrays of objects that are arrays of numbers. */
    private static final String VLEN_ARRAY = "vlen-array";

    /** A type. Its groups are the byte order, the kind, the size, and for times the number of units and the unit. */
    private static final Pattern PATTERN = Pattern.compile(
            "([<>|])([biufcmMSUVO])([0-9]{0,9})(?:\\[([0-9]{0,9})(Y|M|W|D|h|m|s|ms|us|\u03bcs|ns|ps|fs|as)])?");

    private static final List<String> NUMERIC_TYPES =
            List.of("i1", "i2", "i4", "i8", "u1", "u2", "u4", "u8", "f2", "f4", "f8", "c8", "c16");
    /** The size of a character in the kind U, which is UTF-32. */
    private static final long CODE_POINT_SIZE = 4;

    /** Parses the data type of an array. */
    static V2Type parse(V2Members array) {
        return parse(array, array.required("dtype"), array.at("dtype"));
    }

    /**
     * Parses the data type of an array, or of a field of its records.
     *
     * @param location the place of {@code dtype} in the document, for messages
     */
    static V2Type parse(V2Members array, Json dtype, String location) {
        if (dtype instanceof Json.Arr fields) {
            return V2Struct.parse(array, fields, location);
        }
        Matcher matcher = PATTERN.matcher(dtype instanceof Json.Str s ? s.value() : "");
        if (!matcher.matches()) {
            throw Config.expected(location, "a type of NumPy's array protocol such as <i4, |S10 or <M8[ns]", dtype);
        }
        char kind = matcher.group(2).charAt(0);
        long size = matcher.group(3).isEmpty() ? 0 : Long.parseLong(matcher.group(3));
        boolean isTime = kind == 'M' || kind == 'm';
        if (matcher.group(4) != null && !isTime) {
            throw Config.expected(location, "a unit on M8 and m8 only", dtype);
        }
        return switch (kind) {
            case 'b' -> size == 1 ? withoutByteOrder(kind, 1, "bool") : refuse(location, dtype);
            case 'i', 'u', 'f', 'c' -> numericType(kind, matcher, dtype, location);
            case 'M', 'm' -> size == 8 ? timeType(kind, matcher, dtype, location) : refuse(location, dtype);
            case 'S' -> size > 0 ? bytesType(size) : refuse(location, dtype);
            case 'V' -> size > 0 ? withoutByteOrder(kind, size, "r" + 8 * size) : refuse(location, dtype);
            case 'U' -> size > 0 ? textType(size, matcher, dtype, location) : refuse(location, dtype);
            default -> objectType(array, dtype, location);
        };
    }

    private static V2Type refuse(String location, Json dtype) {
        throw new UnsupportedException(location + ": Zarr v3 has no equivalent data type: " + abbreviate(dtype));
    }

    private static String abbreviate(Json json) {
        String text = json.toString();
        return text.length() > 80 ? text.substring(0, 80) + "..." : text;
    }

    /** Returns a type for which the byte order does not matter. */
    private static V2Type withoutByteOrder(char kind, long size, String name) {
        return new V2Type(kind, size, Json.of(name), null);
    }

    /** Returns the type of strings of fixed length, as xarray and zarr-python write it in Zarr v3. */
    private static V2Type bytesType(long size) {
        return new V2Type(
                'S',
                size,
                Json.extension("null_terminated_bytes", Json.object().with("length_bytes", Json.of(size))),
                null);
    }

    /** Returns the byte order, which a type with words of several bytes must state. */
    private static String byteOrder(Matcher matcher, Json dtype, String location) {
        if (matcher.group(1).equals("|")) {
            throw Config.expected(location, "< or > before a type whose words have several bytes", dtype);
        }
        return matcher.group(1).equals("<") ? "little" : "big";
    }

    /** Returns a type of integers, real or complex numbers. */
    private static V2Type numericType(char kind, Matcher matcher, Json dtype, String location) {
        if (!NUMERIC_TYPES.contains(matcher.group(2) + matcher.group(3))) {
            return refuse(location, dtype);
        }
        long size = Long.parseLong(matcher.group(3));
        String name =
                switch (kind) {
                            case 'i' -> "int";
                            case 'u' -> "uint";
                            case 'f' -> "float";
                            default -> "complex";
                        }
                        + 8 * size;
        return new V2Type(kind, size, Json.of(name), size == 1 ? null : byteOrder(matcher, dtype, location));
    }

    /** Returns a type of datetimes or durations. */
    private static V2Type timeType(char kind, Matcher matcher, Json dtype, String location) {
        String unit = matcher.group(5) == null ? "generic" : matcher.group(5);
        long scale = matcher.group(4) == null || matcher.group(4).isEmpty() ? 1 : Long.parseLong(matcher.group(4));
        String name = kind == 'M' ? "numpy.datetime64" : "numpy.timedelta64";
        return new V2Type(
                kind,
                8,
                Json.extension(name, Json.object().with("unit", Json.of(unit)).with("scale_factor", Json.of(scale))),
                byteOrder(matcher, dtype, location));
    }

    private static V2Type textType(long codePoints, Matcher matcher, Json dtype, String location) {
        Json.Obj configuration = Json.object().with("length_bytes", Json.of(CODE_POINT_SIZE * codePoints));
        return new V2Type(
                'U',
                CODE_POINT_SIZE * codePoints,
                Json.extension("fixed_length_utf32", configuration),
                byteOrder(matcher, dtype, location));
    }

    /** Returns the type of objects. The first filter determines it. */
    private static V2Type objectType(V2Members array, Json dtype, String location) {
        String firstFilter = V2Codecs.firstFilter(array);
        return switch (firstFilter) {
            case TEXT, JSON -> new V2Type('O', 0, Json.of("string"), null);
            case BINARY, VLEN_ARRAY -> new V2Type('O', 0, Json.of("bytes"), null);
            default ->
                throw new UnsupportedException(location
                        + ": objects are supported with the filter vlen-utf8, vlen-bytes, vlen-array or json2, "
                        + "found " + (firstFilter.isEmpty() ? "none" : firstFilter));
        };
    }

    boolean isText() {
        return dataType.equals(Json.of("string"));
    }

    /** Returns the codec {@code bytes} for this type. Must not be called for objects, which need another codec. */
    Json bytesCodec() {
        return Json.extension(
                "bytes", endian == null ? Json.object() : Json.object().with("endian", Json.of(endian)));
    }
}
