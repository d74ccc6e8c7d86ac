/** Internal: runs the tasks of the jobs and of the data source. */
@NullMarked
package dev.shardkit.spark.task;

import org.jspecify.annotations.NullMarked;
