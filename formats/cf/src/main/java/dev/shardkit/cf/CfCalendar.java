package dev.shardkit.cf;

import java.time.LocalDate;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * The calendars of the CF conventions (section 4.4.2). Dates follow the rules of cftime, the Python library that xarray
 * uses.
 */
public enum CfCalendar {
    /** The mixed calendar: Gregorian from 1582-10-15 on, Julian until 1582-10-04. It has no year 0. */
    STANDARD(365.2425, "standard", "gregorian"),
    /** The Gregorian calendar, extended to all dates. It has a year 0. */
    PROLEPTIC_GREGORIAN(365.2425, "proleptic_gregorian"),
    /** The Julian calendar. It has no year 0. */
    JULIAN(365.25, "julian"),
    /** All years have 365 days. */
    NOLEAP(365, "noleap", "365_day"),
    /** All years have 366 days. */
    ALL_LEAP(366, "all_leap", "366_day"),
    /** All months have 30 days. */
    DAYS_360(360, "360_day");

    /** The days of a year of 365 days before each month. */
    private static final int[] MONTHS = {0, 31, 59, 90, 120, 151, 181, 212, 243, 273, 304, 334, 365};
    /** The Gregorian calendar begins with 15 October 1582, which follows 4 October of the Julian one. */
    private static final long FIRST_GREGORIAN_DAY = 1582_10_15;

    private final double daysOfYear;
    private final List<String> names;

    CfCalendar(double daysOfYear, String... names) {
        this.daysOfYear = daysOfYear;
        this.names = List.of(names);
    }

    /** Returns the calendar with a name of the conventions, in upper or lower case; empty if there is none. */
    public static Optional<CfCalendar> of(String name) {
        String lower = name.toLowerCase(Locale.ROOT);
        return Arrays.stream(values())
                .filter(calendar -> calendar.names.contains(lower))
                .findFirst();
    }

    /** Returns the name in the attribute {@code calendar}, such as {@code 360_day}. */
    public String attribute() {
        return names.get(0);
    }

    /** Returns whether the year 0 lies between the years -1 and 1. */
    public boolean hasYearZero() {
        return this != STANDARD && this != JULIAN;
    }

    /** Returns whether the calendar has this date. */
    public boolean isDate(long year, int month, int day) {
        if (month < 1 || month > 12 || day < 1 || day > 31 || !hasYearZero() && year == 0) {
            return false;
        }
        boolean isSkipped = this == STANDARD && year == 1582 && month == 10 && day > 4 && day < 15;
        long yearNumber = yearNumber(year);
        long nextMonth = month == 12 ? number(yearNumber + 1, 1, 1) : number(yearNumber, month + 1, 1);
        return !isSkipped && number(yearNumber, month, day) < nextMonth;
    }

    /** Returns the number of a date that {@link #isDate} accepts. Numbers of consecutive days differ by 1. */
    long number(CfDate date) {
        return number(yearNumber(date.year()), date.month(), date.day());
    }

    /** Returns consecutive numbers for years, also where the year 1 follows the year -1. */
    private long yearNumber(long year) {
        return year < 0 && !hasYearZero() ? year + 1 : year;
    }

    /** Returns the date with a number. Works up to about a million years from the year 0. */
    CfDate date(long number) {
        long year = (long) Math.floor(number / daysOfYear); // an estimate, which the loops correct
        while (number(year, 1, 1) > number) {
            year--;
        }
        while (number(year + 1, 1, 1) <= number) {
            year++;
        }
        int month = 12;
        while (month > 1 && number(year, month, 1) > number) {
            month--;
        }
        int day = 31;
        while (day > 1 && number(year, month, day) > number) {
            day--;
        }
        return new CfDate(year <= 0 && !hasYearZero() ? year - 1 : year, month, day);
    }

    /** Returns the date of java.time on the same day; empty for calendars and days that java.time does not have. */
    Optional<LocalDate> localDate(long number) {
        boolean isGregorian = this == PROLEPTIC_GREGORIAN || this == STANDARD && number >= gregorian(1582, 10, 15);
        return isGregorian ? Optional.of(LocalDate.ofEpochDay(number - gregorian(1970, 1, 1))) : Optional.empty();
    }

    /** Returns the number of a day. The year is a {@link #yearNumber}. */
    private long number(long year, int month, int day) {
        return switch (this) {
            case STANDARD ->
                year * 10_000 + month * 100 + day >= FIRST_GREGORIAN_DAY
                        ? gregorian(year, month, day)
                        : julian(year, month, day) - 2; // 1 January of the year 1 is two days earlier in this calendar
            case PROLEPTIC_GREGORIAN -> gregorian(year, month, day);
            case JULIAN -> julian(year, month, day);
            case NOLEAP -> year * 365 + MONTHS[month - 1] + day;
            case ALL_LEAP -> year * 366 + MONTHS[month - 1] + (month > 2 ? 1 : 0) + day;
            case DAYS_360 -> year * 360 + (month - 1) * 30L + day;
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
