package dev.shardkit.spark;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.shardkit.ArraySpec;
import dev.shardkit.IfExists;
import dev.shardkit.Zarr;
import dev.shardkit.ZarrArray;
import dev.shardkit.ZarrGroup;
import dev.shardkit.ZarrOptions;
import dev.shardkit.spi.error.UnsupportedException;
import dev.shardkit.spi.json.Json;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Datasets of the CF conventions as tables: labels, physical values, filters on labels. */
class DecodedTableTest extends SqlTestBase {
    private static final Map<String, Long> LENGTHS = Map.of("time", 4L, "lat", 6L, "lon", 8L);

    @TempDir
    static Path dir;

    /**
     * t(time, lat, lon) holds 100 * time + 10 * lat + lon in tenths, its last element is missing; in 2 x 2 x 2 shards.
     */
    @BeforeAll
    static void make() {
        try (ZarrGroup group = Zarr.createGroup(
                dir.resolve("data").toString(), Json.object(), IfExists.REFUSE, ZarrOptions.defaults())) {
            write(group, "time", new int[] {0, 6, 12, 18}, Map.of("units", "hours since 2020-03-01"), "time");
            write(group, "lat", new float[] {60.5f, 50, 40, 30, 20, 10}, Map.of("units", "degrees_north"), "lat");
            write(group, "lon", new double[] {0, 45, 90, 135, 180, 225, 270, 315}, Map.of(), "lon");
            write(group, "shift", new String[] {"early", "early", "late", "late"}, Map.of(), "time");
            double[] height = new double[48];
            for (int i = 0; i < height.length; i++) {
                height[i] = i == 47 ? Double.NaN : i;
            }
            write(group, "height", height, Map.of(), "lat", "lon");
            write(group, "model", new int[] {7}, Map.of());
            short[] tenths = new short[192];
            byte[] codes = new byte[192];
            for (int i = 0; i < tenths.length; i++) {
                tenths[i] = (short) (10 * (100 * (i / 48) + 10 * (i / 8 % 6) + i % 8));
                codes[i] = (byte) (i % 3);
            }
            tenths[191] = -1;
            write(
                    group,
                    "t",
                    tenths,
                    Map.of("scale_factor", 0.1, "_FillValue", -1, "coordinates", "shift height model"),
                    "time",
                    "lat",
                    "lon");
            write(
                    group,
                    "surface",
                    codes,
                    Map.of("flag_values", List.of(0, 1), "flag_meanings", "sea land"),
                    "time",
                    "lat",
                    "lon");
        }
    }

    private static void write(
            ZarrGroup group, String name, Object values, Map<String, ?> attributes, String... dimensions) {
        long[] shape = List.of(dimensions).stream().mapToLong(LENGTHS::get).toArray();
        String type = Map.of(
                        int[].class,
                        "int32",
                        float[].class,
                        "float32",
                        double[].class,
                        "float64",
                        short[].class,
                        "int16",
                        byte[].class,
                        "int8",
                        String[].class,
                        "string")
                .get(values.getClass());
        ArraySpec spec =
                ArraySpec.of(type, shape).withDimensionNames(dimensions).withAttributes(Json.of(attributes));
        ZarrArray array = group.createArray(
                name, shape.length == 3 ? spec.withChunkShape(1, 3, 2).withShardShape(2, 3, 4) : spec, IfExists.REFUSE);
        array.write(array.domain(), values, 0);
    }

    private static Dataset<Row> load(String... options) {
        var reader = spark.read().format("shardkit").option("decode", "cf");
        for (int i = 0; i < options.length; i += 2) {
            reader = reader.option(options[i], options[i + 1]);
        }
        return reader.load(dir.resolve("data").toString());
    }

    private static String rows(Dataset<Row> rows) {
        return rows.collectAsList().stream().map(Row::toString).toList().toString();
    }

    @Test
    void rows_haveLabelsCoordinatesAndPhysicalValues() {
        Dataset<Row> all = load();
        assertEquals(
                "time timestamp_ntz, lat float, lon double, shift string, model int, height double, surface string,"
                        + " t double",
                String.join(
                        ", ",
                        List.of(all.schema().fields()).stream()
                                .map(f -> f.name() + " " + f.dataType().sql().toLowerCase())
                                .toList()));
        assertEquals(192, all.count());
        assertEquals(8, all.rdd().getNumPartitions());
        assertEquals(
                "[[2020-03-01T12:00,40.0,135.0,late,7,19.0,land,223.0]]",
                rows(all.where("time = '2020-03-01T12:00' and lat = 40 and lon = 135")));
        assertEquals(
                "[[null,null,null]]",
                rows(all.where("time = '2020-03-01T18:00' and lat = 10 and lon = 315")
                        .select("t", "height", "surface")));
        assertEquals(
                0,
                all.where("t <> 100 * (hour(time) div 6) + 10 * floor(height / 8) + lon / 45")
                        .count(),
                "labels and values belong together");
        assertEquals(
                "[[land,64], [sea,64]]",
                rows(all.where("surface is not null").groupBy("surface").count().orderBy("surface")));
    }

    @Test
    void filtersOnLabels_leaveOutShards() {
        assertEquals(
                4,
                load().where("time >= timestamp_ntz'2020-03-01 12:00:00'").rdd().getNumPartitions());
        assertEquals(4, load().where("time < '2020-03-01T12:00'").rdd().getNumPartitions());
        assertEquals(2, load().where("lat = 40 and lon >= 180").rdd().getNumPartitions());
        assertEquals(4, load().where("lat in (10, 20)").rdd().getNumPartitions());
        assertEquals(4, load().where("shift = 'late'").rdd().getNumPartitions(), "a coordinate that is no dimension");
        assertEquals(0, load().where("lat > 80").rdd().getNumPartitions());
        Dataset<Row> point = load().where("time = '2020-03-01T06:00' and lat = 50 and lon = 90")
                .select("t");
        assertEquals("[[112.0]]", rows(point));
        var scan = point.queryExecution().executedPlan().collectLeaves().head();
        assertEquals(7, scan.metrics().apply("shardsPruned").value());
        assertEquals(1, scan.metrics().apply("chunksDecoded").value());
        assertEquals(
                rows(load().where("cast(lat as string) > '3' and lon * 1 < 100").orderBy("time", "lat", "lon")),
                rows(load().where("lat in (60.5, 50, 40, 30) and lon < 100").orderBy("time", "lat", "lon")));
    }

    @Test
    void chosenVariables_areColumns() {
        assertEquals(
                List.of("time", "lat", "lon", "surface"),
                List.of(load("variables", "surface").columns()));
        assertEquals(
                List.of("lat", "lon", "height"),
                List.of(load("variables", "height").columns()));
        assertEquals("[[47]]", rows(load("variables", "height").selectExpr("count(height)")), "NaN is null");
    }

    @Test
    void timesOfOtherCalendars_areTexts() {
        try (ZarrGroup group = Zarr.createGroup(
                dir.resolve("days").toString(), Json.object(), IfExists.REFUSE, ZarrOptions.defaults())) {
            Map<String, String> attributes = Map.of("units", "days since 2000-02-29", "calendar", "360_day");
            write(group, "time", new int[] {0, 1, 2, 30}, attributes, "time");
            write(group, "n", new int[] {1, 2, 3, 4}, Map.of(), "time");
        }
        Dataset<Row> days = spark.read()
                .format("shardkit")
                .option("decode", "cf")
                .load(dir.resolve("days").toString());
        assertEquals(
                "[[2000-02-30T00:00:00,2], [2000-03-01T00:00:00,3]]",
                rows(days.where("time > '2000-02-29T12' and time < '2000-03-02'")
                        .orderBy("time")));
    }

    @Test
    void otherTables_areRefused() {
        String array = dir.resolve("data/t").toString();
        assertTrue(assertThrows(IllegalArgumentException.class, () -> spark.read()
                        .format("shardkit")
                        .option("decode", "cf")
                        .load(array))
                .getMessage()
                .contains("load its group"));
        assertTrue(assertThrows(UnsupportedException.class, () -> load("variables", "t,height"))
                .getMessage()
                .contains("other dimensions"));
        assertThrows(IllegalArgumentException.class, () -> load("rows", "chunks"));
        assertTrue(assertThrows(IllegalArgumentException.class, () -> spark.read()
                        .format("shardkit")
                        .option("variables", "t")
                        .load(dir.resolve("data").toString()))
                .getMessage()
                .contains("decode=cf"));
        Exception refused = assertThrows(UnsupportedException.class, () -> load().write()
                .format("shardkit")
                .option("decode", "cf")
                .mode("append")
                .save(dir.resolve("data").toString()));
        assertTrue(refused.getMessage().contains("cannot be written"), refused.getMessage());
    }

    /** Creates an empty dataset; {@link #array} adds its arrays. */
    private static ZarrGroup dataset(String name) {
        return Zarr.createGroup(dir.resolve(name).toString(), Json.object(), IfExists.REFUSE, ZarrOptions.defaults());
    }

    private static void array(
            ZarrGroup group, String name, ArraySpec spec, Object values, Map<String, ?> attributes, String... dims) {
        ZarrArray array = group.createArray(
                name, spec.withDimensionNames(dims).withAttributes(Json.of(attributes)), IfExists.REFUSE);
        array.write(array.domain(), values, 0);
    }

    private static Dataset<Row> loadFrom(String name, String... options) {
        var reader = spark.read().format("shardkit").option("decode", "cf");
        for (int i = 0; i < options.length; i += 2) {
            reader = reader.option(options[i], options[i + 1]);
        }
        return reader.load(dir.resolve(name).toString());
    }

    @Test
    void filterOnAGridNamedLikeADimension_boundsNoIndices() {
        try (ZarrGroup group = dataset("curved")) {
            array(group, "x", ArraySpec.of("int64", 2, 2), new long[] {100, 200, 300, 1}, Map.of(), "y", "x");
            array(
                    group,
                    "t",
                    ArraySpec.of("int8", 2, 2),
                    new byte[] {1, 2, 3, 4},
                    Map.of("coordinates", "x"),
                    "y",
                    "x");
        }
        assertEquals("[[1,300,3]]", rows(loadFrom("curved").where("x = 300")));
        assertEquals("[[1,1,4]]", rows(loadFrom("curved").where("x < 2")));
    }

    @Test
    void numbersThatAreNoCodes_haveNoMeaning_andACodeHasItsFirstMeaning() {
        Map<String, ?> flags = Map.of("flag_values", List.of(0, 1, 1), "flag_meanings", "sea land earth");
        try (ZarrGroup group = dataset("codes")) {
            float[] numbers = {0, 0.4f, 1.7f, Float.POSITIVE_INFINITY, -0.9f, 1};
            array(group, "kind", ArraySpec.of("float32", 6), numbers, flags, "i");
        }
        assertEquals(
                "[[sea], [null], [null], [null], [null], [land]]",
                rows(loadFrom("codes").orderBy("i").select("kind")));
    }

    @Test
    void timesThat64BitsOfMicrosecondsCannotHold_areRefused_labelsAreTexts() {
        int[] days = {0, 200_000_000};
        try (ZarrGroup group = dataset("far")) {
            Map<String, String> since = Map.of("units", "days since 2000-01-01");
            array(group, "time", ArraySpec.of("int32", 2), days, since, "time");
            array(group, "seen", ArraySpec.of("int32", 2), days, since, "time");
            array(
                    group,
                    "span",
                    ArraySpec.of("int32", 2),
                    new int[] {1, 2_000_000_000},
                    Map.of("units", "days", "dtype", "timedelta64[ns]"),
                    "time");
            array(group, "n", ArraySpec.of("int8", 2), new byte[] {5, 6}, Map.of(), "time");
        }
        assertEquals(
                "[[2000-01-01T00:00:00,5]]",
                rows(loadFrom("far", "variables", "n").where("n = 5")));
        for (String name : List.of("seen", "span")) {
            Exception refused = assertThrows(
                    Exception.class, () -> loadFrom("far", "variables", name).collectAsList());
            assertTrue(refused.toString().contains("fit in 64 bits"), refused.toString());
        }
    }

    @Test
    void boundsOfTimes_haveUnitsAndCalendarOfTheirCoordinate() {
        try (ZarrGroup group = dataset("cells")) {
            Map<String, String> attributes =
                    Map.of("units", "hours since 1500-03-01", "calendar", "proleptic_gregorian", "bounds", "time_bnds");
            array(group, "time", ArraySpec.of("int32", 2), new int[] {0, 6}, attributes, "time");
            int[] cells = {0, 6, 6, 12};
            array(group, "time_bnds", ArraySpec.of("int32", 2, 2), cells, Map.of(), "time", "nv");
        }
        Dataset<Row> bounds = loadFrom("cells", "variables", "time_bnds");
        assertEquals(
                "[[1500-03-01T00:00], [1500-03-01T06:00], [1500-03-01T06:00], [1500-03-01T12:00]]",
                rows(bounds.orderBy("time", "nv").select("time_bnds")));
    }

    @Test
    void labelWithoutATime_isNull() {
        Json months = Json.extension(
                "numpy.datetime64", Json.object().with("unit", Json.of("M")).with("scale_factor", Json.of(1)));
        try (ZarrGroup group = dataset("months")) {
            array(group, "m", ArraySpec.of(months, 2), new long[] {Long.MIN_VALUE, 1}, Map.of(), "i");
            array(group, "n", ArraySpec.of("int8", 2), new byte[] {5, 6}, Map.of("coordinates", "m"), "i");
        }
        Dataset<Row> table = loadFrom("months", "variables", "n");
        assertTrue(table.schema().apply("m").nullable());
        assertEquals("[[0,null,5]]", rows(table.where("m is null")));
    }

    @Test
    void coordinateThatSparkCannotHold_isLeftOut() {
        Json raw = Json.of("r24");
        try (ZarrGroup group = dataset("raw")) {
            array(group, "odd", ArraySpec.of(raw, 2), new byte[6], Map.of(), "i");
            array(group, "n", ArraySpec.of("int8", 2), new byte[] {5, 6}, Map.of("coordinates", "odd"), "i");
        }
        Dataset<Row> table = loadFrom("raw", "variables", "n");
        assertEquals(List.of("i", "n"), List.of(table.columns()));
        assertEquals(2, table.count());
    }
}
