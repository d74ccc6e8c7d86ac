/**
 * The {@code sharding_indexed} codec of the Zarr v3 specification "Sharding codec". Its predecessor, a storage
 * transformer, is in {@code dev.shardkit.transformer.sharding}, and what both share in {@code dev.shardkit.spi.shard}.
 *
 * <p>{@link dev.shardkit.codec.sharding.ShardingCodec} is the codec with its configuration. The other classes are
 * internal: the index, the strategies that write a shard, and the search for old indexes.
 */
@NullMarked
package dev.shardkit.codec.sharding;

import org.jspecify.annotations.NullMarked;
