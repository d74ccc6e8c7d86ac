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
import java.lang.reflect.Array;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.OffsetDateTime;
import java.time.ZonedDateTime;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class LabelIndexTest {
    /** Selects from v(x), whose coordinate x has the given labels. */
    private static CfSelection select(String type, Map<String, ?> attributes, Object labels) {
        ZarrGroup group =
                Zarr.createGroup(MemoryStore.create(), "", Json.object(), IfExists.REFUSE, ZarrOptions.defaults());
        int length = Array.getLength(labels);
        ArraySpec spec = ArraySpec.of(type, length).withDimensionNames("x").withAttributes(Json.of(attributes));
        group.createArray("x", spec, IfExists.REFUSE).write(Box.of(new long[] {length}), labels, 0);
        group.createArray("v", ArraySpec.of("int8", length).withDimensionNames("x"), IfExists.REFUSE);
        return CfDataset.of(group).variable("v").select();
    }

    /** A global grid with steps of a tenth of a degree, whose labels are rounded to the coordinate's type. */
    private static CfSelection tenths(String type, int first) {
        double[] doubles =
                IntStream.range(0, 3600).mapToDouble(i -> (first + i) / 10.0).toArray();
        float[] floats = new float[doubles.length];
        for (int i = 0; i < floats.length; i++) {
            floats[i] = (float) doubles[i];
        }
        boolean isFloat = type.equals("float32");
        return select(type, Map.of("units", "degrees_east"), isFloat ? floats : doubles)
                .cyclic("x");
    }

    /** A label of the grid stays a label of the grid after a turn, although both numbers are rounded. */
    @Test
    void cyclicLabelsOfATenthOfADegree_areFoundOnEveryTurn() {
        for (String type : List.of("float32", "float64")) {
            for (int first : new int[] {0, -1800}) {
                CfSelection all = tenths(type, first);
                for (int label = -5400; label < 7200; label += 49) {
                    long index = Math.floorMod(label - first, 3600);
                    String message = type + " from " + first + ": " + label / 10.0;
                    for (CfMatch match : CfMatch.values()) {
                        long[] found = all.sel("x", label / 10.0, match).indices("x");
                        assertArrayEquals(new long[] {index}, found, message + " by " + match);
                    }
                    Object widened = (double) (label / 10.0F);
                    assertArrayEquals(
                            new long[] {index},
                            type.equals("float32")
                                    ? all.at("x", widened).indices("x")
                                    : all.nearest("x", widened).indices("x"),
                            message + " as float32");
                }
                CfSelection zero = all.nearest("x", (first - 1) / 10.0, 0);
                assertArrayEquals(new long[] {3599}, zero.indices("x"), type + " from " + first);
            }
        }
    }

    @Test
    void cyclicRangesOfATenthOfADegree_haveBothEnds() {
        for (String type : List.of("float32", "float64")) {
            for (int first : new int[] {0, -1800}) {
                CfSelection all = tenths(type, first);
                for (int from = -3600; from < 3600; from += 343) {
                    for (int width : new int[] {0, 1, 151, 3599}) {
                        String message = type + " from " + first + ": " + from / 10.0 + " to " + (from + width) / 10.0;
                        int begin = from - first;
                        long[] expected = IntStream.rangeClosed(begin, begin + width)
                                .mapToLong(i -> Math.floorMod(i, 3600))
                                .toArray();
                        for (int turn : new int[] {0, -3600}) {
                            double end = (from + width + turn) / 10.0;
                            long[] found = all.range("x", from / 10.0, end).indices("x");
                            assertArrayEquals(expected, found, message + " and " + turn);
                        }
                    }
                    long[] whole =
                            all.range("x", from / 10.0, (from + 3600) / 10.0).indices("x");
                    assertEquals(3600, Arrays.stream(whole).distinct().count());
                    assertEquals(3600, whole.length);
                }
            }
        }
    }

    /** Within a turn, nothing but the coordinate's rounding makes labels equal. */
    @Test
    void cyclicLabelsBesideALabel_areNone() {
        CfSelection doubles = tenths("float64", 0);
        assertThrows(IllegalArgumentException.class, () -> doubles.at("x", Math.nextUp(10.1))
                .indices("x"));
        assertThrows(IllegalArgumentException.class, () -> doubles.at("x", -10.1 + 1e-9)
                .indices("x"));
        assertArrayEquals(
                new long[] {102}, doubles.range("x", Math.nextUp(10.1), 10.2).indices("x"));
        CfSelection floats = tenths("float32", 0);
        assertThrows(IllegalArgumentException.class, () -> floats.at("x", Math.nextUp(10.1F))
                .indices("x"));
        assertThrows(
                IllegalArgumentException.class, () -> floats.at("x", -10.101).indices("x"));
        assertArrayEquals(new long[] {3499}, floats.range("x", -10.101, -10.051).indices("x"));
    }

    /** java.time has dates that other calendars lack, and moments that are beyond every calendar. */
    @Test
    void timesThatTheCalendarLacks_areRefused_withTheCoordinate() {
        for (Map.Entry<String, Object> wrong : List.<Map.Entry<String, Object>>of(
                Map.entry("noleap", LocalDate.of(2000, 2, 29)),
                Map.entry("noleap", LocalDateTime.of(2000, 2, 29, 12, 0)),
                Map.entry("noleap", Instant.parse("2000-02-29T12:00:00Z")),
                Map.entry("360_day", OffsetDateTime.parse("2000-01-31T12:00:00Z")),
                Map.entry("360_day", ZonedDateTime.parse("2000-01-31T12:00:00Z")),
                Map.entry("standard", LocalDate.of(1582, 10, 10)),
                Map.entry("standard", LocalDateTime.MAX),
                Map.entry("standard", Instant.MAX),
                Map.entry("standard", OffsetDateTime.MAX))) {
            Map<String, String> attributes = Map.of("units", "days since 2000-01-01", "calendar", wrong.getKey());
            CfSelection all = select("int32", attributes, new int[] {0, 30, 60});
            for (CfMatch match : CfMatch.values()) {
                CfSelection selection = all.sel("x", wrong.getValue(), match);
                IllegalArgumentException thrown =
                        assertThrows(IllegalArgumentException.class, selection::read, wrong + " by " + match);
                assertTrue(thrown.getMessage().startsWith("memory:/x: "), thrown.getMessage());
            }
            CfSelection range = all.range("x", wrong.getValue(), "2000-03-01");
            assertThrows(IllegalArgumentException.class, range::read, wrong.toString());
        }
    }

    private static final long TWO_53 = 1L << 53;

    /** A double has no odd numbers beyond 2^53: identifiers such as those of HEALPix cells are compared as integers. */
    @Test
    void wholeLabelsBeyondDoubles_areComparedExactly() {
        for (long[] labels : List.of(
                new long[] {-TWO_53 - 1, 7, TWO_53, TWO_53 + 2, Long.MAX_VALUE},
                new long[] {TWO_53 + 2, Long.MAX_VALUE, 7, -TWO_53 - 1, TWO_53})) {
            CfSelection all = select("int64", Map.of(), labels);
            for (int i = 0; i < labels.length; i++) {
                assertArrayEquals(new long[] {i}, all.at("x", labels[i]).indices("x"));
            }
            IllegalArgumentException thrown = assertThrows(IllegalArgumentException.class, () -> all.at("x", TWO_53 + 1)
                    .indices("x"));
            assertTrue(thrown.getMessage().contains("no label matches 9007199254740993"), thrown.getMessage());
            assertThrows(IllegalArgumentException.class, () -> all.at("x", Long.MAX_VALUE - 1)
                    .indices("x"));
            assertThrows(
                    IllegalArgumentException.class, () -> all.at("x", 0x1p63).indices("x"));
            assertEquals(TWO_53, label(labels, all.before("x", TWO_53 + 1)));
            assertEquals(TWO_53 + 2, label(labels, all.after("x", TWO_53 + 1)));
            assertEquals(TWO_53 + 2, label(labels, all.nearest("x", TWO_53 + 1)), "the greater of two");
            assertEquals(TWO_53 + 2, label(labels, all.nearest("x", TWO_53 + 3, 1)));
            assertThrows(IllegalArgumentException.class, () -> all.nearest("x", TWO_53 + 4, 1.5)
                    .indices("x"));
            assertEquals(7, label(labels, all.nearest("x", 7.25F, 0.25)));
            assertEquals(7, label(labels, all.at("x", new BigDecimal("7.0"))));
            assertEquals(TWO_53, label(labels, all.at("x", BigInteger.TWO.pow(53))));
            assertEquals(Long.MAX_VALUE, label(labels, all.before("x", Double.POSITIVE_INFINITY)));
            assertEquals(-TWO_53 - 1, label(labels, all.nearest("x", Double.NEGATIVE_INFINITY)));
            assertEquals(1, all.range("x", TWO_53 + 1, TWO_53 + 3).indices("x").length);
            assertEquals(
                    5,
                    all.range("x", Double.NEGATIVE_INFINITY, Double.POSITIVE_INFINITY)
                            .indices("x")
                            .length);
            assertThrows(IllegalArgumentException.class, () -> all.at("x", Double.NaN)
                    .indices("x"));
            CfSelection cyclic = all.cyclic("x");
            assertThrows(IllegalArgumentException.class, () -> cyclic.nearest("x", 7, 1)
                    .indices("x"));
            assertThrows(IllegalArgumentException.class, () -> cyclic.range("x", 0, 9)
                    .indices("x"));
        }
    }

    private static long label(long[] labels, CfSelection one) {
        return labels[(int) one.indices("x")[0]];
    }

    @Test
    void unsignedLabelsBeyondLong_areComparedExactly() {
        CfSelection all = select("uint64", Map.of(), new long[] {5, Long.MIN_VALUE, Long.MIN_VALUE + 1, -1});
        BigInteger half = BigInteger.TWO.pow(63);
        assertArrayEquals(new long[] {1}, all.at("x", half).indices("x"));
        assertArrayEquals(new long[] {1}, all.at("x", 0x1p63).indices("x"));
        assertArrayEquals(new long[] {2}, all.at("x", half.add(BigInteger.ONE)).indices("x"));
        assertArrayEquals(
                new long[] {3},
                all.at("x", half.shiftLeft(1).subtract(BigInteger.ONE)).indices("x"));
        assertThrows(IllegalArgumentException.class, () -> all.at("x", -1).indices("x"));
        assertArrayEquals(
                new long[] {1, 2}, all.range("x", 6, half.add(BigInteger.TWO)).indices("x"));
    }
}
