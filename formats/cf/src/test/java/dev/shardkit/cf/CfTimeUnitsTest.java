package dev.shardkit.cf;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.shardkit.spi.json.Json;
import java.io.IOException;
import java.io.InputStream;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Compares {@link CfTimeUnits} with xarray and cftime. */
class CfTimeUnitsTest {
    private static Optional<CfTimeUnits> units(String units, String calendar) {
        Json.Obj attributes = Json.object().with("units", Json.of(units));
        return CfTimeUnits.of(calendar.isEmpty() ? attributes : attributes.with("calendar", Json.of(calendar)));
    }

    /** {@code conformance-tests/tools/make_times.py} creates the table. */
    @Test
    void numbers_areTheMomentsOfXarray() throws IOException {
        List<String> wrong = new ArrayList<>();
        int moments = 0;
        try (InputStream table = CfTimeUnitsTest.class.getResourceAsStream("times.tsv")) {
            for (String line : new String(table.readAllBytes(), StandardCharsets.UTF_8).split("\n")) {
                String[] cells = line.split("\t", -1);
                String found = units(cells[0], cells[1])
                        .flatMap(units -> units.text(new BigDecimal(cells[2])))
                        .orElse("");
                moments += found.isEmpty() ? 0 : 1;
                if (!found.equals(cells[3])) {
                    wrong.add(line + " but " + found);
                }
            }
        }
        assertEquals(List.of(), wrong);
        assertTrue(moments > 1000, "moments " + moments);
    }

    @ParameterizedTest
    @CsvSource({
        "days since 2000-01-01, standard",
        "hours since 1900-01-01T00:00:00+01:00, gregorian",
        "seconds since 1850-06-01 12:30:15.25, noleap",
        "nanoseconds since 1970-01-01, proleptic_gregorian",
        "days since 0001-01-01, julian",
        "months since 2000-02-11, 360_day",
        "milliseconds since 1600-02-29 23:59:59.999999999, all_leap"
    })
    void integers_areTheMomentsOfTheirDecimals(String unit, String calendar) {
        CfTimeUnits units = units(unit, calendar).orElseThrow();
        List<Long> numbers = new ArrayList<>(List.of(0L, 1L, -1L, Long.MAX_VALUE, Long.MIN_VALUE));
        Random random = new Random(5);
        for (int i = 0; i < 2000; i++) {
            numbers.add(random.nextLong() >> random.nextInt(64));
        }
        for (long number : numbers) {
            assertEquals(
                    units.time(BigDecimal.valueOf(number)),
                    units.integerTimes().apply(number),
                    () -> number + " " + unit);
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "days",
                "days since yesterday",
                "days since 2000",
                "days since 2000-06",
                "days since 2000/01/01",
                "days since 2000-01-01 00:00:00 EST",
                "days since 2000-01-01 00:00:00 +24:00",
                "days since 2000-01-01 00:00:00 +01:60",
                "fathoms since 2000-01-01"
            })
    void otherUnits_areNone(String units) {
        assertEquals(Optional.empty(), units(units, "standard"));
    }

    @Test
    void numbersFarAway_areNoMoments() {
        CfTimeUnits days = units("days since 2000-01-01", "standard").orElseThrow();
        for (String number : List.of("1e30", "-1e30", "1e999999999", "366000000")) {
            assertEquals(Optional.empty(), days.text(new BigDecimal(number)), number);
        }
        assertEquals(Optional.of("2000-01-01T07:12:00"), days.text(new BigDecimal(0.3)), "the nearest nanosecond");
        assertEquals(Optional.of("2000-01-01T00:00:00"), days.text(new BigDecimal("1e-999999")));
    }

    /** The moments are those of xarray's {@code decode_cf_datetime}. */
    @ParameterizedTest
    @CsvSource({
        "days since 2000-01-01, standard, 0.3, 2000-01-01T07:12:00",
        "days since 2000-01-01, standard, -0.3333333333333333, 1999-12-31T16:00:00",
        "days since 2000-01-01, noleap, 0.3333333333333333, 2000-01-01T08:00:00",
        "hours since 1850-01-01, 360_day, 0.14285714285714285, 1850-01-01T00:08:34.285714",
        "days since 0001-01-01, standard, 730000.123456789, 1999-09-02T02:57:46.666565",
        "seconds since 1970-01-01, proleptic_gregorian, 0.1234567891, 1970-01-01T00:00:00.123456789",
        "days since 1600-01-01, standard, 146097.3, 2000-01-01T07:11:59.999999",
        "days since 2000-01-01, standard, 110000.7, 2301-03-04T16:48:00",
        "days since 2000-01-01, julian, 1e-12, 2000-01-01T00:00:00"
    })
    void numbersWithFractions_areRoundedAsByXarray(String units, String calendar, double number, String moment) {
        assertEquals(
                Optional.of(moment),
                units(units, calendar).orElseThrow().time(number).map(CfDateTime::toString));
    }

    @Test
    void noNumbers_areNoMoments() {
        CfTimeUnits days = units("days since 2000-01-01", "standard").orElseThrow();
        for (double number : new double[] {Double.NaN, Double.POSITIVE_INFINITY, 1e300, -1e18}) {
            assertEquals(Optional.empty(), days.time(number), "number " + number);
        }
    }
}
