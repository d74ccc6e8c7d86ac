import dev.shardkit.ome.pyramid.Reducer
import dev.shardkit.spark.{CopyJob, PyramidJob, StatsJob}
import org.apache.spark.api.java.JavaSparkContext
import org.apache.spark.sql.SparkSession

/** The examples of the guide in Scala. ScalaExampleTest compiles and runs them. */
object ScalaExample {
  def run(spark: SparkSession, source: String, folder: String): Double = {
    val context = new JavaSparkContext(spark.sparkContext)
    CopyJob.of(source, s"$folder/copy").withShardShape(48, 48).run(context)
    PyramidJob.of(source, s"$folder/image", pyramid => pyramid.withReducer(Reducer.MODE)).run(context)

    val rows = spark.read.format("shardkit").load(s"$folder/copy")
    rows.selectExpr("d0", "d1", "value + 1 as value").write
      .format("shardkit")
      .mode("overwrite")
      .save(s"$folder/copy")
    StatsJob.of(s"$folder/copy").run(context).numbers().get.mean().get
  }
}
