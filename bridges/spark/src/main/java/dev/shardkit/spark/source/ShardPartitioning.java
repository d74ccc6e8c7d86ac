package dev.shardkit.spark.source;

import dev.shardkit.spark.task.TaskMemory;
import dev.shardkit.spark.task.Tasks;
import dev.shardkit.spi.array.Box;
import java.util.ArrayList;
import java.util.List;
import org.apache.spark.Partitioner;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.sql.Column;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.functions;
import org.apache.spark.sql.types.DataTypes;
import scala.Tuple2;

/**
 * Partitions rows by shard, so that one task stores all rows of a shard. A source without a catalog cannot request such
 * a distribution from Spark, so this class adds the number of its shard to each row. Stateless.
 */
final class ShardPartitioning {
    /** The name of the column with the number of a row's shard. */
    private static final String NUMBER = "n";

    private ShardPartitioning() {}

    /**
     * Stores the rows. Returns the minimum coordinate in dimension 0 of each task that had rows.
     *
     * @param name the name of the write in messages and in Spark's UI
     * @param after text that is appended to the message of a failure
     * @throws dev.shardkit.spi.error.StoreException if a task failed as often as Spark allows
     */
    static List<Long> store(Dataset<Row> data, WriteShards write, String name, String after) {
        JavaSparkContext spark =
                JavaSparkContext.fromSparkContext(data.sparkSession().sparkContext());
        TaskMemory.ofCopy(spark, write.shardBytes()).check();
        ShardWriteTask task = new ShardWriteTask(write);
        boolean preservesPartitioning = false; // of no use: the results are minima, not rows
        JavaRDD<Row> rows = partitioned(data, write);
        return Tasks.collect(spark, name, rows.mapPartitionsWithIndex(task::run, preservesPartitioning), after);
    }

    /**
     * Partitions the rows by shard. The result has the number of the shard, the coordinates and the values of each row.
     * If a partition has several shards, its rows are sorted by shard.
     */
    private static JavaRDD<Row> partitioned(Dataset<Row> data, WriteShards write) {
        List<Column> columns = new ArrayList<>();
        columns.add(number(data, write).as(NUMBER));
        for (int d = 0; d < write.dimensions().size(); d++) {
            columns.add(coordinate(data, write, d).as("d" + d));
        }
        for (int i = 0; i < write.outputs().size(); i++) {
            columns.add(data.col(quoted(write.outputs().get(i).name())).as("v" + i));
        }
        Dataset<Row> rows = data.select(columns.toArray(Column[]::new));
        if (data.sparkSession().version().startsWith("3.")) { // has no repartitionById
            return rows.toJavaRDD()
                    .mapToPair(row -> new Tuple2<>(row.getLong(0), row))
                    .repartitionAndSortWithinPartitions(new ByShard(write.partitions(), write.atOnce()))
                    .values();
        }
        Dataset<Row> placed = rows.repartitionById(
                write.partitions(), functions.expr("cast(" + NUMBER + " div " + write.atOnce() + " as int)"));
        return (write.atOnce() == 1 ? placed : placed.sortWithinPartitions(NUMBER)).toJavaRDD();
    }

    /** Assigns a row to a partition by the number of its shard. A partition has {@code atOnce} consecutive shards. */
    private static final class ByShard extends Partitioner {
        private final int partitions;
        private final long atOnce;

        ByShard(int partitions, long atOnce) {
            this.partitions = partitions;
            this.atOnce = atOnce;
        }

        @Override
        public int numPartitions() {
            return partitions;
        }

        @Override
        public int getPartition(Object number) {
            return (int) ((Long) number / atOnce);
        }
    }

    /** Returns the number of a row's shard in the region; 0 if the row lies outside, which the task then refuses. */
    private static Column number(Dataset<Row> data, WriteShards write) {
        Box region = write.region();
        Box cells = write.cells();
        Column inside = functions.lit(true);
        Column number = functions.lit(0L);
        for (int d = 0; d < region.rank(); d++) {
            Column coordinate = coordinate(data, write, d);
            inside = inside.and(coordinate.geq(region.origin(d))).and(coordinate.lt(region.end(d)));
            // The function div divides integers; Column.divide would compute a rounded double.
            Column cell = functions.call_function("div", coordinate, functions.lit(write.shard()[d]));
            number = number.multiply(functions.lit(cells.shape(d))).plus(cell.minus(functions.lit(cells.origin(d))));
        }
        return functions.when(inside, number).otherwise(functions.lit(0L));
    }

    private static Column coordinate(Dataset<Row> data, WriteShards write, int d) {
        return data.col(quoted(write.dimensions().get(d))).cast(DataTypes.LongType);
    }

    /** Returns a name that Spark does not split at dots. */
    static String quoted(String name) {
        return "`" + name.replace("`", "``") + "`";
    }
}
