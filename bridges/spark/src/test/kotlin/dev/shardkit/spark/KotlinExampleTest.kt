package dev.shardkit.spark

import java.nio.file.Path
import org.apache.spark.SparkConf
import org.apache.spark.api.java.JavaSparkContext
import org.apache.spark.sql.SparkSession
import org.junit.jupiter.api.Assertions.assertEquals
import org.junit.jupiter.api.Test
import org.junit.jupiter.api.io.TempDir

/** The examples of the guide in Kotlin. */
class KotlinExampleTest {
    @TempDir lateinit var dir: Path

    private fun inSpark(body: (JavaSparkContext) -> Unit) {
        val conf = SparkConf().setMaster("local[2]").setAppName("kotlin").set("spark.ui.enabled", "false")
        JavaSparkContext(conf).use(body)
    }

    @Test
    fun `jobs copy and count`() = inSpark { spark ->
        val source = "$dir/source"
        Sample.make(source)
        CopyJob.of(source, "$dir/copy").withShardShape(48, 48).run(spark)
        Sample.assertCopied("$dir/copy", 48, 48)

        var mean = 0.0
        StatsJob.of("$dir/copy").withBins(64).run(spark).numbers().ifPresent { mean = it.mean().get() }
        assertEquals(Sample.values().average(), mean, 1e-9)
    }

    @Test
    fun `tables are written, overwritten and read`() = inSpark { context ->
        val spark = SparkSession.builder().sparkContext(context.sc()).getOrCreate()
        val rows = spark.range(0, 100).selectExpr("id as t", "cast(id as double) / 2 as value")
        for (end in listOf(100, 50)) {
            rows
                .where("t < $end")
                .write()
                .format("shardkit")
                .mode("overwrite")
                .option("dimensions", "t")
                .option("chunkShape", "10")
                .save("$dir/table")
        }
        val read = spark.read().format("shardkit").load("$dir/table")
        assertEquals(50, read.count())
        assertEquals(4.5, read.where("t = 9").first().getAs<Double>("value"))
    }
}
