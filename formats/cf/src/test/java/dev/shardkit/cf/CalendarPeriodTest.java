package dev.shardkit.cf;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class CalendarPeriodTest {
    @ParameterizedTest
    @CsvSource({
        "STANDARD, 2020, 2020-01-01T00:00:00, 2020-12-31T23:59:59.999999999",
        "STANDARD, 2020-02, 2020-02-01T00:00:00, 2020-02-29T23:59:59.999999999",
        "STANDARD, 2020-12, 2020-12-01T00:00:00, 2020-12-31T23:59:59.999999999",
        "STANDARD, 1582-10, 1582-10-01T00:00:00, 1582-10-31T23:59:59.999999999",
        "STANDARD, 1582-10-04, 1582-10-04T00:00:00, 1582-10-04T23:59:59.999999999",
        "STANDARD, -0001, -0001-01-01T00:00:00, -0001-12-31T23:59:59.999999999",
        "PROLEPTIC_GREGORIAN, -0001, -0001-01-01T00:00:00, -0001-12-31T23:59:59.999999999",
        "NOLEAP, 2020-02, 2020-02-01T00:00:00, 2020-02-28T23:59:59.999999999",
        "DAYS_360, 2020-02, 2020-02-01T00:00:00, 2020-02-30T23:59:59.999999999",
        "DAYS_360, 2020-02-30, 2020-02-30T00:00:00, 2020-02-30T23:59:59.999999999",
        "JULIAN, 1900-02, 1900-02-01T00:00:00, 1900-02-29T23:59:59.999999999",
        "STANDARD, 2020-03-01T06, 2020-03-01T06:00:00, 2020-03-01T06:59:59.999999999",
        "STANDARD, 2020-03-01 06:30, 2020-03-01T06:30:00, 2020-03-01T06:30:59.999999999",
        "STANDARD, 2020-03-01T06:30:15Z, 2020-03-01T06:30:15, 2020-03-01T06:30:15.999999999",
    })
    void text_namesAPeriod_ofItsCalendar(CfCalendar calendar, String text, String first, String last) {
        CalendarPeriod period = CalendarPeriod.parse(calendar, text);
        assertEquals(first, period.first().toString());
        assertEquals(last, period.last().toString());
    }
}
