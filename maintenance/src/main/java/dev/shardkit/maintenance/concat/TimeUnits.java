package dev.shardkit.maintenance.concat;

import dev.shardkit.spi.json.Json;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.RoundingMode;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Units of time as the CF conventions define them (section 4.4), such as {@code days since 2000-01-01}, in a calendar.
 * Two of them are equal if the same number means the same moment. Immutable.
 *
 * @param step the length of the unit in nanoseconds
 * @param reference the reference moment, in nanoseconds since the year 0 of the calendar
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
    private static final Pattern SINCE = Pattern.compile("\\s*([A-Za-z]+)\\s+since\\s+(\\d{1,4})-(\\d{1,2})-(\\d{1,2})"
            + "(?:[T\\s]+(\\d{1,2})(?::(\\d{1,2})(?::(\\d{1,2})(?:\\.(\\d{1,9})\\d*)?)?)?)?"
            + "\\s*(?:Z|UTC|GMT|[+]?0{1,2}:?0{0,2})?\\s*");
    private static final int[] MONTHS = {0, 31, 59, 90, 120, 151, 181, 212, 243, 273, 304, 334, 365};
    /** More days than 9999 years have. */
    private static final long MAX_DAYS = 366 * 10_000;

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
        String unit = since.group(1).toLowerCase(Locale.ROOT);
        Long step = STEPS.get(unit);
        if (step == null && unit.endsWith("s")) {
            step = STEPS.get(unit.substring(0, unit.length() - 1));
        }
        int month = Integer.parseInt(since.group(3));
        int day = Integer.parseInt(since.group(4));
        if (step == null || month < 1 || month > 12 || day < 1 || day > 31) {
            return Optional.empty();
        }
        Optional<Long> days = day(calendar, Integer.parseInt(since.group(2)), month, day);
        if (days.isEmpty()) {
            return Optional.empty();
        }
        long ofDay =
                (number(since.group(5)) * 3600 + number(since.group(6)) * 60 + number(since.group(7))) * 1_000_000_000L
                        + fraction(since.group(8));
        return Optional.of(new TimeUnits(
                BigInteger.valueOf(step),
                BigInteger.valueOf(days.get()).multiply(BigInteger.valueOf(DAY)).add(BigInteger.valueOf(ofDay)),
                calendar));
    }

    /**
     * Returns the moment that a number means, as text of ISO 8601 without a zone, such as {@code 2000-01-31T06:00:00}.
     * Fractions of a nanosecond are cut off.
     *
     * @return the text; empty if the year does not have four digits
     */
    public Optional<String> text(BigDecimal number) {
        BigInteger nanos = number.multiply(new BigDecimal(step))
                .setScale(0, RoundingMode.FLOOR)
                .toBigInteger()
                .add(reference);
        BigInteger[] parts = nanos.divideAndRemainder(BigInteger.valueOf(DAY));
        BigInteger last = BigInteger.valueOf(MAX_DAYS);
        if (nanos.signum() < 0 || parts[0].compareTo(last) > 0) {
            return Optional.empty();
        }
        long days = parts[0].longValueExact();
        int year = (int) Math.min(9_999, days / 360);
        while (year > 0 && first(year, 1, 1) > days) {
            year--;
        }
        int month = 12;
        while (month > 1 && first(year, month, 1) > days) {
            month--;
        }
        int day = 31;
        while (day > 1 && first(year, month, day) > days) {
            day--;
        }
        long seconds = parts[1].longValueExact() / 1_000_000_000L;
        long fraction = parts[1].longValueExact() % 1_000_000_000L;
        String text = String.format(
                Locale.ROOT,
                "%04d-%02d-%02dT%02d:%02d:%02d",
                year,
                month,
                day,
                seconds / 3600,
                seconds / 60 % 60,
                seconds % 60);
        return first(year, month, day) == days // otherwise the year has more digits
                ? Optional.of(
                        fraction == 0
                                ? text
                                : text + "."
                                        + String.format(Locale.ROOT, "%09d", fraction)
                                                .replaceFirst("0+$", ""))
                : Optional.empty();
    }

    private long first(int year, int month, int day) {
        return day(calendar, year, month, day).orElseThrow();
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

    /** Returns the number of a day, counted in the calendar. */
    private static Optional<Long> day(String calendar, long year, int month, int day) {
        return switch (calendar) {
            case "standard" ->
                Optional.of(
                        year * 10_000 + month * 100 + day >= FIRST_GREGORIAN_DAY
                                ? gregorian(year, month, day)
                                : julian(year, month, day) - 2);
            case "proleptic_gregorian" -> Optional.of(gregorian(year, month, day));
            case "julian" -> Optional.of(julian(year, month, day));
            case "noleap" -> Optional.of(year * 365 + MONTHS[month - 1] + day);
            case "all_leap" -> Optional.of(year * 366 + MONTHS[month - 1] + (month > 2 ? 1 : 0) + day);
            case "360_day" -> Optional.of(year * 360 + (month - 1) * 30L + day);
            default -> Optional.empty();
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
