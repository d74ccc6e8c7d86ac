package dev.shardkit.maintenance.concat;

import dev.shardkit.spi.json.Json;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.RoundingMode;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Units of time as the CF conventions define them (section 4.4), such as {@code days since 2000-01-01}, in a calendar.
 * Two units are equal if each number means the same time in both. Immutable.
 *
 * @param step the length of the unit in nanoseconds
 * @param reference the reference time, in nanoseconds since the year 0 of the calendar
 * @param calendar the calendar, by its shortest name
 */
public record TimeUnits(BigInteger step, BigInteger reference, String calendar) {
    private static final Map<String, String> CALENDARS =
            Map.of("gregorian", "standard", "365_day", "noleap", "366_day", "all_leap");
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
    private static final Pattern SINCE = Pattern.compile(
            "\\s*([a-z_]+)\\s+since\\s+(-?\\d{1,6})-(\\d{1,2})-(\\d{1,2})"
                    + "(?:(?:t|\\s+)(\\d{1,2})(?::(\\d{1,2})(?::(\\d{1,2})(?:\\.(\\d*))?)?)?)?"
                    + "\\s*(?:z|utc|gmt|([+-])(\\d{1,2}):?(\\d{2})?)?\\s*",
            Pattern.CASE_INSENSITIVE);
    /** Calendars without a year 0: the year -1 precedes the year 1. */
    private static final Set<String> WITHOUT_YEAR_ZERO = Set.of("standard", "julian");
    /** The mean length of a year in days: the start of the search for the year of a day. */
    private static final Map<String, Double> YEARS = Map.of(
            "standard", 365.2425,
            "proleptic_gregorian", 365.2425,
            "julian", 365.25,
            "noleap", 365.0,
            "all_leap", 366.0,
            "360_day", 360.0);

    private static final int[] MONTHS = {0, 31, 59, 90, 120, 151, 181, 212, 243, 273, 304, 334, 365};
    /** About a million years, in days. */
    private static final long MAX_DAYS = 366_000_000;

    /** Numbers with more digits before the decimal point are out of range. */
    private static final int MAX_DIGITS = 40;

    private static final long DAY = 86_400_000_000_000L;
    /** The Gregorian calendar begins with 15 October 1582, which follows 4 October of the Julian one. */
    private static final long FIRST_GREGORIAN_DAY = 1582_10_15;

    /** Returns the units of an array with these attributes; empty if they are no units of time with a fixed length. */
    public static Optional<TimeUnits> of(Json.Obj attributes) {
        if (!(attributes.get("units").orElse(null) instanceof Json.Str units)) {
            return Optional.empty();
        }
        Matcher since = SINCE.matcher(units.value());
        if (!since.matches()) {
            return Optional.empty();
        }
        String calendar = calendar(attributes.get("calendar"));
        Optional<Long> step = step(since.group(1).toLowerCase(Locale.ROOT), calendar);
        long year = Long.parseLong(since.group(2));
        boolean skipsZero = WITHOUT_YEAR_ZERO.contains(calendar);
        int month = (int) number(since.group(3));
        int day = (int) number(since.group(4));
        long hour = number(since.group(5));
        long minute = number(since.group(6));
        long second = number(since.group(7));
        long east = number(since.group(10)) * 60 + number(since.group(11));
        boolean isTime = step.isPresent()
                && !(skipsZero && year == 0)
                && hour < 24
                && minute < 60
                && second < 60
                && number(since.group(10)) < 24
                && number(since.group(11)) < 60;
        boolean isOdd = since.group(5) != null && since.group(6) == null
                || since.group(10) != null && since.group(10).length() == 1;
        if (isOdd && !calendar.equals("standard") && !calendar.equals("proleptic_gregorian")) {
            return Optional.empty(); // in other calendars, xarray ignores an hour or a zone in this form
        }
        long counted = skipsZero && year < 0 ? year + 1 : year;
        if (!isTime || !YEARS.containsKey(calendar) || !isDate(calendar, counted, month, day)) {
            return Optional.empty();
        }
        long minutes = hour * 60 + minute - ("-".equals(since.group(9)) ? -east : east);
        long ofDay = (minutes * 60 + second) * 1_000_000_000L + fraction(since.group(8));
        return Optional.of(new TimeUnits(
                BigInteger.valueOf(step.get()),
                BigInteger.valueOf(day(calendar, counted, month, day))
                        .multiply(BigInteger.valueOf(DAY))
                        .add(BigInteger.valueOf(ofDay)),
                calendar));
    }

    /** Returns the nanoseconds of a unit; empty if it has no fixed length in the calendar. */
    private static Optional<Long> step(String unit, String calendar) {
        String one = unit.endsWith("s") && !STEPS.containsKey(unit) ? unit.substring(0, unit.length() - 1) : unit;
        if (one.equals("month") && calendar.equals("360_day")) {
            return Optional.of(30 * DAY);
        } else if (one.equals("common_year") && calendar.equals("noleap")) {
            return Optional.of(365 * DAY);
        }
        return Optional.ofNullable(STEPS.get(one));
    }

    /** Whether the calendar has this date. */
    private static boolean isDate(String calendar, long year, int month, int day) {
        if (month < 1 || month > 12 || day < 1 || day > 31) {
            return false;
        }
        long next = month == 12 ? day(calendar, year + 1, 1, 1) : day(calendar, year, month + 1, 1);
        boolean isLost = calendar.equals("standard") && year == 1582 && month == 10 && day > 4 && day < 15;
        return !isLost && day(calendar, year, month, day) < next;
    }

    /**
     * Formats the time of a number as ISO 8601 without a zone, such as {@code 2000-01-31T06:00:00}, to the nearest
     * nanosecond. Years before the year 1, and years of more than four digits, are formatted like cftime does:
     * {@code -0044-03-15T00:00:00}.
     *
     * @return the text; empty for times more than about a million years away from the year 0
     */
    public Optional<String> text(BigDecimal number) {
        if (number.precision() - number.scale() > MAX_DIGITS) {
            return Optional.empty();
        }
        BigInteger nanos = number.multiply(new BigDecimal(step))
                .setScale(0, RoundingMode.HALF_EVEN)
                .toBigInteger()
                .add(reference);
        BigInteger dayNanos = BigInteger.valueOf(DAY);
        BigInteger ofDay = nanos.mod(dayNanos);
        BigInteger whole = nanos.subtract(ofDay).divide(dayNanos);
        if (whole.abs().compareTo(BigInteger.valueOf(MAX_DAYS)) > 0) {
            return Optional.empty();
        }
        long days = whole.longValueExact();
        long year = (long) Math.floor(days / YEARS.get(calendar));
        while (day(calendar, year, 1, 1) > days) {
            year--;
        }
        while (day(calendar, year + 1, 1, 1) <= days) {
            year++;
        }
        int month = 12;
        while (month > 1 && day(calendar, year, month, 1) > days) {
            month--;
        }
        int day = 31;
        while (day > 1 && day(calendar, year, month, day) > days) {
            day--;
        }
        long shown = year <= 0 && WITHOUT_YEAR_ZERO.contains(calendar) ? year - 1 : year;
        long seconds = ofDay.longValueExact() / 1_000_000_000L;
        long fraction = ofDay.longValueExact() % 1_000_000_000L;
        String text = String.format(
                Locale.ROOT,
                "%s%04d-%02d-%02dT%02d:%02d:%02d",
                shown < 0 ? "-" : "",
                Math.abs(shown),
                month,
                day,
                seconds / 3600,
                seconds / 60 % 60,
                seconds % 60);
        return Optional.of(
                fraction == 0
                        ? text
                        : text + "."
                                + String.format(Locale.ROOT, "%09d", fraction).replaceFirst("0+$", ""));
    }

    /** Returns the shortest name of a calendar; none means the standard one. */
    static String calendar(Optional<Json> attribute) {
        String name = attribute.orElse(null) instanceof Json.Str text
                ? text.value().toLowerCase(Locale.ROOT)
                : attribute.map(Json::toString).orElse("standard");
        return CALENDARS.getOrDefault(name, name);
    }

    private static long number(String digits) {
        return digits == null ? 0 : Long.parseLong(digits);
    }

    private static long fraction(String digits) {
        return digits == null ? 0 : Long.parseLong((digits + "000000000").substring(0, 9));
    }

    /** Returns the number of a day, counted in the calendar. The year 0 precedes the year 1. */
    private static long day(String calendar, long year, int month, int day) {
        return switch (calendar) {
            case "standard" ->
                year * 10_000 + month * 100 + day >= FIRST_GREGORIAN_DAY
                        ? gregorian(year, month, day)
                        : julian(year, month, day) - 2;
            case "proleptic_gregorian" -> gregorian(year, month, day);
            case "julian" -> julian(year, month, day);
            case "noleap" -> year * 365 + MONTHS[month - 1] + day;
            case "all_leap" -> year * 366 + MONTHS[month - 1] + (month > 2 ? 1 : 0) + day;
            case "360_day" -> year * 360 + (month - 1) * 30L + day;
            default -> throw new IllegalArgumentException("no calendar of the CF conventions: " + calendar);
        };
    }

    private static long gregorian(long year, int month, int day) {
        boolean isLeap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
        long before = year - 1;
        return year * 365
                + Math.floorDiv(before, 4L)
                - Math.floorDiv(before, 100L)
                + Math.floorDiv(before, 400L)
                + MONTHS[month - 1]
                + (month > 2 && isLeap ? 1 : 0)
                + day;
    }

    private static long julian(long year, int month, int day) {
        return year * 365
                + Math.floorDiv(year - 1, 4L)
                + MONTHS[month - 1]
                + (month > 2 && year % 4 == 0 ? 1 : 0)
                + day;
    }
}
