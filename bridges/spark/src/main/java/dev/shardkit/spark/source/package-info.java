/**
 * Arrays as tables of Spark SQL: the data source {@code shardkit}. Jobs that copy and check arrays are in
 * {@code dev.shardkit.spark}.
 */
@NullMarked
package dev.shardkit.spark.source;

import org.jspecify.annotations.NullMarked;
