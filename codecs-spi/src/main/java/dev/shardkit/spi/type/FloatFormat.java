package dev.shardkit.spi.type;

import dev.shardkit.spi.array.Carrier;
import dev.shardkit.spi.array.FloatingFormat;
import dev.shardkit.spi.json.Json;
import java.util.HexFormat;

/**
 * The formats of the core types float16, float32 and float64, and the JSON forms of their values.
 * {@link FloatingFormat} describes any binary floating-point format. Bits of a NaN with a payload are kept as bits and
 * never converted to a Java number and back, because some processors change them.
 */
enum FloatFormat {
    /** Half precision. */
    BINARY16(2, Carrier.SHORT, 0x7e00L) {
        @Override
        long round(double value) {
            return Float16.ofDouble(value) & 0xffffL;
        }

        @Override
        double value(long bits) {
            return Float16.toFloat((short) bits);
        }
    },
    /** Single precision. */
    BINARY32(4, Carrier.FLOAT, 0x7fc00000L) {
        @Override
        long round(double value) {
            return Float.floatToIntBits((float) value) & 0xffffffffL;
        }

        @Override
        double value(long bits) {
            return Float.intBitsToFloat((int) bits);
        }
    },
    /** Double precision. */
    BINARY64(8, Carrier.DOUBLE, 0x7ff8000000000000L) {
        @Override
        long round(double value) {
            return Double.doubleToLongBits(value);
        }

        @Override
        double value(long bits) {
            return Double.longBitsToDouble(bits);
        }
    };

    private final int size;
    private final Carrier carrier;
    private final long quietNan;

    FloatFormat(int size, Carrier carrier, long quietNan) {
        this.size = size;
        this.carrier = carrier;
        this.quietNan = quietNan;
    }

    int size() {
        return size;
    }

    Carrier carrier() {
        return carrier;
    }

    FloatingFormat layout() {
        return switch (this) {
            case BINARY16 -> FloatingFormat.BINARY16;
            case BINARY32 -> FloatingFormat.BINARY32;
            case BINARY64 -> FloatingFormat.BINARY64;
        };
    }

    /** Returns the bits of the nearest value, ties to even; values beyond the largest become an infinity. */
    abstract long round(double value);

    /** Returns the value of these bits. */
    abstract double value(long bits);

    /** Returns the bits of a fill value. Rounds a number to binary64 first, as all other implementations do. */
    long parse(String typeName, Json json) {
        if (json instanceof Json.Num n) {
            return round(Double.parseDouble(n.lexeme()));
        }
        String text = json instanceof Json.Str s ? s.value() : "";
        switch (text) {
            case "NaN":
                return quietNan;
            case "Infinity":
                return round(Double.POSITIVE_INFINITY);
            case "-Infinity":
                return round(Double.NEGATIVE_INFINITY);
            default:
                if (text.length() == 2 + 2 * size && text.matches("0x[0-9a-fA-F]+")) {
                    return Long.parseUnsignedLong(text.substring(2), 16);
                }
                throw FillValueBytes.refuse(
                        typeName,
                        "a number, \"NaN\", \"Infinity\", \"-Infinity\" or \"0x\" and " + 2 * size
                                + " hexadecimal digits",
                        json);
        }
    }

    /** Returns a JSON form for which {@link #parse} returns the same bits. */
    Json format(long bits) {
        double value = value(bits);
        if (Double.isNaN(value)) {
            return Json.of(bits == quietNan ? "NaN" : "0x" + HexFormat.of().toHexDigits(bits, 2 * size));
        }
        if (Double.isInfinite(value)) {
            return Json.of(value > 0 ? "Infinity" : "-Infinity");
        }
        return new Json.Num(ShortestDecimal.of(value, this));
    }
}
