/**
 * The parts that all shard formats of shardkit share: the index, the new content of inner chunks, and shards under
 * construction. Exported only to the modules of {@code sharding_indexed}, of its predecessor (the transformer of 2022),
 * of neuroglancer and of webknossos-wrap.
 */
@NullMarked
package dev.shardkit.spi.shard;

import org.jspecify.annotations.NullMarked;
