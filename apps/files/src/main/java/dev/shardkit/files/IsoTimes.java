package dev.shardkit.files;

import dev.shardkit.spi.array.DataType;
import dev.shardkit.spi.error.UnsupportedException;
import dev.shardkit.spi.json.Json;
import java.math.BigInteger;
import java.time.DateTimeException;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.YearMonth;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Optional;

/**
 * The elements of a {@code numpy.datetime64} type as text of ISO 8601, as precise as their unit. The text has no zone,
 * because NumPy has none.
 *
 * @param unit the unit of a step
 * @param scale the number of units in a step
 */
record IsoTimes(String unit, BigInteger scale) {
    private static final BigInteger MONTHS = BigInteger.valueOf(12);
    private static final BigInteger DAYS = BigInteger.valueOf(7);
    private static final BigInteger EPOCH = BigInteger.valueOf(1970);
    /** The units below a second, each a thousandth of the one before. */
    private static final List<String> FRACTIONS = List.of("s", "ms", "us", "ns", "ps", "fs", "as");

    /** Returns the text form of a type; empty if it has no dates, or none with a unit. */
    static Optional<IsoTimes> of(DataType type) {
        Json.Obj configuration = type.configuration();
        if (!type.name().equals("numpy.datetime64")
                || !(configuration.get("unit").orElseGet(Json.Null::new) instanceof Json.Str unit)
                || unit.value().equals("generic")) {
            return Optional.empty();
        }
        String scale = configuration.get("scale_factor").map(Json::toString).orElse("1");
        String name = unit.value().replace('\u03bc', 'u').replace('\u00b5', 'u');
        return Optional.of(new IsoTimes(name, new BigInteger(scale)));
    }

    /**
     * Returns the text of an element.
     *
     * @throws UnsupportedException if its year has more than nine digits
     */
    String text(long element) {
        BigInteger count = BigInteger.valueOf(element).multiply(scale);
        try {
            return switch (unit) {
                case "Y" -> day(count.multiply(MONTHS)).replaceAll("-[0-9]+-[0-9]+$", "");
                case "M" -> day(count).replaceAll("-[0-9]+$", "");
                case "W" -> LocalDate.ofEpochDay(exact(count.multiply(DAYS))).toString();
                case "D" -> LocalDate.ofEpochDay(exact(count)).toString();
                case "h" -> time(count.multiply(BigInteger.valueOf(3600)));
                case "m" -> time(count.multiply(BigInteger.valueOf(60)));
                default -> fraction(count);
            };
        } catch (ArithmeticException | DateTimeException e) {
            throw new UnsupportedException(
                    "the time " + element + " (unit " + scale + " " + unit + ") has a year of more than nine digits, "
                            + "which CSV does not hold; export npy, or another region",
                    e);
        }
    }

    private static String day(BigInteger months) {
        BigInteger[] parts = floored(months, MONTHS);
        return YearMonth.of(EPOCH.add(parts[0]).intValueExact(), 1 + parts[1].intValueExact())
                .atDay(1)
                .toString();
    }

    private static String time(BigInteger seconds) {
        return LocalDateTime.ofEpochSecond(exact(seconds), 0, ZoneOffset.UTC).toString();
    }

    private String fraction(BigInteger count) {
        int digits = 3 * FRACTIONS.indexOf(unit);
        BigInteger[] parts = floored(count, BigInteger.TEN.pow(digits));
        String time = time(parts[0]);
        String seconds = time.matches(".*:[0-9]+:[0-9]+") ? time : time + ":00"; // Java leaves out zero seconds
        String rest = parts[1].toString();
        return digits == 0 ? seconds : seconds + "." + "0".repeat(digits - rest.length()) + rest;
    }

    private static long exact(BigInteger number) {
        return number.longValueExact();
    }

    /** Returns the quotient, rounded down, and the remainder, which is not negative. */
    private static BigInteger[] floored(BigInteger number, BigInteger divisor) {
        BigInteger rest = number.mod(divisor);
        return new BigInteger[] {number.subtract(rest).divide(divisor), rest};
    }
}
