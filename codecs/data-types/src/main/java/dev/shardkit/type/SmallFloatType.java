package dev.shardkit.type;

import dev.shardkit.spi.array.Carrier;
import dev.shardkit.spi.array.DataType;
import dev.shardkit.spi.array.Elements;
import dev.shardkit.spi.array.FillValue;
import dev.shardkit.spi.array.FloatingFormat;
import dev.shardkit.spi.array.NumberFormat;
import dev.shardkit.spi.json.Json;
import java.math.BigDecimal;
import java.math.MathContext;
import java.math.RoundingMode;
import java.util.HexFormat;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * {@code bfloat16} and the floating-point numbers of 8, 6 and 4 bits. In Java, elements are carried as bit patterns in
 * {@code short[]} or {@code byte[]}. Types of 6 and 4 bits ignore the upper bits of the byte that stores an element;
 * canonical elements have zeros there.
 *
 * @param name the name in metadata
 * @param format how the bits represent a number
 */
record SmallFloatType(String name, FloatingFormat format) implements DataType {
    @Override
    public Carrier carrier() {
        return format.bits() > 8 ? Carrier.SHORT : Carrier.BYTE;
    }

    @Override
    public OptionalInt elementSize() {
        return OptionalInt.of(size());
    }

    private int size() {
        return format.bits() > 8 ? 2 : 1;
    }

    private boolean hasNoUnusedBits() {
        return format.bits() % 8 == 0;
    }

    @Override
    public Optional<NumberFormat> number() {
        return Optional.of(format);
    }

    @Override
    public Elements canonical(Elements stored) {
        return hasNoUnusedBits() ? stored : UnusedBits.canonical(stored, b -> (int) format.cut(b));
    }

    @Override
    public void check(Elements elements) {
        if (!hasNoUnusedBits()) {
            UnusedBits.check(name, elements, b -> (int) format.cut(b));
        }
    }

    @Override
    public FillValue parseFill(Json json) {
        if (json instanceof Json.Num n) {
            double value = format.round(Double.parseDouble(n.lexeme()));
            if (Double.isFinite(value) || format.hasInfinity()) {
                return FillValueBits.of(format.bitsOf(value), size());
            }
            throw FillValueBits.refuse(
                    name, "a number of at most " + format.max() + (format.isSigned() ? "" : " and above 0"), json);
        }
        String text = json instanceof Json.Str s ? s.value() : "";
        if (text.equals("NaN") && format.hasNan()) {
            return FillValueBits.of(format.quietNan(), size());
        } else if (text.equals("Infinity") && format.hasInfinity()) {
            return FillValueBits.of(format.bitsOf(Double.POSITIVE_INFINITY), size());
        } else if (text.equals("-Infinity") && format.hasInfinity()) {
            return FillValueBits.of(format.bitsOf(Double.NEGATIVE_INFINITY), size());
        } else if (text.length() == 2 + 2 * size() && text.matches("0x[0-9a-fA-F]+")) {
            long bits = Long.parseLong(text.substring(2), 16);
            if (format.cut(bits) == bits) {
                return FillValueBits.of(bits, size());
            }
        }
        throw FillValueBits.refuse(
                name,
                "a number" + (format.hasNan() ? ", \"NaN\"" : "")
                        + (format.hasInfinity() ? ", \"Infinity\", \"-Infinity\"" : "") + " or \"0x\" and " + 2 * size()
                        + " hexadecimal digits of " + format.bits() + " bits",
                json);
    }

    @Override
    public Json formatFill(FillValue fill) {
        long bits = format.cut(FillValueBits.bits(name, fill, size()));
        double value = format.value(bits);
        if (Double.isNaN(value)) {
            return Json.of(
                    bits == format.quietNan() ? "NaN" : "0x" + HexFormat.of().toHexDigits(bits, 2 * size()));
        } else if (Double.isInfinite(value)) {
            return Json.of(value > 0 ? "Infinity" : "-Infinity");
        }
        return new Json.Num(decimal(value));
    }

    /** Returns the shortest decimal that reads back as {@code value}. */
    private String decimal(double value) {
        String sign = Double.doubleToRawLongBits(value) < 0 ? "-" : "";
        // Up to this bound, every integer is a value of the format. So a shorter decimal than the integer itself would
        // read back as another value.
        if (value == Math.rint(value) && Math.abs(value) <= 1 << format.fractionBits() + 1) {
            return sign + (long) Math.abs(value) + ".0";
        }
        BigDecimal exact = new BigDecimal(Math.abs(value));
        BigDecimal shortest = exact;
        for (int digits = 1; digits < exact.precision(); digits++) {
            shortest = exact.round(new MathContext(digits, RoundingMode.HALF_EVEN));
            if (format.round(shortest.doubleValue()) == Math.abs(value)) {
                break;
            }
            shortest = exact;
        }
        BigDecimal plain = shortest.stripTrailingZeros();
        int exponent = plain.precision() - plain.scale() - 1;
        // very small and very large numbers are written with an exponent
        if (exponent >= -5 && exponent < 16) {
            String text = plain.toPlainString();
            return sign + (text.indexOf('.') < 0 ? text + ".0" : text);
        }
        String digits = plain.unscaledValue().toString();
        return sign + digits.charAt(0) + (digits.length() > 1 ? "." + digits.substring(1) : "") + "e" + exponent;
    }

    @Override
    public String toString() {
        return name;
    }
}
