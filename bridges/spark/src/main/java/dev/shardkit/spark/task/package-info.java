/** How the jobs and the data source run tasks. Not for users. */
@NullMarked
package dev.shardkit.spark.task;

import org.jspecify.annotations.NullMarked;
