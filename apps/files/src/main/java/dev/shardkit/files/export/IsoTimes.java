package dev.shardkit.files.export;

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
 * Formats elements of a {@code numpy.datetime64} type as ISO 8601 text with the precision of their unit. The text has
 * no time zone, because NumPy has none.
 *
 * @param unit the unit of a step
 * @param scale the number of units in a step
 */
record IsoTimes(String unit, BigInteger scale) {
    private static final BigInteger MONTHS_PER_YEAR = BigInteger.valueOf(12);
    private static final BigInteger DAYS_PER_WEEK = BigInteger.valueOf(7);
    private static final BigInteger EPOCH_YEAR = BigInteger.valueOf(1970);
    /** The second and smaller units, each a thousandth of the one before. */
    private static final List<String> FRACTIONS = List.of("s", "ms", "us", "ns", "ps", "fs", "as");

    /** Returns a formatter for a type; empty if the type has no dates or no unit. */
    static Optional<IsoTimes> forType(DataType type) {
        Json.Obj configuration = type.configuration();
        if (!type.name().equals("numpy.datetime64")
                || !(configuration.get("unit").orElseGet(Json.Null::new) instanceof Json.Str unit)
                || unit.value().equals("generic")) {
            return Optional.empty();
        }
        String scale = configuration.get("scale_factor").map(Json::toString).orElse("1");
        String asciiUnit = unit.value().replace('\u03bc', 'u').replace('\u00b5', 'u'); // Greek mu, micro sign
        return Optional.of(new IsoTimes(asciiUnit, new BigInteger(scale)));
    }

    /**
     * Formats an element.
     *
     * @throws UnsupportedException if its year has more than nine digits
     */
    String format(long element) {
        BigInteger count = BigInteger.valueOf(element).multiply(scale);
        try {
            return switch (unit) {
                case "Y" -> monthText(count.multiply(MONTHS_PER_YEAR)).replaceAll("-[0-9]+-[0-9]+$", "");
                case "M" -> monthText(count).replaceAll("-[0-9]+$", "");
                case "W" ->
                    LocalDate.ofEpochDay(toLongExact(count.multiply(DAYS_PER_WEEK)))
                            .toString();
                case "D" -> LocalDate.ofEpochDay(toLongExact(count)).toString();
                case "h" -> timeText(count.multiply(BigInteger.valueOf(3600)));
                case "m" -> timeText(count.multiply(BigInteger.valueOf(60)));
                default -> fractionText(count);
            };
        } catch (ArithmeticException | DateTimeException e) {
            throw new UnsupportedException(
                    "the time " + element + " (unit " + scale + " " + unit + ") has a year of more than nine digits, "
                            + "which CSV does not hold; export npy, or another region",
                    e);
        }
    }

    /** Returns the first day of a month, counted from January 1970. */
    private static String monthText(BigInteger months) {
        BigInteger[] yearsAndMonths = floorDivide(months, MONTHS_PER_YEAR);
        return YearMonth.of(EPOCH_YEAR.add(yearsAndMonths[0]).intValueExact(), 1 + yearsAndMonths[1].intValueExact())
                .atDay(1)
                .toString();
    }

    /** Returns a time in seconds since 1970. Leaves out seconds that are zero. */
    private static String timeText(BigInteger seconds) {
        return LocalDateTime.ofEpochSecond(toLongExact(seconds), 0, ZoneOffset.UTC)
                .toString();
    }

    /** Returns a time in seconds or a smaller unit since 1970, with all decimals of the unit. */
    private String fractionText(BigInteger count) {
        int decimals = 3 * FRACTIONS.indexOf(unit);
        BigInteger[] secondsAndFraction = floorDivide(count, BigInteger.TEN.pow(decimals));
        String time = timeText(secondsAndFraction[0]);
        String withSeconds = time.matches(".*:[0-9]+:[0-9]+") ? time : time + ":00";
        String fraction = secondsAndFraction[1].toString();
        return decimals == 0 ? withSeconds : withSeconds + "." + "0".repeat(decimals - fraction.length()) + fraction;
    }

    private static long toLongExact(BigInteger number) {
        return number.longValueExact();
    }

    /** Returns the quotient, rounded down, and the non-negative remainder. */
    private static BigInteger[] floorDivide(BigInteger number, BigInteger divisor) {
        BigInteger remainder = number.mod(divisor);
        return new BigInteger[] {number.subtract(remainder).divide(divisor), remainder};
    }
}
