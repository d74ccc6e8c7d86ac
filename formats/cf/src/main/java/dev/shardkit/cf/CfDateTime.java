package dev.shardkit.cf;

import java.math.BigInteger;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.ZoneOffset;
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A moment in a calendar of the CF conventions, in UTC, to the nanosecond. Its counterpart in Python is
 * {@code cftime.datetime}. {@link #toLocalDateTime} and {@link #toInstant} return the types of java.time where the
 * calendar agrees with them. Moments of one calendar are comparable. Immutable.
 */
public final class CfDateTime implements Comparable<CfDateTime> {
    private static final Pattern TEXT = Pattern.compile(
            "(-?\\d{1,6})-(\\d{2})-(\\d{2})(?:[T ](\\d{2}):(\\d{2})(?::(\\d{2})(?:\\.(\\d{1,9}))?)?)?Z?");
    /** About as many days as a million years have. */
    static final long MAX_DAYS = 366_000_000;

    static final long NANOS_OF_DAY = 86_400_000_000_000L;
    private static final long NANOS_OF_SECOND = 1_000_000_000L;

    private final CfCalendar calendar;
    /** The number that the calendar gives to the day: {@link CfCalendar#number(CfDate)}. */
    private final long dayNumber;

    private final long nanoOfDay;

    private CfDateTime(CfCalendar calendar, long dayNumber, long nanoOfDay) {
        this.calendar = calendar;
        this.dayNumber = dayNumber;
        this.nanoOfDay = nanoOfDay;
    }

    /** Returns the moment on a numbered day; empty more than about a million years from the year 0. */
    static Optional<CfDateTime> of(CfCalendar calendar, long dayNumber, long nanoOfDay) {
        return Math.abs(dayNumber) > MAX_DAYS
                ? Optional.empty()
                : Optional.of(new CfDateTime(calendar, dayNumber, nanoOfDay));
    }

    /**
     * Returns the start of a day.
     *
     * @throws DateTimeException if the calendar does not have this date
     */
    public static CfDateTime of(CfCalendar calendar, long year, int month, int day) {
        if (year < -999_999 || year > 999_999 || !calendar.isDate(year, month, day)) {
            throw new DateTimeException("the calendar " + calendar.attribute() + " has no date "
                    + String.format(Locale.ROOT, "%04d-%02d-%02d", year, month, day));
        }
        return new CfDateTime(calendar, calendar.number(new CfDate(year, month, day)), 0);
    }

    /**
     * Returns the moment with the same date and time in a calendar.
     *
     * @throws DateTimeException if the calendar does not have this date
     */
    public static CfDateTime of(CfCalendar calendar, LocalDateTime time) {
        return of(calendar, time.getYear(), time.getMonthValue(), time.getDayOfMonth())
                .at(time.toLocalTime());
    }

    /**
     * Returns a moment from a text such as {@code 2000-02-30} or {@code 2000-02-30T12:00:00.5}.
     *
     * @throws DateTimeException if the text has another form, or the calendar does not have this date
     */
    public static CfDateTime parse(CfCalendar calendar, String text) {
        Matcher parts = TEXT.matcher(text);
        if (!parts.matches()) {
            throw new DateTimeException(
                    "expected a date and time such as 2000-01-31 or 2000-01-31T12:30:00, found \"" + text + "\"");
        }
        String fraction = parts.group(7) == null ? "" : parts.group(7);
        return of(
                        calendar,
                        Long.parseLong(parts.group(1)),
                        Integer.parseInt(parts.group(2)),
                        Integer.parseInt(parts.group(3)))
                .at(LocalTime.of(
                        intOrZero(parts.group(4)),
                        intOrZero(parts.group(5)),
                        intOrZero(parts.group(6)),
                        Integer.parseInt((fraction + "000000000").substring(0, 9))));
    }

    private static int intOrZero(String digits) {
        return digits == null ? 0 : Integer.parseInt(digits);
    }

    /** Returns the nanoseconds since the year 0 of the calendar. */
    BigInteger nanos() {
        return BigInteger.valueOf(dayNumber)
                .multiply(BigInteger.valueOf(NANOS_OF_DAY))
                .add(BigInteger.valueOf(nanoOfDay));
    }

    /** Returns the moment at a time of the same day. */
    public CfDateTime at(LocalTime time) {
        return new CfDateTime(calendar, dayNumber, time.toNanoOfDay());
    }

    /** Returns the calendar. */
    public CfCalendar calendar() {
        return calendar;
    }

    /** Returns the date. It is computed at each call, because most moments are only compared. */
    private CfDate date() {
        return calendar.date(dayNumber);
    }

    /** Returns the year. The year before the year 1 is 0 or -1: {@link CfCalendar#hasYearZero}. */
    public long year() {
        return date().year();
    }

    /** Returns the month, from 1 to 12. */
    public int month() {
        return date().month();
    }

    /** Returns the day of the month, from 1 on. */
    public int day() {
        return date().day();
    }

    /** Returns the day of the year, from 1 on. */
    public int dayOfYear() {
        return (int) (dayNumber - calendar.number(new CfDate(year(), 1, 1))) + 1;
    }

    /** Returns the time of the day. */
    public LocalTime time() {
        return LocalTime.ofNanoOfDay(nanoOfDay);
    }

    /**
     * Returns the moment after a time span, which may be negative.
     *
     * @throws DateTimeException if the result is more than about a million years from the year 0
     */
    public CfDateTime plus(Duration span) {
        try {
            Duration ofDay = span.plusNanos(nanoOfDay);
            long days = Math.floorDiv(ofDay.getSeconds(), 86_400L);
            long nanos = Math.floorMod(ofDay.getSeconds(), 86_400L) * NANOS_OF_SECOND + ofDay.getNano();
            return of(calendar, Math.addExact(dayNumber, days), nanos)
                    .orElseThrow(() -> new DateTimeException("too far from the year 0: " + this + " plus " + span));
        } catch (ArithmeticException e) {
            throw new DateTimeException("too far from the year 0: " + this + " plus " + span, e);
        }
    }

    /**
     * Returns the time span to another moment; negative if that is earlier.
     *
     * @throws IllegalArgumentException if the calendars differ
     */
    public Duration until(CfDateTime other) {
        check(other);
        return Duration.ofDays(other.dayNumber - dayNumber).plusNanos(other.nanoOfDay - nanoOfDay);
    }

    /**
     * Returns the same date and time of java.time, which has the Gregorian calendar; empty in other calendars, and in
     * the standard calendar before 1582-10-15.
     */
    public Optional<LocalDateTime> toLocalDateTime() {
        return calendar.localDate(dayNumber).map(day -> day.atTime(time()));
    }

    /** Returns the same moment of java.time; empty where {@link #toLocalDateTime} is. */
    public Optional<Instant> toInstant() {
        return toLocalDateTime().map(time -> time.toInstant(ZoneOffset.UTC));
    }

    /**
     * Compares two moments of one calendar.
     *
     * @throws IllegalArgumentException if the calendars differ
     */
    @Override
    public int compareTo(CfDateTime other) {
        check(other);
        int days = Long.compare(dayNumber, other.dayNumber);
        return days != 0 ? days : Long.compare(nanoOfDay, other.nanoOfDay);
    }

    private void check(CfDateTime other) {
        if (calendar != other.calendar) {
            throw new IllegalArgumentException("expected a moment of the calendar " + calendar.attribute() + ", found "
                    + other + " of the calendar " + other.calendar.attribute());
        }
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof CfDateTime time
                && calendar == time.calendar
                && dayNumber == time.dayNumber
                && nanoOfDay == time.nanoOfDay;
    }

    @Override
    public int hashCode() {
        return Objects.hash(calendar, dayNumber, nanoOfDay);
    }

    /**
     * Returns the text of ISO 8601 without a zone, such as {@code 2000-01-31T06:00:00} or {@code -0044-03-15T00:00:00}.
     */
    @Override
    public String toString() {
        long seconds = nanoOfDay / NANOS_OF_SECOND;
        long fraction = nanoOfDay % NANOS_OF_SECOND;
        CfDate date = date();
        String text = String.format(
                Locale.ROOT,
                "%s%04d-%02d-%02dT%02d:%02d:%02d",
                date.year() < 0 ? "-" : "",
                Math.abs(date.year()),
                date.month(),
                date.day(),
                seconds / 3600,
                seconds / 60 % 60,
                seconds % 60);
        return fraction == 0
                ? text
                : text + "." + String.format(Locale.ROOT, "%09d", fraction).replaceFirst("0+$", "");
    }
}
