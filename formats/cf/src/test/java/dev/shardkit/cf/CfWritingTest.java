package dev.shardkit.cf;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.shardkit.ArraySpec;
import dev.shardkit.IfExists;
import dev.shardkit.Zarr;
import dev.shardkit.ZarrGroup;
import dev.shardkit.ZarrOptions;
import dev.shardkit.spi.array.Box;
import dev.shardkit.spi.json.Json;
import dev.shardkit.store.memory.MemoryStore;
import java.time.Duration;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BiConsumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Physical values are encoded as xarray encodes them. */
class CfWritingTest {
    private static CfVariable variable(String type, int count, Map<String, ?> attributes) {
        return variable(ArraySpec.of(type, count).withDimensionNames("x").withAttributes(Json.of(attributes)));
    }

    private static CfVariable variable(ArraySpec spec) {
        ZarrGroup group =
                Zarr.createGroup(MemoryStore.create(), "", Json.object(), IfExists.REFUSE, ZarrOptions.defaults());
        group.createArray("v", spec, IfExists.REFUSE);
        return CfDataset.of(group).variable("v");
    }

    /** The stored numbers are {@code numpy.around((v - 273.15) / 0.1)}, as xarray packs. */
    @Test
    void packedNumbers_areRounded_andNanIsTheFillValue() {
        CfVariable v = variable("int16", 6, Map.of("scale_factor", 0.1, "add_offset", 273.15, "_FillValue", -32768));
        double[] values = {280, 273.15, 273.2, 273.3, Double.NaN, 3549.84};
        v.write(Box.of(new long[] {6}), values);
        assertArrayEquals(
                new short[] {69, 0, 1, 2, -32768, 32767}, v.array().read().shorts());
        double[] read = v.read().doubles();
        assertEquals(280.05, read[0], 1e-12);
        assertTrue(Double.isNaN(read[4]));
    }

    @Test
    void numbersWithTheOtherSign_areStoredByTheirBits() {
        CfVariable v = variable("int8", 4, Map.of("_Unsigned", "true", "_FillValue", -1));
        v.write(Box.of(new long[] {4}), new double[] {0, 127, 200, Double.NaN});
        assertArrayEquals(new byte[] {0, 127, (byte) 200, -1}, v.array().read().bytes());
        assertEquals(200, v.read().doubleAt(2));
        CfVariable wide = variable("uint64", 2, Map.of());
        wide.write(Box.of(new long[] {2}), new double[] {0x1p63, 5});
        assertArrayEquals(new long[] {Long.MIN_VALUE, 5}, wide.array().read().longs());
    }

    @Test
    void numbersThatTheTypeCannotHold_areRefused_andNothingIsWritten() {
        CfVariable v = variable("int16", 2, Map.of("scale_factor", 0.5));
        for (double wrong : new double[] {16383.8, -16384.3, Double.NaN, Double.POSITIVE_INFINITY}) {
            IllegalArgumentException thrown = assertThrows(
                    IllegalArgumentException.class, () -> v.write(Box.of(new long[] {2}), new double[] {1, wrong}));
            assertTrue(thrown.getMessage().contains("at index 1"), thrown.getMessage());
        }
        assertThrows(IllegalArgumentException.class, () -> v.write(Box.of(new long[] {2}), new double[] {1}));
        assertArrayEquals(new short[] {0, 0}, v.array().read().shorts());
        assertThrows(IllegalArgumentException.class, () -> v.writeTimes(Box.of(new long[] {2}), List.of()));
    }

    @Test
    void missingValueThatTheTypeLacks_isNotWritten_andLargeNumbersAreNotInfinite() {
        CfVariable v = variable("int16", 1, Map.of("_FillValue", 1e40, "missing_value", 7));
        v.write(Box.of(new long[] {1}), new double[] {Double.NaN});
        assertArrayEquals(new short[] {7}, v.array().read().shorts());
        CfVariable f = variable("float32", 1, Map.of());
        assertThrows(IllegalArgumentException.class, () -> f.write(Box.of(new long[] {1}), new double[] {1e300}));
        f.write(Box.of(new long[] {1}), new double[] {Double.NEGATIVE_INFINITY});
        assertEquals(Float.NEGATIVE_INFINITY, f.array().read().floats()[0]);
    }

    @Test
    void fillValuesOfSixtyFourBits_areWrittenExactly() {
        Json.Num greatest = new Json.Num("9223372036854775807");
        CfVariable v = variable("int64", 1, Map.of("units", "nanoseconds since 1970-01-01", "_FillValue", greatest));
        v.writeTimes(Box.of(new long[] {1}), List.of(Optional.empty()));
        assertArrayEquals(new long[] {Long.MAX_VALUE}, v.array().read().longs());
        CfVariable number = variable("uint64", 1, Map.of("_FillValue", new Json.Num("18446744073709551615")));
        number.write(Box.of(new long[] {1}), new double[] {Double.NaN});
        assertArrayEquals(new long[] {-1}, number.array().read().longs());
    }

    @Test
    void times_areNumbersInTheirUnits() {
        Map<String, ?> noleap = Map.of("units", "hours since 2000-02-28", "calendar", "noleap", "_FillValue", -1);
        CfVariable hours = variable("int32", 3, noleap);
        CfDateTime march = CfDateTime.parse(CfCalendar.NOLEAP, "2000-03-01T06:00");
        hours.writeTimes(
                Box.of(new long[] {3}),
                List.of(
                        Optional.of(march),
                        Optional.empty(),
                        Optional.of(CfDateTime.parse(CfCalendar.NOLEAP, "2000-02-28"))));
        assertArrayEquals(new int[] {30, -1, 0}, hours.array().read().ints());
        assertEquals(
                List.of(Optional.of(march), Optional.empty()),
                hours.read().times().subList(0, 2));
        CfDateTime half = CfDateTime.parse(CfCalendar.NOLEAP, "2000-03-01T06:30");
        IllegalArgumentException thrown = assertThrows(
                IllegalArgumentException.class,
                () -> hours.writeTimes(Box.of(new long[] {1}), List.of(Optional.of(half))));
        assertTrue(thrown.getMessage().contains("30.5"), thrown.getMessage());
        CfVariable days = variable("float64", 2, Map.of("units", "days since 2000-01-01"));
        CfDateTime noon = CfDateTime.parse(CfCalendar.STANDARD, "2000-01-02T08:00");
        days.writeTimes(Box.of(new long[] {2}), List.of(Optional.of(noon), Optional.empty()));
        assertArrayEquals(
                new double[] {1 + 1 / 3.0, Double.NaN}, days.array().read().doubles());
        assertThrows(
                IllegalArgumentException.class,
                () -> days.writeTimes(Box.of(new long[] {1}), List.of(Optional.of(march))));
    }

    @Test
    void timeSpans_areNumbersInTheirUnits() {
        Map<String, ?> hours = Map.of("units", "hours", "dtype", "timedelta64[ns]", "_FillValue", -1);
        CfVariable v = variable("int32", 2, hours);
        v.writeDurations(Box.of(new long[] {2}), List.of(Optional.of(Duration.ofDays(2)), Optional.empty()));
        assertArrayEquals(new int[] {48, -1}, v.array().read().ints());
        assertEquals(
                List.of(Optional.of(Duration.ofDays(2)), Optional.empty()),
                v.read().durations());
        IllegalArgumentException half = assertThrows(
                IllegalArgumentException.class,
                () -> v.writeDurations(Box.of(new long[] {1}), List.of(Optional.of(Duration.ofMinutes(90)))));
        assertTrue(half.getMessage().contains("1.5"), half.getMessage());
        CfVariable days = variable("float64", 1, Map.of("units", "days", "dtype", "timedelta64[ns]"));
        days.writeDurations(Box.of(new long[] {1}), List.of(Optional.of(Duration.ofHours(8))));
        assertArrayEquals(new double[] {1 / 3.0}, days.array().read().doubles());
        assertThrows(IllegalArgumentException.class, () -> days.writeTimes(Box.of(new long[] {0}), List.of()));
    }

    @Test
    void timesOfNumpy_areWritten_andNaTIsTheLeastNumber() {
        Json seconds = Json.extension(
                "numpy.datetime64", Json.object().with("unit", Json.of("s")).with("scale_factor", Json.of(1)));
        ZarrGroup group =
                Zarr.createGroup(MemoryStore.create(), "", Json.object(), IfExists.REFUSE, ZarrOptions.defaults());
        group.createArray("v", ArraySpec.of(seconds, 2).withDimensionNames("x"), IfExists.REFUSE);
        CfVariable v = CfDataset.of(group).variable("v");
        CfDateTime noon = CfDateTime.parse(CfCalendar.PROLEPTIC_GREGORIAN, "1970-01-01T12:00");
        v.writeTimes(Box.of(new long[] {2}), List.of(Optional.of(noon), Optional.empty()));
        assertArrayEquals(new long[] {43200, Long.MIN_VALUE}, v.array().read().longs());
    }

    @ParameterizedTest
    @CsvSource({
        "s, 1, 43200, 1970-01-01T12:00, PT12H",
        "s, 1, -1, 1969-12-31T23:59:59, PT-1S",
        "D, 1, 11016, 2000-02-29, PT264384H",
        "D, 1, -1, 1969-12-31, PT-24H",
        "us, 10, 12345678901, 1970-01-02T10:17:36.78901, PT34H17M36.78901S",
        "us, 10, -1, 1969-12-31T23:59:59.99999, PT-0.00001S"
    })
    void stepsOfNumpy_areReadAndWritten(String unit, int factor, long number, String time, Duration span) {
        Json.Obj steps = Json.object().with("unit", Json.of(unit)).with("scale_factor", Json.of(factor));
        long[] stored = {number, Long.MIN_VALUE, 0};
        Box all = Box.of(new long[] {3});
        CfVariable times = variable(ArraySpec.of(Json.extension("numpy.datetime64", steps), 3));
        times.array().write(all, stored, 0);
        List<Optional<CfDateTime>> moments = List.of(
                Optional.of(CfDateTime.parse(CfCalendar.PROLEPTIC_GREGORIAN, time)),
                Optional.empty(),
                Optional.of(CfDateTime.parse(CfCalendar.PROLEPTIC_GREGORIAN, "1970-01-01")));
        assertEquals(moments, times.read().times());
        CfVariable spans = variable(ArraySpec.of(Json.extension("numpy.timedelta64", steps), 3));
        spans.array().write(all, stored, 0);
        List<Optional<Duration>> lengths = List.of(Optional.of(span), Optional.empty(), Optional.of(Duration.ZERO));
        assertEquals(lengths, spans.read().durations());
        for (CfVariable written : List.of(times, spans)) {
            written.array().write(all, new long[3], 0);
        }
        times.writeTimes(all, moments);
        spans.writeDurations(all, lengths);
        assertArrayEquals(stored, times.array().read().longs());
        assertArrayEquals(stored, spans.array().read().longs());
    }

    /** The texts are those of xarray's {@code EncodedStringCoder}. */
    @ParameterizedTest
    @CsvSource({
        "latin-1, E4620000, \u00e4b",
        "ISO-8859-1, E4000000, \u00e4",
        "cp1252, 80000000, \u20ac",
        "utf_8, C3A46200, \u00e4b",
        "UTF-16LE, 61006200, ab",
        "utf-16-be, 00610000, a"
    })
    void textsAsBytes_haveTheirCharset(String name, String hex, String text) {
        byte[] stored = HexFormat.of().parseHex(hex);
        Json.Obj attributes = Json.object().with("_Encoding", Json.of(name));
        CfVariable whole =
                variable(ArraySpec.of(bytes(4), 1).withDimensionNames("x").withAttributes(attributes));
        CfVariable characters = variable(
                ArraySpec.of(bytes(1), 1, 4).withDimensionNames("x", "c").withAttributes(attributes));
        whole.array().write(Box.of(new long[] {1}), stored, 0);
        characters.array().write(Box.of(new long[] {1, 4}), stored, 0);
        for (CfVariable v : List.of(whole, characters)) {
            assertEquals(List.of(), v.dataset().notes());
            assertArrayEquals(new String[] {text}, v.read().values().strings());
            v.writeTexts(Box.of(new long[] {1}), List.of(""));
            assertArrayEquals(new byte[4], v.array().read().bytes());
            v.writeTexts(Box.of(new long[] {1}), List.of(text));
            assertArrayEquals(stored, v.array().read().bytes());
        }
    }

    @Test
    void charactersThatTheCharsetLacks_areRefused() {
        CfVariable v = variable(ArraySpec.of(bytes(4), 1)
                .withDimensionNames("x")
                .withAttributes(Json.object().with("_Encoding", Json.of("latin-1"))));
        IllegalArgumentException thrown = assertThrows(
                IllegalArgumentException.class, () -> v.writeTexts(Box.of(new long[] {1}), List.of("\u20ac")));
        assertTrue(thrown.getMessage().contains("ISO-8859-1"), thrown.getMessage());
    }

    @Test
    void unknownCharsets_areNoted() {
        List<Json> unknown = List.of(
                Json.of("nonsense"),
                Json.of(""),
                Json.of("-"),
                Json.of("x".repeat(100_000)),
                Json.of(7),
                new Json.Null());
        for (Json name : unknown) {
            CfVariable v = variable(ArraySpec.of(bytes(4), 1)
                    .withDimensionNames("x")
                    .withAttributes(Json.object().with("_Encoding", name)));
            v.writeTexts(Box.of(new long[] {1}), List.of("\u00e4b"));
            assertArrayEquals(new String[] {"\u00e4b"}, v.read().values().strings());
            String note = v.dataset().notes().get(0).toString();
            assertTrue(note.startsWith("v: _Encoding is ignored") && note.length() < 250, note);
        }
    }

    private static Json bytes(int length) {
        return Json.extension("null_terminated_bytes", Json.object().with("length_bytes", Json.of(length)));
    }

    @Test
    void booleansAndTexts_areWrittenInTheirForms() {
        CfVariable flag = variable("int8", 3, Map.of("dtype", "bool"));
        flag.writeBooleans(Box.of(new long[] {3}), new boolean[] {true, false, true});
        assertArrayEquals(new byte[] {1, 0, 1}, flag.array().read().bytes());
        CfVariable plain = variable("bool", 2, Map.of());
        plain.writeBooleans(Box.of(new long[] {2}), new boolean[] {false, true});
        assertArrayEquals(new boolean[] {false, true}, plain.read().values().booleans());
        assertThrows(IllegalArgumentException.class, () -> flag.write(Box.of(new long[] {1}), new double[] {1}));
        CfVariable text = variable("string", 2, Map.of());
        text.writeTexts(Box.of(new long[] {1}, new long[] {1}), List.of("\u00e4b"));
        assertArrayEquals(new String[] {"", "\u00e4b"}, text.read().values().strings());
        assertThrows(IllegalArgumentException.class, () -> text.writeBooleans(Box.of(new long[] {1}), new boolean[1]));
        assertThrows(IllegalArgumentException.class, () -> flag.writeTexts(Box.of(new long[] {1}), List.of("a")));
    }

    @Test
    void textsOfCharacters_endWithZeros() {
        ZarrGroup group =
                Zarr.createGroup(MemoryStore.create(), "", Json.object(), IfExists.REFUSE, ZarrOptions.defaults());
        Json character = Json.extension("null_terminated_bytes", Json.object().with("length_bytes", Json.of(1)));
        ArraySpec spec = ArraySpec.of(character, 3, 4).withDimensionNames("station", "letter");
        group.createArray("name", spec, IfExists.REFUSE);
        CfVariable name = CfDataset.of(group).variable("name");
        name.writeTexts(Box.of(new long[] {1}, new long[] {2}), List.of("\u00e4b", "abcd"));
        assertArrayEquals(
                new String[] {"", "\u00e4b", "abcd"}, name.read().values().strings());
        IllegalArgumentException thrown = assertThrows(
                IllegalArgumentException.class, () -> name.writeTexts(Box.of(new long[] {1}), List.of("abcde")));
        assertTrue(thrown.getMessage().contains("at most 4 bytes"), thrown.getMessage());
    }

    /** Creates a coordinate x(x) and a variable v(x). */
    private static CfDataset labelled(String type, Map<String, ?> attributes) {
        ZarrGroup group =
                Zarr.createGroup(MemoryStore.create(), "", Json.object(), IfExists.REFUSE, ZarrOptions.defaults());
        ArraySpec spec = ArraySpec.of(type, 2).withDimensionNames("x").withAttributes(Json.of(attributes));
        group.createArray("x", spec, IfExists.REFUSE);
        group.createArray("v", ArraySpec.of("int8", 2).withDimensionNames("x"), IfExists.REFUSE);
        return CfDataset.of(group);
    }

    /** Writes labels twice, in the opposite order, and selects the first one after each write. */
    private static <T> void assertSelectsAfterEachWrite(
            CfDataset dataset, BiConsumer<CfVariable, List<T>> write, T a, T b) {
        CfVariable x = dataset.variable("x");
        CfSelection selection = dataset.variable("v").select().at("x", a);
        write.accept(x, List.of(a, b));
        assertArrayEquals(new long[] {0}, selection.indices("x"));
        write.accept(x, List.of(b, a));
        assertArrayEquals(new long[] {1}, selection.indices("x"));
        CfSelection second = dataset.variable("v").select().index("x", 1);
        assertEquals(selection.labels("x").toString(), second.labels("x").toString());
        assertArrayEquals(
                new long[] {1}, dataset.variable("v").select().at("x", a).indices("x"));
    }

    @Test
    void selectionsAfterAWrite_findTheNewLabels() {
        Box all = Box.of(new long[] {2});
        assertSelectsAfterEachWrite(
                labelled("float64", Map.of()),
                (x, labels) -> x.write(
                        all, labels.stream().mapToDouble(Double::doubleValue).toArray()),
                1.5,
                2.5);
        assertSelectsAfterEachWrite(
                labelled("int32", Map.of("units", "days since 2000-01-01")),
                (x, labels) ->
                        x.writeTimes(all, labels.stream().map(Optional::of).toList()),
                CfDateTime.parse(CfCalendar.STANDARD, "2000-01-02"),
                CfDateTime.parse(CfCalendar.STANDARD, "2000-02-01"));
        assertSelectsAfterEachWrite(
                labelled("int32", Map.of("units", "hours", "dtype", "timedelta64[ns]")),
                (x, labels) ->
                        x.writeDurations(all, labels.stream().map(Optional::of).toList()),
                Duration.ofHours(6),
                Duration.ofHours(12));
        assertSelectsAfterEachWrite(
                labelled("string", Map.of()), (x, labels) -> x.writeTexts(all, labels), "Oslo", "Roma");
    }

    @Test
    void nearestPointsAfterAWrite_areThoseOfTheNewCoordinates() {
        ZarrGroup group =
                Zarr.createGroup(MemoryStore.create(), "", Json.object(), IfExists.REFUSE, ZarrOptions.defaults());
        ArraySpec grid = ArraySpec.of("float64", 1, 2).withDimensionNames("y", "x");
        group.createArray("a", grid, IfExists.REFUSE);
        group.createArray("b", grid, IfExists.REFUSE);
        group.createArray("v", grid.withAttributes(Json.of(Map.of("coordinates", "a b"))), IfExists.REFUSE);
        CfDataset dataset = CfDataset.of(group);
        Box all = Box.of(new long[] {1, 2});
        CfSelection selection = dataset.variable("v").select().nearestPoint("a", 5, "b", 5);
        for (String name : List.of("b", "a")) {
            dataset.variable(name).write(all, new double[] {5, 9});
            assertArrayEquals(new long[] {0}, selection.indices("x"), name);
            dataset.variable(name).write(all, new double[] {9, 5});
            assertArrayEquals(new long[] {1}, selection.indices("x"), name);
        }
    }
}
