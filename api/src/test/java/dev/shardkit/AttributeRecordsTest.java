package dev.shardkit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.ObjectMapper;
import dev.shardkit.metadata.JsonDocuments;
import dev.shardkit.spi.codec.Limits;
import dev.shardkit.spi.error.MetadataException;
import dev.shardkit.spi.json.Json;
import dev.shardkit.store.memory.MemoryStore;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.MonthDay;
import java.time.OffsetDateTime;
import java.time.OffsetTime;
import java.time.Period;
import java.time.Year;
import java.time.YearMonth;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Attributes as Java records and beans. */
class AttributeRecordsTest {
    record Scan(String operator, int slices, List<Double> scale) {}

    record Times(
            Instant instant,
            LocalDate date,
            LocalTime time,
            LocalDateTime local,
            OffsetDateTime offset,
            Duration duration,
            Period period,
            YearMonth month,
            ZoneId zone) {}

    record MoreTimes(OffsetTime clock, ZonedDateTime zoned, Year year, MonthDay day, ZoneOffset offset) {}

    record Maybe(
            Optional<String> text,
            Optional<Scan> scan,
            Optional<List<Instant>> times,
            OptionalInt small,
            OptionalLong large,
            OptionalDouble real) {
        static final Maybe NOTHING = new Maybe(
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                OptionalInt.empty(),
                OptionalLong.empty(),
                OptionalDouble.empty());
    }

    record Plain(String text, int number, boolean flag, Double boxed, List<String> list, Json json) {}

    record Part(Json.Obj known, Json any) {}

    enum Mode {
        FAST,
        SLOW
    }

    record Acquisition(
            Scan scan, Instant start, Mode mode, double[] offsets, boolean dark, Map<String, Integer> more) {}

    record Positive(int number) {
        Positive {
            if (number <= 0) {
                throw new IllegalArgumentException("number must be positive");
            }
        }
    }

    static final class Bean {
        private String name = "default";
        private int count = 7;

        public String getName() {
            return name;
        }

        public void setName(String name) {
            this.name = name;
        }

        public int getCount() {
            return count;
        }

        public void setCount(int count) {
            this.count = count;
        }
    }

    interface Nothing {}

    private static ZarrGroup group() {
        return Zarr.createGroup(MemoryStore.create(), "g", Json.object(), IfExists.REFUSE, ZarrOptions.defaults());
    }

    @Test
    void records_areWrittenAndRead() {
        try (ZarrGroup group = group()) {
            Scan scan = new Scan("Ada", 12, List.of(0.5, 1.0));
            ZarrGroup changed = group.replaceAttributes(scan);
            assertEquals(scan, changed.attributes(Scan.class));

            ZarrGroup more = changed.replaceAttributes(changed.attributes().with("other", Json.of(1)));
            assertEquals(scan, more.attributes(Scan.class), "unknown members are ignored");
        }
    }

    @Test
    void missingMembers_areNullZeroEmptyOrTheInitialValue() {
        try (ZarrGroup group = group()) {
            ZarrGroup less = group.replaceAttributes(Map.of("operator", "Ada"));
            assertEquals(new Scan("Ada", 0, null), less.attributes(Scan.class));
            assertEquals(new Plain(null, 0, false, null, null, null), group.attributes(Plain.class));
            assertEquals(Maybe.NOTHING, group.attributes(Maybe.class));
            Bean bean = group.attributes(Bean.class);
            assertEquals("default", bean.getName());
            assertEquals(7, bean.getCount());
        }
    }

    @Test
    void nullMembers_areAsMissingOnes() {
        try (ZarrGroup group = group()) {
            Map<String, Json> nulls = new LinkedHashMap<>();
            for (String name : List.of("text", "scan", "times", "small", "large", "real", "number", "boxed")) {
                nulls.put(name, new Json.Null());
            }
            ZarrGroup changed = group.replaceAttributes(new Json.Obj(nulls));
            assertEquals(Maybe.NOTHING, changed.attributes(Maybe.class));
            assertEquals(new Plain(null, 0, false, null, null, null), changed.attributes(Plain.class));
        }
    }

    @Test
    void emptyOptionals_areLeftOutAndOthersComeBack() {
        try (ZarrGroup group = group()) {
            assertEquals(Json.object(), group.replaceAttributes(Maybe.NOTHING).attributes());
            Maybe all = new Maybe(
                    Optional.of("a"),
                    Optional.of(new Scan("Ada", 1, List.of())),
                    Optional.of(List.of(Instant.EPOCH)),
                    OptionalInt.of(-1),
                    OptionalLong.of(Long.MAX_VALUE),
                    OptionalDouble.of(0.1));
            ZarrGroup changed = group.replaceAttributes(all);
            assertEquals(all, changed.attributes(Maybe.class));
            assertEquals(Optional.of(Json.of("a")), changed.attributes().get("text"));
        }
    }

    @Test
    void times_areTextOfIso8601() {
        try (ZarrGroup group = group()) {
            Times times = new Times(
                    Instant.parse("2026-03-01T10:15:30.123456789Z"),
                    LocalDate.parse("2026-03-01"),
                    LocalTime.parse("10:15"),
                    LocalDateTime.parse("2026-03-01T10:15:30"),
                    OffsetDateTime.parse("2026-03-01T10:15:30+01:00"),
                    Duration.ofMillis(1500),
                    Period.ofDays(3),
                    YearMonth.parse("2026-03"),
                    ZoneId.of("Europe/Vienna"));
            ZarrGroup changed = group.replaceAttributes(times);
            assertEquals(times, changed.attributes(Times.class));
            assertEquals(
                    "{\"instant\":\"2026-03-01T10:15:30.123456789Z\",\"date\":\"2026-03-01\",\"time\":\"10:15\","
                            + "\"local\":\"2026-03-01T10:15:30\",\"offset\":\"2026-03-01T10:15:30+01:00\","
                            + "\"duration\":\"PT1.5S\",\"period\":\"P3D\",\"month\":\"2026-03\","
                            + "\"zone\":\"Europe/Vienna\"}",
                    changed.attributes().toString());
            assertEquals(
                    Instant.parse("2026-03-01T09:15:30Z"),
                    group.replaceAttributes(Map.of("instant", "2026-03-01T10:15:30+01:00"))
                            .attributes(Times.class)
                            .instant(),
                    "an instant with an offset");
        }
    }

    @Test
    void maps_haveTheTypesThatJacksonGivesThem() throws Exception {
        String text = "{\"t\":\"a\",\"i\":-2147483648,\"l\":2147483648,\"m\":-9223372036854775808,"
                + "\"b\":9223372036854775808,\"d\":1.50,\"e\":1E400,\"z\":-0,\"n\":null,\"f\":[true,{\"x\":[]}]}";
        Json.Obj attributes = (Json.Obj) JsonDocuments.read(text.getBytes(StandardCharsets.UTF_8), Limits.defaults());
        try (ZarrGroup group = group().replaceAttributes(attributes)) {
            Map<?, ?> expected = new ObjectMapper().readValue(text, Map.class);
            for (Class<?> type : List.of(Map.class, LinkedHashMap.class, HashMap.class, Object.class)) {
                assertEquals(expected, group.attributes(type), type.getName());
            }
            assertEquals(attributes, group.attributes(Json.Obj.class));
            assertEquals(attributes, group.attributes(Json.class));
            assertThrows(MetadataException.class, () -> group.attributes(List.class));
        }
    }

    record Holder(List<Object> all) {}

    @Test
    void objectsThatContainThemselves_areRefused() {
        Map<String, Object> map = new HashMap<>();
        map.put("list", List.of(1, map));
        List<Object> list = new ArrayList<>();
        list.add(Map.of("list", list));
        Holder holder = new Holder(new ArrayList<>());
        holder.all().add(holder);
        try (ZarrGroup group = group()) {
            for (Object endless : List.of(map, Map.of("list", list), holder, Map.of("holder", holder))) {
                assertThrows(IllegalArgumentException.class, () -> group.replaceAttributes(endless));
                assertThrows(IllegalArgumentException.class, () -> group.mergeAttributes(endless));
            }
        }
        assertThrows(IllegalArgumentException.class, () -> Json.of(map));
        assertThrows(IllegalArgumentException.class, () -> Json.of(list));
    }

    /** A document that nobody could open would lose the node. */
    @Test
    void attributesNestedDeeperThanReadersAccept_areRefused() {
        for (int depth : new int[] {98, 99, 100, 5000}) {
            Json.Obj attributes = Json.object();
            for (int i = 1; i < depth; i++) {
                attributes = Json.object().with("a", attributes);
            }
            Json.Obj deep = attributes;
            MemoryStore store = MemoryStore.create();
            ZarrOptions options = ZarrOptions.defaults();
            try (ZarrGroup group = Zarr.createGroup(store, "", Json.object(), IfExists.REFUSE, options)) {
                if (depth > 99) {
                    assertThrows(MetadataException.class, () -> group.replaceAttributes(deep));
                    assertThrows(MetadataException.class, () -> group.createGroup("below", deep, IfExists.REFUSE));
                } else {
                    group.replaceAttributes(deep);
                    assertEquals(deep, Zarr.openGroup(store, "", options).attributes());
                }
            }
        }
    }

    record Wholes(byte a, Short b, int c, Long d, int[] e, OptionalInt f) {}

    @Test
    void wholeNumbersWithAPoint_areIntegers() {
        try (ZarrGroup group = group()) {
            ZarrGroup changed = group.replaceAttributes(Map.of("a", 1.0, "b", 2.0, "c", 3.0, "d", 4.0, "f", 5.0));
            assertEquals(
                    new Wholes((byte) 1, (short) 2, 3, 4L, null, OptionalInt.of(5)), changed.attributes(Wholes.class));
            assertEquals(
                    new Wholes((byte) 0, null, 0, null, null, OptionalInt.empty()), group.attributes(Wholes.class));
            for (String member : List.of("{\"a\":300.0}", "{\"d\":0.5}", "{\"e\":[1,1.5]}", "{\"f\":1e300}")) {
                ZarrGroup wrong = group.replaceAttributes(
                        (Json.Obj) JsonDocuments.read(member.getBytes(StandardCharsets.UTF_8), Limits.defaults()));
                assertThrows(MetadataException.class, () -> wrong.attributes(Wholes.class), member);
            }
        }
    }

    @Test
    void allTimesOfJava_areText() {
        try (ZarrGroup group = group()) {
            MoreTimes times = new MoreTimes(
                    OffsetTime.parse("10:15+01:00"),
                    ZonedDateTime.parse("2026-03-01T10:15:30+01:00[Europe/Vienna]"),
                    Year.of(2026),
                    MonthDay.of(3, 1),
                    ZoneOffset.ofHours(1));
            ZarrGroup changed = group.replaceAttributes(times);
            assertEquals(times, changed.attributes(MoreTimes.class));
            assertEquals(
                    "{\"clock\":\"10:15+01:00\",\"zoned\":\"2026-03-01T10:15:30+01:00[Europe/Vienna]\","
                            + "\"year\":\"2026\",\"day\":\"--03-01\",\"offset\":\"+01:00\"}",
                    changed.attributes().toString());
            assertEquals(new MoreTimes(null, null, null, null, null), group.attributes(MoreTimes.class));
        }
    }

    @Test
    void mapsHoldWhatRecordsHold() {
        try (ZarrGroup group = group()) {
            ZarrGroup changed = group.replaceAttributes(
                    Map.of("scan", new Scan("Ada", 1, List.of(0.5)), "times", List.of(Instant.EPOCH, LocalDate.EPOCH)));
            assertEquals(
                    Optional.of(Json.of(List.of("1970-01-01T00:00:00Z", "1970-01-01"))),
                    changed.attributes().get("times"));
            assertEquals(
                    "{\"operator\":\"Ada\",\"slices\":1,\"scale\":[0.5]}",
                    changed.attributes().get("scan").orElseThrow().toString());
        }
    }

    record Range(double max, List<Double> range) {}

    /** As Python writes them, and as attributes with them are read. */
    @Test
    void nanAndInfinities_areNumbers_inMapsAsInRecords() {
        Map<String, Object> map = new LinkedHashMap<>();
        map.put("max", Double.POSITIVE_INFINITY);
        map.put("range", List.of(Float.NEGATIVE_INFINITY, Double.NaN));
        Range range = new Range(Double.POSITIVE_INFINITY, List.of(Double.NEGATIVE_INFINITY, Double.NaN));
        MemoryStore store = MemoryStore.create();
        for (Object attributes : List.of(map, range)) {
            try (ZarrGroup group =
                    Zarr.createGroup(store, "", Json.object(), IfExists.OVERWRITE, ZarrOptions.defaults())) {
                group.replaceAttributes(attributes);
            }
            try (ZarrGroup read = Zarr.openGroup(store, "", ZarrOptions.defaults())) {
                assertEquals(
                        "{\"max\":Infinity,\"range\":[-Infinity,NaN]}",
                        read.attributes().toString());
                assertEquals(range, read.attributes(Range.class));
            }
        }
        String told = assertThrows(IllegalArgumentException.class, () -> Json.of(Map.of("a", Double.NaN)))
                .getMessage();
        assertTrue(told.contains("new Json.Num(\"NaN\")"), told);
    }

    @Test
    void jsonMembers_keepTheTextOfNumbers() {
        try (ZarrGroup group = group()) {
            Json.Obj known = Json.object()
                    .with("a", new Json.Num("0.10"))
                    .with("b", new Json.Arr(List.of(new Json.Num("18446744073709551615"), new Json.Null())));
            Part part = new Part(known, new Json.Num("1.50"));
            ZarrGroup changed = group.replaceAttributes(part);
            assertEquals(part, changed.attributes(Part.class));
            assertTrue(
                    changed.attributes().toString().contains("0.10"),
                    changed.attributes().toString());
        }
    }

    @Test
    void aChangeOfSomeMembers_keepsTheOthers() {
        try (ZarrGroup group = group()) {
            ZarrGroup described = group.replaceAttributes(Map.of("other", 1));
            ZarrGroup changed = described.mergeAttributes(new Scan("Ada", 1, List.of()));
            assertEquals(Optional.of(Json.of(1)), changed.attributes().get("other"));
            assertEquals("Ada", changed.attributes(Scan.class).operator());
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '\0',
            value = {
                "{\"scan\":{\"slices\":\"many\"}} | /attributes/scan/slices | a number (int) | the string \"many\"",
                "{\"scan\":{\"scale\":[1,[2]]}} | /attributes/scan/scale/1 | a number (double) | the array [2]",
                "{\"scan\":[1]} | /attributes/scan | an object for dev.shardkit | the array [1]",
                "{\"start\":\"yesterday\"} | /attributes/start | an ISO 8601 text (Instant) | the string \"yester",
                "{\"mode\":\"MEDIUM\"} | /attributes/mode | one of [FAST, SLOW] | the string \"MEDIUM\"",
                "{\"offsets\":{\"a\":1}} | /attributes/offsets | a list | the object {\"a\":1}",
                "{\"dark\":\"often\"} | /attributes/dark | a boolean | the string \"often\"",
                "{\"more\":{\"a\":3000000000}} | /attributes/more | a number (int) in its range | the object",
                "{\"scan\":{\"slices\":3000000000}} | /attributes/scan/slices | a number (int) in its | the number 3",
                "{\"scan\":{\"slices\":1.5}} | /attributes/scan/slices | a number (int) | the number 1.5",
                "{\"more\":{\"a\":0.5}} | /attributes/more/a | a number (integer) | the number 0.5",
                "{\"more\":5} | /attributes/more | an object | the number 5",
            })
    void mismatches_nameTheMemberTheTypeAndTheValue(String attributes, String member, String expected, String found) {
        try (ZarrGroup group = group()) {
            ZarrGroup changed = group.replaceAttributes(
                    (Json.Obj) JsonDocuments.read(attributes.getBytes(StandardCharsets.UTF_8), Limits.defaults()));
            String message = message(changed, Acquisition.class);
            assertTrue(message.contains(member + ": expected " + expected), message);
            assertTrue(message.contains("found " + found), message);
        }
    }

    @Test
    void classesThatCannotBeMade_areNamed() {
        try (ZarrGroup group = group()) {
            String refused = message(group, Positive.class);
            assertTrue(refused.contains("Positive refuses the value: number must be positive"), refused);
            String abstracted = message(group, Nothing.class);
            assertTrue(abstracted.contains("expected a record, a data class"), abstracted);
            List<Object> loop = new ArrayList<>(Collections.singletonList(new Object()));
            String unwritable = assertThrows(
                            IllegalArgumentException.class, () -> group.replaceAttributes(Map.of("a", loop)))
                    .getMessage();
            assertTrue(unwritable.contains("java.lang.Object has no members"), unwritable);
        }
    }

    private static String message(ZarrGroup group, Class<?> type) {
        String message = assertThrows(MetadataException.class, () -> group.attributes(type))
                .getMessage();
        for (String word : List.of("jackson", "Deserial", "FAIL_ON", "creator", "StreamReadConstraints", "mapper")) {
            assertFalse(message.toLowerCase(Locale.ROOT).contains(word.toLowerCase(Locale.ROOT)), message);
        }
        return message;
    }
}
