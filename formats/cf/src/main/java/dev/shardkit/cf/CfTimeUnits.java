package dev.shardkit.cf;

import dev.shardkit.spi.json.Json;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.MathContext;
import java.math.RoundingMode;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.LongFunction;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Units of time as the CF conventions define them (section 4.4), such as {@code days since 2000-01-01}, in a calendar.
 * Two of them are equal if the same number means the same moment. Immutable.
 *
 * @param step the length of the unit in nanoseconds
 * @param reference the reference moment, in nanoseconds since the year 0 of the calendar
 * @param calendar the calendar
 */
public record CfTimeUnits(BigInteger step, BigInteger reference, CfCalendar calendar) {
    private static final Map<String, Long> STEPS = Map.ofEntries(
            Map.entry("d", 86_400_000_000_000L),
            Map.entry("day", 86_400_000_000_000L),
            Map.entry("h", 3_600_000_000_000L),
            Map.entry("hr", 3_600_000_000_000L),
            Map.entry("hour", 3_600_000_000_000L),
            Map.entry("min", 60_000_000_000L),
            Map.entry("minute", 60_000_000_000L),
            Map.entry("s", 1_000_000_000L),
            Map.entry("sec", 1_000_000_000L),
            Map.entry("second", 1_000_000_000L),
            Map.entry("ms", 1_000_000L),
            Map.entry("msec", 1_000_000L),
            Map.entry("millisec", 1_000_000L),
            Map.entry("millisecond", 1_000_000L),
            Map.entry("us", 1_000L),
            Map.entry("microsec", 1_000L),
            Map.entry("microsecond", 1_000L),
            Map.entry("ns", 1L),
            Map.entry("nanosec", 1L),
            Map.entry("nanosecond", 1L));
    /**
     * Groups: 1 unit; 2 to 4 date; 5 to 8 hour, minute, second, fraction; 9 to 11 sign, hours, minutes of the zone. The
     * spaces around the zone are possessive: two lists of spaces side by side would take quadratic time to fail.
     */
    private static final Pattern SINCE = Pattern.compile(
            "\\s*([a-z_]+)\\s+since\\s+(-?\\d{1,6})-(\\d{1,2})-(\\d{1,2})"
                    + "(?:(?:t|\\s+)(\\d{1,2})(?::(\\d{1,2})(?::(\\d{1,2})(?:\\.(\\d*))?)?)?)?"
                    + "\\s*+(?:z|utc|gmt|([+-])(\\d{1,2}):?(\\d{2})?)?\\s*+",
            Pattern.CASE_INSENSITIVE);
    /** A number with more digits before the decimal point is too far from the year 0 for a {@link CfDateTime}. */
    private static final int MAX_DIGITS = 40;

    /** The start of 1970 in the standard and the Gregorian calendar. */
    private static final BigInteger EPOCH = BigInteger.valueOf(CfCalendar.STANDARD.number(new CfDate(1970, 1, 1)))
            .multiply(BigInteger.valueOf(CfDateTime.NANOS_OF_DAY));

    private static final BigInteger DAY = BigInteger.valueOf(CfDateTime.NANOS_OF_DAY);

    /** Returns the units of an array with these attributes; empty if they are no units of time with a fixed length. */
    public static Optional<CfTimeUnits> of(Json.Obj attributes) {
        if (!(attributes.get("units").orElse(null) instanceof Json.Str units)) {
            return Optional.empty();
        }
        Matcher since = SINCE.matcher(units.value());
        if (!since.matches()) {
            return Optional.empty();
        }
        Optional<CfCalendar> known = calendar(attributes);
        if (known.isEmpty()) {
            return Optional.empty();
        }
        CfCalendar calendar = known.get();
        Optional<Long> step = step(since.group(1).toLowerCase(Locale.ROOT), calendar);
        CfDate date =
                new CfDate(Long.parseLong(since.group(2)), (int) number(since.group(3)), (int) number(since.group(4)));
        long hour = number(since.group(5));
        long minute = number(since.group(6));
        long second = number(since.group(7));
        long east = number(since.group(10)) * 60 + number(since.group(11));
        boolean isTime = step.isPresent()
                && hour < 24
                && minute < 60
                && second < 60
                && number(since.group(10)) < 24
                && number(since.group(11)) < 60;
        boolean isLooseForm = since.group(5) != null && since.group(6) == null
                || since.group(10) != null && since.group(10).length() == 1;
        if (isLooseForm && calendar != CfCalendar.STANDARD && calendar != CfCalendar.PROLEPTIC_GREGORIAN) {
            return Optional.empty(); // in other calendars, xarray ignores such an hour or zone: another moment
        } else if (!isTime || !calendar.isDate(date.year(), date.month(), date.day())) {
            return Optional.empty();
        }
        long minutes = hour * 60 + minute - ("-".equals(since.group(9)) ? -east : east);
        long ofDay = (minutes * 60 + second) * 1_000_000_000L + fraction(since.group(8));
        return Optional.of(new CfTimeUnits(
                BigInteger.valueOf(step.get()),
                BigInteger.valueOf(calendar.number(date)).multiply(DAY).add(BigInteger.valueOf(ofDay)),
                calendar));
    }

    /** Returns units of a length in nanoseconds since the start of 1970, as NumPy counts them. */
    static CfTimeUnits sinceEpoch(long step) {
        return new CfTimeUnits(BigInteger.valueOf(step), EPOCH, CfCalendar.PROLEPTIC_GREGORIAN);
    }

    /**
     * Returns the calendar that the attribute {@code calendar} names; without one, the standard calendar. Empty if
     * there is no calendar of this name.
     */
    public static Optional<CfCalendar> calendar(Json.Obj attributes) {
        return attributes.get("calendar").isEmpty()
                ? Optional.of(CfCalendar.STANDARD)
                : attributes
                        .get("calendar")
                        .filter(Json.Str.class::isInstance)
                        .flatMap(name -> CfCalendar.of(((Json.Str) name).value()));
    }

    /** Returns the nanoseconds of a unit; empty if it has no fixed length in the calendar. */
    private static Optional<Long> step(String unit, CfCalendar calendar) {
        String one = unit.endsWith("s") && !STEPS.containsKey(unit) ? unit.substring(0, unit.length() - 1) : unit;
        if (one.equals("month") && calendar == CfCalendar.DAYS_360) {
            return Optional.of(30 * CfDateTime.NANOS_OF_DAY);
        } else if (one.equals("common_year") && calendar == CfCalendar.NOLEAP) {
            return Optional.of(365 * CfDateTime.NANOS_OF_DAY);
        }
        return Optional.ofNullable(STEPS.get(one));
    }

    /**
     * Returns the moment that a number means, to the nearest nanosecond.
     *
     * @return the moment; empty more than about a million years from the year 0
     */
    public Optional<CfDateTime> time(BigDecimal number) {
        return rounded(number, 0);
    }

    /**
     * Returns the moment that a floating-point number means, as xarray rounds it. If NumPy's {@code datetime64[ns]} can
     * hold the reference and the moment, rounds to nanoseconds, towards the reference. Otherwise rounds to the nearest
     * microsecond, as cftime does.
     *
     * @return the moment; empty for NaN, infinities, and more than about a million years from the year 0
     */
    public Optional<CfDateTime> time(double number) {
        if (!Double.isFinite(number)) {
            return Optional.empty();
        }
        double nanos = number * step.doubleValue();
        if (isNumpy(reference) && Math.abs(nanos) < 0x1p63) {
            BigInteger moment = reference.add(BigInteger.valueOf((long) nanos));
            if (isNumpy(moment)) {
                return time(moment);
            }
        }
        return rounded(new BigDecimal(number), 3);
    }

    /**
     * Returns {@link #time(BigDecimal)} as a function of integers, for many of them: it computes in {@code long} where
     * unit and reference allow it.
     */
    LongFunction<Optional<CfDateTime>> integerTimes() {
        long nanosOfDay = CfDateTime.NANOS_OF_DAY;
        BigInteger[] start = dayAndNanos(reference);
        if (step.signum() <= 0
                || step.bitLength() >= Long.SIZE
                || start[0].bitLength() >= Integer.SIZE
                || nanosOfDay % step.longValue() != 0) {
            return number -> time(BigDecimal.valueOf(number));
        }
        long stepNanos = step.longValue();
        long stepsOfDay = nanosOfDay / stepNanos;
        long day = start[0].longValue();
        long nanos = start[1].longValue();
        return number -> {
            long days = Math.floorDiv(number, stepsOfDay);
            if (Math.abs(days) > 2 * CfDateTime.MAX_DAYS) {
                return time(BigDecimal.valueOf(number));
            }
            long ofDay = nanos + Math.floorMod(number, stepsOfDay) * stepNanos; // less than two days
            return CfDateTime.of(calendar, day + days + ofDay / nanosOfDay, ofDay % nanosOfDay);
        };
    }

    /** Rounds to a multiple of 10 to the power of {@code zeros} nanoseconds after the reference. */
    private Optional<CfDateTime> rounded(BigDecimal number, int zeros) {
        if (number.precision() - number.scale() > MAX_DIGITS) {
            return Optional.empty();
        }
        return time(number.multiply(new BigDecimal(step))
                .movePointLeft(zeros)
                .setScale(0, RoundingMode.HALF_EVEN)
                .movePointRight(zeros)
                .toBigInteger()
                .add(reference));
    }

    /**
     * Returns the number that means a moment; empty if the number has no finite decimal form.
     *
     * @throws IllegalArgumentException if the moment is of another calendar
     */
    Optional<BigDecimal> number(CfDateTime time) {
        if (time.calendar() != calendar) {
            throw new IllegalArgumentException("expected a moment of the calendar " + calendar.attribute() + ", found "
                    + time + " of the calendar " + time.calendar().attribute());
        }
        BigDecimal nanos = new BigDecimal(time.nanos().subtract(reference));
        try {
            return Optional.of(nanos.divide(new BigDecimal(step)));
        } catch (ArithmeticException e) {
            return Optional.empty(); // such as 20 minutes in hours: 0.333...
        }
    }

    /** Returns the number that means a moment, rounded to the nearest {@code double}. */
    double roundedNumber(CfDateTime time) {
        return new BigDecimal(time.nanos().subtract(reference))
                .divide(new BigDecimal(step), MathContext.DECIMAL128)
                .doubleValue();
    }

    /** Returns the number of the day since the year 0, and the nanoseconds of this day. */
    private static BigInteger[] dayAndNanos(BigInteger nanos) {
        BigInteger ofDay = nanos.mod(DAY);
        return new BigInteger[] {nanos.subtract(ofDay).divide(DAY), ofDay};
    }

    private Optional<CfDateTime> time(BigInteger nanos) {
        BigInteger[] parts = dayAndNanos(nanos);
        return parts[0].bitLength() > 62
                ? Optional.empty()
                : CfDateTime.of(calendar, parts[0].longValueExact(), parts[1].longValueExact());
    }

    /** Returns whether {@code datetime64[ns]} has a moment of this calendar. */
    private boolean isNumpy(BigInteger nanos) {
        boolean isGregorian = calendar == CfCalendar.STANDARD || calendar == CfCalendar.PROLEPTIC_GREGORIAN;
        BigInteger sinceEpoch = nanos.subtract(EPOCH);
        return isGregorian && sinceEpoch.bitLength() <= 63 && sinceEpoch.longValueExact() != Long.MIN_VALUE;
    }

    /**
     * Returns the moment that a number means as text; see {@link #time(BigDecimal)} and {@link CfDateTime#toString}.
     *
     * @return the text; empty for moments more than about a million years away from the year 0
     */
    public Optional<String> text(BigDecimal number) {
        return time(number).map(CfDateTime::toString);
    }

    private static long number(String digits) {
        return digits == null ? 0 : Long.parseLong(digits);
    }

    private static long fraction(String digits) {
        return digits == null ? 0 : Long.parseLong((digits + "000000000").substring(0, 9));
    }
}
