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
import dev.shardkit.spi.array.Box;
import dev.shardkit.spi.error.UnsupportedException;
import dev.shardkit.spi.json.Json;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Arrays as tables of Spark SQL. */
class SourceTest extends SqlTestBase {
    @TempDir
    static Path dir;

    @BeforeAll
    static void make() {
        Sample.make(dir.resolve("a").toString());
    }

    private static Dataset<Row> load(String name) {
        return spark.read().format("shardkit").load(dir.resolve(name).toString());
    }

    @Test
    void rows_areTheElementsOfStoredShards() {
        Dataset<Row> rows = load("a");
        assertEquals(List.of("d0", "d1", "value"), List.of(rows.columns()));
        assertEquals(12, rows.rdd().getNumPartitions(), "of 16 shards, 12 are stored");
        assertEquals(Sample.SIDE * Sample.SIDE * 3 / 4, rows.count());
        assertEquals(0, rows.where("value <> d0 * " + Sample.SIDE + " + d1").count(), "each element is its own number");
        Dataset<Row> all = spark.read()
                .format("shardkit")
                .option("missing", "fill")
                .load(dir.resolve("a").toString());
        assertEquals(16, all.rdd().getNumPartitions());
        assertEquals(Sample.SIDE * Sample.SIDE, all.count());
    }

    @Test
    void filtersOnCoordinates_leaveOutShards() {
        Dataset<Row> rows = load("a").where("d0 >= 48 and d0 < 72 and d1 = 30");
        assertEquals(1, rows.rdd().getNumPartitions());
        assertEquals(24, rows.count());
        assertEquals(48 * Sample.SIDE + 30, rows.orderBy("d0").first().getInt(2));
        assertEquals(
                2,
                load("a").where("d0 in (50, 70) and d1 between 20 and 30").rdd().getNumPartitions());
        assertEquals(0, load("a").where("d0 > 1000").count());
        assertEquals(0, load("a").where("d0 = 10 and d1 = 10").rdd().getNumPartitions(), "an empty shard has no task");
        assertEquals(2, load("a").where("d0 = 95 and (d1 = 1 or d1 = 2)").count());
    }

    /** The second dimension is called d1 if it has no name; here the first one has that name already. */
    @Test
    void dimensionsWithoutNames_getNamesOfTheirOwn() {
        String location = dir.resolve("named").toString();
        try (ZarrGroup group = Zarr.createGroup(location, Json.object(), IfExists.REFUSE, ZarrOptions.defaults())) {
            ArraySpec spec = ArraySpec.of("int32", 2, 2, 2)
                    .withDimensionNames(List.of(Optional.of("d1"), Optional.empty(), Optional.empty()));
            group.createArray("d2", spec, IfExists.REFUSE)
                    .write(Box.of(new long[] {2, 2, 2}), new int[] {0, 1, 2, 3, 4, 5, 6, 7}, 0);
        }
        Dataset<Row> rows = load("named");
        assertEquals(List.of("d1", "d1_", "d2_", "d2"), List.of(rows.columns()));
        assertEquals(0, rows.where("d2 <> d1 * 4 + d1_ * 2 + d2_").count());
        assertEquals(1, rows.where("d2 = 6").count());
    }

    @Test
    void chunks_areRows() {
        Dataset<Row> chunks = spark.read()
                .format("shardkit")
                .option("rows", "chunks")
                .load(dir.resolve("a").toString());
        assertEquals(List.of("d0", "d1", "shape", "value"), List.of(chunks.columns()));
        assertEquals(12 * 9, chunks.count());
        Row last = chunks.where("d0 = 88 and d1 = 88").first();
        assertEquals(List.of(8L, 8L), last.getList(2));
        assertEquals(Sample.SIDE * Sample.SIDE - 1, last.getList(3).get(63));
    }

    @Test
    void groups_areTables_ofWhichOnlyTheNeededColumnsAreRead() {
        ZarrGroup group =
                Zarr.createGroup(dir.resolve("t").toString(), Json.object(), IfExists.REFUSE, ZarrOptions.defaults());
        ArraySpec spec =
                ArraySpec.of("uint16", 10).withChunkShape(2).withShardShape(4).withDimensionNames("t");
        group.createArray("n", spec, IfExists.REFUSE)
                .write(Box.of(new long[] {10}), new short[] {0, 1, 2, 3, 4, 5, 6, 7, 8, -1}, 0);
        String[] words = {"a", "b", "c", "d", "e", "f", "g", "h", "i", "j"};
        ZarrArray names = group.createArray(
                "name",
                ArraySpec.of("string", 10).withChunkShape(2).withShardShape(4).withDimensionNames("t"),
                IfExists.REFUSE);
        names.write(Box.of(new long[] {10}), words, 0);
        Dataset<Row> table = load("t");
        assertEquals(List.of("t", "n", "name"), List.of(table.columns()));
        assertEquals(
                List.of("[9,65535,j]"),
                table.where("t > 8").collectAsList().stream().map(Row::toString).toList());
        table.createOrReplaceTempView("words");
        String plan = spark.sql("select name from words where n = 3")
                .queryExecution()
                .executedPlan()
                .toString();
        assertTrue(plan.contains("n#") && plan.contains("name#") && !plan.contains("t#"), plan);
        assertEquals(
                "d", spark.sql("select name from words where n = 3").first().getString(0));
    }

    @Test
    void otherArrays_areRefused() {
        Zarr.createArray(dir.resolve("c").toString(), ArraySpec.of("bfloat16", 4))
                .close();
        assertTrue(assertThrows(UnsupportedException.class, () -> load("c"))
                .getMessage()
                .contains("bfloat16"));
        assertTrue(assertThrows(IllegalArgumentException.class, () -> spark.read()
                        .format("shardkit")
                        .option("rows", "all")
                        .load(dir.resolve("a").toString()))
                .getMessage()
                .contains("expected elements or chunks"));
    }

    @Test
    void halves_areFloats() {
        try (ZarrArray array = Zarr.createArray(dir.resolve("half").toString(), ArraySpec.of("float16", 3))) {
            array.write(array.domain(), new short[] {0x3c00, (short) 0xc100, 0x7c00}, 0);
        }
        assertEquals(
                "[[1.0], [-2.5], [Infinity]]",
                load("half").orderBy("d0").select("value").collectAsList().toString());
    }

    @Test
    void partitions_haveTheSizeOfTheOption_andTheScanCountsWhatItRead() {
        try (ZarrArray array = Zarr.createArray(
                dir.resolve("cut").toString(),
                ArraySpec.of("int32", 8, 16).withChunkShape(2, 4).withShardShape(4, 8))) { // 4 shards of 128 bytes
            array.write(array.domain(), java.util.stream.IntStream.range(0, 128).toArray(), 0);
        }
        for (var expected :
                java.util.Map.of("1k", 1, "256", 2, "128", 4, "64", 8, "1", 16).entrySet()) {
            Dataset<Row> rows = spark.read()
                    .format("shardkit")
                    .option("maxPartitionBytes", expected.getKey())
                    .load(dir.resolve("cut").toString());
            assertEquals(expected.getValue(), rows.select("value").rdd().getNumPartitions(), expected.getKey());
            assertEquals(127 * 64, rows.selectExpr("sum(value)").first().getLong(0), expected.getKey());
        }
        Dataset<Row> filtered = load("cut").where("d0 < 4 and d1 < 8").select("value");
        filtered.collectAsList();
        var plan = filtered.queryExecution().executedPlan();
        var scan = plan.collectLeaves().head();
        assertEquals(4, scan.metrics().apply("chunksDecoded").value());
        assertEquals(3, scan.metrics().apply("shardsPruned").value());
        assertTrue(scan.metrics().apply("bytesRead").value() > 0);
        assertEquals(0, scan.metrics().apply("retries").value());
    }
}
