/** Arrays as tables of Spark SQL: the data source {@code shardkit}. */
@NullMarked
package dev.shardkit.spark.source;

import org.jspecify.annotations.NullMarked;
