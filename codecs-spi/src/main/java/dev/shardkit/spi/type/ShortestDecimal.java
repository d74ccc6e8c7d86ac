package dev.shardkit.spi.type;

import java.math.BigDecimal;
import java.math.MathContext;
import java.math.RoundingMode;

/**
 * The shortest decimal that reads back as the same value, as a JSON number that is visibly not an integer. Starts from
 * Java's own text and shortens it, since JDKs before 19 print some values with too many digits.
 */
final class ShortestDecimal {
    private ShortestDecimal() {}

    /** Returns the text of a finite {@code value} of {@code format}. */
    static String of(double value, FloatFormat format) {
        double magnitude = Math.abs(value);
        String sign = Double.doubleToRawLongBits(value) < 0 ? "-" : "";
        if (magnitude == Math.rint(magnitude) && magnitude <= exactIntegers(format)) {
            return sign + (long) magnitude + ".0";
        }
        return sign + text(shortest(magnitude, format));
    }

    /** Returns the largest number up to which the format represents every integer. */
    private static double exactIntegers(FloatFormat format) {
        return switch (format) {
            case BINARY16 -> 1 << 11;
            case BINARY32 -> 1 << 24;
            case BINARY64 -> 1L << 53;
        };
    }

    /** Removes the last digits as long as the decimal reads back as the same value. */
    private static BigDecimal shortest(double magnitude, FloatFormat format) {
        long bits = format.round(magnitude);
        BigDecimal best = candidate(magnitude, format);
        while (best.precision() > 1) {
            MathContext precision = new MathContext(best.precision() - 1, RoundingMode.HALF_EVEN);
            BigDecimal shorter = best.round(precision).stripTrailingZeros();
            if (!readsBack(shorter, bits, format)) {
                break;
            }
            best = shorter;
        }
        return best;
    }

    /** Returns a decimal that reads back as the value, not necessarily the shortest. */
    private static BigDecimal candidate(double magnitude, FloatFormat format) {
        if (format == FloatFormat.BINARY64) {
            return new BigDecimal(Double.toString(magnitude)).stripTrailingZeros();
        }
        BigDecimal decimal = new BigDecimal(Float.toString((float) magnitude)).stripTrailingZeros();
        // Readers convert to binary64 first; in theory the second rounding can give another value.
        return readsBack(decimal, format.round(magnitude), format) ? decimal : new BigDecimal(magnitude);
    }

    private static boolean readsBack(BigDecimal decimal, long bits, FloatFormat format) {
        return format.round(decimal.doubleValue()) == bits;
    }

    /** Returns the JSON text: plain for exponents from -5 to 15, which need few zeros, otherwise with an exponent. */
    private static String text(BigDecimal decimal) {
        int exponent = decimal.precision() - decimal.scale() - 1;
        if (exponent >= -5 && exponent < 16) {
            String plain = decimal.toPlainString();
            return plain.indexOf('.') < 0 ? plain + ".0" : plain;
        }
        String digits = decimal.unscaledValue().toString();
        return digits.charAt(0) + (digits.length() > 1 ? "." + digits.substring(1) : "") + "e" + exponent;
    }
}
