package dev.shardkit.spark;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.shardkit.Zarr;
import dev.shardkit.ZarrArray;
import dev.shardkit.ZarrGroup;
import dev.shardkit.ZarrOptions;
import dev.shardkit.maintenance.relayout.Replacement;
import dev.shardkit.metadata.MetadataWriter;
import dev.shardkit.spi.json.Json;
import dev.shardkit.store.Store;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.spark.sql.DataFrameWriter;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.api.java.UDF1;
import org.apache.spark.sql.types.DataTypes;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Rows replace the elements of existing arrays. */
class OverwriteTest extends WriteTestBase {
    private static volatile Thread writer;
    private static volatile boolean waits;

    private static DataFrameWriter<Row> overwrite(Dataset<Row> rows) {
        return write(rows, "overwrite");
    }

    /** Returns rows of 8 elements with the numbers from {@code first} on, from y = 0 on. */
    private static Dataset<Row> rows(int first, int count) {
        return spark.range(count)
                .selectExpr("id div 8 as y", "id % 8 as x", "cast(id + " + first + " as int) as value");
    }

    private static int[] numbers(int first, int count) {
        return IntStream.range(first, first + count).toArray();
    }

    private List<String> files(String name) throws IOException {
        try (Stream<Path> all = Files.walk(dir.resolve(name))) {
            return all.filter(Files::isRegularFile)
                    .filter(Sample::isOfNode)
                    .map(file -> dir.resolve(name).relativize(file).toString())
                    .sorted()
                    .toList();
        }
    }

    @Test
    void rowsReplaceAllElements_andKeepTheLayout() throws IOException {
        make("a");
        try (ZarrArray array = Zarr.openArray(url("a"))) {
            array.changeAttributes(now -> now.with("unit", Json.of("m")));
        }
        overwrite(rows(100, 48).where("not (y < 4 and x < 4)"))
                .option("dimensions", "y, x")
                .option("chunkShape", "2,2")
                .option("shardShape", "4,4")
                .save(url("a"));
        int[] expected = numbers(100, 48);
        for (int i = 0; i < 16; i++) {
            expected[i / 4 * 8 + i % 4] = 0;
        }
        assertArrayEquals(expected, ints(url("a")));
        assertEquals(List.of("0/1", "1/0", "1/1", "zarr.json"), files("a"));
        overwrite(rows(200, 72)).option("shape", "10,8").save(url("a"));
        assertArrayEquals(Arrays.copyOf(numbers(200, 72), 80), ints(url("a")));
        assertEquals(List.of("c.0.0", "c.0.1", "c.1.0", "c.1.1", "c.2.0", "c.2.1", "zarr.json"), files("a"));
        try (ZarrArray array = Zarr.openArray(url("a"))) {
            assertArrayEquals(new long[] {4, 4}, array.storedChunkShape());
            assertEquals(Json.object().with("unit", Json.of("m")), array.attributes());
        }
    }

    @Test
    void tableIsOverwrittenByRowsOfItself_andByNone() throws IOException {
        make("a");
        Dataset<Row> own = spark.read().format("shardkit").load(url("a"));
        overwrite(own.selectExpr("y", "x", "value + 1 as value")).save(url("a"));
        assertArrayEquals(numbers(1, 64), ints(url("a")));
        overwrite(rows(0, 0)).option("shape", "8,8").save(url("a"));
        assertEquals(List.of("zarr.json"), files("a"));
        overwrite(rows(0, 0)).save(url("a"));
        assertEquals(0, ints(url("a")).length);
    }

    @Test
    void allArraysOfAGroupAreReplaced() {
        Dataset<Row> rows = spark.range(0, 20).selectExpr("id as t", "id * 2 as a", "cast(id % 2 = 0 as boolean) as b");
        for (int i = 0; i < 3; i++) {
            overwrite(rows.where("t < " + (20 - 3 * i)))
                    .option("dimensions", "t")
                    .option("chunkShape", "4")
                    .save(url("g"));
            Dataset<Row> read = spark.read().format("shardkit").load(url("g"));
            assertEquals(20 - 3 * i, read.count());
            assertEquals(0, read.exceptAll(rows).count());
        }
        try (ZarrGroup group = Zarr.openGroup(url("g"))) {
            assertEquals(2, group.children().size());
        }
    }

    @Test
    void failedOverwrite_leavesTheOldElementsOnly() throws IOException {
        make("a");
        List<String> before = files("a");
        Dataset<Row> twice = rows(100, 64).union(rows(100, 1));
        String message = refused(() -> overwrite(twice).save(url("a")));
        assertTrue(message.contains("two rows have the coordinates (y=0, x=0)"), message);
        assertTrue(message.contains("The target has its old elements; the same write can be repeated"), message);
        assertArrayEquals(numbers(0, 64), ints(url("a")));
        assertEquals(before, files("a"));
    }

    /** The driver dies between the switches of two arrays to a new shape. */
    @Test
    void nextWrite_completesACommitThatADeadDriverLeft() throws IOException {
        Dataset<Row> rows = spark.range(0, 10).selectExpr("id as t", "id as a", "id * 2 as b");
        overwrite(rows).option("dimensions", "t").option("chunkShape", "4").save(url("g"));
        ZarrOptions options = ZarrOptions.defaults();
        try (Store store = Zarr.openStore(url("g"), options)) {
            Replacement dead = Replacement.begin(store, List.of("a", "b"), new long[] {6}, options);
            for (String name : List.of("a", "b")) {
                ZarrArray array = Zarr.openArray(store, name, dead.arrays().get(name), options);
                array.write(array.domain(), new long[] {50, 51, 52, 53, 54, 55}, 0);
            }
            Path record = dir.resolve("g/__unfinished");
            Files.writeString(record, Files.readString(record).replace("\"staging\"", "\"committed\""));
            Files.write(
                    dir.resolve("g/b/zarr.json"),
                    MetadataWriter.write(dead.arrays().get("b")));
        }
        assertTrue(refused(() -> spark.read().format("shardkit").load(url("g"))).contains("are no table"));
        write(rows.where("t >= 6"), "append").save(url("g"));
        try (ZarrGroup group = Zarr.openGroup(url("g"))) {
            assertArrayEquals(new long[] {50, 51, 52, 53, 54, 55, 6, 7, 8, 9}, (long[])
                    group.array("a").read().array());
            assertArrayEquals(new long[] {50, 51, 52, 53, 54, 55, 12, 14, 16, 18}, (long[])
                    group.array("b").read().array());
        }
    }

    /** The driver dies while tasks store rows. */
    @Test
    void nextWrite_endsWhatADeadDriverLeft() throws IOException {
        make("a");
        List<String> before = files("a");
        ZarrOptions options = ZarrOptions.defaults();
        try (Store store = Zarr.openStore(url("a"), options)) {
            Replacement dead = Replacement.begin(store, List.of(""), new long[] {8, 8}, options);
            ZarrArray array = Zarr.openArray(store, "", dead.arrays().get(""), options);
            array.write(array.domain(), numbers(500, 64), 0);
        }
        assertTrue(Files.exists(dir.resolve("a/0/0")));
        write(spark.range(8).selectExpr("8L as y", "id as x", "cast(64 + id as int) as value"), "append")
                .save(url("a"));
        assertArrayEquals(numbers(0, 72), ints(url("a")));
        assertFalse(Files.exists(dir.resolve("a/0")));
        overwrite(rows(0, 64)).save(url("a"));
        assertEquals(before.size(), files("a").size());
    }

    /** While the rows are computed, another overwrite begins. */
    @Test
    void overwrite_failsIfAnotherBegins_andStoresNothingMore() throws IOException {
        make("a");
        String url = url("a");
        UDF1<Integer, Integer> other = value -> {
            ZarrOptions options = ZarrOptions.defaults();
            try (Store store = Zarr.openStore(url, options)) {
                Replacement.begin(store, List.of(""), new long[] {8, 8}, options);
            }
            return value;
        };
        spark.udf().register("other", other, DataTypes.IntegerType);
        Dataset<Row> rows =
                rows(100, 64).coalesce(1).selectExpr("y", "x", "if(value = 163, other(value), value) as value");
        String message = refused(() -> overwrite(rows).option("shape", "8,8").save(url));
        assertTrue(message.contains("this write has ended"), message);
        assertArrayEquals(numbers(0, 64), ints(url));
        assertFalse(Files.exists(dir.resolve("a/0")), "no shard of the first one is left");
        overwrite(rows(100, 64)).save(url);
        assertArrayEquals(numbers(100, 64), ints(url));
    }

    /** Spark throws an InterruptedException that no signature declares. */
    @Test
    @Timeout(120)
    void interruptedOverwrite_leavesTheOldElementsOnly() throws IOException {
        make("a");
        List<String> before = files("a");
        Path record = dir.resolve("a/__unfinished");
        writer = Thread.currentThread();
        waits = true;
        String file = record.toString();
        UDF1<Integer, Integer> interrupting = value -> {
            writer.interrupt();
            while (waits && Files.exists(Path.of(file))) { // until the interrupted write is rolled back
                Thread.onSpinWait();
            }
            return value;
        };
        spark.udf().register("interrupting", interrupting, DataTypes.IntegerType);
        Dataset<Row> rows =
                rows(100, 64).coalesce(1).selectExpr("y", "x", "if(value = 163, interrupting(value), value) as value");
        try {
            assertThrows(
                    InterruptedException.class,
                    () -> overwrite(rows).option("shape", "8,8").save(url("a")));
            assertFalse(Files.exists(record));
        } finally {
            waits = false;
        }
        assertArrayEquals(numbers(0, 64), ints(url("a")));
        assertEquals(before, files("a"));
    }

    @Test
    void query_failsIfTheTableIsOverwrittenMeanwhile() {
        make("a");
        Dataset<Row> read = spark.read().format("shardkit").load(url("a"));
        overwrite(rows(100, 64)).save(url("a"));
        assertTrue(refused(read::count).contains("run the query again"));
    }

    @Test
    void otherLayoutsAndPartitions_areRefused() throws IOException {
        make("a");
        List<String> before = files("a");
        Dataset<Row> rows = rows(100, 64);
        assertTrue(refused(() -> overwrite(rows).option("chunkShape", "4,4").save(url("a")))
                .contains("option chunkShape: file:" + url("a")));
        assertTrue(refused(() -> overwrite(rows).option("shape", "8").save(url("a")))
                .contains("expected a length for each of [y, x], found 1"));
        String dynamic = refused(() ->
                overwrite(rows).option("partitionOverwriteMode", "dynamic").save(url("a")));
        assertTrue(dynamic.contains("has no partitions, and an overwrite replaces all rows"), dynamic);
        spark.conf().set("spark.sql.sources.partitionOverwriteMode", "dynamic");
        try {
            assertTrue(refused(() -> overwrite(rows).save(url("a"))).contains("has no partitions"));
        } finally {
            spark.conf().unset("spark.sql.sources.partitionOverwriteMode");
        }
        assertTrue(refused(() -> overwrite(rows.drop("x")).save(url("a"))).contains("expected the columns"));
        assertEquals(before, files("a"));
    }
}
