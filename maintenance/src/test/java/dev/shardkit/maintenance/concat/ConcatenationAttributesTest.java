package dev.shardkit.maintenance.concat;

import static dev.shardkit.maintenance.concat.ConcatenationSamples.OPTIONS;
import static dev.shardkit.maintenance.concat.ConcatenationSamples.objects;
import static dev.shardkit.maintenance.concat.ConcatenationSamples.openResult;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.shardkit.ArraySpec;
import dev.shardkit.IfExists;
import dev.shardkit.NdArray;
import dev.shardkit.ResizePolicy;
import dev.shardkit.Zarr;
import dev.shardkit.ZarrArray;
import dev.shardkit.json.JsonReader;
import dev.shardkit.maintenance.concat.Concatenation.Source;
import dev.shardkit.maintenance.concat.ConcatenationSamples.Transfer;
import dev.shardkit.spi.array.Box;
import dev.shardkit.spi.codec.Limits;
import dev.shardkit.spi.error.MetadataException;
import dev.shardkit.spi.error.UnsupportedException;
import dev.shardkit.spi.json.Json;
import dev.shardkit.spi.type.CoreTypes;
import dev.shardkit.store.Store;
import dev.shardkit.store.file.FileStore;
import dev.shardkit.store.memory.MemoryStore;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Concatenations of arrays whose attributes give elements a different meaning. */
class ConcatenationAttributesTest {
    private static final String TIME = "{\"units\":\"hours since 2000-01-01\",\"calendar\":\"noleap\"}";

    @TempDir
    Path dir;

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "units         | {\"units\":\"m\"}                | {\"units\":\"km\"}",
                "units         | {\"units\":\"m\"}                | {}",
                "units         | {\"units\":\"days since 2000-01-01\"} | {\"units\":\"days since 2000-01-05\"}",
                "calendar      | {\"units\":\"days since 2000-01-01\",\"calendar\":\"noleap\"} | {\"units\":\"days since 2000-01-01\"}",
                "scale_factor  | {\"scale_factor\":0.1}           | {\"scale_factor\":0.2}",
                "add_offset    | {}                               | {\"add_offset\":273.15}",
                "_FillValue    | {\"_FillValue\":-1}              | {\"_FillValue\":-2}",
                "missing_value | {\"missing_value\":[1,2]}        | {\"missing_value\":[1,3]}",
                "_Unsigned     | {\"_Unsigned\":\"true\"}         | {\"_Unsigned\":\"false\"}",
                "dtype         | {}                               | {\"dtype\":\"bool\"}",
                "valid_range   | {\"valid_range\":[0,9]}          | {\"valid_range\":[0,8]}",
                "flag_meanings | {\"flag_meanings\":\"a b\"}      | {\"flag_meanings\":\"b a\"}",
                "grid_mapping  | {\"grid_mapping\":\"crs\"}       | {\"grid_mapping\":\"utm\"}",
                "crs_wkt       | {\"crs_wkt\":\"A\"}              | {\"crs_wkt\":\"B\"}",
                "_CRS          | {\"_CRS\":{\"url\":\"A\"}}       | {\"_CRS\":{\"url\":\"B\"}}",
            })
    void arraysOfAnotherMeaning_areRefused_inEveryWay(String name, String first, String second) throws Exception {
        MemoryStore store = MemoryStore.create();
        List<Source> sources = List.of(array(store, "s0", first, 1, 2), array(store, "s1", second, 3, 4));
        Set<String> before = objects(store).keySet();
        for (Transfer way : Transfer.values()) {
            refused(name, () -> way.of(sources, 0).to(store, "out"));
        }
        try (ZarrArray one = Zarr.openArray(store, "s0", OPTIONS);
                ZarrArray other = Zarr.openArray(store, "s1", OPTIONS)) {
            refused(name, () -> VirtualConcatenation.of(List.of(one, other), 0, OPTIONS));
        }
        assertEquals(before, objects(store).keySet(), "nothing was written");
    }

    private static void refused(String name, org.junit.jupiter.api.function.Executable call) {
        String context = assertThrows(MetadataException.class, call).getMessage();
        assertTrue(context.contains("the same " + name + ","), context);
        assertTrue(context.contains("s0, found") && context.contains("in memory"), context);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "{\"scale_factor\":1}     | {\"scale_factor\":1.0}",
                "{\"long_name\":\"a\"}    | {\"history\":\"b\"}",
                "{\"units\":\"days since 2000-01-01\"} | {\"units\":\"day since 2000-1-1 00:00:00\",\"calendar\":\"gregorian\"}",
            })
    void otherNotationsOfOneMeaning_areAccepted(String first, String second) {
        MemoryStore store = MemoryStore.create();
        List<Source> sources = List.of(array(store, "s0", first, 1, 2), array(store, "s1", second, 3, 4));
        Concatenation.copying(sources, 0, OPTIONS).to(store, "out");
        assertArrayEquals(new long[] {1, 2, 3, 4}, openResult(store).read().longs());
    }

    /** Both arrays name a grid mapping "crs", and each has its own beside it. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "crs           | {\"spatial_ref\":\"A\"} | {\"spatial_ref\":\"B\"} | spatial_ref",
                "crs: x y      | {\"semi_major_axis\":6378137} | {} | semi_major_axis",
                "wgs: a crs: b | {} | {\"crs_wkt\":\"B\"} | crs_wkt",
                "crs           | {\"false_easting\":0,\"GeoTransform\":\"0 1\"} | {\"false_easting\":0.0,\"GeoTransform\":\"9 1\"} |",
            })
    void gridMappingsBesideArrays_areCompared(String mapping, String first, String second, String name)
            throws Exception {
        MemoryStore store = MemoryStore.create();
        String attributes = "{\"grid_mapping\":\"" + mapping + "\"}";
        List<Source> sources = List.of(array(store, "a/v", attributes, 1, 2), array(store, "b/v", attributes, 3, 4));
        array(store, "a/crs", first, 0);
        array(store, "b/crs", second, 0);
        List<Source> alone = new ArrayList<>();
        for (String part : List.of("a", "b")) {
            Path folder = dir.resolve(part);
            try (Store local = FileStore.at(folder)) {
                array(local, "v", attributes, 1, 2);
                array(local, "crs", part.equals("a") ? first : second, 0);
            }
            alone.add(new Source(FileStore.at(folder.resolve("v")), ""));
        }
        for (List<Source> all : List.of(sources, alone)) {
            for (Transfer way : Transfer.values()) {
                Concatenation made = way.of(all, 0);
                if (name == null) {
                    made.describe();
                } else {
                    String context = assertThrows(MetadataException.class, made::describe)
                            .getMessage()
                            .replace('\\', '/');
                    assertTrue(context.contains("expected " + name + " = "), context);
                    assertTrue(context.contains("a/v, found ") && context.endsWith("b/v"), context);
                }
            }
        }
        for (Source source : alone) {
            source.store().close();
        }
        try (ZarrArray one = Zarr.openArray(store, "a/v", OPTIONS);
                ZarrArray other = Zarr.openArray(store, "b/v", OPTIONS)) {
            if (name == null) {
                VirtualConcatenation.of(List.of(one, other), 0, OPTIONS);
            } else {
                assertThrows(MetadataException.class, () -> VirtualConcatenation.of(List.of(one, other), 0, OPTIONS));
            }
        }
    }

    /** The arrays say nothing; the groups above them, or the variables there, say which reference system they have. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "{\"crs\":\"EPSG:1\"}          | {\"crs\":\"EPSG:2\"}          | {} | {} | crs",
                "{\"spatial_ref\":\"A\"}       | {}                            | {} | {} | spatial_ref",
                "{\"proj:code\":\"EPSG:1\"}    | {\"proj:code\":\"EPSG:2\"}    | {} | {} | proj:code",
                "{\"geo\":{\"proj\":{\"code\":1}}} | {\"geo\":{\"proj\":{\"code\":2}}} | {} | {} | geo",
                "{\"geo\":{\"proj\":{\"code\":1,\"bbox\":[0]}}} | {\"geo\":{\"proj\":{\"code\":1,\"bbox\":[9]}}} | {} | {} |",
                "{\"grid_mapping\":\"sys\"}    | {\"grid_mapping\":\"sys\"}    | {\"a\":1} | {\"a\":2} | a",
                "{}                          | {} | {\"crs_wkt\":\"A\"} | {\"crs_wkt\":\"B\"} | crs_wkt",
                "{\"title\":\"a\"}             | {\"title\":\"b\"} | {\"x\":1} | {\"x\":2} |",
            })
    void referenceSystemsOfGroups_areCompared(
            String first, String second, String variable, String otherVariable, String name) throws Exception {
        List<Source> inOne = new ArrayList<>();
        List<Source> alone = new ArrayList<>();
        MemoryStore store = MemoryStore.create();
        for (String part : List.of("a", "b")) {
            Path folder = dir.resolve(part);
            boolean isFirst = part.equals("a");
            try (Store local = FileStore.at(folder)) {
                for (Store place : List.of(store, local)) {
                    String root = place == store ? part + "/" : "";
                    Json.Obj group = json(isFirst ? first : second);
                    Zarr.createGroup(place, root.replace("/", ""), group, IfExists.REFUSE, OPTIONS);
                    Zarr.createGroup(place, root + "inner", Json.object(), IfExists.REFUSE, OPTIONS);
                    array(place, root + "inner/v", "{}", 1, 2);
                    String mapping = first.contains("mapping") ? "sys" : "spatial_ref";
                    array(place, root + mapping, isFirst ? variable : otherVariable, 0);
                }
            }
            inOne.add(new Source(store, part + "/inner/v"));
            alone.add(new Source(FileStore.at(folder.resolve("inner/v")), ""));
        }
        for (List<Source> all : List.of(inOne, alone)) {
            for (Transfer way : Transfer.values()) {
                Concatenation made = way.of(all, 0);
                if (name == null) {
                    made.describe();
                } else {
                    String context = assertThrows(MetadataException.class, made::describe)
                            .getMessage()
                            .replace('\\', '/');
                    assertTrue(context.contains("expected " + name + " = "), context);
                    assertTrue(context.contains("a/inner/v, found ") && context.endsWith("b/inner/v"), context);
                }
            }
        }
        for (Source source : alone) {
            source.store().close();
        }
    }

    /** Each array has dimensions t and x, and a variable beside it; the arrays are joined along t. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "x   | x | float64 | {} | 1 2 | 2 1     | {} | x[0] = 1.0 | found 2.0 ",
                "x   | x | float64 | {} | 1 NaN | 1 2   | {} | x[1] = NaN | found 2.0 ",
                "x   | x | int64 | {} | 1 9007199254740993 | 1 9007199254740992 | {} | x[1] = 9007199254740993 | found 9007199254740992 ",
                "x   | x | float64 | {} | 1 2 | 1 2 3   | {} | shape [2] | found shape [3] ",
                "x   | x | float64 | {\"units\":\"m\"} | 1 2 | 1 2 | {\"units\":\"km\"} | units m | found units km ",
                "x   | x | int16 | {\"scale_factor\":0.5} | 1 2 | 1 2 | {\"add_offset\":1} | x[0] = 0.5 | found 2.0 ",
                "lon | x | float64 | {} | 1 2 | 1 3     | {} | lon[1] = 2.0 | found 3.0 ",
                "z   |   | float64 | {} | 2 | 10         | {} | z = 2.0 | found 10.0 ",
                "x   | x | float64 | {\"units\":\"degrees_north\"} | 0 NaN | -0.0 NaN | {\"units\":\"degree_N\"} | |",
                "x   | x | int16 | {\"scale_factor\":0.5} | 1 2 | 2 4 | {\"scale_factor\":0.25} | |",
                "t   | t | float64 | {} | 1 2 | 3 4     | {} | |",
                "lon | t | float64 | {} | 1 2 | 3 4     | {} | |",
                "y   | x | float64 | {} | 1 2 | 3 4     | {} | |",
            })
    void coordinatesBesideArrays_areCompared(
            String name,
            String dimension,
            String type,
            String first,
            String values,
            String otherValues,
            String second,
            String expected,
            String found)
            throws Exception {
        MemoryStore store = MemoryStore.create();
        List<Source> inOne = new ArrayList<>();
        List<Source> alone = new ArrayList<>();
        for (String part : List.of("a", "b")) {
            boolean isFirst = part.equals("a");
            try (Store local = FileStore.at(dir.resolve(part))) {
                for (Store place : List.of(store, local)) {
                    String root = place == store ? part + "/" : "";
                    ArraySpec data = ArraySpec.of("int64", 2, 2)
                            .withChunkShape(2, 2)
                            .withDimensionNames("t", "x")
                            .withAttributes(json("{\"coordinates\":\"lon z t\"}"));
                    Zarr.createArray(place, root + "v", data, IfExists.REFUSE, OPTIONS);
                    coordinate(
                            place,
                            root + name,
                            dimension,
                            type,
                            json(isFirst ? first : second),
                            isFirst ? values : otherValues);
                }
            }
            inOne.add(new Source(store, part + "/v"));
            alone.add(new Source(FileStore.at(dir.resolve(part).resolve("v")), ""));
        }
        for (List<Source> all : List.of(inOne, alone)) {
            for (Transfer way : Transfer.values()) {
                comparing(name, expected, found, () -> way.of(all, 0).describe());
            }
            try (ZarrArray one = Zarr.openArray(all.get(0).store(), all.get(0).path(), OPTIONS);
                    ZarrArray other =
                            Zarr.openArray(all.get(1).store(), all.get(1).path(), OPTIONS)) {
                comparing(name, expected, found, () -> VirtualConcatenation.of(List.of(one, other), 0, OPTIONS));
            }
        }
        for (Source source : alone) {
            source.store().close();
        }
    }

    private static void comparing(
            String name, String expected, String found, org.junit.jupiter.api.function.Executable call)
            throws Exception {
        if (expected == null) {
            assertDoesNotThrow(call);
            return;
        }
        String context = assertThrows(MetadataException.class, call).getMessage();
        assertTrue(context.contains("expected " + expected + " as in "), context);
        assertTrue(context.contains("a/" + name + ", " + found + " in ") && context.contains("b/" + name), context);
    }

    private static void coordinate(
            Store store, String path, String dimension, String type, Json.Obj attributes, String values) {
        double[] all = Arrays.stream(values.split(" "))
                .mapToDouble(Double::parseDouble)
                .toArray();
        long[] whole = type.equals("int64")
                ? Arrays.stream(values.split(" ")).mapToLong(Long::parseLong).toArray()
                : null;
        ArraySpec spec = dimension == null
                ? ArraySpec.of(type)
                : ArraySpec.of(type, all.length).withDimensionNames(dimension);
        ZarrArray array = Zarr.createArray(store, path, spec.withAttributes(attributes), IfExists.REFUSE, OPTIONS);
        NdArray given = whole == null
                ? NdArray.of(CoreTypes.FLOAT64, array.shape(), all)
                : NdArray.of(CoreTypes.INT64, array.shape(), whole);
        array.write(array.domain(), given);
    }

    /** Two square arrays of which one is transposed fit together by their shapes. */
    @Test
    void dimensionsInAnotherOrder_areRefused() {
        MemoryStore store = MemoryStore.create();
        List<Source> sources = new ArrayList<>();
        for (List<String> names : List.of(List.of("x", "y", "t"), List.of("y", "x", "t"), List.of("lat", "lon", "t"))) {
            String path = "s" + sources.size();
            ArraySpec spec = ArraySpec.of("int64", 2, 2, 2).withDimensionNames(names.toArray(String[]::new));
            Zarr.createArray(store, path, spec, IfExists.REFUSE, OPTIONS);
            sources.add(new Source(store, path));
        }
        Concatenation.copying(List.of(sources.get(0), sources.get(2)), 2, OPTIONS)
                .describe();
        String context = assertThrows(MetadataException.class, () -> Concatenation.copying(sources, 2, OPTIONS)
                        .describe())
                .getMessage();
        assertTrue(context.contains("the same name of dimension 0: expected x as in "), context);
        assertTrue(context.contains("s0, found y in ") && context.endsWith("s1"), context);
    }

    /** What an array says itself counts before what the group says. */
    @Test
    void attributesOfGroups_doNotCount_whereTheArrayHasItsOwn() {
        MemoryStore store = MemoryStore.create();
        List<Source> sources = new ArrayList<>();
        for (String part : List.of("a", "b")) {
            Zarr.createGroup(store, part, Json.object().with("crs", Json.of(part)), IfExists.REFUSE, OPTIONS);
            sources.add(array(store, part + "/v", "{\"crs\":\"EPSG:3\"}", 1, 2));
        }
        Concatenation.copying(sources, 0, OPTIONS).to(store, "out");
        assertArrayEquals(new long[] {1, 2, 1, 2}, openResult(store).read().longs());
    }

    /** The hours between references are those of cftime. */
    @ParameterizedTest
    @CsvSource({
        "standard, 1999-12-01, 2000-03-01 06:00:00, 2190",
        "standard, 1500-03-01, 1600-03-01, 876360",
        "standard, 0001-01-01, 1970-01-01, 17259936",
        "proleptic_gregorian, 1500-03-01, 1600-03-01, 876600",
        "proleptic_gregorian, 0001-01-01, 1970-01-01, 17259888",
        "noleap, 1999-12-01, 2000-03-01 06:00:00, 2166",
        "noleap, 0001-01-01, 1970-01-01, 17248440",
        "all_leap, 1999-12-01, 2000-03-01 06:00:00, 2190",
        "all_leap, 0001-01-01, 1970-01-01, 17295696",
        "360_day, 1999-12-01, 2000-03-01 06:00:00, 2166",
        "360_day, 0001-01-01, 1970-01-01, 17012160",
        "julian, 1500-03-01, 1600-03-01, 876600",
        "julian, 0001-01-01, 1970-01-01, 17260248",
    })
    void timesOfAnotherReferenceDate_areChanged_byOption(String calendar, String first, String second, long hours) {
        MemoryStore store = MemoryStore.create();
        String attributes = "{\"units\":\"hours since %s\",\"calendar\":\"" + calendar + "\"}";
        List<Source> sources = List.of(
                array(store, "s0", attributes.formatted(first), 1, 2),
                array(store, "s1", attributes.formatted(second), 3, 4));
        Concatenation.copying(sources, 0, OPTIONS).recodingTimes().to(store, "out");
        assertArrayEquals(
                new long[] {1, 2, 3 + hours, 4 + hours},
                openResult(store).read().longs());
    }

    @Test
    void missingTimesStay_andAbsentChunksAreTimes() {
        MemoryStore store = MemoryStore.create();
        String masked = "{\"units\":\"days since 2000-01-0%s\",\"_FillValue\":-9}";
        List<Source> sources = List.of(
                array(store, "s0", masked.formatted(1), 1, 2, 3, 4), array(store, "s1", masked.formatted(3), -9, 1));
        Zarr.openArray(store, "s0", OPTIONS).erase(Box.of(new long[] {0}, new long[] {2}));
        Zarr.openArray(store, "s1", OPTIONS)
                .resize(new long[] {4}, ResizePolicy.KEEP); // its second chunk is not stored
        Concatenation.copying(sources, 0, OPTIONS).recodingTimes().to(store, "out");
        assertArrayEquals(
                new long[] {0, 0, 3, 4, -9, 3, 2, 2}, openResult(store).read().longs());
    }

    @Test
    void floatingTimesAreExact_orRefused() {
        MemoryStore store = MemoryStore.create();
        String units = "{\"units\":\"%s since 2000-01-01\"}";
        double[][] values = {{0.5, Double.NaN}, {36, Double.NaN}};
        List<Source> sources = List.of(
                doubles(store, "s0", units.formatted("days"), values[0]),
                doubles(store, "s1", units.formatted("hours"), values[1]));
        Concatenation.copying(sources, 0, OPTIONS).recodingTimes().to(store, "out");
        assertArrayEquals(
                new double[] {0.5, Double.NaN, 1.5, Double.NaN},
                openResult(store).read().doubles());
    }

    @Test
    void timesWithoutAnExactNumber_areRefused_beforeAnythingIsWritten() throws Exception {
        MemoryStore store = MemoryStore.create();
        List<Source> sources = List.of(
                array(store, "s0", "{\"units\":\"days since 2000-01-01\"}", 1, 2),
                array(store, "s1", "{\"units\":\"hours since 2000-01-01\"}", 24, 36));
        Set<String> before = objects(store).keySet();
        Concatenation all = Concatenation.copying(sources, 0, OPTIONS).recodingTimes();
        String context = assertThrows(UnsupportedException.class, () -> all.to(store, "out"))
                .getMessage();
        assertTrue(
                context.contains("exactly the time 36 of ") && context.contains("give the first array finer units"),
                context);
        assertEquals(before, objects(store).keySet(), "nothing was written");
    }

    @Test
    void otherCalendars_areRefused_alsoWithTheOption() {
        MemoryStore store = MemoryStore.create();
        List<Source> sources = List.of(
                array(store, "s0", TIME, 1, 2), array(store, "s1", "{\"units\":\"hours since 2000-01-05\"}", 3, 4));
        Concatenation all = Concatenation.copying(sources, 0, OPTIONS).recodingTimes();
        assertThrows(MetadataException.class, () -> all.to(store, "out"));
    }

    /** Boundary variables have the units of the coordinate that names them (CF, sections 7.1 and 7.4). */
    @ParameterizedTest
    @ValueSource(strings = {"bounds", "climatology"})
    void boundsInheritTheUnits_ofTheirCoordinate(String reference) {
        MemoryStore store = MemoryStore.create();
        List<Source> sources = new ArrayList<>();
        for (int i = 0; i < 2; i++) {
            String group = "g" + i;
            Zarr.createGroup(store, group, Json.object(), IfExists.REFUSE, OPTIONS);
            String units = "days since 2000-01-0" + (i + 1);
            array(store, group + "/time", "{\"units\":\"" + units + "\",\"" + reference + "\":\"edges\"}", 1, 2);
            ArraySpec spec = ArraySpec.of("int64", 2, 2).withChunkShape(1, 2).withDimensionNames("time", "nv");
            ZarrArray edges = Zarr.createArray(store, group + "/edges", spec, IfExists.REFUSE, OPTIONS);
            edges.write(edges.domain(), new long[] {0, 1, 1, 2}, 0);
            sources.add(new Source(store, group + "/edges"));
        }
        Concatenation plain = Concatenation.copying(sources, 0, OPTIONS);
        String message = assertThrows(MetadataException.class, () -> plain.to(store, "out"))
                .getMessage();
        assertTrue(message.contains("same units") && message.contains("recodingTimes"), message);
        List<ZarrArray> arrays = sources.stream()
                .map(source -> Zarr.openArray(store, source.path(), OPTIONS))
                .toList();
        assertThrows(MetadataException.class, () -> VirtualConcatenation.of(arrays, 0, OPTIONS));
        plain.recodingTimes().to(store, "out");
        assertArrayEquals(
                new long[] {0, 1, 1, 2, 1, 2, 2, 3}, openResult(store).read().longs());
        assertEquals(Optional.empty(), openResult(store).attributes().get("units"), "they stay inherited");
    }

    private static Source array(Store store, String path, String attributes, long... values) {
        ArraySpec spec = ArraySpec.of("int64", values.length).withChunkShape(2).withAttributes(json(attributes));
        ZarrArray array = Zarr.createArray(store, path, spec, IfExists.REFUSE, OPTIONS);
        array.write(array.domain(), values, 0);
        return new Source(store, path);
    }

    private static Source doubles(Store store, String path, String attributes, double... values) {
        ArraySpec spec =
                ArraySpec.of("float64", values.length).withChunkShape(2).withAttributes(json(attributes));
        ZarrArray array = Zarr.createArray(store, path, spec, IfExists.REFUSE, OPTIONS);
        array.write(array.domain(), values, 0);
        return new Source(store, path);
    }

    private static Json.Obj json(String text) {
        return (Json.Obj) JsonReader.read(text.getBytes(StandardCharsets.UTF_8), Limits.defaults());
    }
}
