package dev.shardkit.type;

import dev.shardkit.spi.Config;
import dev.shardkit.spi.array.Carrier;
import dev.shardkit.spi.array.DataType;
import dev.shardkit.spi.array.FillValue;
import dev.shardkit.spi.error.MetadataException;
import dev.shardkit.spi.json.Json;
import java.math.BigInteger;
import java.util.Arrays;
import java.util.Locale;
import java.util.OptionalInt;
import java.util.stream.Collectors;

/**
 * {@code numpy.datetime64} and {@code numpy.timedelta64} (zarr-extensions): a signed 64-bit count of steps. A datetime
 * counts the steps since the start of 1970 (UTC); a duration is a number of steps. A step is {@link #scaleFactor} times
 * {@link #unit}. In Java, a {@code long[]} carries the counts; {@link #NOT_A_TIME} means "not a time". The type does no
 * calendar arithmetic: years and months are counted like other units. An immutable value.
 *
 * @param kind datetime or duration
 * @param unit the unit of a step
 * @param scaleFactor the number of units in a step, at least 1
 */
public record NumpyTimeType(Kind kind, Unit unit, int scaleFactor) implements DataType {
    /** The count that means "not a time" (NaT). */
    public static final long NOT_A_TIME = Long.MIN_VALUE;

    static final String UNIT = "unit";
    static final String SCALE_FACTOR = "scale_factor";

    private static final String NAT = "NaT";
    /** The number of characters of -2^63: a sign and 19 digits. */
    private static final int LONGEST_LEXEME = 20;

    /** The two kinds of types: datetimes and durations. */
    public enum Kind {
        /** Datetimes. */
        DATETIME64,
        /** Durations. */
        TIMEDELTA64;

        String typeName() {
            return "numpy." + name().toLowerCase(Locale.ROOT);
        }
    }

    /** Units of time. */
    public enum Unit {
        /** Years. */
        YEAR("Y"),
        /** Months. */
        MONTH("M"),
        /** Weeks. */
        WEEK("W"),
        /** Days. */
        DAY("D"),
        /** Hours. */
        HOUR("h"),
        /** Minutes. */
        MINUTE("m"),
        /** Seconds. */
        SECOND("s"),
        /** Milliseconds. */
        MILLISECOND("ms"),
        /** Microseconds; metadata may also use the symbol with a Greek letter. */
        MICROSECOND("us"),
        /** Nanoseconds. */
        NANOSECOND("ns"),
        /** Picoseconds. */
        PICOSECOND("ps"),
        /** Femtoseconds. */
        FEMTOSECOND("fs"),
        /** Attoseconds. */
        ATTOSECOND("as"),
        /** No unit. */
        GENERIC("generic");

        private final String symbol;

        Unit(String symbol) {
            this.symbol = symbol;
        }

        /** Returns the symbol in metadata. */
        public String symbol() {
            return symbol;
        }

        /** Parses the symbol of a unit in metadata. */
        static Unit parse(Json json, String pointer) {
            String text = json instanceof Json.Str s ? s.value() : "";
            // the Greek letter mu, and the micro sign that looks like it
            String symbol = text.equals("\u03bcs") || text.equals("\u00b5s") ? MICROSECOND.symbol : text;
            return Arrays.stream(values())
                    .filter(u -> u.symbol.equals(symbol))
                    .findFirst()
                    .orElseThrow(() -> Config.expected(
                            pointer,
                            "one of "
                                    + Arrays.stream(values()).map(Unit::symbol).collect(Collectors.joining(", ")),
                            json));
        }
    }

    /** Checks the scale factor. */
    public NumpyTimeType {
        if (scaleFactor < 1) {
            throw new MetadataException("data type " + kind.typeName() + ": expected a scale_factor of 1 to "
                    + Integer.MAX_VALUE + ", found " + scaleFactor);
        }
    }

    @Override
    public String name() {
        return kind.typeName();
    }

    @Override
    public Json.Obj configuration() {
        return Json.object().with(UNIT, Json.of(unit.symbol)).with(SCALE_FACTOR, Json.of(scaleFactor));
    }

    @Override
    public Carrier carrier() {
        return Carrier.LONG;
    }

    @Override
    public OptionalInt elementSize() {
        return OptionalInt.of(Long.BYTES);
    }

    @Override
    public FillValue parseFill(Json json) {
        if (json instanceof Json.Str s && s.value().equals(NAT)) {
            return FillValueBits.of(NOT_A_TIME, Long.BYTES);
        } else if (json instanceof Json.Num n && n.isInteger() && n.lexeme().length() <= LONGEST_LEXEME) {
            BigInteger value = new BigInteger(n.lexeme());
            if (value.bitLength() < Long.SIZE) {
                return FillValueBits.of(value.longValueExact(), Long.BYTES);
            }
        }
        throw FillValueBits.refuse(
                name(), "\"NaT\" or an integer from -2^63 to 2^63-1, without fraction or exponent,", json);
    }

    @Override
    public Json formatFill(FillValue value) {
        long count = FillValueBits.bits(name(), value, Long.BYTES);
        return count == NOT_A_TIME ? Json.of(NAT) : Json.of(count);
    }

    @Override
    public String toString() {
        return name() + "[" + (scaleFactor > 1 ? scaleFactor : "") + unit.symbol + "]";
    }
}
