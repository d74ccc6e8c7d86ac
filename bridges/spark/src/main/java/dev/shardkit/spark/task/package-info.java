/**
 * Runs tasks of Spark for the jobs and the data source: threads, memory, progress and failures. What a task computes is
 * in the packages that use it. Internal.
 */
@NullMarked
package dev.shardkit.spark.task;

import org.jspecify.annotations.NullMarked;
