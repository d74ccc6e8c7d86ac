package dev.shardkit.cf;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.shardkit.ArraySpec;
import dev.shardkit.IfExists;
import dev.shardkit.NdArray;
import dev.shardkit.Zarr;
import dev.shardkit.ZarrArray;
import dev.shardkit.ZarrGroup;
import dev.shardkit.ZarrOptions;
import dev.shardkit.metadata.JsonDocuments;
import dev.shardkit.spi.array.Box;
import dev.shardkit.spi.codec.Limits;
import dev.shardkit.spi.error.UnsupportedException;
import dev.shardkit.spi.json.Json;
import dev.shardkit.spi.type.CoreTypes;
import dev.shardkit.store.memory.MemoryStore;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class CfDatasetTest {
    private final ZarrGroup group =
            Zarr.createGroup(MemoryStore.create(), "", Json.object(), IfExists.REFUSE, ZarrOptions.defaults());

    private ZarrArray array(
            String name, String type, Map<String, ?> attributes, List<String> dimensions, long... shape) {
        return group.createArray(
                name,
                ArraySpec.of(type, shape)
                        .withDimensionNames(dimensions.toArray(String[]::new))
                        .withAttributes(Json.of(attributes)),
                IfExists.REFUSE);
    }

    private List<String> notes(CfDataset dataset) {
        return dataset.notes().stream().map(CfNote::toString).toList();
    }

    @Test
    void variables_haveRoles() {
        array("time", "int32", Map.of("units", "days since 2000-01-01", "bounds", "time_bnds"), List.of("time"), 3);
        array("time_bnds", "int32", Map.of(), List.of("time", "bnds"), 3, 2);
        array("lat", "float32", Map.of("units", "degrees_north"), List.of("y", "x"), 4, 5);
        array("lon", "float32", Map.of("units", "degrees_east"), List.of("y", "x"), 4, 5);
        array("crs", "int32", Map.of("grid_mapping_name", "latitude_longitude"), List.of());
        array(
                "t2m",
                "int16",
                Map.of("coordinates", "lat lon", "grid_mapping", "crs: lat lon", "units", "K", "standard_name", "air"),
                List.of("time", "y", "x"),
                3,
                4,
                5);
        CfDataset dataset = CfDataset.of(group);
        assertEquals(List.of(), notes(dataset));
        assertEquals(
                Map.of(
                        "time", CfRole.COORDINATE,
                        "time_bnds", CfRole.BOUNDS,
                        "lat", CfRole.AUXILIARY,
                        "lon", CfRole.AUXILIARY,
                        "crs", CfRole.GRID_MAPPING,
                        "t2m", CfRole.DATA),
                dataset.variables().stream().collect(Collectors.toMap(CfVariable::name, CfVariable::role)));
        CfVariable t2m = dataset.variable("t2m");
        assertEquals(List.of("time", "y", "x"), t2m.dimensions());
        assertEquals(
                List.of("time", "lat", "lon"),
                t2m.coordinates().stream().map(CfVariable::name).toList());
        assertEquals("crs", t2m.gridMappings().get(0).name());
        assertEquals("K", t2m.units().orElseThrow());
        assertEquals("air", t2m.standardName().orElseThrow());
        assertEquals(CfKind.TIME, dataset.variable("time_bnds").kind(), "bounds have the units of their coordinate");
        assertEquals(
                "time_bnds", dataset.variable("time").bounds().orElseThrow().name());
        assertEquals(
                Map.of("time", 3L, "bnds", 2L, "y", 4L, "x", 5L),
                dataset.dimensions().stream().collect(Collectors.toMap(CfDimension::name, CfDimension::length)));
        assertThrows(NoSuchElementException.class, () -> dataset.variable("t3m"));
    }

    /** As xarray gives them to variables: by their dimensions. */
    @Test
    void coordinatesOfTheDataset_areThoseOfVariablesWithTheirDimensions() {
        array("lat", "float64", Map.of(), List.of("y", "x"), 2, 3);
        array("height", "float64", Map.of(), List.of());
        array("name", "string", Map.of(), List.of("x"), 3)
                .write(Box.of(new long[] {3}), new String[] {"a", "b", "c"}, 0);
        array("map", "int8", Map.of("coordinates", "lat"), List.of("y", "x"), 2, 3);
        array("row", "int8", Map.of(), List.of("x"), 3).write(Box.of(new long[] {3}), new byte[] {1, 2, 3}, 0);
        array("other", "int8", Map.of(), List.of("z"), 3);
        CfDataset dataset =
                CfDataset.of(group.replaceAttributes(Json.object().with("coordinates", Json.of("height lat name"))));
        Map<String, List<String>> found = Stream.of("map", "row", "other", "name")
                .collect(Collectors.toMap(name -> name, name -> dataset.variable(name).coordinates().stream()
                        .map(CfVariable::name)
                        .toList()));
        assertEquals(
                Map.of(
                        "map", List.of("lat", "height", "name"),
                        "row", List.of("height", "name"),
                        "other", List.of("height"),
                        "name", List.of("height")),
                found);
        assertEquals(2, dataset.variable("row").select().at("name", "b").read().doubleAt());
    }

    @Test
    void contradictions_areNotes() {
        group.createArray("nameless", ArraySpec.of("int8", 2, 3), IfExists.REFUSE);
        array("a", "int8", Map.of("coordinates", "b a gone ../up", "grid_mapping", 7), List.of("x"), 2);
        array("b", "int8", Map.of("coordinates", "a"), List.of("x"), 3);
        array("twice", "int8", Map.of(), List.of("x", "x"), 2, 2);
        array("x", "int8", Map.of("units", "days since yesterday"), List.of("x", "z"), 2, 2);
        array("odd", "int8", Map.of("_Unsigned", "yes", "bounds", "flat"), List.of("w"), 2);
        array("flat", "int8", Map.of("_Unsigned", "false"), List.of("w"), 2);
        array("even", "int8", Map.of("_Unsigned", "true", "climatology", "turned"), List.of("v"), 2);
        array("turned", "int8", Map.of(), List.of("bnds", "v"), 2, 2);
        CfDataset dataset = CfDataset.of(group);
        String notes = String.join("\n", notes(dataset));
        for (String expected : List.of(
                "nameless: dimension 0 has no name",
                "nameless: dimension 1 has no name",
                "a: coordinates names the variable itself",
                "a: coordinates names \"gone\", which is no variable",
                "a: coordinates names \"../up\", which is no variable",
                "a: grid_mapping is ignored: expected names of variables, found 7",
                "b: dimension x has the length 3, in other variables 2",
                "twice: dimension x occurs twice",
                "x: is no coordinate variable",
                "odd: _Unsigned is ignored: expected \"true\" or \"false\", found \"yes\"",
                "odd: bounds: expected that flat has the dimensions w and one more, found w",
                "even: climatology: expected that turned has the dimensions v and one more, found bnds, v",
                "x: times are not decoded")) {
            assertTrue(notes.contains(expected), expected + " is not in\n" + notes);
        }
        assertFalse(notes.contains("flat:") || notes.contains("even: _Unsigned"), notes);
        assertEquals(CfKind.NUMBER, dataset.variable("x").kind());
        assertEquals(
                List.of("nameless[0]", "nameless[1]"),
                dataset.variable("nameless").dimensions());
        assertEquals(6, dataset.variable("nameless").read().count());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "scale_factor",
                "add_offset",
                "_FillValue",
                "missing_value",
                "_Unsigned",
                "valid_range",
                "valid_min",
                "valid_max",
                "units",
                "calendar",
                "coordinates",
                "bounds",
                "grid_mapping",
                "flag_values",
                "flag_masks",
                "flag_meanings",
                "dtype",
                "_ARRAY_DIMENSIONS",
                "standard_name",
                "climatology"
            })
    void hostileAttributes_leaveStoredValues(String name) {
        List<Json> hostile = List.of(
                Json.of("x".repeat(100_000)),
                Json.of("a ".repeat(100_000)),
                Json.of(": ".repeat(50_000)),
                Json.of(IntStream.range(0, 50_000).boxed().toList()),
                Json.object().with("a", Json.of(1)),
                new Json.Null(),
                new Json.Bool(true),
                new Json.Num("1e999999999"),
                new Json.Num("-1e-999999999"),
                new Json.Num("NaN"),
                new Json.Num("1" + "0".repeat(500)),
                Json.of(List.of()),
                Json.of(List.of("a", 1, List.of(2))));
        CfOptions masking = CfOptions.defaults().withValidRange(CfOptions.ValidRange.MASK);
        for (int i = 0; i < hostile.size(); i++) {
            ZarrArray array =
                    array("v" + i, i % 2 == 0 ? "int16" : "float64", Map.of(name, hostile.get(i)), List.of("x"), 2);
            CfDataset dataset = CfDataset.of(group, masking);
            CfVariable variable = dataset.variable("v" + i);
            assertEquals(2, variable.read().count(), name + " " + i);
            assertEquals(1, variable.select().index("x", 1).read().count());
            assertTrue(dataset.notes().size() <= 1001);
            array.delete();
        }
    }

    /** Ends in time linear in the metadata: with a quadratic search it lasts for many minutes. */
    @Test
    @Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
    void unitsOfAMillionSpaces_areOpenedAtOnce() {
        String spaces = " ".repeat(1_000_000);
        array("v", "int16", Map.of("units", "days since 2000-01-01" + spaces + "x"), List.of("x"), 2);
        array("t", "int16", Map.of("units", "days since 2000-01-01" + spaces + "z" + spaces), List.of("x"), 2);
        CfDataset dataset = CfDataset.of(group);
        assertEquals(CfKind.NUMBER, dataset.variable("v").kind());
        assertTrue(notes(dataset).get(0).startsWith("v: times are not decoded"), "a note");
        assertEquals(CfKind.TIME, dataset.variable("t").kind());
    }

    /** Each element is looked up, not compared with each of the values. */
    @ParameterizedTest
    @ValueSource(strings = {"int32", "float32", "float64"})
    @Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
    void manyMissingValues_areFoundAtOnce(String type) {
        int count = 1_000_000;
        int[] numbers = IntStream.range(0, count).map(i -> -i).toArray();
        numbers[count - 1] = 599_999;
        List<Integer> odd =
                IntStream.range(0, 300_000).map(i -> 2 * i + 1).boxed().toList();
        Map<String, Object> attributes = new HashMap<>(Map.of("missing_value", odd));
        if (type.equals("int32")) {
            attributes.put("units", "days since 2000-01-01"); // integers are compared as integers
        }
        ZarrArray array = array("v", type, attributes, List.of("x"), count);
        NdArray elements = NdArray.of(CoreTypes.INT32, new long[] {count}, numbers);
        array.write(
                Box.of(new long[] {count}), elements.convert(array.dataType()).array(), 0);
        boolean[] missing = CfDataset.of(group).variable("v").read().missing();
        assertEquals(1, IntStream.range(0, count).filter(i -> missing[i]).count());
        assertTrue(missing[count - 1], "599999 is one of the values");
    }

    @Test
    void hugeCoordinates_areRefusedBeforeTheyAreRead() {
        array("x", "float64", Map.of(), List.of("x"), 1L << 50);
        array("v", "int8", Map.of(), List.of("x"), 1L << 50);
        CfVariable variable = CfDataset.of(group).variable("v");
        UnsupportedException refused = assertThrows(
                UnsupportedException.class, () -> variable.select().at("x", 1).read());
        assertTrue(refused.getMessage().contains("select by index"), refused.getMessage());
        assertEquals(0.0, variable.select().index("x", (1L << 50) - 1).read().doubleAt());
    }

    /** The bounds are numbers of the stored type, as {@code _FillValue} is, or of the type with the other sign. */
    @ParameterizedTest
    @CsvSource({
        "int8, true, 0, -2, 0 127 254 NaN",
        "int8, true, 0, 254, 0 127 254 NaN",
        "int8, true, 127, -1, NaN 127 254 255",
        "uint8, false, 128, 126, 0 NaN -2 -1",
        "uint8, false, 255, 0, 0 NaN NaN -1",
        "uint8, false, -1, 0, 0 NaN NaN -1"
    })
    void validRange_hasTheSignOfUnsigned(String type, String unsigned, int start, int end, String expected) {
        ZarrArray array =
                array("v", type, Map.of("valid_range", List.of(start, end), "_Unsigned", unsigned), List.of("x"), 4);
        array.write(Box.of(new long[] {4}), new byte[] {0, 127, -2, -1}, 0);
        CfValues masked = CfDataset.of(group, CfOptions.defaults().withValidRange(CfOptions.ValidRange.MASK))
                .variable("v")
                .read();
        assertEquals(
                expected,
                Arrays.stream(masked.doubles())
                        .mapToObj(v -> Double.isNaN(v) ? "NaN" : Long.toString((long) v))
                        .collect(Collectors.joining(" ")));
    }

    @Test
    void validRange_masksByOptionOnly() {
        ZarrArray array =
                array("v", "int16", Map.of("valid_range", List.of(0, 10), "scale_factor", 0.5), List.of("x"), 4);
        array.write(Box.of(new long[] {4}), new short[] {-1, 0, 10, 11}, 0);
        assertArrayEquals(
                new double[] {-0.5, 0, 5, 5.5},
                CfDataset.of(group).variable("v").read().doubles());
        CfValues masked = CfDataset.of(group, CfOptions.defaults().withValidRange(CfOptions.ValidRange.MASK))
                .variable("v")
                .read();
        assertArrayEquals(new double[] {Double.NaN, 0, 5, Double.NaN}, masked.doubles());
        assertArrayEquals(new boolean[] {true, false, false, true}, masked.missing());
    }

    /** As xarray chooses them for Zarr v3; base64 of NaN is the fill value. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "int16 | {} | int16",
                "int16 | {'_FillValue':1} | float32",
                "int32 | {'missing_value':[1,2]} | float64",
                "uint16 | {'scale_factor':3} | int64",
                "uint16 | {'scale_factor':3.0} | float64",
                "uint8 | {'add_offset':3} | float64",
                "int8 | {'_Unsigned':'true'} | uint8",
                "uint32 | {'_Unsigned':'false'} | int32",
                "float32 | {'scale_factor':0.5} | float64",
                "float32 | {'_FillValue':'AAAAAAAA+H8=','scale_factor':0.5} | float32",
                "float32 | {'_FillValue':'AAAAAAAA+H8=','scale_factor':0.5,'units':'days'} | float64",
                "float32 | {'_FillValue':'AAAAAAAA+H8='} | float32",
                "float32 | {'_FillValue':'AAAAAAAACEA=','scale_factor':0.5} | float64"
            })
    void types_areThoseOfXarray(String type, String attributes, String decoded) {
        group.createArray(
                "v",
                ArraySpec.of(type, 2).withDimensionNames("x").withAttributes((Json.Obj)
                        JsonDocuments.read(attributes.replace('\'', '"'), Limits.defaults())),
                IfExists.REFUSE);
        assertEquals(
                decoded,
                CfDataset.of(group).variable("v").read().values().dataType().name());
    }

    @Test
    void flags_haveMeanings() {
        array(
                "quality",
                "uint8",
                Map.of(
                        "flag_masks", List.of(1, 12, 12),
                        "flag_values", List.of(1, 4, 8),
                        "flag_meanings", "cloud low high"),
                List.of("x"),
                2);
        array("state", "int8", Map.of("flag_values", List.of(-1, 2), "flag_meanings", "off on"), List.of("x"), 2);
        array("bits", "int8", Map.of("flag_masks", List.of(1, 2), "flag_meanings", "a b"), List.of("x"), 2);
        array("odd", "int8", Map.of("flag_masks", List.of(1, 2), "flag_meanings", "a b c"), List.of("x"), 2);
        CfDataset dataset = CfDataset.of(group);
        CfFlags quality = dataset.variable("quality").flags().orElseThrow();
        assertEquals(List.of("cloud", "high"), quality.meanings(9));
        assertEquals(List.of(), quality.meanings(12));
        assertEquals(
                List.of("off"), dataset.variable("state").flags().orElseThrow().meanings(-1));
        assertEquals(
                List.of("a", "b"),
                dataset.variable("bits").flags().orElseThrow().meanings(3));
        assertTrue(dataset.variable("odd").flags().isEmpty());
        assertTrue(
                notes(dataset).get(0).startsWith("odd: flags are ignored"),
                notes(dataset).toString());
    }

    @Test
    void codes_areIntegers_exactly() {
        Map<String, ?> small = Map.of("flag_values", List.of(0, 1, 1), "flag_meanings", "sea land other");
        array("kind", "float32", small, List.of("x"), 6)
                .write(Box.of(new long[] {6}), new float[] {0, 1, 0.4f, -0.9f, 1.7f, Float.POSITIVE_INFINITY}, 0);
        Json.Num large = new Json.Num("9007199254740992");
        Json.Num greatest = new Json.Num("18446744073709551615");
        Map<String, ?> bits = Map.of("flag_values", List.of(large, greatest), "flag_meanings", "large greatest");
        array("id", "uint64", bits, List.of("x"), 6)
                .write(
                        Box.of(new long[] {6}),
                        new long[] {1L << 53, (1L << 53) + 1, -1, Long.MAX_VALUE, Long.MIN_VALUE, 0},
                        0);
        array(
                        "masked",
                        "int64",
                        Map.of("flag_values", List.of(large), "flag_meanings", "a", "_FillValue", 0),
                        List.of("x"),
                        6)
                .write(Box.of(new long[] {6}), new long[] {(1L << 53) + 1, 0, 1, 2, 3, 4}, 0);
        CfDataset dataset = CfDataset.of(group);
        assertEquals(List.of("sea", "land", "", "", "", ""), meanings(dataset.variable("kind")));
        assertEquals(List.of("large", "", "greatest", "", "", ""), meanings(dataset.variable("id")));
        assertEquals("", meanings(dataset.variable("masked")).get(0), "rounded by the mask");
    }

    /** A cycle in {@code coordinates} and {@code bounds} is followed one step only. */
    @Test
    void coordinatesThatNameEachOther_areRead() {
        array("a", "int8", Map.of("coordinates", "b"), List.of("x"), 2);
        array("b", "int8", Map.of("coordinates", "c", "bounds", "a"), List.of("x"), 2);
        array("c", "int8", Map.of("coordinates", "a", "bounds", "c", "grid_mapping", "b"), List.of("x"), 2);
        CfDataset dataset = CfDataset.of(group);
        for (String name : List.of("a", "b", "c")) {
            CfVariable variable = dataset.variable(name);
            assertEquals(1, variable.coordinates().size(), name);
            assertEquals(2, variable.read().count());
            assertEquals(2, CfTable.of(variable.select()).rows());
            assertEquals(
                    1,
                    variable.select()
                            .index("x", 1)
                            .labels(variable.coordinates().get(0).name())
                            .count());
        }
    }

    @Test
    void complexNumbers_areNotMissing() {
        double[] parts = {1, Double.NaN, 3, 4, 5, 6};
        array("z", "complex128", Map.of(), List.of("x"), 3).write(Box.of(new long[] {3}), parts, 0);
        CfValues read = CfDataset.of(group).variable("z").read();
        assertEquals(CfKind.OTHER, read.kind());
        assertArrayEquals(new boolean[3], read.missing());
    }

    @Test
    void textsThatAreTheFillValue_areMissing() {
        group.createArray(
                        "flag",
                        ArraySpec.of("string", 4)
                                .withDimensionNames("x")
                                .withAttributes(Json.of(Map.of("_FillValue", " ", "missing_value", "?"))),
                        IfExists.REFUSE)
                .write(Box.of(new long[] {4}), new String[] {"1", " ", "", "?"}, 0);
        group.createArray("name", ArraySpec.of("string", 4).withDimensionNames("x"), IfExists.REFUSE);
        Json character = Json.extension("null_terminated_bytes", Json.object().with("length_bytes", Json.of(1)));
        ArraySpec letters = ArraySpec.of(character, 4)
                .withDimensionNames("x")
                .withAttributes(Json.of(Map.of("_FillValue", "IA==", "missing_value", "-")));
        group.createArray("letter", letters, IfExists.REFUSE)
                .write(Box.of(new long[] {4}), new byte[] {' ', '1', '-', 'I'}, 0);
        CfDataset dataset = CfDataset.of(group);
        assertArrayEquals(
                new boolean[] {true, false, true, false},
                dataset.variable("letter").read().missing());
        CfVariable flag = dataset.variable("flag");
        assertArrayEquals(new boolean[] {false, true, false, true}, flag.read().missing());
        assertTrue(flag.canBeMissing());
        assertFalse(dataset.variable("name").canBeMissing());
        assertArrayEquals(new boolean[4], dataset.variable("name").read().missing());
    }

    /** Neighbours of a fill value beyond 2^53 are equal to it as {@code double}. */
    @Test
    void fillValuesOfTimes_areComparedExactly() {
        Json.Num least = new Json.Num("-9223372036854775807");
        Map<String, ?> nanos = Map.of("units", "nanoseconds since 1970-01-01", "_FillValue", least);
        array("signed", "int64", nanos, List.of("x"), 3)
                .write(Box.of(new long[] {3}), new long[] {-Long.MAX_VALUE, -Long.MAX_VALUE + 1, 7}, 0);
        Json.Num greatest = new Json.Num("18446744073709551615");
        Map<String, ?> steps = Map.of("units", "nanoseconds since 1970-01-01", "missing_value", greatest);
        array("unsigned", "uint64", steps, List.of("x"), 3)
                .write(Box.of(new long[] {3}), new long[] {-1, Long.MAX_VALUE, 7}, 0);
        CfDataset dataset = CfDataset.of(group);
        for (String name : List.of("signed", "unsigned")) {
            assertArrayEquals(
                    new boolean[] {true, false, false},
                    dataset.variable(name).read().missing(),
                    name);
        }
    }

    @Test
    void timeSpansWithoutAValue_areMissing() {
        Map<String, ?> days = Map.of("units", "days", "dtype", "timedelta64[ns]");
        array("whole", "int64", days, List.of("x"), 3)
                .write(Box.of(new long[] {3}), new long[] {Long.MIN_VALUE, 1, Long.MAX_VALUE}, 0);
        array("real", "float64", days, List.of("x"), 3)
                .write(Box.of(new long[] {3}), new double[] {Double.POSITIVE_INFINITY, 1, Double.NaN}, 0);
        array("long", "float64", days, List.of("x"), 3)
                .write(Box.of(new long[] {3}), new double[] {1e300, 1, -1e300}, 0); // infinite in nanoseconds
        for (String name : List.of("whole", "real", "long")) {
            CfValues read = CfDataset.of(group).variable(name).read();
            assertEquals(CfKind.DURATION, read.kind());
            assertArrayEquals(new boolean[] {true, false, true}, read.missing(), name);
            assertTrue(read.durations().get(0).isEmpty());
        }
    }

    @Test
    void labelsOfComplexCoordinates_haveBothParts() {
        array("x", "complex64", Map.of(), List.of("x"), 3)
                .write(Box.of(new long[] {3}), new float[] {1, 2, 3, 4, 5, 6}, 0);
        array("data", "int32", Map.of(), List.of("x"), 3).write(Box.of(new long[] {3}), new int[] {7, 8, 9}, 0);
        CfSelection selected = CfDataset.of(group).variable("data").select().index("x", 1);
        assertArrayEquals(new int[] {8}, selected.read().values().ints());
        assertArrayEquals(new float[] {3, 4}, selected.labels("x").values().floats());
    }

    private static List<String> meanings(CfVariable variable) {
        CfValues values = variable.read();
        CfFlags codes = variable.codes().orElseThrow();
        return IntStream.range(0, values.count())
                .mapToObj(i -> codes.meaning(values, i).orElse(""))
                .toList();
    }
}
