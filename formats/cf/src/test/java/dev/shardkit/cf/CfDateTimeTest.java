package dev.shardkit.cf;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDateTime;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

class CfDateTimeTest {
    @Test
    void yearsOfMoreThanSixDigits_areRefused() {
        for (CfCalendar calendar : CfCalendar.values()) {
            for (long year : new long[] {1_000_000, -1_000_000, Long.MAX_VALUE, Long.MIN_VALUE}) {
                assertThrows(DateTimeException.class, () -> CfDateTime.of(calendar, year, 1, 1), calendar + " " + year);
            }
        }
    }

    @ParameterizedTest
    @CsvSource({
        "STANDARD, 1582-10-04, 1582-10-15",
        "STANDARD, -0001-12-31, 0001-01-01",
        "PROLEPTIC_GREGORIAN, 1582-10-04, 1582-10-05",
        "PROLEPTIC_GREGORIAN, -0001-12-31, 0000-01-01",
        "PROLEPTIC_GREGORIAN, 1900-02-28, 1900-03-01",
        "JULIAN, 1900-02-28, 1900-02-29",
        "JULIAN, -0001-12-31, 0001-01-01",
        "NOLEAP, 2000-02-28, 2000-03-01",
        "ALL_LEAP, 2001-02-28, 2001-02-29",
        "DAYS_360, 2001-02-29, 2001-02-30",
        "DAYS_360, 2001-12-30, 2002-01-01"
    })
    void nextDay_isThatOfTheCalendar(CfCalendar calendar, String day, String next) {
        CfDateTime time = CfDateTime.parse(calendar, day);
        assertEquals(CfDateTime.parse(calendar, next), time.plus(Duration.ofDays(1)));
        assertEquals(time, CfDateTime.parse(calendar, next).plus(Duration.ofDays(-1)));
        assertEquals(Duration.ofDays(1), time.until(CfDateTime.parse(calendar, next)));
        assertTrue(time.compareTo(CfDateTime.parse(calendar, next)) < 0);
        assertEquals(day + "T00:00:00", time.toString());
    }

    @ParameterizedTest
    @EnumSource(CfCalendar.class)
    void dates_areThoseOfTheirNumbers(CfCalendar calendar) {
        CfDateTime time = CfDateTime.of(calendar, 1, 1, 1).plus(Duration.ofNanos(7));
        for (int i = 0; i < 5000; i++) {
            CfDateTime again = CfDateTime.of(calendar, time.year(), time.month(), time.day())
                    .at(time.time());
            assertEquals(time, again);
            assertEquals(time.hashCode(), again.hashCode());
            assertTrue(calendar.isDate(time.year(), time.month(), time.day()));
            time = time.plus(Duration.ofDays(149).plusHours(5));
        }
    }

    @ParameterizedTest
    @CsvSource({
        "STANDARD, 1582-10-10",
        "STANDARD, 0000-01-01",
        "JULIAN, 0000-01-01",
        "NOLEAP, 2000-02-29",
        "DAYS_360, 2000-01-31",
        "ALL_LEAP, 2000-02-30",
        "STANDARD, 2000-13-01",
        "STANDARD, 2000-01-01T24:00",
        "STANDARD, 1 January 2000"
    })
    void otherDates_areRefused(CfCalendar calendar, String text) {
        assertThrows(DateTimeException.class, () -> CfDateTime.parse(calendar, text));
    }

    @Test
    void javaTime_isThereWhereTheCalendarHasIt() {
        CfDateTime time = CfDateTime.parse(CfCalendar.STANDARD, "2020-02-29T12:30:15.5");
        assertEquals(Optional.of(LocalDateTime.parse("2020-02-29T12:30:15.5")), time.toLocalDateTime());
        assertEquals(Optional.of(Instant.parse("2020-02-29T12:30:15.5Z")), time.toInstant());
        assertEquals(time, CfDateTime.of(CfCalendar.STANDARD, LocalDateTime.parse("2020-02-29T12:30:15.5")));
        assertEquals(60, time.dayOfYear());
        assertEquals(
                Optional.empty(),
                CfDateTime.parse(CfCalendar.STANDARD, "1582-10-04").toInstant());
        assertTrue(
                CfDateTime.parse(CfCalendar.STANDARD, "1582-10-15").toInstant().isPresent());
        assertEquals(
                Optional.of(LocalDateTime.parse("0000-02-29T00:00")),
                CfDateTime.parse(CfCalendar.PROLEPTIC_GREGORIAN, "0000-02-29").toLocalDateTime());
        assertEquals(
                Optional.empty(),
                CfDateTime.parse(CfCalendar.DAYS_360, "2000-01-01").toLocalDateTime());
    }

    @Test
    void momentsOfDifferentCalendars_areNotCompared() {
        CfDateTime standard = CfDateTime.parse(CfCalendar.STANDARD, "2000-01-01");
        CfDateTime noleap = CfDateTime.parse(CfCalendar.NOLEAP, "2000-01-01");
        assertFalse(standard.equals(noleap));
        assertThrows(IllegalArgumentException.class, () -> standard.compareTo(noleap));
        assertThrows(IllegalArgumentException.class, () -> standard.until(noleap));
    }

    @Test
    void momentsFarAway_areRefused() {
        CfDateTime time = CfDateTime.of(CfCalendar.STANDARD, 2000, 1, 1);
        assertThrows(DateTimeException.class, () -> time.plus(Duration.ofDays(400_000_000)));
        assertThrows(DateTimeException.class, () -> time.plus(Duration.ofSeconds(Long.MAX_VALUE)));
        assertThrows(DateTimeException.class, () -> CfDateTime.of(CfCalendar.STANDARD, Long.MAX_VALUE, 1, 1));
    }
}
