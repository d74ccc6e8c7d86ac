"""PySpark reads arrays that zarr-python wrote, with filters, and counts tasks; zarr-python reads what PySpark wrote and
what a job copied.

Usage: python3 pyspark_check.py JOB_JAR DIR
JOB_JAR is shardkit-spark_2.13-VERSION-all.jar; DIR is an empty folder. Needs pyspark 4.2, zarr 3 and numpy from PyPI.
Prints a line "pyspark: N checks, N wrong".
"""

import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pyspark
import zarr
from pyspark.sql import SparkSession

jar, folder = sys.argv[1], Path(sys.argv[2])
checks, wrong = 0, 0


def check(what, expected, found):
    global checks, wrong
    checks += 1
    if expected != found:
        wrong += 1
        print(f"{what}: expected {expected}, found {found}")


values = np.arange(96 * 96, dtype="uint16").reshape(96, 96)
values[:48, :48] = 0
source = zarr.create_array(
    store=str(folder / "a"),
    shape=values.shape,
    dtype=values.dtype,
    chunks=(8, 8),
    shards=(24, 24),
    dimension_names=["y", "x"],
)
source[:] = values

spark = (
    SparkSession.builder.master("local[2]")
    .config("spark.jars", jar)
    .config("spark.driver.extraClassPath", jar)
    .config("spark.ui.enabled", "false")
    .getOrCreate()
)
rows = spark.read.format("shardkit").load(str(folder / "a"))
check("columns", ["y", "x", "value"], rows.columns)
check("tasks of all", 12, rows.rdd.getNumPartitions())
check("rows", 96 * 96 * 3 // 4, rows.count())
some = rows.where("y >= 48 and y < 72 and x = 30")
check("tasks with a filter", 1, some.rdd.getNumPartitions())
check("filtered", values[48:72, 30].tolist(), [r.value for r in some.orderBy("y").collect()])
check("sum", int(values.sum()), rows.groupBy().sum("value").first()[0])
check("tasks of an empty shard", 0, rows.where("y = 1 and x = 1").rdd.getNumPartitions())
chunks = spark.read.format("shardkit").option("rows", "chunks").load(str(folder / "a"))
last = chunks.where("y = 88 and x = 88").first()
check("chunk", values[88:, 88:].reshape(-1).tolist(), list(last.value))

numbers = spark.range(96 * 96).selectExpr("id div 96 as y", "id % 96 as x", "cast(id as int) as value")
new = numbers.where("y < 60 and not (y < 24 and x < 24)").write.format("shardkit").mode("append")
new = new.option("dimensions", "y,x").option("shape", "60,96")
new.option("chunkShape", "8,8").option("shardShape", "24,24").save(str(folder / "w"))
expected = np.arange(96 * 96, dtype="int32").reshape(96, 96)
expected[:24, :24] = 0
written = zarr.open_array(str(folder / "w"), mode="r")
check("written type", ("int32", (60, 96), (24, 24)), (written.dtype.name, written.shape, written.shards))
check("written", True, bool((written[:] == expected[:60]).all()))
numbers.where("y >= 60").write.format("shardkit").mode("append").save(str(folder / "w"))
check("appended", True, bool((zarr.open_array(str(folder / "w"), mode="r")[:] == expected).all()))
frame = spark.createDataFrame([(96, 5, 7), (96, 5, 8)], ["y", "x", "value"])
try:
    frame.write.format("shardkit").mode("append").save(str(folder / "w"))
    check("duplicates", "refused", "written")
except Exception as e:
    check("duplicates", True, "two rows have the coordinates (y=96, x=5)" in str(e))
check("length", 96, zarr.open_array(str(folder / "w"), mode="r").shape[0])
spark.stop()

home = Path(pyspark.__file__).parent
command = [str(home / "bin" / "spark-submit"), "--master", "local[2]", "--class", "dev.shardkit.spark.Main", jar]
done = subprocess.run(
    command + ["reshard", str(folder / "a"), str(folder / "b"), "--shard-shape", "48,48"],
    capture_output=True,
    env=os.environ | {"SPARK_HOME": str(home)},
    text=True,
)
check("exit status", 0, done.returncode)
if done.returncode != 0:
    print(done.stderr[-4000:])
else:
    copied = zarr.open_array(str(folder / "b"), mode="r")
    check("shards", (48, 48), copied.shards)
    check("elements", True, bool((copied[:] == values).all()))

print(f"pyspark: {checks} checks, {wrong} wrong")
sys.exit(1 if wrong else 0)
