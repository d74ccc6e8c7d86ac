/** Jobs of Apache Spark over shards. One shard of the target has one writer, so that nothing is locked. */
@NullMarked
package dev.shardkit.spark;

import org.jspecify.annotations.NullMarked;
