/**
 * Jobs of Apache Spark over shards. The data source for tables is in {@code dev.shardkit.spark.source}. Each shard of
 * the target has one writer, so no locks are needed.
 *
 * <p>A job is a {@link dev.shardkit.maintenance.copy.PartedCopy}: the driver begins and publishes, tasks write ranges
 * of shards. Spark is {@code provided} and the module is built by the profile {@code spark} only, because Spark brings
 * 200 jars.
 */
@NullMarked
package dev.shardkit.spark;

import org.jspecify.annotations.NullMarked;
