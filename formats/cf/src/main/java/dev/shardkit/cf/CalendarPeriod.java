package dev.shardkit.cf;

import java.time.DateTimeException;
import java.time.Duration;
import java.time.LocalTime;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * One year, month, day, hour, minute or second of a calendar, such as {@code 2020-03}: its first and its last moment.
 * Selections by text use it. Not a duration. Immutable.
 *
 * @param first the first moment
 * @param last the last moment, a nanosecond before the next period
 */
record CalendarPeriod(CfDateTime first, CfDateTime last) {
    /** Groups: year, month, day, hour, minute, second. */
    private static final Pattern TEXT = Pattern.compile(
            "(-?\\d{1,6})(?:-(\\d{2})(?:-(\\d{2})" + "(?:[T ](\\d{2})(?::(\\d{2})(?::(\\d{2}))?)?)?)?)?Z?");

    /** Returns whether a text has the form of a period. */
    static boolean matches(String text) {
        return TEXT.matcher(text).matches();
    }

    /**
     * Returns whether a text names a period of at least an hour, such as {@code 2020-03-01} or {@code 2020-03-01T06}.
     */
    static boolean isHourOrMore(String text) {
        Matcher parts = TEXT.matcher(text);
        return parts.matches() && parts.group(5) == null;
    }

    /** Returns whether a text names a month or a year, such as {@code 2020-03} or {@code 2020}. */
    static boolean isMonthOrMore(String text) {
        Matcher parts = TEXT.matcher(text);
        return parts.matches() && parts.group(3) == null;
    }

    /**
     * Returns the period that a text such as {@code 2020}, {@code 2020-03} or {@code 2020-03-01T06} names.
     *
     * @throws DateTimeException if the text has another form, or the calendar does not have this date
     */
    static CalendarPeriod parse(CfCalendar calendar, String text) {
        Matcher parts = TEXT.matcher(text);
        if (!parts.matches()) {
            throw new DateTimeException(
                    "expected a period such as 2020, 2020-03, 2020-03-01 or 2020-03-01T06, found \"" + text + "\"");
        }
        long year = Long.parseLong(parts.group(1));
        int month = number(parts.group(2), 1);
        CfDateTime first = CfDateTime.of(calendar, year, month, number(parts.group(3), 1))
                .at(LocalTime.of(number(parts.group(4), 0), number(parts.group(5), 0), number(parts.group(6), 0)));
        return new CalendarPeriod(first, next(first, parts).plus(Duration.ofNanos(-1)));
    }

    /** Returns the first moment of the next period. The last group that matched says how long a period is. */
    private static CfDateTime next(CfDateTime first, Matcher parts) {
        CfCalendar calendar = first.calendar();
        if (parts.group(6) != null) {
            return first.plus(Duration.ofSeconds(1));
        } else if (parts.group(5) != null) {
            return first.plus(Duration.ofMinutes(1));
        } else if (parts.group(4) != null) {
            return first.plus(Duration.ofHours(1));
        } else if (parts.group(3) != null) {
            return first.plus(Duration.ofDays(1));
        } else if (parts.group(2) != null && first.month() < 12) {
            return CfDateTime.of(calendar, first.year(), first.month() + 1, 1);
        }
        long year = first.year() == -1 && !calendar.hasYearZero() ? 1 : first.year() + 1;
        return CfDateTime.of(calendar, year, 1, 1);
    }

    private static int number(@Nullable String digits, int defaultValue) {
        return digits == null ? defaultValue : Integer.parseInt(digits);
    }
}
