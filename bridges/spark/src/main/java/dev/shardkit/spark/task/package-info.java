/** Runs tasks of Spark for the jobs and the data source. Internal. */
@NullMarked
package dev.shardkit.spark.task;

import org.jspecify.annotations.NullMarked;
