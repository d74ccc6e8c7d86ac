package dev.shardkit.spark;

import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.shardkit.ArraySpec;
import dev.shardkit.Zarr;
import dev.shardkit.ZarrArray;
import java.nio.file.Path;
import java.util.stream.IntStream;
import org.apache.spark.sql.DataFrameWriter;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.junit.jupiter.api.io.TempDir;

/** Tests that write rows to arrays. */
abstract class WriteTestBase extends SqlTestBase {
    @TempDir
    Path dir;

    String url(String name) {
        return dir.resolve(name).toString();
    }

    static DataFrameWriter<Row> write(Dataset<Row> rows, String mode) {
        return rows.write().format("shardkit").mode(mode);
    }

    static String refused(Runnable write) {
        return assertThrows(RuntimeException.class, write::run).getMessage();
    }

    static int[] ints(String url) {
        try (ZarrArray array = Zarr.openArray(url)) {
            return array.read().ints();
        }
    }

    /** Makes an array of 8 x 8 numbers in shards of 4 x 4. */
    void make(String name) {
        ArraySpec spec = ArraySpec.of("int32", 8, 8)
                .withChunkShape(2, 2)
                .withShardShape(4, 4)
                .withDimensionNames("y", "x");
        try (ZarrArray array = Zarr.createArray(url(name), spec)) {
            array.write(array.domain(), IntStream.range(0, 64).toArray(), 0);
        }
    }
}
