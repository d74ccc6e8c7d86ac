package dev.shardkit.spark;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.shardkit.ArraySpec;
import dev.shardkit.IfExists;
import dev.shardkit.Zarr;
import dev.shardkit.ZarrArray;
import dev.shardkit.ZarrGroup;
import dev.shardkit.ZarrOptions;
import dev.shardkit.spi.json.Json;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.api.java.UDF1;
import org.apache.spark.sql.types.DataTypes;
import org.junit.jupiter.api.Test;

/** Rows become arrays. */
class WriteTest extends WriteTestBase {
    /** Returns rows with the numbers from {@code first} to {@code end - 1}, whose coordinates are y and x. */
    private static Dataset<Row> rows(int first, int end, int width) {
        return spark.range(first, end)
                .selectExpr("id div " + width + " as y", "id % " + width + " as x", "cast(id as int) as value");
    }

    private static int[] numbers(int first, int end) {
        return java.util.stream.IntStream.range(first, end).toArray();
    }

    /** Returns the content of all files below a folder. */
    private Map<String, String> files(String name) throws IOException {
        Map<String, String> files = new TreeMap<>();
        try (Stream<Path> all = Files.walk(dir.resolve(name))) {
            for (Path file :
                    all.filter(Files::isRegularFile).filter(Sample::isOfNode).toList()) {
                files.put(
                        dir.resolve(name).relativize(file).toString(),
                        java.util.HexFormat.of().formatHex(Files.readAllBytes(file)));
            }
        }
        return files;
    }

    @Test
    void rows_becomeANewArray_withFillValuesWhereThereIsNoRow() {
        Dataset<Row> rows = rows(0, 64, 8).where("not (y < 4 and x < 4) and value <> 63");
        write(rows, "append")
                .option("dimensions", "y,x")
                .option("shape", "9, 8")
                .option("chunkShape", "2,2")
                .option("shardShape", "4,4")
                .save(url("a"));
        int[] expected = java.util.Arrays.copyOf(numbers(0, 64), 72);
        for (int i = 0; i < 16; i++) {
            expected[i / 4 * 8 + i % 4] = 0;
        }
        expected[63] = 0;
        assertArrayEquals(expected, ints(url("a")));
        assertFalse(Files.exists(dir.resolve("a/c/0/0")), "a shard without rows is not stored");
        try (ZarrArray array = Zarr.openArray(url("a"))) {
            assertArrayEquals(new long[] {4, 4}, array.storedChunkShape());
            assertEquals("int32", array.dataType().name());
        }
        assertEquals(
                63 - 16,
                spark.read()
                        .format("shardkit")
                        .load(url("a"))
                        .where("value > 0")
                        .count());
    }

    @Test
    void shapeOfANewGroup_isThatOfTheRows() {
        Dataset<Row> rows = spark.range(0, 10)
                .selectExpr("id as t", "cast(id as double) / 2 as half", "cast(id as string) as word");
        write(rows, "append")
                .option("dimensions", "t")
                .option("chunkShape", "4")
                .save(url("g"));
        try (ZarrGroup group = Zarr.openGroup(url("g"))) {
            assertArrayEquals(new long[] {10}, group.array("half").shape());
            assertEquals(
                    "[9,4.5,9]",
                    spark.read()
                            .format("shardkit")
                            .load(url("g"))
                            .where("t = 9")
                            .first()
                            .toString());
        }
    }

    /** The store of Hadoop works with the client that Spark brings, here on its local file system. */
    @Test
    void hadoopUrl_isWrittenAndRead() {
        String url = "hadoop:" + dir.resolve("h").toUri();
        write(spark.range(0, 10).selectExpr("id as t", "cast(id as double) / 2 as half"), "append")
                .option("dimensions", "t")
                .option("chunkShape", "4")
                .save(url);
        assertEquals(
                6, spark.read().format("shardkit").load(url).where("half > 1.5").count());
    }

    @Test
    void append_lengthensDimension0_andKeepsTheShardThatItShares() {
        make("a");
        for (int length = 9; length <= 14; length += 5) { // to the middle of a shard, and from there to another
            try (ZarrArray array = Zarr.openArray(url("a"))) {
                write(rows((int) array.shape()[0] * 8, length * 8, 8), "append").save(url("a"));
            }
            assertArrayEquals(numbers(0, length * 8), ints(url("a")));
        }
        write(rows(0, 0, 8), "append").save(url("a"));
        assertEquals(14 * 8, ints(url("a")).length, "no rows");
        write(rows(14 * 8, 15 * 8, 8), "append").option("shape", "20,8").save(url("a"));
        assertEquals(20 * 8, ints(url("a")).length);
    }

    @Test
    void append_isVisibleAfterAllTasks_andCanBeRepeated() throws IOException {
        make("a");
        Map<String, String> before = files("a");
        Dataset<Row> twice = rows(64, 112, 8).union(rows(111, 112, 8));
        String message = refused(() -> write(twice, "append").save(url("a")));
        assertTrue(message.contains("shard c/3/1: two rows have the coordinates (y=13, x=7)"), message);
        assertTrue(message.contains("the same write can be repeated"), message);
        assertArrayEquals(numbers(0, 64), ints(url("a")));
        write(rows(64, 72, 8).where("x < 2"), "append").option("shape", "14,8").save(url("a"));
        int[] expected = java.util.Arrays.copyOf(numbers(0, 64), 112);
        expected[64] = 64;
        expected[65] = 65;
        assertArrayEquals(expected, ints(url("a")), "nothing is left of the failed append");
        before.forEach((name, bytes) -> {
            if (!name.equals("zarr.json")) {
                assertTrue(Files.exists(dir.resolve("a").resolve(name)), name);
            }
        });
    }

    /** While the rows are computed, another append begins. */
    @Test
    void append_failsIfAnotherBegins_andChangesNothing() throws IOException {
        make("a");
        Map<String, String> before = files("a");
        String mark = dir.resolve("a/__spark_append").toString();
        UDF1<Integer, Integer> other = value -> {
            Files.write(Path.of(mark), new byte[32]);
            return value;
        };
        spark.udf().register("other", other, DataTypes.IntegerType);
        Dataset<Row> rows = rows(64, 72, 8).selectExpr("y", "x", "other(value) as value");
        String message =
                refused(() -> write(rows, "append").option("shape", "9,8").save(url("a")));
        assertTrue(message.contains("this write has ended"), message);
        Files.delete(Path.of(mark)); // it stays, since it is not that of the failed append
        assertEquals(before, files("a"));
        write(rows(64, 72, 8), "append").save(url("a"));
        assertFalse(Files.exists(Path.of(mark)));
    }

    @Test
    void append_toAGroup_lengthensAllArrays() {
        Dataset<Row> rows = spark.range(0, 20).selectExpr("id as t", "id * 2 as a", "cast(id % 2 = 0 as boolean) as b");
        write(rows.where("t < 10"), "append")
                .option("dimensions", "t")
                .option("chunkShape", "4")
                .save(url("g"));
        write(rows.where("t >= 10"), "append").save(url("g"));
        Dataset<Row> read = spark.read().format("shardkit").load(url("g"));
        assertEquals(20, read.count());
        assertEquals(0, read.exceptAll(rows).count());
    }

    @Test
    void rowsThatDoNotFit_areRefused() {
        make("a");
        String message = refused(() -> write(rows(63, 72, 8), "append").save(url("a")));
        assertTrue(message.contains("the row at (y=7, x=7) lies outside: expected 8 <= y < 9"), message);
        assertTrue(refused(() -> write(rows(0, 64, 8), "append").save(url("a"))).contains("expected y from 8 on"));
        message = refused(() -> write(rows(72, 81, 9), "append").save(url("a")));
        assertTrue(message.contains("(y=8, x=8) lies outside: expected 0 <= x < 8"), message);
        message = refused(() -> write(rows(64, 72, 8).selectExpr("y", "x", "nullif(value, 70) as value"), "append")
                .save(url("a")));
        assertTrue(message.contains("column value has no value at (y=8, x=6)"), message);
        message = refused(() -> write(rows(64, 72, 8).selectExpr("y", "nullif(x, 3) as x", "value"), "append")
                .save(url("a")));
        assertTrue(message.contains("a row has no coordinate x"), message);
        message = refused(() -> write(rows(64, 72, 8).selectExpr("y", "x", "value * 1000000000L as value"), "append")
                .save(url("a")));
        // of the two tasks, either may fail first
        assertTrue(message.matches("(?s).*the value (64|68)000000000 is not between.*"), message);
        assertArrayEquals(numbers(0, 64), ints(url("a")));
    }

    @Test
    void columnsThatDoNotFit_areRefusedBeforeTheWrite() {
        make("a");
        Dataset<Row> rows = rows(64, 72, 8);
        assertTrue(refused(() -> write(rows.drop("x"), "append").save(url("a")))
                .contains("expected the columns [value, x, y], found [value, y]"));
        assertTrue(refused(() -> write(rows.selectExpr("y", "x", "'a' as value"), "append")
                        .save(url("a")))
                .contains("expected int in column value, found string"));
        assertTrue(refused(() -> write(rows.selectExpr("y * 1.5 as y", "x", "value"), "append")
                        .save(url("a")))
                .contains("expected integers in column y"));
        assertTrue(
                refused(() -> write(rows, "append").option("chunkShape", "4,4").save(url("a")))
                        .contains("keeps its layout"));
        assertTrue(refused(() -> write(rows, "append").save(url("new"))).contains("option dimensions"));
        assertFalse(Files.exists(dir.resolve("new")));
    }

    @Test
    void failedNewTarget_isNotFound_andIsOverwritten() {
        Dataset<Row> twice = rows(0, 16, 4).union(rows(15, 16, 4));
        String message = refused(() -> write(twice, "append")
                .option("dimensions", "y,x")
                .option("chunkShape", "2,2")
                .save(url("a")));
        assertTrue(message.contains("No reader finds the target; write it again with mode overwrite"), message);
        assertTrue(Zarr.find(Zarr.openStore(url("a"), ZarrOptions.defaults()), "", ZarrOptions.defaults())
                .isEmpty());
        assertTrue(refused(() -> write(rows(0, 16, 4), "append")
                        .option("dimensions", "y,x")
                        .save(url("a")))
                .contains("unfinished"));
        write(rows(0, 16, 4), "overwrite").option("dimensions", "y,x").save(url("a"));
        assertArrayEquals(numbers(0, 16), ints(url("a")));
    }

    @Test
    void unsignedIntegers_keepTheirRange() {
        Zarr.createArray(url("u"), ArraySpec.of("uint64", 0).withChunkShape(2)).close();
        Dataset<Row> rows = spark.sql("select 0L as d0, 18446744073709551615BD as value union all select 1L, 5BD");
        write(rows, "append").save(url("u"));
        try (ZarrArray array = Zarr.openArray(url("u"))) {
            assertArrayEquals(new long[] {-1, 5}, (long[]) array.read().array());
        }
        assertEquals(
                List.of("18446744073709551615"),
                spark.read().format("shardkit").load(url("u")).where("d0 = 0").select("value").collectAsList().stream()
                        .map(row -> row.get(0).toString())
                        .toList());
        assertEquals(Json.object(), Zarr.openArray(url("u")).attributes());
    }

    @Test
    void appendThatLeavesAGap_isRefused_unlessAllowed() throws IOException {
        write(rows(0, 64, 8), "append")
                .option("dimensions", "y,x")
                .option("chunkShape", "2,2")
                .option("shardShape", "4,4")
                .save(url("gap"));
        Map<String, String> before = files("gap");
        Dataset<Row> later = rows(80, 96, 8); // y from 10 on, where 8 is expected
        String message = refused(() -> write(later, "append").save(url("gap")));
        assertTrue(message.contains("expected y from 8 on") && message.contains("y=10"), message);
        assertEquals(before, files("gap"));
        message = refused(() -> write(later, "append").option("shape", "12,8").save(url("gap")));
        assertTrue(message.contains("y=10") && message.contains("gap=fill"), message);
        assertEquals(64, ints(url("gap")).length);
        write(later, "append").option("gap", "fill").save(url("gap"));
        int[] expected = numbers(0, 96);
        java.util.Arrays.fill(expected, 64, 80, 0);
        assertArrayEquals(expected, ints(url("gap")));
    }

    @Test
    void unknownOptions_areRefused_withTheNearest() {
        make("known");
        String message = refused(() ->
                write(rows(64, 72, 8), "append").option("chunkshapes", "2,2").save(url("known")));
        assertTrue(message.contains("chunkshapes") && message.contains("nearest is chunkShape"), message);
        message = refused(
                () -> write(rows(0, 8, 8), "append").option("dimension", "y,x").save(url("none")));
        assertTrue(message.contains("nearest is dimensions"), message);
        assertFalse(Files.exists(dir.resolve("none")));
        message = refused(
                () -> spark.read().format("shardkit").option("row", "chunks").load(url("known")));
        assertTrue(message.contains("nearest is rows"), message);
        message = refused(() ->
                spark.read().format("shardkit").option("shardShape", "4,4").load(url("known")));
        assertTrue(message.contains("only writes have it"), message);
    }

    /** Executors of a cluster have folders of their own. */
    @Test
    void relativePath_isThatOfTheDriver() {
        String relative = Path.of("").toAbsolutePath().relativize(dir.toAbsolutePath()) + "/relative";
        write(rows(0, 8, 8), "append").option("dimensions", "y,x").save(relative);
        assertArrayEquals(numbers(0, 8), ints(url("relative")));
        assertEquals(8, spark.read().format("shardkit").load(relative).count());
    }

    @Test
    void tableOfTheCatalog_isReadAndAppendedTo() {
        make("catalog");
        spark.sql("create table elements using shardkit options (path '" + url("catalog") + "')");
        try {
            assertEquals(64, spark.sql("select * from elements").count());
            spark.sql("insert into elements select y + 8 as y, x, value from elements where y = 0");
            assertEquals(72, spark.sql("select * from elements").count());
        } finally {
            spark.sql("drop table elements");
        }
    }

    @Test
    void timesHalvesAndComplexNumbers_areWrittenAndRead() {
        Dataset<Row> rows =
                spark.sql("select cast(0 as bigint) as t, timestamp_ntz'1969-12-31 23:59:59.999999' as local,"
                        + " timestamp'2024-02-29 12:00:00.5 UTC' as moment, date'0001-01-01' as day,"
                        + " interval '1 02:03:04.5' day to second as span,"
                        + " named_struct('real', 1.5D, 'imaginary', -2D) as wave"
                        + " union all select 2, null, null, null, null, named_struct('real', 3D, 'imaginary', 0D)");
        write(rows, "append")
                .option("dimensions", "t")
                .option("chunkShape", "2")
                .save(url("times"));
        try (ZarrGroup group = Zarr.openGroup(url("times"))) {
            long none = Long.MIN_VALUE; // the array has "not a time" where there is no value, and no row
            assertArrayEquals(
                    new long[] {-1, none, none}, group.array("local").read().longs());
            assertArrayEquals(
                    new long[] {1709208000500000L, none, none},
                    group.array("moment").read().longs());
            assertArrayEquals(
                    new long[] {-719162, none, none}, group.array("day").read().longs());
            assertArrayEquals(
                    new long[] {93784500000L, none, none},
                    group.array("span").read().longs());
            assertArrayEquals(
                    new double[] {1.5, -2, 0, 0, 3, 0},
                    group.array("wave").read().doubles());
        }
        List<Row> read =
                spark.read().format("shardkit").load(url("times")).orderBy("t").collectAsList();
        assertEquals(
                "[0,0001-01-01T00:00,1969-12-31T23:59:59.999999,2024-02-29T12:00:00.500,PT26H3M4.5S,[1.5,-2.0]]",
                read.get(0).toString());
        assertEquals("[2,null,null,null,null,[3.0,0.0]]", read.get(2).toString());
    }

    @Test
    void timesOfOtherUnits_areReadExactly_orAsSteps() {
        long[] steps = {Long.MIN_VALUE, 1_500_000_000L, 1_000, -1_000};
        times("ns", steps);
        times("M", new long[] {Long.MIN_VALUE, -1, 1, 12});
        assertEquals(
                "[[null], [1970-01-01T00:00:01.500], [1970-01-01T00:00:00.000001], [1969-12-31T23:59:59.999999]]",
                values("ns", "timestamps"));
        assertEquals("[[null], [1969-12-01T00:00], [1970-02-01T00:00], [1971-01-01T00:00]]", values("M", "timestamps"));
        times("ns", new long[] {1_001, 0, 0, 0});
        String message =
                assertThrows(Exception.class, () -> values("ns", "timestamps")).getMessage();
        assertTrue(message.contains("1001 steps") && message.contains("times=steps"), message);
        assertEquals("[[1001], [0], [0], [0]]", values("ns", "steps"));
        write(spark.sql("select cast(4 as bigint) as d0, cast(7 as bigint) as value"), "append")
                .option("times", "steps")
                .save(url("ns"));
        assertEquals("[[1001], [0], [0], [0], [7]]", values("ns", "steps"));
    }

    private void times(String unit, long[] steps) {
        Json type = Json.extension(
                "numpy.datetime64", Json.object().with("unit", Json.of(unit)).with("scale_factor", Json.of(1)));
        try (ZarrArray array = Zarr.createArray(
                url(unit), ArraySpec.of(type, 4).withChunkShape(4), IfExists.OVERWRITE, ZarrOptions.defaults())) {
            array.write(array.domain(), steps, 0);
        }
    }

    private String values(String name, String times) {
        return spark.read()
                .format("shardkit")
                .option("times", times)
                .load(url(name))
                .orderBy("d0")
                .select("value")
                .collectAsList()
                .toString();
    }

    @Test
    void unreadableArray_doesNotHideItsGroup_butCannotBeWrittenTo() throws IOException {
        write(spark.range(0, 4).selectExpr("id as t", "id as number", "id as other"), "append")
                .option("dimensions", "t")
                .save(url("partly"));
        Path document = dir.resolve("partly/other/zarr.json");
        Files.writeString(document, Files.readString(document).replace("int64", "unknown9"));
        assertEquals(
                "[[0,0], [1,1], [2,2], [3,3]]",
                spark.read()
                        .format("shardkit")
                        .load(url("partly"))
                        .orderBy("t")
                        .collectAsList()
                        .toString());
        String message = refused(() -> write(spark.range(4, 6).selectExpr("id as t", "id as number"), "append")
                .save(url("partly")));
        assertTrue(message.contains("array other") && message.contains("unknown9"), message);
        assertEquals(4, Zarr.openArray(url("partly/number")).shape()[0]);
    }
}
