package dev.shardkit.files.npy;

import dev.shardkit.spi.array.DataType;
import dev.shardkit.spi.error.UnsupportedException;
import dev.shardkit.spi.json.Json;
import java.nio.ByteOrder;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A data type that NumPy describes by a text such as {@code <u2} in the header of an npy file: the byte order, the kind
 * and the size (numpy.lib.format).
 *
 * @param dataType the data type of Zarr
 * @param order the byte order of words
 */
public record NumpyType(Json dataType, ByteOrder order) {
    /** NumPy's description by Zarr's name of the type. */
    private static final Map<String, String> NUMPY_BY_ZARR = Map.ofEntries(
            Map.entry("bool", "|b1"),
            Map.entry("int8", "|i1"),
            Map.entry("uint8", "|u1"),
            Map.entry("int16", "<i2"),
            Map.entry("uint16", "<u2"),
            Map.entry("int32", "<i4"),
            Map.entry("uint32", "<u4"),
            Map.entry("int64", "<i8"),
            Map.entry("uint64", "<u8"),
            Map.entry("float16", "<f2"),
            Map.entry("float32", "<f4"),
            Map.entry("float64", "<f8"),
            Map.entry("complex64", "<c8"),
            Map.entry("complex128", "<c16"));

    /** A boolean or a number: byte order, kind, size. */
    private static final Pattern NUMBER = Pattern.compile("([<>|=]?)([biufc])([0-9]{1,2})");
    /** Bytes without a meaning (NumPy's void): size. */
    private static final Pattern BYTES = Pattern.compile("\\|?V([1-9][0-9]{0,8})");
    /** Bytes that end before the first zero byte: size. */
    private static final Pattern TERMINATED = Pattern.compile("\\|?S([1-9][0-9]{0,8})");
    /** Text in UTF-32: byte order, number of code points. */
    private static final Pattern TEXT = Pattern.compile("([<>])U([1-9][0-9]{0,7})");
    /** A time (M) or a time span (m): byte order, kind, number of units in a step, unit. */
    private static final Pattern TIME =
            Pattern.compile("([<>])([Mm])8(?:\\[([1-9][0-9]{0,8})?(Y|M|W|D|h|m|s|ms|us|ns|ps|fs|as)])?");

    private static final int CODE_POINT_BYTES = 4;

    /**
     * Returns NumPy's description of the little-endian elements of {@code type}.
     *
     * @throws UnsupportedException if NumPy has no such type
     */
    public static String describe(DataType type) {
        String name = type.name();
        if (NUMPY_BY_ZARR.containsKey(name)) {
            return NUMPY_BY_ZARR.get(name);
        } else if (name.equals("fixed_length_utf32")) {
            return "<U" + type.elementSize().orElseThrow() / CODE_POINT_BYTES;
        } else if (name.equals("null_terminated_bytes")) {
            return "|S" + type.elementSize().orElseThrow();
        } else if (name.matches("r[0-9]+|raw_bytes")) {
            return "|V" + type.elementSize().orElseThrow();
        } else if (name.equals("numpy.datetime64") || name.equals("numpy.timedelta64")) {
            return (name.equals("numpy.datetime64") ? "<M8" : "<m8") + timeStep(type.configuration());
        } else if (!type.fields().isEmpty()) {
            return NumpyRecords.describe(type);
        }
        throw new UnsupportedException("NumPy has no data type for elements of type " + name
                + (type.elementSize().isEmpty() ? ", whose size varies" : ""));
    }

    /** Returns the step of a time type in NumPy's form, such as {@code [10ms]}; empty without a unit. */
    private static String timeStep(Json.Obj configuration) {
        String unit = configuration
                .get("unit")
                // The Greek letter mu and the micro sign: Zarr allows both, NumPy writes u.
                .map(json -> ((Json.Str) json).value().replace('\u03bc', 'u').replace('\u00b5', 'u'))
                .orElse("generic");
        String scale = configuration.get("scale_factor").map(Json::toString).orElse("1");
        return unit.equals("generic") ? "" : "[" + (scale.equals("1") ? "" : scale) + unit + "]";
    }

    /** Parses NumPy's description of a type; empty if Zarr has no such type. */
    static Optional<NumpyType> parse(String description) {
        Matcher number = NUMBER.matcher(description);
        if (number.matches()) {
            return NUMPY_BY_ZARR.entrySet().stream()
                    .filter(entry -> entry.getValue().substring(1).equals(number.group(2) + number.group(3)))
                    .findFirst()
                    .map(entry -> new NumpyType(Json.of(entry.getKey()), byteOrder(number.group(1))));
        }
        Matcher bytes = BYTES.matcher(description);
        if (bytes.matches()) {
            return Optional.of(
                    new NumpyType(Json.of("r" + 8 * Long.parseLong(bytes.group(1))), ByteOrder.LITTLE_ENDIAN));
        }
        Matcher terminated = TERMINATED.matcher(description);
        if (terminated.matches()) {
            Json.Obj configuration = Json.object().with("length_bytes", new Json.Num(terminated.group(1)));
            return Optional.of(withConfiguration("null_terminated_bytes", configuration, ""));
        }
        Matcher text = TEXT.matcher(description);
        if (text.matches()) {
            long size = CODE_POINT_BYTES * Long.parseLong(text.group(2));
            Json.Obj configuration = Json.object().with("length_bytes", Json.of(size));
            return Optional.of(withConfiguration("fixed_length_utf32", configuration, text.group(1)));
        }
        Matcher time = TIME.matcher(description);
        if (!time.matches()) {
            return Optional.empty();
        }
        Json.Obj step = Json.object()
                .with("unit", Json.of(Optional.ofNullable(time.group(4)).orElse("generic")))
                .with(
                        "scale_factor",
                        new Json.Num(Optional.ofNullable(time.group(3)).orElse("1")));
        return Optional.of(withConfiguration(
                time.group(2).equals("M") ? "numpy.datetime64" : "numpy.timedelta64", step, time.group(1)));
    }

    private static NumpyType withConfiguration(String name, Json.Obj configuration, String orderMark) {
        Json.Obj json = Json.object().with("name", Json.of(name)).with("configuration", configuration);
        return new NumpyType(json, byteOrder(orderMark));
    }

    private static ByteOrder byteOrder(String orderMark) {
        return switch (orderMark) {
            case ">" -> ByteOrder.BIG_ENDIAN;
            case "=" -> ByteOrder.nativeOrder();
            default -> ByteOrder.LITTLE_ENDIAN;
        };
    }
}
