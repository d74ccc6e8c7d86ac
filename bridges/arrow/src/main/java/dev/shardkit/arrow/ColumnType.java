package dev.shardkit.arrow;

import dev.shardkit.spi.array.Carrier;
import dev.shardkit.spi.array.DataType;
import dev.shardkit.spi.array.FloatingFormat;
import dev.shardkit.spi.array.IntegerFormat;
import dev.shardkit.spi.error.UnsupportedException;
import dev.shardkit.spi.json.Json;
import dev.shardkit.spi.type.CoreTypes;
import java.util.Optional;
import org.apache.arrow.vector.types.FloatingPointPrecision;
import org.apache.arrow.vector.types.TimeUnit;
import org.apache.arrow.vector.types.pojo.ArrowType;
import org.apache.arrow.vector.types.pojo.Field;

/**
 * The type in Arrow of a column, and the way to copy elements between a Zarr array and a vector of this type.
 *
 * @param arrow the type in Arrow
 * @param form how the elements are copied
 */
record ColumnType(ArrowType arrow, Form form) {
    private static final String DATETIME = "numpy.datetime64";
    private static final String TIMEDELTA = "numpy.timedelta64";

    /** How elements are copied. */
    enum Form {
        /** The bits are the same. */
        FIXED,
        /** The bits are the same; the smallest 64-bit integer, "not a time" (NaT), is null. */
        TIME,
        /** Booleans: one byte in Zarr, one bit in Arrow. */
        BOOL,
        /** Text of a fixed length: four bytes for each character in Zarr, UTF-8 in Arrow. */
        UTF32,
        /** Text of varying length: UTF-8 in both. */
        TEXT,
        /** Bytes of varying length. */
        BYTES
    }

    /** Returns the type of a column with elements of {@code type}. */
    static ColumnType of(DataType type, String location) {
        if (type.equals(CoreTypes.BOOL)) {
            return new ColumnType(new ArrowType.Bool(), Form.BOOL);
        } else if (type.carrier() == Carrier.STRING) {
            return new ColumnType(new ArrowType.Utf8(), Form.TEXT);
        } else if (type.carrier() == Carrier.UTF32) {
            return new ColumnType(new ArrowType.Utf8(), Form.UTF32);
        } else if (type.carrier() == Carrier.BYTES) {
            return new ColumnType(new ArrowType.Binary(), Form.BYTES);
        }
        return number(type)
                .or(() -> rawBits(type))
                .or(() -> time(type))
                .orElseThrow(() -> new UnsupportedException(location + ": Arrow has no type for the data type "
                        + type.json() + "; expected bool, an integer of 8 to 64 bits, float16, float32, float64, a"
                        + " string, bytes, raw bits, or a datetime or timedelta in s, ms, us or ns"));
    }

    /** Returns the type for numbers of the sizes that Arrow has. */
    private static Optional<ColumnType> number(DataType type) {
        int bits = type.elementSize().orElse(0) * Byte.SIZE;
        // A complex number consists of two words, and Arrow has no type for it.
        boolean isOneWord = type.elementSize().orElse(0) == type.carrier().wordSize();
        return type.number().filter(number -> isOneWord).flatMap(format -> {
            if (format instanceof IntegerFormat whole && whole.bits() == bits) {
                return Optional.of(new ColumnType(new ArrowType.Int(bits, whole.isSigned()), Form.FIXED));
            }
            if (format.equals(FloatingFormat.BINARY16)) {
                return floating(FloatingPointPrecision.HALF);
            } else if (format.equals(FloatingFormat.BINARY32)) {
                return floating(FloatingPointPrecision.SINGLE);
            } else if (format.equals(FloatingFormat.BINARY64)) {
                return floating(FloatingPointPrecision.DOUBLE);
            }
            return Optional.empty();
        });
    }

    private static Optional<ColumnType> floating(FloatingPointPrecision precision) {
        return Optional.of(new ColumnType(new ArrowType.FloatingPoint(precision), Form.FIXED));
    }

    private static Optional<ColumnType> rawBits(DataType type) {
        int size = type.elementSize().orElse(0);
        return size > 0 && type.equals(CoreTypes.rawBytes(size))
                ? Optional.of(new ColumnType(new ArrowType.FixedSizeBinary(size), Form.FIXED))
                : Optional.empty();
    }

    private static Optional<ColumnType> time(DataType type) {
        boolean datetime = type.name().equals(DATETIME);
        // Arrow counts single units; numpy also has multiples, such as 10 seconds.
        boolean isSingleUnit = type.configuration().get("scale_factor").equals(Optional.of(Json.of(1)));
        if (!isSingleUnit || !datetime && !type.name().equals(TIMEDELTA)) {
            return Optional.empty();
        }
        return type.configuration()
                .get("unit")
                .flatMap(unit -> unit(((Json.Str) unit).value()))
                .map(unit -> new ColumnType(
                        datetime ? new ArrowType.Timestamp(unit, null) : new ArrowType.Duration(unit), Form.TIME));
    }

    private static Optional<TimeUnit> unit(String symbol) {
        return Optional.ofNullable(
                switch (symbol) {
                    case "s" -> TimeUnit.SECOND;
                    case "ms" -> TimeUnit.MILLISECOND;
                    case "us" -> TimeUnit.MICROSECOND;
                    case "ns" -> TimeUnit.NANOSECOND;
                    default -> null;
                });
    }

    private static Json timeJson(String name, TimeUnit unit) {
        String symbol =
                switch (unit) {
                    case SECOND -> "s";
                    case MILLISECOND -> "ms";
                    case MICROSECOND -> "us";
                    case NANOSECOND -> "ns";
                };
        return Json.extension(name, Json.object().with("unit", Json.of(symbol)).with("scale_factor", Json.of(1)));
    }

    /**
     * Returns the JSON of the data type for the values of a field.
     *
     * @throws UnsupportedException if Zarr has no data type for these values
     */
    static Json dataType(Field field) {
        ArrowType type = field.getType();
        boolean isPlain = field.getDictionary() == null && field.getChildren().isEmpty();
        if (isPlain && type instanceof ArrowType.Bool) {
            return Json.of("bool");
        } else if (isPlain && type instanceof ArrowType.Int integer) {
            return Json.of((integer.getIsSigned() ? "int" : "uint") + integer.getBitWidth());
        } else if (isPlain && type instanceof ArrowType.FloatingPoint floating) {
            return Json.of(
                    switch (floating.getPrecision()) {
                        case HALF -> "float16";
                        case SINGLE -> "float32";
                        case DOUBLE -> "float64";
                    });
        } else if (isPlain && type instanceof ArrowType.FixedSizeBinary binary) {
            return CoreTypes.rawBytes(binary.getByteWidth()).json();
        } else if (isPlain && type instanceof ArrowType.Timestamp timestamp) {
            return timeJson(DATETIME, timestamp.getUnit());
        } else if (isPlain && type instanceof ArrowType.Duration duration) {
            return timeJson(TIMEDELTA, duration.getUnit());
        } else if (isPlain && (type instanceof ArrowType.Utf8 || type instanceof ArrowType.LargeUtf8)) {
            return Json.of("string");
        } else if (isPlain && (type instanceof ArrowType.Binary || type instanceof ArrowType.LargeBinary)) {
            return CoreTypes.VARIABLE_LENGTH_BYTES.json();
        }
        throw new UnsupportedException("column \"" + field.getName() + "\": Zarr has no data type for " + type
                + (field.getDictionary() == null ? "" : " with a dictionary")
                + "; expected booleans, integers, floating-point numbers, text, binary, timestamps or durations");
    }
}
