/**
 * The parts that all shard formats of shardkit share: the index, the new content of inner chunks, and shards under
 * construction. Exported only to {@code sharding_indexed} and to its predecessor, the transformer of 2022.
 */
@NullMarked
package dev.shardkit.spi.shard;

import org.jspecify.annotations.NullMarked;
